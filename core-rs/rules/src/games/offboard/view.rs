//! Who sees what: everything is public, so every viewer sees the same.

use super::geometry::{CELLS, Cell, TARGETS};
use super::history::Repetitions;
use super::setup::Setup;
use super::state::{Marble, Offboard};
use crate::vocab::{ByteWriter, Seat, Viewer};

/// What a viewer sees. The game is one of complete information: the rules grant the whole state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View<'a> {
    pub(super) state: &'a Offboard,
    pub(super) history: &'a Repetitions,
}

impl<'a> View<'a> {
    pub(super) fn of(state: &'a Offboard, history: &'a Repetitions) -> Self {
        Self { state, history }
    }

    /// The marble on each cell.
    pub fn cells(&self) -> [Option<Marble>; CELLS] {
        std::array::from_fn(|number| self.state.marble_at(Cell::of(number as u32)))
    }

    /// The value of each target and the marble in it.
    pub fn targets(&self) -> [(u8, Option<Marble>); TARGETS] {
        std::array::from_fn(|target| (self.state.values[target], self.state.marble_in(target)))
    }

    /// The points of the seats.
    pub fn scores(&self) -> [u8; 2] {
        self.state.scores
    }

    /// The seat that has a recovery to choose.
    pub fn recovering(&self) -> Option<Seat> {
        self.state.recovering.then_some(self.state.to_act)
    }

    /// R5: quiet turns so far, and their limit.
    pub fn quiet_turns(&self) -> (u16, u16) {
        (self.state.quiet_turns, self.state.quiet_limit)
    }

    /// The number of the turn, from 1.
    pub fn turn(&self) -> u32 {
        self.state.turn
    }

    /// Points that win.
    pub fn points_to_win(&self) -> u8 {
        self.state.points_to_win
    }

    /// R4: how often the position has stood after a turn.
    pub fn repetitions(&self) -> usize {
        self.history.count(self.state.past())
    }

    /// The position in notation.
    pub fn position(&self) -> String {
        Setup::of_state(self.state).to_string()
    }

    /// Writes the fields of `info::INFO.observation`.
    pub(super) fn observe(&self, viewer: Viewer, observation: &mut [u8]) {
        let seat = match viewer {
            Viewer::Seat(seat) => seat,
            Viewer::Spectator => Seat::of(0),
        };
        let sides = [seat, seat.opponent()];
        let state = self.state;
        let mut bytes = ByteWriter::new(observation);
        for side in sides {
            bytes.bits(state.marbles[side.index()][0], CELLS);
        }
        for side in sides {
            bytes.bits(state.targets[side.index()].into(), TARGETS);
        }
        bytes.extend(state.values);
        bytes.extend(sides.map(|side| state.scores[side.index()]));
        bytes.push(state.points_to_win);
        bytes.extend(sides.map(|side| u8::from(self.recovering() == Some(side))));
        bytes.extend(state.quiet_turns.to_le_bytes());
        bytes.extend(state.quiet_limit.to_le_bytes());
        bytes.push(self.repetitions().min(3) as u8);
        bytes.push(u8::from(state.to_act == seat));
        bytes.push(seat.index() as u8);
        debug_assert!(bytes.is_full());
    }
}
