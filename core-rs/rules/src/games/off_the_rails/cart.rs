//! Carts, where they are and which way they face.

use super::geometry::{Side, Square};
use super::jewels::Jewels;
use crate::vocab::Seat;

/// The most jewels in a hold.
pub(super) const HOLD: usize = 5;
/// Speeds: of a cart that is placed, the slowest, the fastest.
pub(super) const FIRST_SPEED: u8 = 3;
pub(super) const SLOWEST: u8 = 1;
pub(super) const FASTEST: u8 = 6;

/// One of a seat's two carts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Colour {
    White,
    Black,
}

impl Colour {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// Its letter in notation.
    pub const fn letter(self) -> char {
        ['w', 'b'][self as usize]
    }

    /// The other one.
    pub(super) const fn other(self) -> Self {
        Self::ALL[1 - self as usize]
    }

    /// The cart of a letter.
    pub(super) fn parse(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|colour| colour.letter() == letter)
    }
}

/// A cart by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CartName {
    /// Its owner.
    pub seat: Seat,
    /// Which of the two.
    pub colour: Colour,
}

/// Where a cart is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Place {
    /// In supply.
    #[default]
    Supply,
    /// On an underground square.
    Underground(Square),
    /// On a Surface square of its seat's side, by file or rank from 0.
    Surface(u8),
    /// Out of the game.
    Out,
}

/// A cart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cart {
    /// Where it is.
    pub place: Place,
    /// The exit that it faces; none at a choice on a new square (R26), and off the board.
    pub facing: Option<Side>,
    /// Its speed; 0 off the board.
    pub speed: u8,
    /// The jewels that it holds.
    pub hold: Jewels,
}

impl Cart {
    /// A cart without anything, off the board.
    pub(super) const fn put_away(place: Place) -> Self {
        Self { place, facing: None, speed: 0, hold: Jewels::EMPTY }
    }

    /// Whether it is on the board; a Surface square belongs to it.
    #[inline]
    pub const fn is_on_board(&self) -> bool {
        matches!(self.place, Place::Underground(_) | Place::Surface(_))
    }

    /// Its underground square, if it is on one.
    #[inline]
    pub const fn square(&self) -> Option<Square> {
        match self.place {
            Place::Underground(square) => Some(square),
            _ => None,
        }
    }

    pub(super) fn words(&self) -> [u64; 2] {
        let place = match self.place {
            Place::Supply => 0,
            Place::Out => 1,
            Place::Surface(place) => 2 << 8 | u64::from(place),
            Place::Underground(square) => 3 << 8 | square.index() as u64,
        };
        let facing = self.facing.map_or(0, |side| side as u64 + 1);
        [place << 16 | facing << 8 | u64::from(self.speed), self.hold.word()]
    }
}
