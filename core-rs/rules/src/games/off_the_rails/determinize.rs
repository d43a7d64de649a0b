//! Full states that agree with a view.

use super::action::CONTENTS;
use super::state::{OffTheRails, Step};
use super::view::View;
use crate::chance::Chance;

impl View<'_> {
    /// A state drawn among those that agree with the view. Nothing is hidden but how the opposing
    /// cart's owner has split its hold, and that only before a hand is chosen: every split that it
    /// could have decided on is taken with equal chance, whatever the jewels are worth. So of a
    /// Rock, a Ruby and two Gold the left hand is Rock and Ruby, Rock and Gold, Ruby and Gold or
    /// two Gold once in four each. One draw, of one of the splits in the order of the index.
    pub(super) fn determinize(&self, chance: &mut impl Chance) -> OffTheRails {
        let table = self.table();
        let is_hidden = table.step == Step::Hand && self.left_hand().is_none();
        let left_hand = if is_hidden {
            let splits = table.splits();
            let rank = chance.draw(splits.count_ones());
            Some(CONTENTS[crate::vocab::nth_bit(splits.into(), rank as usize) as usize])
        } else {
            self.left_hand()
        };
        OffTheRails { table: table.clone(), left_hand }
    }
}
