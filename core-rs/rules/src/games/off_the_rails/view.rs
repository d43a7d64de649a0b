//! Who sees what: everything is public but how a hold was split, until a hand is chosen.

use super::event::Hands;
use super::jewels::Jewels;
use super::state::{OffTheRails, Table};
use crate::vocab::{Seat, Viewer};

/// What a viewer sees.
#[derive(Clone, Debug, PartialEq)]
pub struct View<'a> {
    table: &'a Table,
    /// The viewer's own left hand, while the other seat is to choose one.
    left_hand: Option<Jewels>,
}

impl<'a> View<'a> {
    pub(super) fn of(state: &'a OffTheRails, viewer: Viewer) -> Self {
        let holds = |seat: Seat| viewer == Viewer::Seat(seat);
        let is_owner = state.table.opposing().is_some_and(|cart| holds(cart.seat));
        Self { table: &state.table, left_hand: state.left_hand.filter(|_| is_owner) }
    }

    /// What everybody sees.
    pub fn table(&self) -> &'a Table {
        self.table
    }

    /// The viewer's own left hand, while the active seat is to choose one.
    pub fn left_hand(&self) -> Option<Jewels> {
        self.left_hand
    }

    /// Both hands of the viewer, likewise.
    pub fn hands(&self) -> Option<Hands> {
        self.left_hand.map(|left| [left, self.table.opposing_hold().minus(left)])
    }
}
