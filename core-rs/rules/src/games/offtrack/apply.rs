//! The course of rounds and turns. What the eight actions do is in `plays.rs`.

use super::action::Action;
use super::cards::{Card, CardSet, HAND, Hand};
use super::event::{Event, EventOf};
use super::lines::{COLLAPSE, Lines};
use super::options::{MAX_PLAYERS, MAX_ROUNDS, Rules};
use super::state::{ActionCard, OffTrack, Step, all_actions, all_cards};
use crate::chance::Chance;
use crate::game::Events;
use crate::pile::Pool;
use crate::vocab::{Seat, SeatSet};

impl OffTrack {
    /// A match at its start.
    pub(super) fn at_start(
        rules: Rules,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) -> Self {
        let mut state = Self {
            rules,
            round: 0,
            to_act: Seat::of(0),
            step: Step::Main,
            collapsed: false,
            called: false,
            lines: Lines::new(),
            hands: Default::default(),
            piles: Default::default(),
            boxed: CardSet::default(),
            deck: CardSet::default(),
            discard: CardSet::default(),
            action_deck: Pool::default(),
            action_discard: Pool::default(),
            held: [None; MAX_PLAYERS],
            drawn: None,
            cycled: SeatSet::EMPTY,
            scores: [[0; MAX_PLAYERS]; MAX_ROUNDS],
        };
        state.start_round(chance, events);
        state
    }

    fn start_round(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        self.lines = Lines::new();
        self.hands = Default::default();
        self.piles = Default::default();
        self.boxed = CardSet::default();
        self.discard = CardSet::default();
        self.deck = all_cards(&self.rules);
        // R7: all actions are shuffled in every round.
        self.action_deck = all_actions(&self.rules);
        self.action_discard = Pool::default();
        self.held = [None; MAX_PLAYERS];
        self.cycled = SeatSet::EMPTY;
        self.called = false;
        for _ in 0..4 {
            let card = self.deck.draw(chance);
            self.lines.add(0, card);
        }
        let (round, starting_seat) = (usize::from(self.round) + 1, self.starting_seat());
        let prime = || self.lines.cards(0).collect();
        events.emit(|| EventOf::RoundStarted { round, starting_seat, prime: prime() });
        for seat in self.turn_order() {
            let cards: Hand = (0..HAND).map(|_| self.deck.draw(chance)).collect();
            self.hands[seat.index()] = cards;
            events.emit(|| EventOf::Dealt { seat, number: HAND, cards });
        }
        self.to_act = starting_seat;
        self.start_turn(events);
    }

    /// a. Start.
    fn start_turn(&mut self, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        events.emit(|| EventOf::TurnStarted { seat });
        self.collapsed = false;
        for line in 0..self.lines.count() {
            if self.lines.sealed_by(line) == Some(seat) {
                self.lines.open(line);
                events.emit(|| EventOf::SealLifted { line });
            }
        }
        let waits =
            |&line: &usize| self.lines.waiting_for(line) == Some(seat) && self.lines.is_open(line);
        if let Some(line) = (1..self.lines.count()).find(waits) {
            self.collapse(line, events);
        }
        let holds = self.held[seat.index()].is_some();
        self.step = if holds { Step::Held } else { Step::Main };
    }

    #[inline]
    pub(super) fn take(
        &mut self,
        action: Action,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        match (self.step, action) {
            (Step::Held | Step::Drawn, _) => self.decide_action(action, chance, events),
            (Step::Main, Action::Append { card, line }) => {
                self.append(card, line.into(), events);
                self.refill(chance, events);
            }
            (Step::Main, Action::Cycle(places)) => {
                self.cycle(places, events);
                self.refill(chance, events);
            }
            // R12: after a skip there is no refill and no action.
            (Step::Main, _) => {
                let seat = self.to_act;
                events.emit(|| EventOf::Skipped { seat });
                self.end_turn(chance, events);
            }
            (Step::Offer, Action::Draw) => self.draw_action(chance, events),
            (Step::Offer | Step::Over, _) => self.end_turn(chance, events),
        }
    }

    /// b. Held action, and the end of e.
    fn decide_action(
        &mut self,
        decision: Action,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let (seat, held) = (self.to_act, self.step == Step::Held);
        let in_question = if held { &mut self.held[seat.index()] } else { &mut self.drawn };
        let Some(action) = in_question.take() else { return };
        match decision {
            Action::Play(play) => {
                events.emit(|| EventOf::ActionPlayed { seat, action });
                self.action_discard.insert(action as usize);
                self.play(play, events);
            }
            Action::Hold => {
                events.emit(|| EventOf::ActionHeld { seat });
                self.held[seat.index()] = Some(action);
            }
            _ => {
                events.emit(|| EventOf::ActionDiscarded { seat, action });
                self.action_discard.insert(action as usize);
            }
        }
        if held {
            self.step = Step::Main;
        } else {
            self.end_turn(chance, events);
        }
    }

    /// Append, step by step: the card goes to the add end; lower cards are collected; the edge
    /// may be pinned; only then the line is counted (R20).
    fn append(&mut self, card: Card, line: usize, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        self.cycled = self.cycled.without(SeatSet::EMPTY.with(seat));
        self.hands[seat.index()].remove(card);
        events.emit(|| EventOf::Appended { seat, card, line });
        let index = self.lines.add(line, card);
        let index = self.collect(line, index, events);
        self.pin_neighbour(line, index, events);
        self.count_line(line, events);
    }

