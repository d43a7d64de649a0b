//! The full state of Eternitium as a message.

use tablestate_rules::games::eternitium::{
    Card, Eternitium, Saved, SavedDeck, SavedSeat, SavedStack, Step, Symbol,
};
use tablestate_rules::{Faults, Position};

use super::view::{write_places, write_row};
use super::{
    STEPS, read_card, read_options, read_symbol, write_cards, write_options, write_step,
    write_symbol,
};
use crate::v1;

pub(super) fn write_state(position: &Position<Eternitium>) -> v1::EternitiumState {
    let saved = Saved::of(position);
    let [basic_deck, advanced_deck] = saved.decks.map(|deck| Some(write_deck(deck)));
    let [basic_row, advanced_row] = saved.rows.map(|row| write_row(&row));
    v1::EternitiumState {
        options: Some(write_options(&saved.options)),
        round: saved.round,
        step: write_step(saved.step),
        turn_of: saved.turn_of,
        extra_turn: saved.is_extra,
        time_loop: saved.looped,
        played: saved.played,
        refill_size: saved.refill,
        seats: saved.seats.into_iter().map(write_seat).collect(),
        supply: saved.supply,
        eras_gone: saved.gone,
        visible_eras: write_places(&saved.visible),
        pile: saved.pile,
        basic_row,
        advanced_row,
        basic_deck,
        advanced_deck,
        play_area: write_cards(saved.play_area),
    }
}

fn write_deck(deck: SavedDeck) -> v1::EternitiumDeck {
    v1::EternitiumDeck { shuffled: write_cards(deck.shuffled), under: write_cards(deck.under) }
}

fn write_stack(stack: SavedStack) -> v1::EternitiumStack {
    let eras = |eras: Vec<Symbol>| eras.into_iter().map(write_symbol).collect();
    v1::EternitiumStack {
        face_up: stack.face_up,
        above: eras(stack.above),
        shuffled: stack.shuffled,
        under: eras(stack.under),
    }
}

fn write_seat(seat: SavedSeat) -> v1::EternitiumSeatState {
    v1::EternitiumSeatState {
        stack: Some(write_stack(seat.stack)),
        hand: write_cards(seat.hand),
        deck: write_cards(seat.deck),
        discard: write_cards(seat.discard),
        removed: write_cards(seat.removed),
        forfeited: seat.forfeited,
    }
}

/// The match of a full state; lists every fault.
pub(crate) fn read_state(message: &v1::EternitiumState) -> Result<Position<Eternitium>, Faults> {
    let mut reader = Reader::default();
    let options = message.options.clone().unwrap_or_default();
    let options = read_options(&options).map_err(|faults| faults.under("eternitium.options"))?;
    let saved = Saved {
        options,
        round: message.round,
        step: reader.step(message.step),
        turn_of: message.turn_of,
        is_extra: message.extra_turn,
        looped: message.time_loop,
        played: message.played,
        refill: message.refill_size,
        seats: message.seats.iter().map(|seat| reader.seat(seat)).collect(),
        supply: message.supply.clone(),
        gone: message.eras_gone.clone(),
        visible: reader.visible(&message.visible_eras),
        pile: message.pile.clone(),
        rows: [
            reader.row("basic_row", &message.basic_row),
            reader.row("advanced_row", &message.advanced_row),
        ],
        decks: [
            reader.deck("basic_deck", message.basic_deck.as_ref()),
            reader.deck("advanced_deck", message.advanced_deck.as_ref()),
        ],
        play_area: reader.cards("play_area", &message.play_area),
    };
    reader.faults.under("eternitium").or(())?;
    saved.restore()
}

/// Reads parts and notes what is wrong with them.
#[derive(Default)]
pub(super) struct Reader {
    pub(super) faults: Faults,
}

impl Reader {
    fn note<T>(&mut self, part: Result<T, Faults>) -> Option<T> {
        part.map_err(|faults| self.faults.extend(faults)).ok()
    }

    pub(super) fn step(&mut self, number: i32) -> Step {
        let step = STEPS.get(number as usize).copied();
        let step = step.ok_or_else(|| Faults::one("step", number, "a step, 0 to 6"));
        self.note(step).unwrap_or(Step::Over)
    }

    fn seat(&mut self, seat: &v1::EternitiumSeatState) -> SavedSeat {
        SavedSeat {
            stack: self.stack(seat.stack.as_ref()),
            hand: self.cards("seats.hand", &seat.hand),
            deck: self.cards("seats.deck", &seat.deck),
            discard: self.cards("seats.discard", &seat.discard),
            removed: self.cards("seats.removed", &seat.removed),
            forfeited: seat.forfeited,
        }
    }

    fn stack(&mut self, stack: Option<&v1::EternitiumStack>) -> SavedStack {
        let Some(stack) = stack else {
            self.faults.add("seats.stack", "not set", "an Era stack");
            return SavedStack::default();
        };
        SavedStack {
            face_up: stack.face_up,
            above: self.eras("seats.stack.above", &stack.above),
            shuffled: stack.shuffled.clone(),
            under: self.eras("seats.stack.under", &stack.under),
        }
    }

    fn deck(&mut self, field: &str, deck: Option<&v1::EternitiumDeck>) -> SavedDeck {
        let Some(deck) = deck else {
            self.faults.add(field, "not set", "a deck");
            return SavedDeck::default();
        };
        SavedDeck {
            shuffled: self.cards(field, &deck.shuffled),
            under: self.cards(field, &deck.under),
        }
    }

    pub(super) fn eras(&mut self, field: &str, numbers: &[i32]) -> Vec<Symbol> {
        numbers.iter().filter_map(|&number| self.note(read_symbol(field, number))).collect()
    }

    pub(super) fn cards(&mut self, field: &str, numbers: &[i32]) -> Vec<Card> {
        numbers.iter().filter_map(|&number| self.note(read_card(field, number))).collect()
    }

    /// An Era, or 0 for none.
    pub(super) fn era(&mut self, field: &str, number: i32) -> Option<Symbol> {
        if number == 0 { None } else { self.note(read_symbol(field, number)) }
    }

    pub(super) fn visible(&mut self, numbers: &[i32]) -> Vec<Option<Symbol>> {
        let era = |number| self.note(read_symbol("visible_eras", number));
        optional(numbers, era)
    }

    pub(super) fn row(&mut self, field: &str, numbers: &[i32]) -> Vec<Option<Card>> {
        optional(numbers, |number| self.note(read_card(field, number)))
    }
}

/// What numbers stand for; 0 stands for nothing.
fn optional<T>(numbers: &[i32], mut read: impl FnMut(i32) -> Option<T>) -> Vec<Option<T>> {
    numbers.iter().map(|&number| if number == 0 { None } else { read(number) }).collect()
}
