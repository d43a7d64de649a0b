//! The options of a match of Off the Rails.

use super::geometry::{Geometry, Side};
use crate::error::Faults;
use crate::vocab::{Seat, SeatSet};

/// The most seats.
pub(super) const MAX_PLAYERS: usize = 4;
/// How many cards the deposit deck can have.
const DECKS: [u32; 4] = [13, 17, 21, 25];

/// R1: a printed board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Board {
    /// 8 by 8.
    #[default]
    Compact,
    /// 9 by 9, an aisle between the mines.
    Aisle,
}

/// The options as a caller gives them; what is left out takes its default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Seats, 2–4.
    pub seats: Option<u32>,
    /// R1: the board.
    pub board: Option<Board>,
    /// Cards of the deposit deck with the Chasm Card: 13, 17, 21 or 25.
    pub deposit_cards: Option<u32>,
    /// Whether there are missions.
    pub missions: Option<bool>,
    /// Whether collisions neither drop jewels nor derail.
    pub bumper_cars: Option<bool>,
    /// Whether the Chasm die is rolled.
    pub chasm_die: Option<bool>,
}

/// The options, checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rules {
    seats: u8,
    pub(super) board: Board,
    pub(super) deposit_cards: u8,
    pub(super) missions: bool,
    pub(super) bumper_cars: bool,
    pub(super) chasm_die: bool,
}

impl Rules {
    /// Checks the options; lists every fault.
    pub(super) fn new(options: &Options) -> Result<Self, Faults> {
        let mut faults = Faults::default();
        let seats = options.seats.unwrap_or(2);
        if !(2..=MAX_PLAYERS as u32).contains(&seats) {
            faults.add(&path("seats"), seats, "a number from 2 to 4");
        }
        let cards = options.deposit_cards.unwrap_or(if seats == 4 { 21 } else { 17 });
        if !DECKS.contains(&cards) {
            faults.add(&path("deposit_cards"), cards, "13, 17, 21 or 25");
        }
        faults.or(Self {
            seats: seats as u8,
            board: options.board.unwrap_or_default(),
            deposit_cards: cards as u8,
            missions: options.missions.unwrap_or_default(),
            bumper_cars: options.bumper_cars.unwrap_or_default(),
            chasm_die: options.chasm_die.unwrap_or_default(),
        })
    }

    /// The options with every default filled in.
    pub(super) fn options(&self) -> Options {
        Options {
            seats: Some(self.seats.into()),
            board: Some(self.board),
            deposit_cards: Some(self.deposit_cards.into()),
            missions: Some(self.missions),
            bumper_cars: Some(self.bumper_cars),
            chasm_die: Some(self.chasm_die),
        }
    }

    #[inline]
    pub(super) fn seats(&self) -> usize {
        self.seats.into()
    }

    #[inline]
    pub(super) fn geometry(&self) -> &'static Geometry {
        Geometry::of(self.board)
    }

    /// The seats, in turn order.
    pub(super) fn all_seats(&self) -> impl Iterator<Item = Seat> + use<> {
        SeatSet::first(self.seats()).iter()
    }

    /// R20: the side of a seat.
    #[inline]
    pub(super) fn side(&self, seat: Seat) -> Side {
        match (self.seats, seat.index()) {
            (_, 0) => Side::North,
            (2, _) => Side::South,
            (_, number) => Side::ALL[number],
        }
    }
}

/// The path of a field from the root of the options message.
pub(super) fn path(field: &str) -> String {
    format!("off_the_rails.{field}")
}
