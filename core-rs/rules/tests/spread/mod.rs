//! What tests of determinization share: whether samples are spread as was counted out.

use std::collections::BTreeMap;

pub(crate) const SAMPLES: u32 = 40_000;

/// How likely each position is, by its notation, which tells everything.
pub(crate) type Distribution = BTreeMap<String, f64>;

pub(crate) fn chi_square(expected: &Distribution, seen: &BTreeMap<String, u32>) -> f64 {
    let term = |(position, probability): (&String, &f64)| {
        let expected = probability * f64::from(SAMPLES);
        let seen = f64::from(seen.get(position).copied().unwrap_or(0));
        (seen - expected).powi(2) / expected
    };
    expected.iter().map(term).sum()
}

/// What one true spread in ten thousand exceeds, by the approximation of Wilson and Hilferty.
pub(crate) fn critical_value(degrees_of_freedom: usize) -> f64 {
    const QUANTILE: f64 = 3.719;
    let degrees = degrees_of_freedom as f64;
    let spread = 2.0 / (9.0 * degrees);
    degrees * (1.0 - spread + QUANTILE * spread.sqrt()).powi(3)
}
