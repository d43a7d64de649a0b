//! The course of turns and rounds. What the cards do is in `effects.rs`.

use super::action::{Action, Place, Side};
use super::bag::Bag;
use super::cards::{Card, Symbol, Type};
use super::event::{Eras, Event, EventOf};
use super::state::{Eternitium, REFILL_AFTER_REFIT, Step, Turn};
use crate::chance::Chance;
use crate::game::Events;
use crate::vocab::Seat;

impl Eternitium {
    #[inline]
    pub(super) fn take(
        &mut self,
        action: Action,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        match action {
            Action::TakeBasic(place) => self.take_basic(place, chance, events),
            Action::Portal(symbol) => self.take_portal(symbol, events),
            Action::Play(card, aim) => self.play(card, aim, chance, events),
            Action::PutOnTop(position) => self.put_on_top(position.into(), events),
            Action::EndPlay => {
                let seat = self.to_act;
                events.emit(|| EventOf::PlayEnded { seat });
                self.discard(None, events);
            }
            Action::Refit => {
                let seat = self.to_act;
                events.emit(|| EventOf::Refitted { seat });
                self.turn.refill = REFILL_AFTER_REFIT;
                self.step = Step::Refit;
            }
            Action::Remove(card) => self.remove(card, events),
            Action::Keep(card) => self.keep(card, events),
            Action::Basic(..) | Action::Advanced(_) | Action::NoTechnology => {
                let taken = self.acquire(action, chance, events);
                self.refill(taken, chance, events);
                self.end_turn(events);
            }
        }
    }

    /// A turn begins with step a, or without it when the supply is empty.
    pub(super) fn start_turn(&mut self, is_extra: bool, events: &mut impl Events<Event>) {
        let (seat, round) = (self.to_act, self.round.into());
        self.turn = Turn::new(is_extra);
        let supplied = self.table.supply.iter().any(|&left| left > 0);
        self.step = if supplied { Step::Portal } else { Step::Play };
        events.emit(|| EventOf::TurnStarted { seat, round, is_extra });
    }

    /// a. Portal.
    fn take_portal(&mut self, symbol: Symbol, events: &mut impl Events<Event>) {
        let (seat, card) = (self.to_act, symbol.portal());
        self.table.supply[symbol as usize] -= 1;
        self.holdings[seat.index()].hand.insert(card);
        self.step = Step::Play;
        events.emit(|| EventOf::PortalTaken { seat, card });
    }

    /// R13: a hand card leaves the game.
    pub(super) fn remove(&mut self, card: Card, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let holding = &mut self.holdings[seat.index()];
        if holding.hand.remove(card) {
            holding.removed.insert(card);
            events.emit(|| EventOf::Removed { seat, card });
        }
    }

    /// The end of a refit.
    fn keep(&mut self, card: Option<Card>, events: &mut impl Events<Event>) {
        let (seat, number) = (self.to_act, card.iter().len());
        events.emit(|| EventOf::Kept { seat, number, card });
        self.discard(card, events);
    }

    /// c. Discard: play area and hand, but for a kept card.
    pub(super) fn discard(&mut self, kept: Option<Card>, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let holding = &mut self.holdings[seat.index()];
        let mut cards = std::mem::take(&mut holding.hand);
        if let Some(card) = kept.filter(|&card| cards.remove(card)) {
            holding.hand.insert(card);
        }
        holding.discard.absorb(cards);
        holding.discard.absorb(std::mem::take(&mut self.table.play_area));
        if !cards.is_empty() {
            events.emit(|| EventOf::Discarded { seat, cards });
        }
        self.step = Step::Technology;
    }

    /// d. Technology: what was taken, if anything.
    fn acquire(
        &mut self,
        action: Action,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) -> Option<Card> {
        let (of, place, sides) = match action {
            Action::Basic(place, side) => (Type::Basic, place, Side::ALL.map(|s| side == Some(s))),
            Action::Advanced(place) => (Type::Advanced, place, [true; 2]),
            _ => {
                let seat = self.to_act;
                events.emit(|| EventOf::NoTechnology { seat });
                return None;
            }
        };
        let taken = self.take_technology(of, place, chance, events);
        self.gain_eras(sides, events);
        self.fill_visible(chance, events);
        taken
    }

    /// A technology from the row, whose place is filled at once, or from the deck unseen (R8).
    pub(super) fn take_technology(
        &mut self,
        of: Type,
        place: Place,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) -> Option<Card> {
        let seat = self.to_act;
        let market = &mut self.table.markets[of as usize];
        match place {
            Place::Row(place) => {
                let place = usize::from(place);
                let card = market.row[place].take()?;
                events.emit(|| EventOf::TechnologyTaken { seat, of, place, card });
                self.fill_row(of, place, chance, events);
                Some(card)
            }
            Place::Unseen => {
                let card = market.turn(of, chance)?;
                events.emit(|| EventOf::TechnologyTakenUnseen { seat, of, card });
                Some(card)
            }
        }
    }

    /// R7: visible Eras go face down under the own stack, the left one first.
    fn gain_eras(&mut self, sides: [bool; 2], events: &mut impl Events<Event>) {
        let seat = self.to_act;
        let mut eras = Eras::new();
        for side in Side::ALL.into_iter().filter(|&side| sides[side as usize]) {
            if let Some(era) = self.table.visible[side as usize].take() {
                self.stacks[seat.index()].put_under(era);
                eras.push(era);
            }
        }
        if !eras.is_empty() {
            events.emit(|| EventOf::ErasGained { seat, eras });
        }
    }

    /// e. Refill; R6: the technology lies on top of the deck, so it is drawn first.
    fn refill(
        &mut self,
        taken: Option<Card>,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let number = usize::from(self.turn.refill) - self.hand().len();
        self.draw_cards(self.to_act, number, taken, chance, events);
    }

    /// R9: draws `number` cards, `top` first; an empty deck is made anew from the discard pile.
    #[inline]
    pub(super) fn draw_cards(
        &mut self,
        seat: Seat,
        number: usize,
        top: Option<Card>,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let holding = &mut self.holdings[seat.index()];
        let mut drawn: Bag = top.into_iter().collect();
        while drawn.len() < number {
            if holding.deck.is_empty() {
                holding.deck = std::mem::take(&mut holding.discard);
                let number = holding.deck.len();
                if number > 0 {
                    events.emit(|| EventOf::Reshuffled { seat, number });
                }
            }
            let Some(card) = holding.deck.draw(chance) else { break };
            drawn.insert(card);
        }
        holding.hand.absorb(drawn);
        if !drawn.is_empty() {
            events.emit(|| EventOf::Drawn { seat, number: drawn.len(), cards: drawn });
        }
    }

    /// f. An extra turn, the next seat's turn, or the end of the round.
    fn end_turn(&mut self, events: &mut impl Events<Event>) {
        let seat = self.to_act;
        events.emit(|| EventOf::TurnEnded { seat });
        if self.turn.looped {
            return self.start_turn(true, events);
        }
        let next = seat.index() + 1;
        if next < self.rules.seats() {
            self.to_act = Seat::of(next as u8);
            return self.start_turn(false, events);
        }
        if self.somebody_is_done() || self.round == self.rules.max_rounds {
            self.step = Step::Over;
            return;
        }
        self.round += 1;
        self.to_act = Seat::of(0);
        self.start_turn(false, events);
    }
}
