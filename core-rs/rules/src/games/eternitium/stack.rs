//! Era stacks, technology decks: what has a place, and what is shuffled.

use super::cards::{Card, OF_TYPE, SYMBOLS, Symbol, Type};
use super::event::Eras;
use crate::chance::Chance;
use crate::pile::Pool;

/// Small numbers of `BITS` bits (2 or 4) in order, packed. What lies behind the last is zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Queue<const BITS: usize, const BYTES: usize> {
    bytes: [u8; BYTES],
    len: u8,
}

impl<const BITS: usize, const BYTES: usize> Default for Queue<BITS, BYTES> {
    fn default() -> Self {
        Self { bytes: [0; BYTES], len: 0 }
    }
}

impl<const BITS: usize, const BYTES: usize> Queue<BITS, BYTES> {
    const TO_A_BYTE: usize = 8 / BITS;
    const ITEM: u8 = (1 << BITS) - 1;

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len.into()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> usize {
        let byte = self.bytes[place / Self::TO_A_BYTE];
        usize::from(byte >> (place % Self::TO_A_BYTE * BITS) & Self::ITEM)
    }

    #[inline]
    pub(super) fn set(&mut self, place: usize, item: usize) {
        let shift = place % Self::TO_A_BYTE * BITS;
        let byte = &mut self.bytes[place / Self::TO_A_BYTE];
        *byte = *byte & !(Self::ITEM << shift) | (item as u8) << shift;
    }

    pub(super) fn push_back(&mut self, item: usize) {
        self.len += 1;
        self.set(self.len() - 1, item);
    }

    pub(super) fn push_front(&mut self, item: usize) {
        self.push_back(0);
        for place in (1..self.len()).rev() {
            self.set(place, self.get(place - 1));
        }
        self.set(0, item);
    }

    pub(super) fn pop_front(&mut self) -> Option<usize> {
        let first = (!self.is_empty()).then(|| self.get(0))?;
        for place in 1..self.len() {
            self.set(place - 1, self.get(place));
        }
        self.pop_back();
        Some(first)
    }

    pub(super) fn pop_back(&mut self) -> Option<usize> {
        let last = self.len().checked_sub(1)?;
        let item = self.get(last);
        self.set(last, 0);
        self.len -= 1;
        Some(item)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).map(|place| self.get(place))
    }

    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let word = |chunk: &[u8]| chunk.iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        self.bytes.chunks(8).map(word).chain([u64::from(self.len)])
    }
}

/// An Era stack, from the top down: Eras of a fixed place, shuffled ones, Eras of a fixed place.
/// Without shuffled ones all Eras are `under`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stack {
    pub(super) above: Queue<2, 1>,
    pub(super) shuffled: Pool<SYMBOLS>,
    pub(super) under: Queue<2, 15>,
    pub(super) face_up: bool,
}

impl Stack {
    /// A stack of Eras whose place is fixed, on top of shuffled ones.
    pub(super) fn new(fixed: &[Symbol], shuffled: Pool<SYMBOLS>, face_up: bool) -> Self {
        let mut stack = Self { shuffled, face_up, ..Self::default() };
        fixed.iter().for_each(|&era| stack.above.push_back(era as usize));
        stack.settle();
        stack
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.above.len() + self.shuffled.len() + self.under.len()
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.shuffled.is_empty() && self.under.is_empty()
    }

    /// The top Era if it is face up.
    #[inline]
    pub(super) fn face_up(&self) -> Option<Symbol> {
        self.face_up.then(|| self.fixed(0))
    }

    /// Gives the first `number` Eras a fixed place: each that has none is drawn.
    #[inline]
    pub(super) fn fix(&mut self, number: usize, chance: &mut impl Chance) {
        while self.above.len() < number {
            let Some(era) = self.shuffled.draw(chance) else { return };
            self.above.push_back(era);
            self.settle();
        }
    }

    /// Without shuffled Eras all places are fixed.
    fn settle(&mut self) {
        if self.shuffled.is_empty() {
            while let Some(era) = self.above.pop_back() {
                self.under.push_front(era);
            }
        }
    }

    /// The Era of a fixed place, counted from the top.
    #[inline]
    pub(super) fn fixed(&self, place: usize) -> Symbol {
        let at_top = !self.above.is_empty();
        Symbol::ALL[if at_top { self.above.get(place) } else { self.under.get(place) }]
    }

    /// The first two Eras, or the only one; their places must be fixed.
    pub(super) fn first_two(&self) -> Eras {
        (0..self.len().min(2)).map(|place| self.fixed(place)).collect()
    }

    fn set(&mut self, place: usize, era: Symbol) {
        if self.above.is_empty() {
            self.under.set(place, era as usize);
        } else {
            self.above.set(place, era as usize);
        }
    }

    /// Takes the top away, whose place must be fixed. The next stays face down.
    #[inline]
    pub(super) fn take_top(&mut self) -> Option<Symbol> {
        self.face_up = false;
        let top =
            if self.above.is_empty() { self.under.pop_front() } else { self.above.pop_front() };
        top.map(|era| Symbol::ALL[era])
    }

    /// Puts an Era face down under the stack.
    pub(super) fn put_under(&mut self, era: Symbol) {
        self.under.push_back(era as usize);
    }

    /// Puts an Era in among the shuffled ones of a stack that is to be shuffled.
    pub(super) fn put_in(&mut self, era: usize) {
        self.shuffled.insert(era);
    }

