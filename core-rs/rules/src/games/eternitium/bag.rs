//! Cards in no order, packed.

use super::cards::{CARDS, Card, OF_TYPE, SYMBOLS, Type};
use crate::chance::Chance;

/// Bits for the number of cards of a kind: nobody can own more than eleven of one.
const WIDTH: usize = 4;
const KIND: u128 = (1 << WIDTH) - 1;
/// The lowest bit of each kind.
const LOWEST: u128 = {
    let (mut bits, mut kind) = (0, 0);
    while kind < CARDS {
        bits |= 1 << (kind * WIDTH);
        kind += 1;
    }
    bits
};
/// Where the number of all cards stands.
const TOTAL: usize = CARDS * WIDTH;

/// Portals and technologies in no order: a hand, a deck, a discard pile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bag([u64; 2]);

impl Bag {
    #[inline]
    fn bits(self) -> u128 {
        u128::from(self.0[1]) << 64 | u128::from(self.0[0])
    }

    #[inline]
    fn of(bits: u128) -> Self {
        Self([bits as u64, (bits >> 64) as u64])
    }

    #[inline]
    fn one(card: Card) -> u128 {
        1 << TOTAL | 1 << (card.number() * WIDTH)
    }

    /// How many cards.
    #[inline]
    pub fn len(self) -> usize {
        (self.bits() >> TOTAL) as usize
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0[1] == 0
    }

    /// How many cards of a kind.
    #[inline]
    pub fn count(self, card: Card) -> usize {
        (self.bits() >> (card.number() * WIDTH) & KIND) as usize
    }

    /// How many technologies of a type.
    #[inline]
    pub fn count_of(self, of: Type) -> usize {
        const BYTES: u64 = 0x0F0F_0F0F;
        let first = of.card(0).number() * WIDTH;
        let kinds = (self.bits() >> first) as u64 & ((1 << (OF_TYPE * WIDTH)) - 1);
        let sums = (kinds & BYTES) + (kinds >> WIDTH & BYTES);
        (sums.wrapping_mul(0x0101_0101) >> 24 & 0xFF) as usize
    }

    /// Puts a card in.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        *self = Self::of(self.bits() + Self::one(card));
    }

    /// Takes a card out; false if there is none of the kind.
    #[inline]
    pub fn remove(&mut self, card: Card) -> bool {
        let found = self.count(card) > 0;
        if found {
            *self = Self::of(self.bits() - Self::one(card));
        }
        found
    }

    /// Puts all cards of another bag in.
    #[inline]
    pub fn absorb(&mut self, other: Self) {
        *self = Self::of(self.bits() + other.bits());
    }

    /// Takes all cards of another bag out, which must be there.
    #[inline]
    pub fn without(self, other: Self) -> Self {
        Self::of(self.bits() - other.bits())
    }

    /// Draws a card: one draw from the cards sorted by kind. None, without a draw, if empty.
    #[inline]
    pub(super) fn draw(&mut self, chance: &mut impl Chance) -> Option<Card> {
        if self.is_empty() {
            return None;
        }
        let mut place = chance.draw(self.len() as u32) as usize;
        let drawn = self.kinds().find(|&card| {
            let here = self.count(card);
            let found = place < here;
            place = place.wrapping_sub(here);
            found
        })?;
        *self = Self::of(self.bits() - Self::one(drawn));
        Some(drawn)
    }

    /// The kinds of which there are cards, by rising number.
    #[inline]
    pub fn kinds(self) -> impl Iterator<Item = Card> {
        let bits = self.bits();
        let mut rest = (bits | bits >> 1 | bits >> 2 | bits >> 3) & LOWEST;
        std::iter::from_fn(move || {
            let number = (rest != 0).then(|| rest.trailing_zeros() as usize / WIDTH)?;
            rest &= rest - 1;
            Card::new(number)
        })
    }

    /// The cards, sorted.
    pub fn iter(self) -> impl Iterator<Item = Card> {
        self.kinds().flat_map(move |card| std::iter::repeat_n(card, self.count(card)))
    }

    /// Everything in two words.
    pub(super) fn words(self) -> [u64; 2] {
        self.0
    }
}

impl FromIterator<Card> for Bag {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut bag = Self::default();
        cards.into_iter().for_each(|card| bag.insert(card));
        bag
    }
}

const _: () = assert!(SYMBOLS + 2 * OF_TYPE == CARDS && TOTAL >= 64 && TOTAL + 8 <= 128);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Fast, Scripted};

    fn bag(letters: &str) -> Bag {
        letters.chars().filter_map(Card::parse).collect()
    }

    #[test]
    fn a_draw_takes_from_the_cards_in_sorted_order() {
        let mut cards = bag("EDccV");
        let mut chance = Scripted::new(&[2, 3, 1, 1, 0]);
        let drawn: String =
            std::iter::from_fn(|| cards.draw(&mut chance)).map(|card| card.to_string()).collect();
        assert_eq!(drawn, "DEcVc");
        assert!(chance.is_spent() && cards.is_empty());
    }

    #[test]
    fn counts_follow_what_is_put_in_and_taken_out() {
        let (mut chance, mut cards) = (Fast::new(1), Bag::default());
        for card in Card::all() {
            (0..11).for_each(|_| cards.insert(card));
        }
        assert_eq!((cards.count_of(Type::Basic), cards.count_of(Type::Advanced)), (77, 77));
        for left in (0..11 * CARDS).rev() {
            let card = cards.draw(&mut chance).expect("a card is left");
            assert!(card.number() < CARDS);
            assert_eq!((cards.len(), cards.iter().count()), (left, left));
        }
        assert!(cards.is_empty() && !cards.remove(Card::DROID));
    }

    #[test]
    fn bags_are_joined_and_parted() {
        let mut cards = bag("csDV");
        cards.absorb(bag("cE"));
        assert_eq!(cards, bag("ccsDVE"));
        assert_eq!(cards.without(bag("cV")), bag("csDE"));
        assert_eq!(cards.kinds().collect::<Vec<_>>(), bag("csDVE").iter().collect::<Vec<_>>());
    }
}
