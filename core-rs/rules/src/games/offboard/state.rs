//! The full state of a game of Offboard.

use arrayvec::ArrayVec;

use super::geometry::{ALL, Cell, Lanes, TARGETS};
use super::history::{Past, Repetitions};
use super::setup::Setup;
use crate::vocab::{Outcome, Reason, Seat, SeatSet, mix};

/// The colour of a marble: red is seat 0, yellow seat 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Marble {
    Red,
    Yellow,
}

impl Marble {
    /// Both colours, by seat.
    pub const BOTH: [Self; 2] = [Self::Red, Self::Yellow];

    /// The seat that plays the colour.
    pub fn seat(self) -> Seat {
        Seat::of(self as u8)
    }
}

/// Why a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A seat has the points to win.
    Points,
    /// R4.
    Repetition,
    /// R5.
    QuietLimit,
    /// R6.
    OutOfReach,
    /// R7.
    NoMove,
}

/// A game of Offboard at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Offboard {
    /// The marbles on the board, by seat.
    pub(super) marbles: [Lanes; 2],
    /// The marbles in the targets, by seat: bit i = target i.
    pub(super) targets: [u16; 2],
    /// The points, by seat.
    pub(super) scores: [u8; 2],
    /// The seat to act; after the end as the rules' "End" says.
    pub(super) to_act: Seat,
    /// Whether the seat to act has a recovery to choose. No other seat can have one.
    pub(super) recovering: bool,
    /// Turns since a marble came to rest in an empty target (R5).
    pub(super) quiet_turns: u16,
    pub(super) quiet_limit: u16,
    /// The number of the turn, from 1.
    pub(super) turn: u32,
    pub(super) points_to_win: u8,
    pub(super) values: [u8; TARGETS],
    pub(super) end: Option<End>,
}

impl Offboard {
    /// The game at its start, which counts as a position that has stood (R4).
    pub(super) fn at_start(setup: &Setup) -> (Self, Repetitions) {
        let state = Self::of_setup(setup);
        let mut history = Repetitions::default();
        history.note(state.past());
        (state, history)
    }

    /// The state of a checked set-up.
    pub(super) fn of_setup(setup: &Setup) -> Self {
        let mut state = Self {
            marbles: [[0; 6]; 2],
            targets: [0; 2],
            scores: setup.scores,
            to_act: setup.to_act,
            recovering: setup.recovering,
            quiet_turns: setup.quiet_turns,
            quiet_limit: setup.quiet_limit,
            turn: setup.turn,
            points_to_win: setup.points_to_win,
            values: setup.values,
            end: None,
        };
        for (number, marble) in setup.cells.iter().enumerate() {
            if let Some(marble) = marble {
                state.toggle(marble.seat(), Cell::of(number as u32));
            }
        }
        for (target, marble) in setup.targets.iter().enumerate() {
            if let Some(marble) = marble {
                state.targets[*marble as usize] |= 1 << target;
            }
        }
        state
    }

    /// Why the game is over, if it is.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Puts a marble on a cell, or takes it away.
    #[inline]
    pub(super) fn toggle(&mut self, seat: Seat, cell: Cell) {
        let marbles = &mut self.marbles[seat.index()];
        for (lane, bit) in marbles.iter_mut().zip(cell.lanes()) {
            *lane ^= bit;
        }
    }

    /// The marble on a cell.
    pub fn marble_at(&self, cell: Cell) -> Option<Marble> {
        Marble::BOTH.into_iter().find(|&m| self.marbles[m as usize][0] >> cell.index() & 1 == 1)
    }

    /// The marble in a target.
    pub fn marble_in(&self, target: usize) -> Option<Marble> {
        Marble::BOTH.into_iter().find(|&m| self.targets[m as usize] >> target & 1 == 1)
    }

    /// The empty cells, by cell.
    #[inline]
    pub(super) fn empty_cells(&self) -> u64 {
        !(self.marbles[0][0] | self.marbles[1][0]) & ALL
    }

    /// What R4 compares, but for targets and scores.
    #[inline]
    pub(super) fn past(&self) -> Past {
        let signs = (self.to_act.index() as u64) << 61 | u64::from(self.recovering) << 62;
        Past { red: self.marbles[0][0] | signs, yellow: self.marbles[1][0] }
    }

    /// R6: whether neither seat can still reach the points to win.
    pub(super) fn is_out_of_reach(&self) -> bool {
        let filled = self.targets[0] | self.targets[1];
        let empty = (0..TARGETS).filter(|target| filled >> target & 1 == 0);
        let left: u8 = empty.map(|target| self.values[target]).sum();
        self.scores.iter().all(|score| score + left < self.points_to_win)
    }

    pub(super) fn result(&self) -> Option<Outcome> {
        let draw = SeatSet::EMPTY;
        let (winners, reason) = match self.end? {
            End::Points => (draw.with(self.to_act), Reason::OffboardPoints),
            End::Repetition => (draw, Reason::OffboardRepetition),
            End::QuietLimit => (draw, Reason::OffboardQuietLimit),
            End::OutOfReach => (draw, Reason::OffboardOutOfReach),
            End::NoMove => (draw.with(self.to_act.opponent()), Reason::OffboardNoMove),
        };
        let scores: ArrayVec<_, _> = self.scores.iter().map(|&score| score.into()).collect();
        Some(Outcome { winners, reason, scores })
    }

    /// A hash of what R4 compares.
    pub(super) fn position_hash(&self) -> u64 {
        let past = self.past();
        let [red, yellow] = self.targets.map(u64::from);
        let rest =
            red | yellow << 16 | u64::from(self.scores[0]) << 32 | u64::from(self.scores[1]) << 40;
        [past.red, past.yellow, rest].into_iter().fold(0x0FFB_0A2D, |hash, word| mix(hash ^ word))
    }
}
