//! Set-up, until all have taken a Basic.

use super::action::{Place, Side};
use super::cards::{OF_TYPE, SYMBOLS, Symbol, Type};
use super::event::{Event, EventOf};
use super::options::Rules;
use super::stack::{Market, Queue, ROW};
use super::state::{ERAS, Eternitium, Holding, REFILL, Step, Table, Turn, starter};
use crate::chance::Chance;
use crate::game::Events;
use crate::pile::Pool;
use crate::vocab::{Seat, SeatSet};

impl Eternitium {
    /// A match at its start.
    pub(super) fn at_start(
        rules: Rules,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) -> Self {
        let mut state = Self {
            rules,
            round: 1,
            to_act: Seat::of(0),
            step: Step::TakeBasic,
            turn: Turn::new(false),
            forfeited: SeatSet::EMPTY,
            stacks: Default::default(),
            holdings: Default::default(),
            table: Table::new(&rules),
        };
        for seat in state.seats_in_play() {
            state.holdings[seat.index()] = Holding { deck: starter(), ..Holding::default() };
        }
        state.deal_eras(chance, events);
        for of in Type::ALL {
            (0..ROW).for_each(|place| state.fill_row(of, place, chance, events));
        }
        state
    }

    fn deal_eras(&mut self, chance: &mut impl Chance, events: &mut impl Events<Event>) {
        let number = usize::from(self.rules.eras_per_seat);
        for seat in self.seats_in_play() {
            let stack = &mut self.stacks[seat.index()];
            stack.shuffled = (0..number).filter_map(|_| self.table.pile.draw(chance)).collect();
            events.emit(|| EventOf::ErasDealt { seat, number });
        }
        for seat in self.seats_in_play() {
            self.turn_up(seat, chance, events);
        }
        self.fill_visible(chance, events);
    }

    /// Fills the visible places from the pile, left first (R7).
    pub(super) fn fill_visible(
        &mut self,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        for side in Side::ALL {
            let place = &mut self.table.visible[side as usize];
            if place.is_some() {
                continue;
            }
            let Some(drawn) = self.table.pile.draw(chance) else { return };
            let era = Symbol::ALL[drawn];
            *place = Some(era);
            events.emit(|| EventOf::VisibleEra { side, era });
        }
    }

    /// Fills a place of a row: a card that would repeat one goes under the deck, and the next is
    /// turned, as long as the deck holds a kind that fits.
    pub(super) fn fill_row(
        &mut self,
        of: Type,
        place: usize,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let market = &mut self.table.markets[of as usize];
        if !market.can_fill(of) {
            return;
        }
        while let Some(card) = market.turn(of, chance) {
            if !market.row.contains(&Some(card)) {
                market.row[place] = Some(card);
                return events.emit(|| EventOf::TechnologyTurned { of, place, card });
            }
            market.under.push_back(card.in_type());
            events.emit(|| EventOf::TechnologyUnder { of, card });
        }
    }

    /// Set-up: a Basic goes to the starter deck; after the last seat's the game begins.
    pub(super) fn take_basic(
        &mut self,
        place: Place,
        chance: &mut impl Chance,
        events: &mut impl Events<Event>,
    ) {
        let taken = self.take_technology(Type::Basic, place, chance, events);
        let deck = &mut self.holdings[self.to_act.index()].deck;
        taken.into_iter().for_each(|card| deck.insert(card));
        let next = self.to_act.index() + 1;
        if next < self.rules.seats() {
            self.to_act = Seat::of(next as u8);
            return;
        }
        for seat in self.seats_in_play() {
            self.draw_cards(seat, REFILL.into(), None, chance, events);
        }
        self.to_act = Seat::of(0);
        self.start_turn(false, events);
    }
}

impl Table {
    /// The table before anything is dealt.
    fn new(rules: &Rules) -> Self {
        Self {
            supply: [2 * rules.seats; SYMBOLS],
            gone: [0; SYMBOLS],
            visible: [None; 2],
            pile: (0..SYMBOLS).flat_map(|era| std::iter::repeat_n(era, ERAS.into())).collect(),
            markets: Type::ALL.map(|of| Market::new(rules, of)),
            play_area: Default::default(),
        }
    }
}

impl Market {
    /// All cards of a type in the deck.
    fn new(rules: &Rules, of: Type) -> Self {
        Self { row: [None; ROW], shuffled: all_of(rules, of), under: Queue::default() }
    }
}

/// The cards of a type that are for sale, by number within the type.
pub(super) fn all_of(rules: &Rules, of: Type) -> Pool<OF_TYPE> {
    of.cards().flat_map(|card| std::iter::repeat_n(card.in_type(), rules.copies(card))).collect()
}
