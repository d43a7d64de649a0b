//! Saving a match at any moment and going on from it.

use super::cards::{Card, CardSet, HAND, Hand};
use super::lines::{COLLAPSE, Lines};
use super::options::{MAX_PLAYERS, MAX_ROUNDS, Options, Rules, path};
use super::state::{ACTIONS, ActionCard, OffTrack, Step, all_actions, all_cards, all_unredeemed};
use crate::error::Faults;
use crate::pile::Pool;
use crate::position::Position;
use crate::vocab::{Seat, SeatSet};

/// All cards of eight eras, twice, turned positive.
const MAX_SCORE: u32 = 2 * 8 * 19;

/// Everything that a match holds, as an untrusted caller gives it.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Saved {
    pub options: Options,
    /// From 1.
    pub round: u32,
    pub turn_of: u32,
    pub step: Step,
    pub lines: Vec<SavedLine>,
    pub seats: Vec<SavedSeat>,
    pub boxed: Vec<Card>,
    pub deck: Vec<Card>,
    pub discard: Vec<Card>,
    pub action_deck: Vec<ActionCard>,
    pub action_discard: Vec<ActionCard>,
    pub drawn: Option<ActionCard>,
    pub collapsed: bool,
    pub called: bool,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct SavedLine {
    pub cards: Vec<Card>,
    pub flipped: bool,
    pub pinned: Option<u32>,
    pub sealed_by: Option<u32>,
    pub waiting_for: Option<u32>,
}

/// What a seat has.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SavedSeat {
    pub hand: Vec<Card>,
    pub pile: Vec<Card>,
    pub held: Option<ActionCard>,
    pub cycled: bool,
    pub round_scores: Vec<i32>,
}

impl Saved {
    /// Saves a match.
    pub fn of(position: &Position<OffTrack>) -> Self {
        let state = position.state();
        let actions =
            |pool: &Pool<ACTIONS>| pool.iter().map(|kind| ActionCard::ALL[kind]).collect();
        Self {
            options: state.rules.options(),
            round: u32::from(state.round) + 1,
            turn_of: state.to_act.index() as u32,
            step: state.step,
            lines: (0..state.lines.count()).map(|line| SavedLine::of(&state.lines, line)).collect(),
            seats: state.seats_in_play().map(|seat| SavedSeat::of(state, seat)).collect(),
            boxed: state.boxed.sorted(),
            deck: state.deck.sorted(),
            discard: state.discard.sorted(),
            action_deck: actions(&state.action_deck),
            action_discard: actions(&state.action_discard),
            drawn: state.drawn,
            collapsed: state.collapsed,
            called: state.called,
        }
    }

    /// The match that was saved; lists every fault.
    pub fn restore(&self) -> Result<Position<OffTrack>, Faults> {
        let rules = Rules::new(&self.options)?;
        let mut faults = Faults::default();
        self.check_shape(&rules, &mut faults);
        faults.or(())?;
        let mut faults = Faults::default();
        let state = self.state(rules);
        state.check_cards(&mut faults);
        state.check_course(&mut faults);
        faults.or(Position::from_parts(state, ()))
    }

    /// Numbers that must be in range before a state can be made.
    fn check_shape(&self, rules: &Rules, faults: &mut Faults) {
        let seats = rules.seats() as u32;
        let mut range = |field: &str, value: u32, low: u32, high: u32| {
            if !(low..=high).contains(&value) {
                faults.add(&path(field), value, format!("a number from {low} to {high}"));
            }
        };
        range("round", self.round, 1, rules.rounds.into());
        range("turn_of", self.turn_of, 0, seats - 1);
        range("lines", self.lines.len() as u32, 1, rules.lines() as u32);
        range("seats", self.seats.len() as u32, seats, seats);
        let played = self.round.saturating_sub(1) + u32::from(self.step == Step::Over);
        for (number, seat) in self.seats.iter().enumerate() {
            let field = |name: &str| format!("seats[{number}].{name}");
            range(&field("hand"), seat.hand.len() as u32, 0, HAND as u32);
            range(&field("round_scores"), seat.round_scores.len() as u32, played, played);
        }
        let scores = self.seats.iter().flat_map(|seat| &seat.round_scores);
        if let Some(score) = scores.into_iter().find(|score| score.unsigned_abs() > MAX_SCORE) {
            range("round_scores", score.unsigned_abs(), 0, MAX_SCORE);
        }
        let cards = self.lines.iter().map(|line| line.cards.len()).sum::<usize>();
        let actions = all_actions(rules).len() as u32;
        range("action_deck", self.action_deck.len() as u32, 0, actions);
        range("action_discard", self.action_discard.len() as u32, 0, actions);
        range("cards_on_lines", cards as u32, 0, all_cards(rules).len() as u32);
        for (number, line) in self.lines.iter().enumerate() {
            let field = |name: &str| format!("lines[{number}].{name}");
            if let Some(index) = line.pinned {
                // An empty line has no card to pin: its range is empty.
                let (first, end) = (u32::from(line.cards.is_empty()), line.cards.len() as u32);
                range(&field("pinned"), index, first, end.saturating_sub(1));
            }
            range(&field("sealed_by"), line.sealed_by.unwrap_or(0), 0, seats - 1);
            range(&field("waiting_for"), line.waiting_for.unwrap_or(0), 0, seats - 1);
        }
    }

