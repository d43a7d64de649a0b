//! The preview: the way each cart would go now, up to the first choice of a facing.

use arrayvec::ArrayVec;

use super::cart::{CartName, FASTEST, Place};
use super::geometry::{Side, Square};
use super::motion::Ahead;
use super::options::MAX_PLAYERS;
use super::state::Table;
use super::view::View;

/// How a preview ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreviewEnd {
    /// The speed is used up, and the facing is forced.
    SpeedUsed,
    /// The last of the squares is a T or cross: a facing must be chosen.
    Choice,
    /// A cart stands on the next square.
    Collision,
    /// The next square is a Surface square.
    Bank,
    /// The next square is not connected.
    Derailment,
}

/// The way that a cart would go if it moved now.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// The cart.
    pub cart: CartName,
    /// The squares it would enter, in order.
    pub squares: ArrayVec<Square, { FASTEST as usize }>,
    /// How it ends.
    pub end: PreviewEnd,
    /// The steps it would have left; the one that collides, banks or derails is among them.
    pub steps_left: u8,
    /// The exit it would face; none at a choice.
    pub facing: Option<Side>,
}

/// The previews of all carts.
pub type Previews = ArrayVec<Preview, { 2 * MAX_PLAYERS }>;

impl View<'_> {
    /// The way of each cart that has a facing, by seat, white before black.
    pub fn previews(&self) -> Previews {
        let table = self.table();
        table.cart_names().filter_map(|name| Preview::of(table, name)).collect()
    }
}

impl Table {
    /// The way of a cart that would stand at a place, face a side and be as fast as can be.
    pub fn preview_from(&self, cart: CartName, place: Place, facing: Side) -> Preview {
        Preview::along(self, cart, place, facing, FASTEST)
    }

    /// The border square that a Surface square leads to.
    pub fn entrance(&self, side: Side, place: u8) -> Square {
        self.geometry().border(side, place)
    }
}

impl Preview {
    fn of(table: &Table, name: CartName) -> Option<Self> {
        let cart = table.cart(name);
        Some(Self::along(table, name, cart.place, cart.facing?, cart.speed))
    }

    fn along(table: &Table, cart: CartName, mut place: Place, facing: Side, speed: u8) -> Self {
        let mut preview = Self {
            cart,
            squares: ArrayVec::new(),
            end: PreviewEnd::SpeedUsed,
            steps_left: speed,
            facing: Some(facing),
        };
        while let Some(next) = preview.next(table, place) {
            place = Place::Underground(next);
        }
        preview
    }

    /// One step: the square entered, if the way goes on there.
    fn next(&mut self, table: &Table, place: Place) -> Option<Square> {
        let facing = self.facing.filter(|_| self.steps_left > 0)?;
        let square = match table.ahead(self.cart, place, facing) {
            Ahead::Track(square) => square,
            end => {
                self.end = match end {
                    Ahead::Cart(..) => PreviewEnd::Collision,
                    Ahead::Surface(_) => PreviewEnd::Bank,
                    Ahead::Nothing | Ahead::Track(_) => PreviewEnd::Derailment,
                };
                return None;
            }
        };
        self.squares.push(square);
        self.steps_left -= 1;
        self.facing = table.track(square).without(facing.opposite()).only_exit();
        if self.facing.is_none() {
            self.end = PreviewEnd::Choice;
        }
        Some(square)
    }
}
