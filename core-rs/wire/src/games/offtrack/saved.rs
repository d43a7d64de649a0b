//! The full state of OffTrack as a message.

use tablestate_rules::games::offtrack::{
    ActionCard, Card, OffTrack, Saved, SavedLine, SavedSeat, Step,
};
use tablestate_rules::{Faults, Position};

use super::{
    kinds, read_action_card, read_kind, read_options, write_action_card, write_card, write_options,
    write_step,
};
use crate::v1;

pub(super) fn write_state(position: &Position<OffTrack>) -> v1::OffTrackState {
    let saved = Saved::of(position);
    v1::OffTrackState {
        options: Some(write_options(&saved.options)),
        round: saved.round,
        turn_of: saved.turn_of,
        step: write_step(saved.step),
        lines: saved.lines.iter().map(write_line).collect(),
        seats: saved.seats.iter().map(write_seat).collect(),
        boxed: write_cards(&saved.boxed),
        deck: kinds(saved.deck),
        discard: kinds(saved.discard),
        action_deck: write_actions(&saved.action_deck),
        action_discard: write_actions(&saved.action_discard),
        drawn: write_action_card(saved.drawn),
        collapsed: saved.collapsed,
        called: saved.called,
    }
}

fn write_line(line: &SavedLine) -> v1::OffTrackLine {
    v1::OffTrackLine {
        cards: write_cards(&line.cards),
        flipped: line.flipped,
        pinned: line.pinned,
        sealed_by: line.sealed_by,
        waiting_for: line.waiting_for,
    }
}

fn write_seat(seat: &SavedSeat) -> v1::OffTrackSeatState {
    v1::OffTrackSeatState {
        hand: kinds(seat.hand.iter().copied()),
        pile: write_cards(&seat.pile),
        held: write_action_card(seat.held),
        cycled: seat.cycled,
        round_scores: seat.round_scores.clone(),
    }
}

fn write_cards(cards: &[Card]) -> Vec<v1::OffTrackCard> {
    cards.iter().copied().map(write_card).collect()
}

fn write_actions(cards: &[ActionCard]) -> Vec<i32> {
    cards.iter().map(|&card| write_action_card(Some(card))).collect()
}

/// The match of a full state; lists every fault.
pub(crate) fn read_state(message: &v1::OffTrackState) -> Result<Position<OffTrack>, Faults> {
    let mut reader = Reader::default();
    let options = message.options.unwrap_or_default();
    let options = read_options(&options).map_err(|faults| faults.under("offtrack.options"))?;
    let saved = Saved {
        options,
        round: message.round,
        turn_of: message.turn_of,
        step: reader.step(message.step),
        lines: message.lines.iter().map(|line| reader.line(line)).collect(),
        seats: message.seats.iter().map(|seat| reader.seat(seat)).collect(),
        boxed: reader.cards("boxed", &message.boxed),
        deck: reader.kinds("deck", &message.deck),
        discard: reader.kinds("discard", &message.discard),
        action_deck: reader.actions("action_deck", &message.action_deck),
        action_discard: reader.actions("action_discard", &message.action_discard),
        drawn: reader.action("drawn", message.drawn),
        collapsed: message.collapsed,
        called: message.called,
    };
    reader.faults.under("offtrack").or(())?;
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
        const STEPS: [Step; 5] = [Step::Over, Step::Held, Step::Main, Step::Offer, Step::Drawn];
        let step = STEPS.get(number as usize).copied();
        let step = step.ok_or_else(|| Faults::one("step", number, "a step, 0 to 4"));
        self.note(step).unwrap_or(Step::Over)
    }

    pub(super) fn line(&mut self, line: &v1::OffTrackLine) -> SavedLine {
        SavedLine {
            cards: self.cards("lines.cards", &line.cards),
            flipped: line.flipped,
            pinned: line.pinned,
            sealed_by: line.sealed_by,
            waiting_for: line.waiting_for,
        }
    }

    fn seat(&mut self, seat: &v1::OffTrackSeatState) -> SavedSeat {
        SavedSeat {
            hand: self.kinds("seats.hand", &seat.hand),
            pile: self.cards("seats.pile", &seat.pile),
            held: self.action("seats.held", seat.held),
            cycled: seat.cycled,
            round_scores: seat.round_scores.clone(),
        }
    }

    pub(super) fn cards(&mut self, field: &str, cards: &[v1::OffTrackCard]) -> Vec<Card> {
        cards.iter().filter_map(|card| self.note(read_card(field, *card))).collect()
    }

    pub(super) fn kinds(&mut self, field: &str, kinds: &[u32]) -> Vec<Card> {
        kinds.iter().filter_map(|&kind| self.note(read_kind(field, kind))).collect()
    }

    pub(super) fn actions(&mut self, field: &str, numbers: &[i32]) -> Vec<ActionCard> {
        numbers.iter().filter_map(|&number| self.action(field, number)).collect()
    }

    pub(super) fn action(&mut self, field: &str, number: i32) -> Option<ActionCard> {
        self.note(read_action_card(field, number)).flatten()
    }
}

fn read_card(field: &str, message: v1::OffTrackCard) -> Result<Card, Faults> {
    let card = read_kind(field, message.r#type)?;
    let face = if message.redeemed { card.redeemed() } else { card };
    if face.is_redeemed() == message.redeemed {
        return Ok(face);
    }
    Err(Faults::one(field, message.r#type, "a negative card, if it is redeemed"))
}
