//! R4: which positions have stood since a marble last came to rest in an empty target.

use crate::game::History;

/// A position that stood after a turn. Targets and scores are left out: they are the same for
/// all positions since the last score, and no position before it can come again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Past {
    /// Red marbles by cell; above them the seat to act (bit 61) and whether it has a recovery to
    /// choose (bit 62).
    pub(super) red: u64,
    /// Yellow marbles by cell.
    pub(super) yellow: u64,
}

/// The slots of the filter. Collisions cost time only.
const SLOTS: usize = 128;

/// The list grows by so many positions at least, or by as many as it has.
const GROWTH: usize = 32;

/// The positions of a game, for winding back: those before the last score cannot come again.
///
/// A filter counts positions by a hash of few bits; only if two or more positions share the
/// present one's slot can it stand for the third time, and only then the list is searched.
#[derive(Clone, Debug)]
pub struct Repetitions {
    past: Vec<Past>,
    /// The first position since the last score.
    since: usize,
    slots: [u8; SLOTS],
}

impl Default for Repetitions {
    fn default() -> Self {
        Self { past: Vec::new(), since: 0, slots: [0; SLOTS] }
    }
}

impl PartialEq for Repetitions {
    fn eq(&self, other: &Self) -> bool {
        self.current() == other.current()
    }
}

impl Repetitions {
    /// The positions that can still come again, oldest first.
    pub fn current(&self) -> &[Past] {
        &self.past[self.since..]
    }

    /// How often a position has stood.
    pub(super) fn count(&self, position: Past) -> usize {
        let slot = slot_of(position);
        let mut in_slot = usize::from(self.slots[slot]);
        if in_slot == usize::from(u8::MAX) {
            in_slot = usize::MAX;
        }
        // The newest first: the position itself is mostly the last, and alone in its slot.
        let of_slot = self.current().iter().rev().filter(|past| slot_of(**past) == slot);
        of_slot.take(in_slot).filter(|past| **past == position).count()
    }

    /// A marble came to rest in an empty target: nothing before can come again.
    pub(super) fn forget(&mut self) {
        self.since = self.past.len();
    }

    /// Notes that a position stands; true if for the third time.
    #[inline]
    pub(super) fn note(&mut self, position: Past) -> bool {
        if self.past.len() == self.past.capacity() {
            self.past.reserve(GROWTH); // In few steps: each of them copies.
        }
        self.past.push(position);
        let slot = &mut self.slots[slot_of(position)];
        // Games are far from 255 positions a slot; a full slot stays full.
        *slot = slot.saturating_add(1);
        *slot > 2 && self.count(position) > 2
    }
}

impl History for Repetitions {
    type Mark = (usize, usize);

    fn mark(&self) -> Self::Mark {
        (self.past.len(), self.since)
    }

    fn rewind(&mut self, (length, since): Self::Mark) {
        for position in self.past.drain(length..) {
            let slot = &mut self.slots[slot_of(position)];
            if *slot < u8::MAX {
                *slot -= 1;
            }
        }
        self.since = since;
    }
}

#[inline]
fn slot_of(position: Past) -> usize {
    let mixed =
        (position.red ^ position.yellow.rotate_left(31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> (64 - SLOTS.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Past = Past { red: 1, yellow: 2 };
    const B: Past = Past { red: 4, yellow: 2 };

    #[test]
    fn the_third_time_is_noticed_and_winding_back_forgets_it() {
        let mut history = Repetitions::default();
        assert!(!history.note(A) && !history.note(B) && !history.note(A));
        let mark = history.mark();
        assert!(history.note(A));
        history.rewind(mark);
        assert!(!history.note(B));
        assert!(history.note(A));
    }

    #[test]
    fn what_stood_before_a_score_does_not_count() {
        let mut history = Repetitions::default();
        assert!(!history.note(A) && !history.note(A));
        let mark = history.mark();
        history.forget();
        assert!(!history.note(A) && !history.note(A));
        history.rewind(mark);
        assert!(history.note(A));
    }
}
