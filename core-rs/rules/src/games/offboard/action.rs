//! The decisions of Offboard and two of their names: index and notation.

use std::fmt;

use super::geometry::{CELLS, Cell, DIRECTIONS, Direction};
use crate::error::Faults;

/// One decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// The run of the seat's marbles from `tail` onwards steps one cell.
    Move {
        /// The last marble of the group.
        tail: Cell,
        /// Where the group steps.
        direction: Direction,
    },
    /// Recovery: the waiting marble is put on an empty cell.
    Place(Cell),
    /// Recovery: the waiting marble is given up.
    Decline,
}

/// The index of the first placement.
pub(super) const PLACE_OFFSET: usize = DIRECTIONS * CELLS;
/// The index of [`Action::Decline`].
pub(super) const DECLINE_INDEX: usize = PLACE_OFFSET + CELLS;

impl Action {
    /// The dense index: 6 directions × 61 tails, 61 placements, the decline.
    pub fn index(self) -> usize {
        match self {
            Self::Move { tail, direction } => direction as usize * CELLS + tail.index(),
            Self::Place(cell) => PLACE_OFFSET + cell.index(),
            Self::Decline => DECLINE_INDEX,
        }
    }

    /// The action of an index. None for moves that would leave the board at once: they have no
    /// notation and are never legal.
    pub fn at_index(index: usize) -> Option<Self> {
        match index {
            0..PLACE_OFFSET => {
                let direction = Direction::ALL[index / CELLS];
                let tail = Cell::new(index % CELLS)?;
                tail.has_next(direction).then_some(Self::Move { tail, direction })
            }
            DECLINE_INDEX => Some(Self::Decline),
            _ => Cell::new(index - PLACE_OFFSET).map(Self::Place),
        }
    }

    /// The action of a notation: `e3e4`, `*d5` or `-`.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        let action = match text.as_bytes() {
            b"-" => Some(Self::Decline),
            [b'*', ..] => Cell::parse(&text[1..]).map(Self::Place),
            [_, _, _, _] if text.is_ascii() => Self::parse_move(&text[..2], &text[2..]),
            _ => None,
        };
        action.ok_or_else(|| {
            let expected = "a cell and a neighbour of it as \"e3e4\", \"*\" and a cell, or \"-\"";
            Faults::one("notation", text, expected)
        })
    }

    fn parse_move(from: &str, to: &str) -> Option<Self> {
        let (tail, to) = (Cell::parse(from)?, Cell::parse(to)?);
        let direction = Direction::ALL.into_iter().find(|&d| tail.step(d) == Some(to))?;
        Some(Self::Move { tail, direction })
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { tail, direction } => match tail.step(*direction) {
                Some(to) => write!(f, "{tail}{to}"),
                None => write!(f, "{tail}{direction:?}"),
            },
            Self::Place(cell) => write!(f, "*{cell}"),
            Self::Decline => f.write_str("-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_and_notation_name_the_same_actions() {
        let mut named = 0;
        for index in 0..500 {
            if let Some(action) = Action::at_index(index) {
                assert_eq!(action.index(), index);
                assert_eq!(Action::parse(&action.to_string()), Ok(action));
                named += 1;
            }
        }
        // 6 × 61 moves but for the 54 exits, 61 placements, the decline.
        assert_eq!(named, 428 - 54);
    }

    #[test]
    fn other_texts_are_refused() {
        for text in ["", "e3", "e3e5", "e3e3", "e9f11", "*", "*j1", "--", "E3E4", "a1SW", "é3e4"] {
            assert!(Action::parse(text).is_err(), "{text}");
        }
    }
}
