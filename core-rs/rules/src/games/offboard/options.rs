//! The options of a match of Offboard.

use std::fmt::Display;

use super::geometry::{DEFAULT_VALUES, TARGETS};
use super::notation::{Board, START};
use super::setup::Setup;
use crate::error::Faults;

/// The most marbles of a colour in a given position, a waiting one counted.
pub const MARBLES_MAX: usize = 30;

/// The options as a caller gives them; what is left out takes its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Points that win at once, 1–24.
    pub points_to_win: Option<u32>,
    /// R5: quiet turns that end the game, 10–1000.
    pub quiet_limit: Option<u32>,
    /// Another start, in notation.
    pub position: Option<String>,
    /// The values of the targets: twelve, or none for the defaults.
    pub target_values: Vec<u32>,
}

impl Options {
    /// Fills the defaults in and checks; lists every fault.
    pub(super) fn complete(&self) -> Result<Self, Faults> {
        let setup = Setup::of_options(self)?;
        Ok(Self {
            points_to_win: Some(setup.points_to_win.into()),
            quiet_limit: Some(setup.quiet_limit.into()),
            position: Some(setup.to_string()),
            target_values: setup.values.map(u32::from).to_vec(),
        })
    }
}

impl Setup {
    /// The start that the options describe; lists every fault.
    pub fn of_options(options: &Options) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let values = target_values(&options.target_values, &mut faults);
        let points_to_win = points_to_win(options.points_to_win, values, &mut faults);
        let quiet_limit =
            number("quiet_limit", options.quiet_limit.unwrap_or(100), 10, 1000, &mut faults);
        let text = options.position.as_deref().unwrap_or(START);
        let board = Board::parse(text).map_err(|more| faults.extend(more)).ok();
        let (Some(values), Some(points), Some(limit), Some(board)) =
            (values, points_to_win, quiet_limit, board)
        else {
            return Err(faults);
        };
        let setup = Self::new(board, points as u8, limit as u16, values);
        setup.check(&mut faults);
        faults.or(setup)
    }
}

fn number(
    field: impl Display,
    value: u32,
    low: u32,
    high: u32,
    faults: &mut Faults,
) -> Option<u32> {
    let fits = (low..=high).contains(&value);
    if !fits {
        faults.add(&path(field), value, format!("a number from {low} to {high}"));
    }
    fits.then_some(value)
}

fn points_to_win(
    given: Option<u32>,
    values: Option<[u8; TARGETS]>,
    faults: &mut Faults,
) -> Option<u32> {
    let points = number("points_to_win", given.unwrap_or(6), 1, 24, faults)?;
    let sum = values.map_or(u32::MAX, |values| values.iter().map(|&value| u32::from(value)).sum());
    if points > sum {
        let expected = format!("at most {sum}, the sum of the target values");
        faults.add(&path("points_to_win"), points, expected);
    }
    Some(points)
}

fn target_values(given: &[u32], faults: &mut Faults) -> Option<[u8; TARGETS]> {
    if given.is_empty() {
        return Some(DEFAULT_VALUES);
    }
    if given.len() != TARGETS {
        let value = format!("{} values", given.len());
        faults.add(&path("target_values"), value, "12 values, or none for the defaults");
        return None;
    }
    let mut sound = true;
    for (target, &value) in given.iter().enumerate() {
        // Written out only for a fault: batches set games up by the thousand.
        let field = format_args!("target_values[{target}]");
        sound &= number(field, value, 1, 3, faults).is_some();
    }
    sound.then(|| std::array::from_fn(|target| given[target] as u8))
}

/// The path of a field from the root of the options message.
pub(super) fn path(field: impl Display) -> String {
    format!("offboard.{field}")
}
