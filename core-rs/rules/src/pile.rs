//! Hidden piles without a future: what lies in a pile is known, its order does not exist.

use crate::chance::Chance;

/// Cards of `KINDS` kinds in no order. Drawing takes each card with equal chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pool<const KINDS: usize> {
    counts: [u8; KINDS],
    total: u16,
}

impl<const KINDS: usize> Default for Pool<KINDS> {
    fn default() -> Self {
        Self { counts: [0; KINDS], total: 0 }
    }
}

impl<const KINDS: usize> Pool<KINDS> {
    /// How many cards.
    pub fn len(&self) -> usize {
        self.total as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// How many cards of a kind.
    pub fn count(&self, kind: usize) -> usize {
        self.counts[kind] as usize
    }

    /// Puts a card in.
    pub fn insert(&mut self, kind: usize) {
        self.counts[kind] += 1;
        self.total += 1;
    }

    /// Takes a card of a kind out; false if there is none.
    pub fn remove(&mut self, kind: usize) -> bool {
        let found = self.counts[kind] > 0;
        if found {
            self.counts[kind] -= 1;
            self.total -= 1;
        }
        found
    }

    /// Draws a card: one draw from the cards sorted by kind. None, without a draw, if empty.
    pub fn draw(&mut self, chance: &mut impl Chance) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let kind = self.kind_at(chance.draw(u32::from(self.total)));
        self.remove(kind);
        Some(kind)
    }

    /// Moves all cards of another pool into this one.
    pub fn absorb(&mut self, other: &mut Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
        self.total += other.total;
        *other = Self::default();
    }

    /// The cards, sorted by kind.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.counts.iter().enumerate().flat_map(|(kind, &n)| std::iter::repeat_n(kind, n.into()))
    }

    fn kind_at(&self, mut place: u32) -> usize {
        for (kind, &count) in self.counts.iter().enumerate() {
            match place.checked_sub(u32::from(count)) {
                Some(rest) => place = rest,
                None => return kind,
            }
        }
        unreachable!("a place lies below the number of cards")
    }
}

impl<const KINDS: usize> FromIterator<usize> for Pool<KINDS> {
    fn from_iter<I: IntoIterator<Item = usize>>(kinds: I) -> Self {
        let mut pool = Self::default();
        kinds.into_iter().for_each(|kind| pool.insert(kind));
        pool
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Fast, Scripted};

    #[test]
    fn a_draw_takes_from_the_cards_in_sorted_order() {
        let mut pool: Pool<4> = [3, 1, 1, 0].into_iter().collect();
        assert_eq!(pool.iter().collect::<Vec<_>>(), [0, 1, 1, 3]);
        let mut chance = Scripted::new(&[2, 2, 0, 0]);
        let drawn: Vec<_> = std::iter::from_fn(|| pool.draw(&mut chance)).collect();
        assert_eq!(drawn, [1, 3, 0, 1]);
        assert!(chance.is_spent() && pool.is_empty());
    }

    #[test]
    fn an_empty_pool_draws_nothing_and_uses_no_chance() {
        let mut chance = Scripted::new(&[]);
        assert_eq!(Pool::<2>::default().draw(&mut chance), None);
        assert!(chance.is_spent());
    }

    #[test]
    fn drawing_conserves_cards() {
        let mut pool: Pool<9> = (0..200).map(|card| card % 9).collect();
        let mut away = Pool::<9>::default();
        let mut chance = Fast::new(7);
        for left in (0..200).rev() {
            away.insert(pool.draw(&mut chance).expect("a card is left"));
            assert_eq!((pool.len(), away.len()), (left, 200 - left));
        }
        pool.absorb(&mut away);
        assert!(away.is_empty());
        assert_eq!(pool, (0..200).map(|card| card % 9).collect());
    }

    #[test]
    fn only_what_is_there_can_be_removed() {
        let mut pool: Pool<2> = [1].into_iter().collect();
        assert!(!pool.remove(0) && pool.remove(1) && !pool.remove(1));
        assert_eq!(pool.count(1), 0);
    }
}
