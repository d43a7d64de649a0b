//! What a message says, compared with what it should say, field by field.

use tablestate_rules::Faults;

/// A part of a message that can be compared.
pub(crate) trait Compare {
    /// Notes every field in which a part differs from what it should be.
    fn compare(&self, expected: &Self, field: &str, faults: &mut Faults);
}

/// Parts that are told in whole.
macro_rules! compare_whole {
    ($($part:ty),*) => {$(
        impl Compare for $part {
            fn compare(&self, expected: &Self, field: &str, faults: &mut Faults) {
                if self != expected {
                    faults.add(field, excerpt(self), excerpt(expected));
                }
            }
        }
    )*};
}

/// Messages that are told by field. All fields must be named, or it does not compile.
macro_rules! compare_fields {
    ($message:ident: $($field:ident)*) => {
        impl $crate::compare::Compare for v1::$message {
            fn compare(&self, expected: &Self, field: &str, faults: &mut ::tablestate_rules::Faults) {
                let Self { $($field),* } = self;
                $(
                    let name = stringify!($field).trim_start_matches("r#");
                    $crate::compare::Compare::compare($field, &expected.$field, &format!("{field}.{name}"), faults);
                )*
            }
        }
    };
}

pub(crate) use {compare_fields, compare_whole};

compare_whole!(u32, i32, bool, String, Option<u32>);

impl<T: Compare> Compare for Vec<T> {
    fn compare(&self, expected: &Self, field: &str, faults: &mut Faults) {
        if self.len() != expected.len() {
            faults.add(field, count(self.len()), count(expected.len()));
            return;
        }
        for (number, (part, expected)) in self.iter().zip(expected).enumerate() {
            part.compare(expected, &format!("{field}[{number}]"), faults);
        }
    }
}

fn count(number: usize) -> String {
    if number == 1 { "1 item".to_owned() } else { format!("{number} items") }
}

/// A value as text, cut short where it is long.
pub(crate) fn excerpt(value: &impl std::fmt::Debug) -> String {
    const MOST: usize = 200;
    format!("{value:?}").chars().take(MOST).collect()
}
