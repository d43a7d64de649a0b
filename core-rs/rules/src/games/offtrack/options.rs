//! The options of a match of OffTrack.

use super::cards::{FIGURES, MAX_ERAS};
use super::lines::MAX_LINES;
use crate::error::Faults;

/// The most seats.
pub(super) const MAX_PLAYERS: usize = 4;
/// The most rounds.
pub(super) const MAX_ROUNDS: usize = 9;

/// The options as a caller gives them; what is left out takes its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seats, 2–4.
    pub seats: Option<u32>,
    /// Which score wins.
    pub scoring: Option<Scoring>,
    /// Copies of the character deck, 1 or 2.
    pub decks: Option<u32>,
    /// Branches beside Prime, 1–4.
    pub max_branches: Option<u32>,
    /// House rule: the action at the end of a turn is drawn for the seat.
    pub every_turn: Option<bool>,
    /// R1: eras, 3–8.
    pub eras: Option<u32>,
    /// R2: copies of each action card, 1–8.
    pub action_copies: Option<u32>,
    /// Rounds, 1–9.
    pub rounds: Option<u32>,
}

/// Which score wins each round and the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// The highest.
    High,
    /// The lowest.
    Low,
}

/// The options, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    pub(super) seats: u8,
    pub(super) scoring: Scoring,
    pub(super) decks: u8,
    pub(super) max_branches: u8,
    pub(super) every_turn: bool,
    pub(super) eras: u8,
    pub(super) action_copies: u8,
    pub(super) rounds: u8,
}

impl Rules {
    /// Checks the options; lists every fault.
    pub(super) fn new(options: &Options) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let mut number = |field: &str, value: Option<u32>, default, low, high| {
            let value = value.unwrap_or(default);
            if !(low..=high).contains(&value) {
                let expected = format!("a number from {low} to {high}");
                faults.add(&path(field), value, expected);
            }
            value as u8
        };
        let rules = Self {
            seats: number("seats", options.seats, 2, 2, MAX_PLAYERS as u32),
            scoring: options.scoring.unwrap_or(Scoring::High),
            decks: number("decks", options.decks, 1, 1, 2),
            max_branches: number("max_branches", options.max_branches, 2, 1, MAX_LINES as u32 - 1),
            every_turn: options.every_turn.unwrap_or(false),
            eras: number("eras", options.eras, 6, 3, MAX_ERAS as u32),
            action_copies: number("action_copies", options.action_copies, 4, 1, 8),
            rounds: number("rounds", options.rounds, 3, 1, MAX_ROUNDS as u32),
        };
        faults.or(rules)
    }

    /// The options with every default filled in.
    pub(super) fn options(&self) -> Options {
        Options {
            seats: Some(self.seats.into()),
            scoring: Some(self.scoring),
            decks: Some(self.decks.into()),
            max_branches: Some(self.max_branches.into()),
            every_turn: Some(self.every_turn),
            eras: Some(self.eras.into()),
            action_copies: Some(self.action_copies.into()),
            rounds: Some(self.rounds.into()),
        }
    }

    /// Card types.
    #[inline]
    pub(super) fn types(&self) -> usize {
        FIGURES * self.eras as usize
    }

    /// Lines that may stand.
    #[inline]
    pub(super) fn lines(&self) -> usize {
        self.max_branches as usize + 1
    }

    #[inline]
    pub(super) fn seats(&self) -> usize {
        self.seats as usize
    }
}

/// The path of a field from the root of the options message.
pub(super) fn path(field: &str) -> String {
    format!("offtrack.{field}")
}
