//! What the runner expects.

use std::fmt::Debug;

pub(crate) const PASSED: &str = "passed";

/// Why something has not passed.
pub(crate) type Fault = Box<dyn std::error::Error + Send + Sync>;
pub(crate) type Check<T = ()> = Result<T, Fault>;

/// A fault unless both are equal.
pub(crate) fn expect<T: PartialEq<E> + Debug, E: Debug>(
    what: &str,
    found: T,
    expected: E,
) -> Check {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what} is {}, expected {}", shown(&found), shown(&expected)).into()),
    }
}

/// A fault unless something holds.
pub(crate) fn require(what: &str, holds: bool) -> Check {
    if holds { Ok(()) } else { Err(what.into()) }
}

/// How something went, as the report says it.
pub(crate) fn told(check: Check) -> String {
    check.err().map_or_else(|| PASSED.into(), |fault| fault.to_string())
}

fn shown(value: &impl Debug) -> String {
    format!("{value:?}").chars().take(200).collect()
}
