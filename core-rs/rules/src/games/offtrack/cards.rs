//! Cards, and sets of them.

use std::fmt;

use crate::chance::Chance;
use crate::vocab::nth_bit;

/// Figures of an era.
pub(super) const FIGURES: usize = 9;
/// The most eras.
pub(super) const MAX_ERAS: usize = 8;
/// The most card types.
pub const MAX_TYPES: usize = FIGURES * MAX_ERAS;
/// The most cards: two of each type.
pub(super) const MAX_CARDS: usize = 2 * MAX_TYPES;
/// Figures 0 and 1 have negative values and can be redeemed.
const NEGATIVE: usize = 2;
/// Card types, and behind them the redeemed faces of the negative ones.
const FACES: usize = MAX_TYPES + NEGATIVE * MAX_ERAS;

/// The values of an era's figures.
const VALUES: [i8; FIGURES] = [-2, -1, 0, 1, 1, 2, 3, 4, 5];

/// A card as it lies there: its type, and whether it is redeemed.
///
/// Ordered by type, of one type the unredeemed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card(u8);

impl Card {
    /// The unredeemed card of a type `9 × era + figure`.
    pub const fn new(kind: usize) -> Option<Self> {
        if kind < MAX_TYPES { Some(Self(kind as u8)) } else { None }
    }

    pub(super) const fn of(kind: usize) -> Self {
        Self(kind as u8)
    }

    /// The number that a line keeps it by.
    #[inline]
    pub(super) const fn face(self) -> u8 {
        self.0
    }

    #[inline]
    pub(super) const fn from_face(face: u8) -> Self {
        Self(face)
    }

    /// Its type.
    pub const fn kind(self) -> usize {
        let face = self.0 as usize;
        match face.checked_sub(MAX_TYPES) {
            None => face,
            Some(redeemed) => redeemed / NEGATIVE * FIGURES + redeemed % NEGATIVE,
        }
    }

    /// Its era.
    pub const fn era(self) -> usize {
        self.kind() / FIGURES
    }

    /// What it is worth now.
    #[inline]
    pub fn value(self) -> i32 {
        FACE_VALUES[self.0 as usize].into()
    }

    /// Whether it was redeemed.
    pub const fn is_redeemed(self) -> bool {
        self.0 as usize >= MAX_TYPES
    }

    /// The card turned positive; a card that is not negative stays as it is.
    #[must_use]
    pub const fn redeemed(self) -> Self {
        let (kind, figure) = (self.0 as usize, self.0 as usize % FIGURES);
        if self.is_redeemed() || figure >= NEGATIVE {
            return self;
        }
        Self((MAX_TYPES + kind / FIGURES * NEGATIVE + figure) as u8)
    }

    /// The card as it was dealt.
    #[must_use]
    pub const fn unredeemed(self) -> Self {
        Self(self.kind() as u8)
    }

    /// The card of a text as `c4` or `c0+`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (name, redeemed) = match text.strip_suffix('+') {
            Some(name) => (name, true),
            None => (text, false),
        };
        let [era @ b'a'..=b'h', figure @ b'0'..=b'8'] = *name.as_bytes() else { return None };
        let card = Self(FIGURES as u8 * (era - b'a') + figure - b'0');
        let face = if redeemed { card.redeemed() } else { card };
        (face.is_redeemed() == redeemed).then_some(face)
    }

    /// The place in the order of cards.
    const fn order(self) -> (usize, bool) {
        (self.kind(), self.is_redeemed())
    }
}

impl PartialOrd for Card {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Card {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.order().cmp(&other.order())
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plus = if self.is_redeemed() { "+" } else { "" };
        write!(f, "{}{}{plus}", (b'a' + self.era() as u8) as char, self.kind() % FIGURES)
    }
}

static FACE_VALUES: [i8; FACES] = face_values();

const fn face_values() -> [i8; FACES] {
    let mut values = [0; FACES];
    let mut face = 0;
    while face < FACES {
        let value = VALUES[Card(face as u8).kind() % FIGURES];
        values[face] = if face < MAX_TYPES { value } else { -value };
        face += 1;
    }
    values
}

/// Cards in no order, at most two of each face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CardSet {
    /// Faces that are there.
    once: u128,
    /// Faces that are there twice.
    twice: u128,
}

impl CardSet {
    /// `copies` of each type below `types`.
    pub(super) fn full(types: usize, copies: usize) -> Self {
        let all = (1u128 << types) - 1;
        Self { once: all, twice: if copies == 2 { all } else { 0 } }
    }

