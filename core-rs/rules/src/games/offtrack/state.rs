//! The full state of a match of OffTrack.

use arrayvec::ArrayVec;

use super::cards::{Card, CardSet, Hand};
use super::lines::Lines;
use super::options::{MAX_PLAYERS, MAX_ROUNDS, Rules, Scoring};
use crate::pile::Pool;
use crate::vocab::{MAX_SEATS, Outcome, Reason, Seat, SeatSet};

/// Kinds of action cards.
pub(super) const ACTIONS: usize = 8;

/// An action card, in the order of the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum ActionCard {
    Shear,
    Mend,
    QuantumShunt,
    Recall,
    ParadoxLoop,
    Redeem,
    Quarantine,
    Breach,
}

impl ActionCard {
    /// All kinds, in order.
    pub const ALL: [Self; ACTIONS] = [
        Self::Shear,
        Self::Mend,
        Self::QuantumShunt,
        Self::Recall,
        Self::ParadoxLoop,
        Self::Redeem,
        Self::Quarantine,
        Self::Breach,
    ];

    /// Its letter in notation.
    pub(super) fn letter(self) -> char {
        ['S', 'M', 'Q', 'R', 'L', 'P', 'K', 'B'][self as usize]
    }
}

/// What is to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// b. To play or discard the held action.
    Held,
    /// c. The main step.
    Main,
    /// e. To draw an action or end the turn.
    Offer,
    /// e. What becomes of the drawn action.
    Drawn,
    /// Nothing: the match is over.
    Over,
}

/// A match of OffTrack at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct OffTrack {
    pub(super) rules: Rules,
    /// The round, from 0.
    pub(super) round: u8,
    pub(super) to_act: Seat,
    pub(super) step: Step,
    /// Whether a branch has collapsed in this turn.
    pub(super) collapsed: bool,
    /// Whether the end of the round is called.
    pub(super) called: bool,
    pub(super) lines: Lines,
    pub(super) hands: [Hand; MAX_PLAYERS],
    pub(super) piles: [CardSet; MAX_PLAYERS],
    pub(super) boxed: CardSet,
    pub(super) deck: CardSet,
    pub(super) discard: CardSet,
    pub(super) action_deck: Pool<ACTIONS>,
    pub(super) action_discard: Pool<ACTIONS>,
    pub(super) held: [Option<ActionCard>; MAX_PLAYERS],
    pub(super) drawn: Option<ActionCard>,
    /// The seats whose last main step other than a skip was a cycle.
    pub(super) cycled: SeatSet,
    /// The scores of the rounds played.
    pub(super) scores: [[i16; MAX_PLAYERS]; MAX_ROUNDS],
}

impl OffTrack {
    /// Which score wins.
    pub fn scoring(&self) -> Scoring {
        self.rules.scoring
    }

    pub(super) fn seats_in_play(&self) -> impl Iterator<Item = Seat> + use<> {
        SeatSet::first(self.rules.seats()).iter()
    }

    /// R8: the seat that starts the round.
    pub(super) fn starting_seat(&self) -> Seat {
        Seat::of(self.round % self.rules.seats)
    }

    pub(super) fn seat_after(&self, seat: Seat) -> Seat {
        Seat::of((seat.index() as u8 + 1) % self.rules.seats)
    }

    /// The seats from the starting one on.
    pub(super) fn turn_order(&self) -> impl Iterator<Item = Seat> + use<> {
        let (start, seats) = (self.starting_seat().index(), self.rules.seats());
        (0..seats).map(move |turn| Seat::of(((start + turn) % seats) as u8))
    }

    /// The action that the actor has to decide about.
    #[inline]
    pub(super) fn action_in_question(&self) -> Option<ActionCard> {
        match self.step {
            Step::Held => self.held[self.to_act.index()],
            Step::Drawn => self.drawn,
            Step::Main | Step::Offer | Step::Over => None,
        }
    }

    #[inline]
    pub(super) fn hand(&self) -> &Hand {
        &self.hands[self.to_act.index()]
    }

    /// The rounds that were scored.
    pub(super) fn rounds_played(&self) -> usize {
        usize::from(self.round) + usize::from(self.step == Step::Over)
    }

    /// The sum of each seat's round scores.
    pub(super) fn totals(&self) -> ArrayVec<i32, MAX_SEATS> {
        let rounds = &self.scores[..self.rounds_played()];
        let total = |seat: usize| rounds.iter().map(|scores| i32::from(scores[seat])).sum();
        (0..self.rules.seats()).map(total).collect()
    }

    /// The best total of the seats that are left in wins.
    pub(super) fn result(&self, left_in: SeatSet) -> Option<Outcome> {
        if self.step != Step::Over {
            return None;
        }
        let scores = self.totals();
        let ranked = left_in.iter().map(|seat| scores[seat.index()]);
        let best = match self.rules.scoring {
            Scoring::High => ranked.max(),
            Scoring::Low => ranked.min(),
        };
        let winners = left_in.iter().filter(|seat| Some(scores[seat.index()]) == best);
        Some(Outcome { winners: winners.collect(), reason: Reason::OffTrackRoundsPlayed, scores })
    }

    pub(super) fn state_hash(&self) -> u64 {
        let sets = self.piles.iter().chain([&self.boxed, &self.deck, &self.discard]);
        let hands = self
            .hands
            .iter()
            .map(|hand| hand.cards().fold(1, |word, card| word << 8 | u64::from(card.face())));
        let small = [
            u64::from(self.round) << 32
                | (self.to_act.index() as u64) << 24
                | (self.step as u64) << 16
                | u64::from(self.collapsed) << 8
                | u64::from(self.called),
            self.cycled.iter().fold(0, |word, seat| word | 1 << seat.index()),
            self.drawn.map_or(0, |action| action as u64 + 1),
            self.held.iter().fold(0, |word, held| word << 8 | held.map_or(0, |a| a as u64 + 1)),
        ];
        let actions = [&self.action_deck, &self.action_discard]
            .map(|pool| (0..ACTIONS).fold(0, |word, kind| word << 8 | pool.count(kind) as u64));
        let scores = self
            .scores
            .iter()
            .map(|round| round.iter().fold(0, |word, &score| word << 16 | u64::from(score as u16)));
        let words = small.into_iter().chain(actions).chain(sets.flat_map(CardSet::words));
        let words = words.chain(hands).chain(self.lines.words()).chain(scores);
        words.fold(0x0FF7_2AC4, |hash, word| crate::vocab::mix(hash ^ word))
    }
}

/// Every card that a match is played with, by type.
pub(super) fn all_cards(rules: &Rules) -> CardSet {
    CardSet::full(rules.types(), rules.decks.into())
}

/// Every action card that a match is played with.
pub(super) fn all_actions(rules: &Rules) -> Pool<ACTIONS> {
    (0..ACTIONS).flat_map(|kind| std::iter::repeat_n(kind, rules.action_copies.into())).collect()
}

/// Whether all cards of a set are as they were dealt.
pub(super) fn all_unredeemed(cards: &CardSet) -> bool {
    cards.sorted().into_iter().all(|card: Card| !card.is_redeemed())
}
