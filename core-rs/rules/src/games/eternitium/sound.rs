//! What holds in every state: a state from outside is checked against it.

use super::bag::Bag;
use super::cards::{Card, Effect, SYMBOLS, Symbol, Type};
use super::determinize::number_of;
use super::options::path;
use super::state::{
    ERAS, Eternitium, Holding, OWNED_TO_REMOVE, REFILL, REFILL_AFTER_GAMBLE, REFILL_AFTER_REFIT,
    Step, Turn, starter,
};
use crate::error::Faults;
use crate::vocab::Seat;

impl Eternitium {
    /// All cards are there, each where it can be.
    pub(super) fn check_cards(&self, faults: &mut Faults) {
        self.check_eras(faults);
        for card in Card::all() {
            let (there, number) = (self.number_there(card), number_of(&self.rules, card));
            if there != number {
                faults.add(&path("cards"), there, format!("{number} of {}", card.name()));
            }
        }
        for of in Type::ALL {
            self.check_row(of, faults);
        }
        self.seats_in_play().for_each(|seat| self.check_seat(seat, faults));
    }

    fn check_eras(&self, faults: &mut Faults) {
        let table = &self.table;
        for (number, symbol) in Symbol::ALL.into_iter().enumerate() {
            let visible = table.visible.iter().filter(|&&era| era == Some(symbol)).count();
            let stacks: usize = self
                .stacks
                .iter()
                .map(|stack| {
                    let fixed = stack.above.iter().chain(stack.under.iter());
                    stack.shuffled.count(number) + fixed.filter(|&era| era == number).count()
                })
                .sum();
            let there =
                stacks + visible + table.pile.count(number) + usize::from(table.gone[number]);
            if there != usize::from(ERAS) {
                faults.add(&path("eras"), there, format!("{ERAS} with a {symbol:?}"));
            }
        }
        if table.visible.contains(&None) && !table.pile.is_empty() {
            faults.add(&path("visible_eras"), "empty", "an Era, while the pile has any");
        }
    }

    fn number_there(&self, card: Card) -> usize {
        let of_seats: usize = self
            .seats_in_play()
            .map(|seat| {
                self.owned(seat).count(card) + self.holdings[seat.index()].removed.count(card)
            })
            .sum();
        let on_sale = match card.type_of() {
            None => self.table.supply[card.number()].into(),
            Some(of) => {
                let market = self.market(of);
                let in_row = market.row.iter().filter(|&&other| other == Some(card)).count();
                let under = market.under.iter().filter(|&number| number == card.in_type()).count();
                in_row + market.shuffled.count(card.in_type()) + under
            }
        };
        of_seats + on_sale
    }

    fn check_row(&self, of: Type, faults: &mut Faults) {
        let market = self.market(of);
        let field = if of == Type::Basic { "basic_row" } else { "advanced_row" };
        let repeats = |card: &Card| market.row.iter().filter(|&&o| o == Some(*card)).count() > 1;
        if let Some(card) = market.row.iter().flatten().find(|card| repeats(card)) {
            faults.add(&path(field), card.name(), "different kinds");
        }
        if market.row.contains(&None) && market.can_fill(of) {
            faults.add(&path(field), "empty place", "a card, while the deck holds one that fits");
        }
    }

    fn check_seat(&self, seat: Seat, faults: &mut Faults) {
        let field = |name: &str| path(&format!("seats[{}].{name}", seat.index()));
        let stack = &self.stacks[seat.index()];
        if stack.face_up && stack.is_empty() || stack.shuffled.is_empty() && !stack.above.is_empty()
        {
            let expected = "a top Era if it is face up; all Eras under, if none is shuffled";
            faults.add(&field("stack"), stack.len(), expected);
        }
        let mut all = self.owned(seat);
        let owned = all.len();
        all.absorb(self.holdings[seat.index()].removed);
        if let Some(card) = starter().kinds().find(|&card| all.count(card) == 0) {
            faults.add(&field("deck"), card.name(), "the starter cards among own and removed ones");
        }
        if all.count(Card::DROID) > 1 {
            faults.add(&field("deck"), all.count(Card::DROID), "one Droid");
        }
        if self.step != Step::TakeBasic && owned + 1 < OWNED_TO_REMOVE {
            faults.add(&field("deck"), owned, "six cards at least");
        }
    }

