//! A position to be played from: everything that a state holds at the start, checked.

use super::geometry::{CELLS, Cell, TARGETS};
use super::notation::Board;
use super::options::{MARBLES_MAX, path};
use super::state::{Marble, Offboard};
use crate::error::Faults;
use crate::vocab::Seat;

/// A start. It becomes a state only if [`Setup::check`] finds no fault.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub(super) cells: [Option<Marble>; CELLS],
    pub(super) targets: [Option<Marble>; TARGETS],
    pub(super) scores: [u8; 2],
    pub(super) to_act: Seat,
    pub(super) recovering: bool,
    pub(super) quiet_turns: u16,
    pub(super) turn: u32,
    pub(super) points_to_win: u8,
    pub(super) quiet_limit: u16,
    pub(super) values: [u8; TARGETS],
}

impl Setup {
    pub(super) fn new(
        board: Board,
        points_to_win: u8,
        quiet_limit: u16,
        values: [u8; TARGETS],
    ) -> Self {
        Self {
            cells: board.cells,
            targets: board.targets,
            scores: board.scores,
            to_act: board.to_act,
            recovering: board.recovering,
            quiet_turns: board.quiet_turns,
            turn: board.turn,
            points_to_win,
            quiet_limit,
            values,
        }
    }

    /// The position that a state stands in.
    pub(super) fn of_state(state: &Offboard) -> Self {
        Self {
            cells: std::array::from_fn(|number| state.marble_at(Cell::of(number as u32))),
            targets: std::array::from_fn(|target| state.marble_in(target)),
            scores: state.scores,
            to_act: state.to_act,
            recovering: state.recovering,
            quiet_turns: state.quiet_turns,
            turn: state.turn,
            points_to_win: state.points_to_win,
            quiet_limit: state.quiet_limit,
            values: state.values,
        }
    }

    /// Notes what forbids to start here: too many marbles, or a game that is over already.
    pub(super) fn check(&self, faults: &mut Faults) {
        let mut fault = |value: String, expected: &str| {
            faults.add(&path("position"), value, expected);
        };
        for marble in Marble::BOTH {
            let waiting = self.recovering && marble.seat() == self.to_act;
            let on_board = self.cells.iter().filter(|cell| **cell == Some(marble)).count();
            let marbles = on_board + usize::from(waiting);
            if marbles > MARBLES_MAX {
                let value = format!("{marbles} {marble:?} marbles");
                fault(value, "at most 30 of a colour, a waiting one counted");
            }
        }
        for (score, marble) in self.scores.iter().zip(Marble::BOTH) {
            if *score >= self.points_to_win {
                let value = format!("{score} points of {marble:?}");
                fault(value, "fewer than the points to win: the game would be over");
            }
        }
        if self.quiet_turns >= self.quiet_limit {
            let value = format!("{} quiet turns", self.quiet_turns);
            fault(value, "fewer than the quiet limit: the game would be over (R5)");
        }
        let state = Offboard::of_setup(self);
        if state.is_out_of_reach() {
            fault(
                format!("{}", self.board()),
                "points in reach of a seat: the game would be over (R6)",
            );
        }
        if !self.recovering && !state.has_move() {
            fault(
                format!("{}", self.board()),
                "a legal move for the seat to act: the game would be over (R7)",
            );
        }
    }

    fn board(&self) -> Board {
        Board {
            cells: self.cells,
            targets: self.targets,
            scores: self.scores,
            to_act: self.to_act,
            recovering: self.recovering,
            quiet_turns: self.quiet_turns,
            turn: self.turn,
        }
    }
}

impl std::fmt::Display for Setup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.board().fmt(f)
    }
}
