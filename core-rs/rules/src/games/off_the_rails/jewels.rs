//! Jewels, and bags of them in no order.

use crate::chance::Chance;

/// Kinds of jewels.
pub(super) const KINDS: usize = 5;
/// Jewels of each kind in the game.
pub(super) const PIECES: [u8; KINDS] = [12, 24, 15, 10, 5];

/// A kind of jewel; a Rock is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Jewel {
    Rock,
    Ruby,
    Emerald,
    Gold,
    Diamond,
}

impl Jewel {
    /// All, in order.
    pub const ALL: [Self; KINDS] =
        [Self::Rock, Self::Ruby, Self::Emerald, Self::Gold, Self::Diamond];

    /// Its letter in notation.
    pub const fn letter(self) -> char {
        ['k', 'r', 'e', 'g', 'd'][self as usize]
    }

    /// What it scores: the kinds stand in the order of their worth.
    pub const fn worth(self) -> i32 {
        self as i32
    }

    /// The kind of a letter.
    pub(super) fn parse(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|jewel| jewel.letter() == letter)
    }
}

/// Any number of jewels, in no order: six bits a kind, which hold all pieces of one.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Jewels(u32);

const BITS: usize = 6;
const FIELD: u32 = (1 << BITS) - 1;

impl Jewels {
    /// None.
    pub const EMPTY: Self = Self(0);

    /// All jewels of the game.
    pub(super) fn all() -> Self {
        Self::of_counts(PIECES)
    }

    /// So many of each kind, at most 63.
    pub(super) fn of_counts(counts: [u8; KINDS]) -> Self {
        let kinds = counts.into_iter().enumerate();
        Self(kinds.fold(0, |word, (kind, count)| word | u32::from(count) << (BITS * kind)))
    }

    /// One jewel.
    #[inline]
    pub(super) const fn one(jewel: Jewel) -> Self {
        Self(1 << (BITS * jewel as usize))
    }

    /// How many of a kind.
    #[inline]
    pub const fn count(self, jewel: Jewel) -> usize {
        (self.0 >> (BITS * jewel as usize) & FIELD) as usize
    }

    /// How many in all.
    #[inline]
    pub const fn len(self) -> usize {
        // The sum of the fields; it is below 4 096, so two fields of six bits hold it.
        let pairs = (self.0 & 0o7700_7700) >> BITS;
        let sum = (self.0 & 0o77_0077_0077) + pairs;
        ((sum & 0o7777) + (sum >> 12 & 0o7777) + (sum >> 24)) as usize
    }

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many of each kind.
    pub fn counts(self) -> [u8; KINDS] {
        Jewel::ALL.map(|jewel| self.count(jewel) as u8)
    }

    /// These and others.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// These without others, which must be among them.
    #[inline]
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }

    /// Whether all these are among others.
    #[inline]
    pub fn is_within(self, other: Self) -> bool {
        Jewel::ALL.into_iter().all(|jewel| self.count(jewel) <= other.count(jewel))
    }

    /// The kinds, as bits.
    #[inline]
    pub(super) fn kinds(self) -> u32 {
        Jewel::ALL
            .into_iter()
            .fold(0, |bits, jewel| bits | u32::from(self.count(jewel) > 0) << jewel as usize)
    }

    /// The one kind there is; none if there are several or none.
    pub(super) fn only_kind(self) -> Option<Jewel> {
        let kinds = self.kinds();
        kinds.is_power_of_two().then(|| Jewel::ALL[kinds.trailing_zeros() as usize])
    }

    /// The jewels, sorted.
    pub fn iter(self) -> impl Iterator<Item = Jewel> {
        Jewel::ALL.into_iter().flat_map(move |jewel| std::iter::repeat_n(jewel, self.count(jewel)))
    }

    /// Takes one out: one draw from the jewels sorted by kind. None, without a draw, if empty.
    pub(super) fn draw(&mut self, chance: &mut impl Chance) -> Option<Jewel> {
        if self.is_empty() {
            return None;
        }
        let mut place = chance.draw(self.len() as u32) as usize;
        let drawn = Jewel::ALL.into_iter().find(|&jewel| {
            let here = self.count(jewel);
            let found = place < here;
            place = place.wrapping_sub(here);
            found
        })?;
        *self = self.minus(Self::one(drawn));
        Some(drawn)
    }

    pub(super) const fn word(self) -> u64 {
        self.0 as u64
    }

    pub(super) fn worth(self) -> i32 {
        Jewel::ALL.into_iter().map(|jewel| jewel.worth() * self.count(jewel) as i32).sum()
    }
}

impl FromIterator<Jewel> for Jewels {
    fn from_iter<I: IntoIterator<Item = Jewel>>(jewels: I) -> Self {
        jewels.into_iter().fold(Self::EMPTY, |all, jewel| all.plus(Self::one(jewel)))
    }
}

impl std::fmt::Debug for Jewels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self)
    }
}

/// The letters of the jewels, sorted; nothing for none.
impl std::fmt::Display for Jewels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.iter().try_for_each(|jewel| write!(f, "{}", jewel.letter()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Scripted;

    #[test]
    fn all_pieces_fit_and_are_counted() {
        let all = Jewels::all();
        assert_eq!((all.len(), all.counts()), (66, PIECES));
        assert_eq!(all.iter().collect::<Jewels>(), all);
        let full = Jewels::of_counts([63; KINDS]);
        assert_eq!(full.len(), 315);
        assert!(all.is_within(full) && !full.is_within(all));
        assert_eq!(full.minus(all).plus(all), full);
    }

    #[test]
    fn a_draw_takes_from_the_sorted_jewels() {
        let mut bag: Jewels =
            [Jewel::Diamond, Jewel::Rock, Jewel::Gold, Jewel::Rock].iter().copied().collect();
        let mut chance = Scripted::new(&[2, 2, 1, 0]);
        let drawn: Vec<Jewel> = std::iter::from_fn(|| bag.draw(&mut chance)).collect();
        assert_eq!(drawn, [Jewel::Gold, Jewel::Diamond, Jewel::Rock, Jewel::Rock]);
        assert!(chance.is_spent());
    }
}