    /// Puts the second Era on top, the old top below it.
    pub(super) fn swap_top(&mut self) {
        let (top, second) = (self.fixed(0), self.fixed(1));
        self.set(0, second);
        self.set(1, top);
    }

    /// All Eras face down, in no order.
    pub(super) fn shuffle(&mut self) {
        self.face_up = false;
        while let Some(era) = self.above.pop_back() {
            self.shuffled.insert(era);
        }
        while let Some(era) = self.under.pop_back() {
            self.shuffled.insert(era);
        }
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let shuffled = (0..SYMBOLS).fold(self.face_up.into(), |word, symbol| {
            word << 8 | self.shuffled.count(symbol) as u64
        });
        self.above.words().chain(self.under.words()).chain([shuffled])
    }
}

/// The top Eras of two stacks, whose places must be fixed, change places; each keeps its face.
pub(super) fn exchange_tops(one: &mut Stack, other: &mut Stack) {
    let (of_one, of_other) = (one.fixed(0), other.fixed(0));
    one.set(0, of_other);
    other.set(0, of_one);
    std::mem::swap(&mut one.face_up, &mut other.face_up);
}

/// Places of a row.
pub const ROW: usize = 3;

/// The technologies of one type that can be taken: a row of different kinds, and a deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Market {
    pub(super) row: [Option<Card>; ROW],
    /// Shuffled cards, by number within the type.
    pub(super) shuffled: Pool<OF_TYPE>,
    /// Cards put under the deck, likewise, from the top down.
    pub(super) under: Queue<4, 35>,
}

impl Market {
    /// Cards in the deck.
    pub(super) fn deck_len(&self) -> usize {
        self.shuffled.len() + self.under.len()
    }

    /// Takes the top of the deck; none if it is empty.
    pub(super) fn turn(&mut self, of: Type, chance: &mut impl Chance) -> Option<Card> {
        let number = self.shuffled.draw(chance).or_else(|| self.under.pop_front());
        number.map(|number| of.card(number))
    }

    /// Whether the deck holds a kind that the row lacks.
    pub(super) fn can_fill(&self, of: Type) -> bool {
        let fits = |number: usize| !self.row.contains(&Some(of.card(number)));
        (0..OF_TYPE).any(|number| self.shuffled.count(number) > 0 && fits(number))
            || self.under.iter().any(fits)
    }

    /// What lies in the row, as bits of the places.
    #[inline]
    pub(super) fn filled(&self) -> u32 {
        let bit = |place: usize| u32::from(self.row[place].is_some()) << place;
        bit(0) | bit(1) | bit(2)
    }

    pub(super) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let row = self
            .row
            .iter()
            .fold(0, |word, card| word << 8 | card.map_or(0, |card| card.number() as u64 + 1));
        let deck = (0..OF_TYPE).fold(0, |word, kind| word << 8 | self.shuffled.count(kind) as u64);
        [row, deck].into_iter().chain(self.under.words())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Scripted;

    fn stack(above: &[usize], shuffled: &[usize], under: &[usize]) -> Stack {
        let mut stack = Stack::default();
        above.iter().for_each(|&era| stack.above.push_back(era));
        under.iter().for_each(|&era| stack.under.push_back(era));
        stack.shuffled = shuffled.iter().copied().collect();
        stack
    }

    #[test]
    fn a_queue_keeps_its_order_and_forgets_what_it_gave() {
        let mut queue = Queue::<4, 2>::default();
        [3, 1, 2].iter().for_each(|&item| queue.push_back(item));
        queue.push_front(7);
        assert_eq!(queue.iter().collect::<Vec<_>>(), [7, 3, 1, 2]);
        assert_eq!((queue.pop_front(), queue.pop_back()), (Some(7), Some(2)));
        let mut other = Queue::<4, 2>::default();
        [3, 1].iter().for_each(|&item| other.push_back(item));
        assert_eq!(queue, other);
        assert_eq!(
            (queue.pop_front(), queue.pop_front(), queue.pop_front()),
            (Some(3), Some(1), None)
        );
    }

    #[test]
    fn fixed_places_come_first_then_the_shuffled_then_those_below() {
        let mut eras = stack(&[2], &[0, 3], &[1]);
        let mut chance = Scripted::new(&[1, 0]);
        let mut order = Vec::new();
        while !eras.is_empty() {
            eras.fix(1, &mut chance);
            order.extend(eras.take_top());
        }
        assert_eq!(order, [Symbol::Triangle, Symbol::Diamond, Symbol::Circle, Symbol::Square]);
        assert!(chance.is_spent());
    }

    #[test]
    fn without_shuffled_eras_there_is_one_order_and_one_form() {
        let mut drawn = stack(&[], &[0, 0], &[1]);
        drawn.fix(2, &mut Scripted::new(&[0, 0]));
        assert_eq!(drawn, stack(&[], &[], &[0, 0, 1]));
        drawn.fix(2, &mut Scripted::new(&[]));
        drawn.swap_top();
        drawn.shuffle();
        assert_eq!(drawn, stack(&[], &[0, 0, 1], &[]));
    }

    #[test]
    fn tops_change_places_and_keep_their_faces() {
        let (mut mine, mut theirs) = (stack(&[1], &[2, 2], &[]), stack(&[], &[], &[3, 0]));
        mine.face_up = true;
        exchange_tops(&mut mine, &mut theirs);
        assert_eq!((mine.fixed(0), mine.face_up()), (Symbol::Diamond, None));
        assert_eq!((theirs.face_up(), theirs.fixed(1)), (Some(Symbol::Square), Symbol::Circle));
    }
}
