//! How games end (`common.md`, "Outcome").

use arrayvec::ArrayVec;

use super::{MAX_SEATS, Seat, SeatSet};

/// Why a game ended, over all games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// All seats but one have forfeited.
    Forfeit,
    /// All players that are left have agreed on a draw.
    Agreement,
    /// Offboard: a seat has the points to win.
    OffboardPoints,
    /// Offboard R4.
    OffboardRepetition,
    /// Offboard R5.
    OffboardQuietLimit,
    /// Offboard R6.
    OffboardOutOfReach,
    /// Offboard R7.
    OffboardNoMove,
    /// OffTrack: the last round was scored.
    OffTrackRoundsPlayed,
    /// Eternitium R10: a round is over and a seat has no Eras.
    EternitiumErasGone,
    /// Eternitium R12: the last round is over.
    EternitiumMaxRounds,
    /// Off the Rails R16: no cart is on the board.
    OffTheRailsNoCartOnBoard,
    /// Off the Rails R16: the last of the tokens has been drawn.
    OffTheRailsLastToken,
}

/// The result of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The seats that won; none in a draw.
    pub winners: SeatSet,
    /// Why the game ended.
    pub reason: Reason,
    /// The game's own score of each seat; one entry a seat.
    pub scores: ArrayVec<i32, MAX_SEATS>,
}

impl Outcome {
    /// Each seat's share of the victory: winners share equally, and without a winner all do.
    pub fn shares(&self) -> ArrayVec<f64, MAX_SEATS> {
        let sharing = if self.winners.is_empty() { self.seats() } else { self.winners };
        let share = 1.0 / sharing.len() as f64;
        self.seats().iter().map(|seat| if sharing.contains(seat) { share } else { 0.0 }).collect()
    }

    /// Each seat's return, (n·w − 1) ÷ (n − 1): with two seats +1, 0 or −1.
    pub fn returns(&self) -> ArrayVec<f64, MAX_SEATS> {
        let seats = self.scores.len() as f64;
        self.shares().into_iter().map(|share| (seats * share - 1.0) / (seats - 1.0)).collect()
    }

    /// The result when all seats but `winner` have forfeited.
    pub fn by_forfeit(winner: Seat, scores: ArrayVec<i32, MAX_SEATS>) -> Self {
        Self { winners: SeatSet::EMPTY.with(winner), reason: Reason::Forfeit, scores }
    }

    /// The result when the seats that are left in have agreed to share the victory: without a
    /// winner, unless there are others, who share nothing.
    pub fn by_agreement(left_in: SeatSet, scores: ArrayVec<i32, MAX_SEATS>) -> Self {
        let are_all = left_in.len() == scores.len();
        let winners = if are_all { SeatSet::EMPTY } else { left_in };
        Self { winners, reason: Reason::Agreement, scores }
    }

    fn seats(&self) -> SeatSet {
        SeatSet::first(self.scores.len())
    }
}
