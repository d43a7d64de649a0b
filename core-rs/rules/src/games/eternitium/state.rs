//! The full state of a match of Eternitium.

use arrayvec::ArrayVec;

use super::bag::Bag;
use super::cards::{Card, SYMBOLS, Symbol, Type};
use super::options::{MAX_PLAYERS, Rules};
use super::stack::{Market, Stack};
use crate::pile::Pool;
use crate::vocab::{MAX_SEATS, Outcome, Reason, Seat, SeatSet};

/// Eras of each symbol.
pub(super) const ERAS: u8 = 15;
/// Cards to which a hand is refilled: as a rule, after a lost gamble, after a refit.
pub(super) const REFILL: u8 = 5;
pub(super) const REFILL_AFTER_GAMBLE: u8 = 4;
pub(super) const REFILL_AFTER_REFIT: u8 = 6;
/// Only a seat that owns so many cards may remove one.
pub(super) const OWNED_TO_REMOVE: usize = 7;

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Set-up: to take a Basic.
    TakeBasic,
    /// a. To take a Portal from the supply.
    Portal,
    /// b. To play a card, refit or end the step.
    Play,
    /// b. Which Era a Scanner puts on top.
    PutOnTop,
    /// b. What a refit removes and keeps.
    Refit,
    /// d. To take a technology or none.
    Technology,
    /// Nothing: the match is over.
    Over,
}

/// What holds for the turn alone (R20).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whether it is an extra turn.
    pub is_extra: bool,
    /// Whether Time Loop was played in it.
    pub looped: bool,
    /// Whether any card was played in it.
    pub played: bool,
    /// To how many cards the hand will be refilled.
    pub refill: u8,
}

impl Turn {
    pub(super) fn new(is_extra: bool) -> Self {
        Self { is_extra, looped: false, played: false, refill: REFILL }
    }
}

/// What belongs to a seat.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Holding {
    pub(super) hand: Bag,
    /// During set-up the starter deck, with the Basic once it is taken.
    pub(super) deck: Bag,
    pub(super) discard: Bag,
    /// R13: no longer owned.
    pub(super) removed: Bag,
}

/// What lies on the table for all.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Table {
    /// Portals, by symbol.
    pub(super) supply: [u8; SYMBOLS],
    /// Eras out of the game, by symbol.
    pub(super) gone: [u8; SYMBOLS],
    /// The left and the right one.
    pub(super) visible: [Option<Symbol>; 2],
    pub(super) pile: Pool<SYMBOLS>,
    /// Basic, Advanced.
    pub(super) markets: [Market; 2],
    /// The play area of the seat to act.
    pub(super) play_area: Bag,
}

/// A match of Eternitium at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Eternitium {
    pub(super) rules: Rules,
    /// From 1.
    pub(super) round: u16,
    pub(super) to_act: Seat,
    pub(super) step: Step,
    pub(super) turn: Turn,
    /// R18.
    pub(super) forfeited: SeatSet,
    pub(super) stacks: [Stack; MAX_PLAYERS],
    pub(super) holdings: [Holding; MAX_PLAYERS],
    pub(super) table: Table,
}

const _: () = assert!(size_of::<Eternitium>() <= 640, "a state is cheap to copy");

impl Eternitium {
    pub(super) fn seats_in_play(&self) -> impl Iterator<Item = Seat> + use<> {
        SeatSet::first(self.rules.seats()).iter()
    }

    pub(super) fn opponents(&self) -> impl Iterator<Item = Seat> + use<> {
        let actor = self.to_act;
        self.seats_in_play().filter(move |&seat| seat != actor)
    }

    #[inline]
    pub(super) fn hand(&self) -> Bag {
        self.holdings[self.to_act.index()].hand
    }

    #[inline]
    pub(super) fn stack(&self) -> &Stack {
        &self.stacks[self.to_act.index()]
    }

    pub(super) fn market(&self, of: Type) -> &Market {
        &self.table.markets[of as usize]
    }

    /// Which visible Eras there are: left, right.
    #[inline]
    pub(super) fn visible(&self) -> [bool; 2] {
        self.table.visible.map(|era| era.is_some())
    }

    /// The play area of a seat: only the seat to act has one.
    fn play_area(&self, seat: Seat) -> Bag {
        if seat == self.to_act { self.table.play_area } else { Bag::default() }
    }