    /// The step fits what has been done.
    pub(super) fn check_course(&self, faults: &mut Faults) {
        let mut expect = |holds: bool, field: &str, expected: &str| {
            if !holds {
                faults.add(&path(field), format!("{:?}", self.step), expected);
            }
        };
        let (turn, play_area) = (self.turn, self.table.play_area);
        let fresh = Turn { is_extra: turn.is_extra, ..Turn::new(false) };
        let plays = matches!(self.step, Step::Play | Step::PutOnTop);
        expect(plays || play_area.is_empty(), "play_area", "no cards in this step");
        expect(!(turn.looped && turn.is_extra), "time_loop", "none in an extra turn");
        match self.step {
            Step::TakeBasic => {
                expect(turn == Turn::new(false) && self.round == 1, "step", "no marks in set-up");
                expect(self.is_set_up(), "seats", "starter decks, with a Basic if it is taken");
            }
            Step::Portal => {
                let supplied = self.table.supply.iter().any(|&left| left > 0);
                expect(turn == fresh && supplied, "step", "no marks, and a Portal in the supply");
            }
            Step::Play | Step::PutOnTop => {
                expect(turn.refill == REFILL, "refill_size", "5 in the play step");
                expect(turn.played != play_area.is_empty(), "played", "a played card, or none");
                let loops = self.has_played(Effect::ExtraTurn);
                expect(turn.looped == loops, "time_loop", "Time Loop in the play area, or none");
                let looks = self.step == Step::Play || self.is_scanning();
                expect(looks, "step", "a Scanner played, on Eras of a fixed place");
            }
            Step::Refit => {
                let refit = Turn { refill: REFILL_AFTER_REFIT, ..fresh };
                expect(turn == refit, "step", "no marks, and a refill to 6");
            }
            Step::Technology => self.check_technology(&mut expect),
            Step::Over => {
                let last = self.to_act.index() + 1 == self.rules.seats() && !turn.looped;
                let ends = self.somebody_is_done() || self.round == self.rules.max_rounds;
                expect(last && ends, "step", "the end of a round that ends the match");
            }
        }
    }

    fn check_technology(&self, expect: &mut impl FnMut(bool, &str, &str)) {
        let turn = self.turn;
        let keeps = usize::from(turn.refill == REFILL_AFTER_REFIT);
        expect(self.hand().len() <= keeps, "seats.hand", "no card but one kept by a refit");
        let fits = match turn.refill {
            REFILL_AFTER_REFIT => !turn.played,
            REFILL_AFTER_GAMBLE => turn.played,
            _ => true,
        };
        expect(fits && (turn.played || !turn.looped), "refill_size", "what the marks allow");
    }

    /// Whether nobody has more than its starter deck, or a Basic with it once it has chosen.
    fn is_set_up(&self) -> bool {
        let starts = |seat: Seat| {
            let Holding { hand, deck, discard, removed } = self.holdings[seat.index()];
            let has_chosen = seat < self.to_act;
            let basics = deck.count_of(Type::Basic) == 1 + usize::from(has_chosen);
            let cards = deck.len() == SYMBOLS + 1 + usize::from(has_chosen);
            basics && cards && [hand, discard, removed].into_iter().all(Bag::is_empty)
        };
        self.seats_in_play().all(starts)
    }

    fn has_played(&self, effect: Effect) -> bool {
        self.table.play_area.kinds().any(|card| card.kind().effects.contains(&effect))
    }

    /// Whether a Scanner was played, and what it shows has a place.
    fn is_scanning(&self) -> bool {
        let stack = self.stack();
        let fixed = stack.shuffled.is_empty() || stack.above.len() == 2;
        self.has_played(Effect::Look) && !stack.is_empty() && fixed
    }
}