    /// How many cards.
    #[inline]
    pub fn len(&self) -> usize {
        (self.once.count_ones() + self.twice.count_ones()) as usize
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.once == 0
    }

    /// How many cards of a face.
    pub fn count(&self, card: Card) -> usize {
        ((self.once >> card.0 & 1) + (self.twice >> card.0 & 1)) as usize
    }

    /// Puts a card in.
    #[inline]
    pub(super) fn insert(&mut self, card: Card) {
        let bit = 1 << card.0;
        self.twice |= self.once & bit;
        self.once |= bit;
    }

    /// Takes a card out; false if it is not there.
    pub(super) fn remove(&mut self, card: Card) -> bool {
        let bit = 1 << card.0;
        let found = self.once & bit != 0;
        self.once &= !bit | self.twice;
        self.twice &= !bit;
        found
    }

    /// Draws a card: one draw from the cards sorted by type. The set must not be empty, and
    /// hold unredeemed cards only, whose faces are their types.
    #[inline]
    pub(super) fn draw(&mut self, chance: &mut impl Chance) -> Card {
        let place = chance.draw(self.len() as u32);
        let low = ((self.once as u64).count_ones() + (self.twice as u64).count_ones()) as usize;
        let card = match (place as usize).checked_sub(low) {
            None => Self::nth_in(self.once as u64, self.twice as u64, place as usize),
            Some(rest) => {
                64 + Self::nth_in((self.once >> 64) as u64, (self.twice >> 64) as u64, rest)
            }
        };
        self.remove(Card(card as u8));
        Card(card as u8)
    }

    /// The face of the card of this rank among those of one half.
    #[inline]
    fn nth_in(mut once: u64, twice: u64, mut rank: usize) -> u32 {
        if twice == 0 {
            return nth_bit(once, rank);
        }
        loop {
            let face = once.trailing_zeros();
            let here = 1 + (twice >> face & 1) as usize;
            if rank < here {
                return face;
            }
            rank -= here;
            once &= once - 1;
        }
    }

    /// Calls `visit` with each card, by rising face; of two copies with each.
    #[inline]
    pub(super) fn for_each(&self, mut visit: impl FnMut(Card)) {
        let [once_low, once_high, twice_low, twice_high] = self.words();
        for (mut once, twice, first) in [(once_low, twice_low, 0), (once_high, twice_high, 64)] {
            while once != 0 {
                let face = once.trailing_zeros();
                visit(Card(first + face as u8));
                if twice >> face & 1 == 1 {
                    visit(Card(first + face as u8));
                }
                once &= once - 1;
            }
        }
    }

    /// The cards, sorted.
    pub fn sorted(&self) -> Vec<Card> {
        let faces = (0..FACES as u8).map(Card);
        let mut cards: Vec<_> =
            faces.flat_map(|card| std::iter::repeat_n(card, self.count(card))).collect();
        cards.sort_unstable();
        cards
    }

    /// The sum of the values.
    pub fn value(&self) -> i32 {
        let [once_low, once_high, twice_low, twice_high] = self.words();
        let halves = [(once_low, 0), (once_high, 64), (twice_low, 0), (twice_high, 64)];
        halves.into_iter().map(|(faces, first)| value_of(faces, first)).sum()
    }

    /// The words that the set is, for hashing.
    pub(super) fn words(&self) -> [u64; 4] {
        let Self { once, twice } = *self;
        [once as u64, (once >> 64) as u64, twice as u64, (twice >> 64) as u64]
    }
}

/// The sum of the values of the faces in a word whose first bit is face `first`.
fn value_of(mut faces: u64, first: usize) -> i32 {
    let mut sum = 0;
    while faces != 0 {
        sum += i32::from(FACE_VALUES[first + faces.trailing_zeros() as usize]);
        faces &= faces - 1;
    }
    sum
}

impl Extend<Card> for CardSet {
    fn extend<I: IntoIterator<Item = Card>>(&mut self, cards: I) {
        cards.into_iter().for_each(|card| self.insert(card));
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut set = Self::default();
        set.extend(cards);
        set
    }
}

/// The most cards of a hand.
pub const HAND: usize = 5;

/// `SKIPPING[i]`: the sets of places that hold place i + 1 but not place i.
const SKIPPING: [u32; HAND - 1] = skipping();

const fn skipping() -> [u32; HAND - 1] {
    let mut table = [0; HAND - 1];
    let mut i = 0;
    while i < HAND << HAND {
        let (place, places) = (i >> HAND, i % (1 << HAND));
        if place > 0 && places >> (place - 1) & 3 == 2 {
            table[place - 1] |= 1 << places;
        }
        i += 1;
    }
    table
}

