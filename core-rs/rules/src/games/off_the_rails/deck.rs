//! The deposit cards: what was seen of them, and what is left to come.

use super::geometry::{MINES, Mine, NUMBERS};
use crate::chance::Chance;

/// A card that was turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turned {
    /// A deposit: the mine and the number of its square, from 1.
    Deposit(Mine, u8),
    /// The Chasm Card.
    Chasm,
}

/// The deposit decks as one stack. A deck holds one card of each colour; which one, and in what
/// order they lie, does not exist before a card is turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Deck {
    /// Cards in all decks.
    pub(super) size: u8,
    /// What is left in the deck on top: a bit a colour, and [`CHASM`].
    pub(super) top: u8,
    /// The cards turned or shown of each colour, bit n the card of number n + 1.
    pub(super) seen: [u8; MINES],
}

/// The Chasm Card among what is left in a deck.
pub(super) const CHASM: u8 = 1 << MINES;
/// A card of each colour.
const COLOURS: u8 = CHASM - 1;
/// So many cards are left when Deck 4, with the Chasm Card, is on top and whole: its five and the
/// four of Deck 5.
pub(super) const FROM_DECK_4: u8 = 9;

impl Deck {
    /// So many cards, none of them turned.
    pub(super) fn new(size: u8) -> Self {
        Self { size, top: whole(size), seen: [0; MINES] }
    }

    /// Turns the top card: a draw of its colour among what is left in its deck, then of the card
    /// among that colour's unseen ones.
    pub(super) fn turn(&mut self, chance: &mut impl Chance) -> Turned {
        let kind = nth_one(self.top, chance.draw(self.top.count_ones()));
        self.top &= !(1 << kind);
        self.size -= 1;
        if self.top == 0 {
            self.top = whole(self.size);
        }
        match Mine::ALL.get(kind as usize) {
            Some(&mine) => Turned::Deposit(mine, self.show(mine, chance)),
            None => Turned::Chasm,
        }
    }

    /// A card of a colour, from wherever it lies: a draw among those not seen yet.
    pub(super) fn show(&mut self, mine: Mine, chance: &mut impl Chance) -> u8 {
        let seen = &mut self.seen[mine as usize];
        let number = nth_one(!*seen, chance.draw(seen.count_zeros()));
        *seen |= 1 << number;
        number as u8 + 1
    }

    /// Whether the Chasm Card is still to come.
    pub(super) fn holds_chasm_card(&self) -> bool {
        self.size > FROM_DECK_4 || self.top & CHASM != 0
    }

    pub(super) fn word(&self) -> u64 {
        let seen = u64::from(u32::from_le_bytes(self.seen));
        seen << 16 | u64::from(self.size) << 8 | u64::from(self.top)
    }
}

/// What the deck on top holds when so many cards are left and it is whole.
pub(super) fn whole(size: u8) -> u8 {
    match size {
        0 => 0,
        FROM_DECK_4 => COLOURS | CHASM,
        _ => COLOURS,
    }
}

/// The number of the set bit of this rank.
fn nth_one(bits: u8, rank: u32) -> u32 {
    crate::vocab::nth_bit(bits.into(), rank as usize)
}

const _: () = assert!(NUMBERS == u8::BITS as usize, "a bit a card");
