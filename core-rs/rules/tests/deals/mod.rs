//! What tests of determinization share: ways to deal, and whether samples are spread as they are.

use std::collections::BTreeMap;

use tablestate_rules::chance::{Chance, Fast};

pub(crate) const SAMPLES: u32 = 40_000;

/// How likely each position is, by its notation, which tells everything.
pub(crate) type Distribution = BTreeMap<String, f64>;

/// How likely each deal is: piles of these sizes and the rest, one after the other, each sorted.
pub(crate) fn deals<T: Copy + Ord>(items: &[T], sizes: &[usize]) -> BTreeMap<Vec<T>, f64> {
    let orders = orders(items);
    let mut deals = BTreeMap::new();
    for mut order in orders.iter().cloned() {
        let mut rest = &mut order[..];
        for &size in sizes {
            let (pile, behind) = rest.split_at_mut(size);
            pile.sort_unstable();
            rest = behind;
        }
        rest.sort_unstable();
        *deals.entry(order).or_default() += 1.0 / orders.len() as f64;
    }
    deals
}

/// All orders of some items, equal ones told apart.
fn orders<T: Copy>(items: &[T]) -> Vec<Vec<T>> {
    if items.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..items.len() {
        let mut rest = items.to_vec();
        let item = rest.remove(first);
        all.extend(orders(&rest).into_iter().map(|mut order| {
            order.push(item);
            order
        }));
    }
    all
}

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

pub(crate) fn shuffle<T>(items: &mut [T], chance: &mut Fast) {
    for end in (1..items.len()).rev() {
        items.swap(end, chance.draw(end as u32 + 1) as usize);
    }
}