/// A hand, sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    kinds: [u8; HAND],
    len: u8,
}

impl Hand {
    /// The cards, sorted.
    #[inline]
    pub fn cards(&self) -> impl DoubleEndedIterator<Item = Card> + Clone + '_ {
        self.kinds[..self.len()].iter().map(|&kind| Card(kind))
    }

    /// How many cards.
    pub const fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Puts a card in. There must be room.
    pub(super) fn insert(&mut self, card: Card) {
        let mut place = self.len();
        while place > 0 && self.kinds[place - 1] > card.0 {
            self.kinds[place] = self.kinds[place - 1];
            place -= 1;
        }
        self.kinds[place] = card.0;
        self.len += 1;
    }

    /// Takes a card out; false if it is not there.
    pub(super) fn remove(&mut self, card: Card) -> bool {
        let place = self.kinds[..self.len()].iter().position(|&kind| kind == card.0);
        if let Some(place) = place {
            let end = self.len();
            self.kinds.copy_within(place + 1..end, place);
            self.len -= 1;
            self.kinds[self.len()] = 0;
        }
        place.is_some()
    }

    /// Takes the cards of the places in the mask out.
    pub(super) fn split(&mut self, places: u8) -> Self {
        let (mut taken, mut kept) = (Self::default(), Self::default());
        for (place, card) in self.cards().enumerate() {
            let hand = if places >> place & 1 == 1 { &mut taken } else { &mut kept };
            hand.insert(card);
        }
        *self = kept;
        taken
    }

    /// The sets of places that name cards of the hand, of equal cards the lowest: bit p = the
    /// set p.
    #[inline]
    pub(super) fn choices(&self) -> u32 {
        let mut choices = ((1u64 << (1 << self.len)) - 1) as u32;
        let pairs = self.kinds[..self.len()].windows(2).zip(SKIPPING);
        for (_, skipping) in pairs.filter(|(pair, _)| pair[0] == pair[1]) {
            choices &= !skipping;
        }
        choices
    }
}

impl FromIterator<Card> for Hand {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut hand = Self::default();
        cards.into_iter().for_each(|card| hand.insert(card));
        hand
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Scripted;

    #[test]
    fn faces_have_the_values_of_the_rules() {
        let values = |range: std::ops::Range<usize>| {
            range.map(|kind| Card::of(kind).value()).collect::<Vec<_>>()
        };
        assert_eq!(values(9..18), [-2, -1, 0, 1, 1, 2, 3, 4, 5]);
        for kind in 0..MAX_TYPES {
            let card = Card::of(kind);
            assert_eq!(card.redeemed().value(), card.value().abs());
            assert_eq!(card.redeemed().kind(), kind);
            assert_eq!(card.redeemed().is_redeemed(), card.value() < 0);
            assert_eq!(Card::parse(&card.redeemed().to_string()), Some(card.redeemed()));
        }
        for text in ["", "a", "a9", "i0", "a2+", "a0++", "+"] {
            assert_eq!(Card::parse(text), None, "{text}");
        }
    }

    #[test]
    fn a_draw_takes_from_the_cards_in_sorted_order() {
        let mut set = CardSet::full(54, 2);
        let mut chance = Scripted::new(&[107, 0, 0, 52]);
        let drawn: Vec<_> = (0..4).map(|_| set.draw(&mut chance).kind()).collect();
        assert_eq!(drawn, [53, 0, 0, 27]);
        assert!(chance.is_spent());
        assert_eq!(set.len(), 104);
    }

    #[test]
    fn what_goes_into_a_set_comes_out_sorted() {
        let cards = ["b0+", "a3", "b0", "a3"].map(|text| Card::parse(text).expect("a card"));
        let mut set: CardSet = cards.into_iter().collect();
        let texts: Vec<_> = set.sorted().iter().map(Card::to_string).collect();
        assert_eq!((texts.concat(), set.value()), ("a3a3b0b0+".to_owned(), 2));
        assert!(set.remove(cards[1]) && set.remove(cards[1]) && !set.remove(cards[1]));
    }

    #[test]
    fn of_equal_cards_the_lowest_places_are_named() {
        let hand: Hand = [4, 4, 4, 7].into_iter().map(Card::of).collect();
        let choices: Vec<_> = (0..32).filter(|places| hand.choices() >> places & 1 == 1).collect();
        assert_eq!(choices, [0, 1, 3, 7, 8, 9, 11, 15]);
    }
}