    /// R15: every card of lower value than the one at `index` is collected; returns where that
    /// one is then.
    pub(super) fn collect(
        &mut self,
        line: usize,
        mut index: usize,
        events: &mut impl Events<Event>,
    ) -> usize {
        let (seat, value) = (self.to_act, self.lines.card(line, index).value());
        let lower = |card: &Card| card.value() < value;
        if !self.lines.cards(line).any(|card| lower(&card)) {
            return index;
        }
        events.emit(|| {
            let cards = self.lines.cards(line).filter(lower).collect();
            EventOf::Collected { seat, line, cards }
        });
        for place in (0..self.lines.len(line)).rev() {
            if lower(&self.lines.card(line, place)) {
                let card = self.lines.remove(line, place);
                self.piles[seat.index()].insert(card);
                index -= usize::from(place < index);
            }
        }
        index
    }

    /// R16: in a line of three cards or more a neighbour of the new card's era becomes the edge.
    fn pin_neighbour(&mut self, line: usize, index: usize, events: &mut impl Events<Event>) {
        let neighbour = if self.lines.is_flipped(line) { index + 1 } else { index.wrapping_sub(1) };
        if self.lines.len(line) < 3 {
            return;
        }
        let card = self.lines.card(line, index);
        if self.lines.card(line, neighbour).era() == card.era() {
            self.lines.pin(line, neighbour);
            events.emit(|| EventOf::Pinned { line, index: neighbour });
        }
    }

    /// A branch of seven cards collapses, or waits if one has collapsed in this turn already.
    pub(super) fn count_line(&mut self, line: usize, events: &mut impl Events<Event>) {
        if line == 0 || self.lines.len(line) < COLLAPSE {
            return;
        }
        let seat = self.to_act;
        if self.collapsed {
            self.lines.wait(line, seat);
            events.emit(|| EventOf::Waiting { line, seat });
        } else {
            self.collapse(line, events);
        }
    }

    /// The seat scores the harvest edge, the rest is boxed; R17: also at a turn's start this is
    /// the turn's one collapse.
    fn collapse(&mut self, line: usize, events: &mut impl Events<Event>) {
        let Some(edge) = self.lines.edge(line) else { return };
        self.collapsed = true;
        let scored = self.lines.remove(line, edge);
        self.piles[self.to_act.index()].insert(scored);
        events.emit(|| EventOf::Collapsed {
            line,
            scored,
            boxed: self.lines.cards(line).collect(),
        });
        self.box_from(line, 0);
    }

    /// Boxes the cards of a line from an index on.
    pub(super) fn box_from(&mut self, line: usize, index: usize) {
        while self.lines.len(line) > index {
            let last = self.lines.len(line) - 1;
            let card = self.lines.remove(line, last);
            self.boxed.insert(card);
        }
    }

    fn cycle(&mut self, places: u8, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let cards = self.hands[seat.index()].split(places);
        self.discard.extend(cards.cards());
        self.cycled = self.cycled.with(seat);
        events.emit(|| EventOf::Cycled { seat, cards });
    }

    /// d. Refill; then e. Action.
    fn refill(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let mut cards = Hand::default();
        while self.hand().len() < HAND {
            if self.deck.is_empty() {
                if self.discard.is_empty() {
                    break;
                }
                self.deck = std::mem::take(&mut self.discard);
                let number = self.deck.len();
                events.emit(|| EventOf::Reshuffled { number });
            }
            let card = self.deck.draw(chance);
            self.hands[seat.index()].insert(card);
            cards.insert(card);
        }
        if !cards.is_empty() {
            events.emit(|| EventOf::Refilled { seat, number: cards.len(), cards });
        }
        if self.deck.is_empty() && self.discard.is_empty() && !self.called {
            self.called = true;
            events.emit(|| EventOf::EndCalled { seat });
        }
        self.offer_action(chance, events);
    }

    fn offer_action(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        if self.action_deck.is_empty() {
            self.end_turn(chance, events);
        } else if self.rules.every_turn {
            self.draw_action(chance, events);
        } else {
            self.step = Step::Offer;
        }
    }

    fn draw_action(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        // R6: without actions in the deck a turn ends before this.
        let Some(kind) = self.action_deck.draw(chance) else { return };
        let action = ActionCard::ALL[kind];
        self.drawn = Some(action);
        self.step = Step::Drawn;
        events.emit(|| EventOf::ActionDrawn { seat, action });
    }

    /// f. End: flips end; after a called end the last seat's turn ends the round.
    fn end_turn(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        self.lines.end_flips();
        events.emit(|| EventOf::TurnEnded { seat });
        let next = self.seat_after(seat);
        if self.called && next == self.starting_seat() {
            return self.score_round(chance, events);
        }
        self.to_act = next;
        self.start_turn(events);
    }

    fn score_round(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let scores = self.piles.map(|pile| pile.value() as i16);
        self.scores[usize::from(self.round)] = scores;
        let seats = self.rules.seats();
        events.emit(|| EventOf::RoundScored {
            scores: scores[..seats].iter().map(|&s| s.into()).collect(),
        });
        if self.round + 1 == self.rules.rounds {
            self.step = Step::Over;
        } else {
            self.round += 1;
            self.start_round(chance, events);
        }
    }
}