    fn state(&self, rules: Rules) -> OffTrack {
        let pool = |actions: &[ActionCard]| actions.iter().map(|&action| action as usize).collect();
        let set = |cards: &[Card]| cards.iter().copied().collect::<CardSet>();
        let mut state = OffTrack {
            rules,
            round: self.round as u8 - 1,
            to_act: Seat::of(self.turn_of as u8),
            step: self.step,
            collapsed: self.collapsed,
            called: self.called,
            lines: self.lines(),
            hands: [Hand::default(); MAX_PLAYERS],
            piles: [CardSet::default(); MAX_PLAYERS],
            boxed: set(&self.boxed),
            deck: set(&self.deck),
            discard: set(&self.discard),
            action_deck: pool(&self.action_deck),
            action_discard: pool(&self.action_discard),
            held: [None; MAX_PLAYERS],
            drawn: self.drawn,
            cycled: SeatSet::EMPTY,
            scores: [[0; MAX_PLAYERS]; MAX_ROUNDS],
        };
        for (number, saved) in self.seats.iter().enumerate() {
            state.hands[number] = saved.hand.iter().copied().collect();
            state.piles[number] = set(&saved.pile);
            state.held[number] = saved.held;
            if saved.cycled {
                state.cycled = state.cycled.with(Seat::of(number as u8));
            }
            for (round, &score) in saved.round_scores.iter().enumerate() {
                state.scores[round][number] = score as i16;
            }
        }
        state
    }

    fn lines(&self) -> Lines {
        let mut lines = Lines::new();
        for (number, saved) in self.lines.iter().enumerate() {
            if number > 0 {
                lines.open_branch();
            }
            for (index, &card) in saved.cards.iter().enumerate() {
                lines.insert(number, index, card);
            }
            if saved.flipped {
                lines.flip(number);
            }
            if let Some(index) = saved.pinned {
                lines.pin(number, index as usize);
            }
            if let Some(seat) = saved.sealed_by {
                lines.seal(number, Seat::of(seat as u8));
            }
            if let Some(seat) = saved.waiting_for {
                lines.wait(number, Seat::of(seat as u8));
            }
        }
        lines
    }
}

impl SavedLine {
    fn of(lines: &Lines, line: usize) -> Self {
        let number = |seat: Option<Seat>| seat.map(|seat| seat.index() as u32);
        Self {
            cards: lines.cards(line).collect(),
            flipped: lines.is_flipped(line),
            pinned: lines.pinned(line).map(|index| index as u32),
            sealed_by: number(lines.sealed_by(line)),
            waiting_for: number(lines.waiting_for(line)),
        }
    }
}

impl SavedSeat {
    fn of(state: &OffTrack, seat: Seat) -> Self {
        let number = seat.index();
        let rounds = &state.scores[..state.rounds_played()];
        Self {
            hand: state.hands[number].cards().collect(),
            pile: state.piles[number].sorted(),
            held: state.held[number],
            cycled: state.cycled.contains(seat),
            round_scores: rounds.iter().map(|scores| scores[number].into()).collect(),
        }
    }
}

impl OffTrack {
    /// Every card that the options name is in one place, and no other.
    fn check_cards(&self, faults: &mut Faults) {
        let lines = (0..self.lines.count()).flat_map(|line| self.lines.cards(line));
        let sets = self.piles.iter().chain([&self.boxed, &self.deck, &self.discard]);
        let hands = self.hands.iter().flat_map(|hand| hand.cards().collect::<Vec<_>>());
        let mut cards: Vec<Card> =
            lines.chain(sets.flat_map(CardSet::sorted)).chain(hands).collect();
        cards = cards.into_iter().map(Card::unredeemed).collect();
        cards.sort_unstable();
        if cards != all_cards(&self.rules).sorted() {
            let expected = "every card of the options in one place";
            faults.add(&path("cards"), format!("{} cards", cards.len()), expected);
        }
        let plain = all_unredeemed(&self.deck) && all_unredeemed(&self.discard);
        let hands = self.hands.iter().flat_map(|hand| hand.cards().collect::<Vec<_>>());
        if !plain || hands.into_iter().any(Card::is_redeemed) {
            faults.add(
                &path("cards"),
                "redeemed",
                "redeemed cards on lines, in piles or boxed only",
            );
        }
        let mut actions: Pool<ACTIONS> = self.action_deck.clone();
        actions.absorb(&mut self.action_discard.clone());
        let kept = self.held.iter().copied().chain([self.drawn]).flatten();
        kept.for_each(|action| actions.insert(action as usize));
        if actions != all_actions(&self.rules) {
            let expected = "every action card of the options in one place";
            faults.add(&path("actions"), format!("{} cards", actions.len()), expected);
        }
    }

    /// What the course of a turn leaves behind.
    fn check_course(&self, faults: &mut Faults) {
        let mut fault = |field: &str, value: &str, expected: &str| {
            faults.add(&path(field), value, expected);
        };
        if (self.step == Step::Drawn) != self.drawn.is_some() {
            fault("drawn", "does not fit", "a drawn action exactly at step DRAWN");
        }
        let holds = self.held[self.to_act.index()].is_some();
        let in_turn = matches!(self.step, Step::Main | Step::Offer | Step::Drawn);
        if self.step == Step::Held && !holds || in_turn && holds {
            let expected = "a held action of the seat whose turn it is exactly at step HELD";
            fault("step", "does not fit", expected);
        }
        if self.step == Step::Offer && (self.rules.every_turn || self.action_deck.is_empty()) {
            fault("step", "OFFER", "an action deck to draw from, and no every_turn");
        }
        if self.rules.every_turn && self.held.iter().any(Option::is_some) {
            fault("held", "held", "no held action under every_turn (R13)");
        }
        for line in 0..self.lines.count() {
            let full = line > 0 && self.lines.len(line) >= COLLAPSE;
            if full != self.lines.waiting_for(line).is_some() {
                fault("lines", "waiting does not fit", "exactly branches of 7 or more waiting");
            }
        }
        if self.step == Step::Over && self.round + 1 != self.rules.rounds {
            fault("round", "too early", "the last round when the match is over");
        }
    }
}