    /// What a seat owns: hand, deck, discard pile and play area.
    #[inline]
    pub(super) fn owned(&self, seat: Seat) -> Bag {
        let Holding { hand, deck, discard, .. } = &self.holdings[seat.index()];
        let mut owned = self.play_area(seat);
        [hand, deck, discard].into_iter().for_each(|cards| owned.absorb(*cards));
        owned
    }

    /// Eras in a seat's stack.
    pub fn eras(&self, seat: Seat) -> usize {
        self.stacks[seat.index()].len()
    }

    /// The Basics and the Advanced technologies that a seat owns.
    pub fn technologies(&self, seat: Seat) -> [usize; 2] {
        let owned = self.owned(seat);
        Type::ALL.map(|of| owned.count_of(of))
    }

    /// R11: 1 for each Basic, 2 for each Advanced.
    pub(super) fn points(&self) -> ArrayVec<i32, MAX_SEATS> {
        let points = |seat| {
            let [basics, advanced] = self.technologies(seat);
            (basics + 2 * advanced) as i32
        };
        self.seats_in_play().map(points).collect()
    }

    /// R10, R12: the seats without Eras, or else those with the fewest; of them the best.
    pub(super) fn result(&self, left_in: SeatSet) -> Option<Outcome> {
        if self.step != Step::Over {
            return None;
        }
        let scores = self.points();
        let fewest = left_in.iter().map(|seat| self.eras(seat)).min();
        let rank = |seat: Seat| (scores[seat.index()], self.technologies(seat)[1]);
        let candidates = || left_in.iter().filter(|&seat| Some(self.eras(seat)) == fewest);
        let best = candidates().map(rank).max();
        let winners = candidates().filter(|&seat| Some(rank(seat)) == best).collect();
        let reason = match fewest {
            Some(0) => Reason::EternitiumErasGone,
            _ => Reason::EternitiumMaxRounds,
        };
        Some(Outcome { winners, reason, scores })
    }

    /// R10: whether a seat that has not forfeited has no Eras.
    pub(super) fn somebody_is_done(&self) -> bool {
        let has_none = |seat: &Seat| self.stacks[seat.index()].is_empty();
        self.seats_in_play().filter(has_none).any(|seat| !self.forfeited.contains(seat))
    }

    pub(super) fn state_hash(&self) -> u64 {
        let Turn { is_extra, looped, played, refill } = self.turn;
        let marks = [is_extra, looped, played].map(u64::from);
        let seat = self.to_act.index() as u64;
        let small = [
            u64::from(self.round) << 16 | seat << 8 | self.step as u64,
            u64::from(refill) << 8 | marks[0] << 2 | marks[1] << 1 | marks[2],
            self.forfeited.iter().fold(0, |word, seat| word | 1 << seat.index()),
        ];
        let holdings = self.holdings.iter().flat_map(|holding| {
            let Holding { hand, deck, discard, removed } = holding;
            [hand, deck, discard, removed].into_iter().flat_map(|cards| cards.words())
        });
        let stacks = self.stacks.iter().flat_map(Stack::words);
        let words = small.into_iter().chain(holdings).chain(stacks).chain(self.table.words());
        words.fold(0xE7E2_4171, |hash, word| crate::vocab::mix(hash ^ word))
    }
}

impl Table {
    fn words(&self) -> impl Iterator<Item = u64> + '_ {
        let bytes = |bytes: [u8; SYMBOLS]| u64::from(u32::from_le_bytes(bytes));
        let visible = self
            .visible
            .iter()
            .fold(0, |word, era| word << 8 | era.map_or(0, |era| era as u64 + 1));
        let pile =
            (0..SYMBOLS).fold(visible, |word, symbol| word << 8 | self.pile.count(symbol) as u64);
        let counts = bytes(self.supply) << 32 | bytes(self.gone);
        let markets = self.markets.iter().flat_map(Market::words);
        [counts, pile].into_iter().chain(markets).chain(self.play_area.words())
    }
}

/// What each seat begins with: a Portal of each symbol and a Droid.
pub(super) fn starter() -> Bag {
    Symbol::ALL.into_iter().map(Symbol::portal).chain([Card::DROID]).collect()
}
