//! From what a viewer sees to a position that agrees with it.

use super::jewels::Jewel;
use super::options::Options;
use super::saved::{Saved, SavedTable};
use super::state::{OffTheRails, Step};
use crate::error::Faults;
use crate::position::Position;
use crate::vocab::{Seat, Viewer};

/// What a viewer sees, as an untrusted caller gives it. What else it is shown follows from this.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Who sees it.
    pub viewer: Viewer,
    /// The options of the match.
    pub options: Options,
    /// All that everybody sees.
    pub table: SavedTable,
    /// The viewer's own left hand, sorted, while the active seat is to choose one.
    pub left_hand: Vec<Jewel>,
}

impl Seen {
    /// A position that agrees with it; lists every fault. What the viewer is shown beside this
    /// must be compared afterwards.
    pub fn imagine(&self) -> Result<Position<OffTheRails>, Faults> {
        let left_hand = if self.is_hidden() { self.first_split() } else { self.left_hand.clone() };
        Saved { options: self.options.clone(), table: self.table.clone(), left_hand }.restore()
    }

    /// Whether the viewer does not see how the hold was split.
    fn is_hidden(&self) -> bool {
        let owner = self.table.collision.as_ref().and_then(|hit| Seat::new(hit.seat as usize));
        self.table.step == Step::Hand && owner.is_none_or(|seat| self.viewer != Viewer::Seat(seat))
    }

    /// Half of what the opposing cart holds, the first kinds.
    fn first_split(&self) -> Vec<Jewel> {
        let cart = self.table.collision.as_ref().and_then(|hit| {
            let player = self.table.players.get(hit.seat as usize)?;
            Some(&player.carts[hit.colour as usize])
        });
        cart.map_or(Vec::new(), |cart| cart.hold[..cart.hold.len() / 2].to_vec())
    }
}
