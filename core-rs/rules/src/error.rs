//! What can be wrong with what a caller hands in.

use std::fmt;

/// One fault of an untrusted value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The field, as a path from the message's root.
    pub field: String,
    /// The value that was given.
    pub value: String,
    /// What was expected.
    pub expected: String,
}

/// Beyond so many faults no more are noted: they help nobody, and cost time to tell.
const MOST_FAULTS: usize = 64;

/// Every fault that was found, up to a number; at least one.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Notes a fault.
    pub fn add(&mut self, field: &str, value: impl fmt::Display, expected: impl Into<String>) {
        if self.0.len() >= MOST_FAULTS {
            return;
        }
        let fault =
            Fault { field: field.to_owned(), value: value.to_string(), expected: expected.into() };
        self.0.push(fault);
    }

    /// A single fault.
    pub fn one(field: &str, value: impl fmt::Display, expected: impl Into<String>) -> Self {
        let mut faults = Self::default();
        faults.add(field, value, expected);
        faults
    }

    /// Adds the faults of another list.
    pub fn extend(&mut self, other: Self) {
        let room = MOST_FAULTS.saturating_sub(self.0.len());
        self.0.extend(other.0.into_iter().take(room));
    }

    /// The same faults with their fields below another one.
    #[must_use]
    pub fn under(mut self, parent: &str) -> Self {
        for fault in &mut self.0 {
            fault.field = format!("{parent}.{}", fault.field);
        }
        self
    }

    /// The value, if no fault was noted.
    pub fn or<T>(self, value: T) -> Result<T, Self> {
        if self.0.is_empty() { Ok(value) } else { Err(self) }
    }

    /// Whether no fault was noted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The faults, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            let comma = if i == 0 { "" } else { "; " };
            write!(f, "{comma}{} is {:?}, expected {}", fault.field, fault.value, fault.expected)?;
        }
        Ok(())
    }
}

/// Why an action is not legal now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why} ({rule})")]
pub struct Illegal {
    /// The number of the rule, or the heading of the section, that forbids it.
    pub rule: &'static str,
    /// What stands in the way, in words that hold nothing hidden.
    pub why: &'static str,
}
