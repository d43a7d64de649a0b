//! The observation: for each card where it is, and what else a view tells.

use super::cards::Card;
use super::lines::MAX_LINES;
use super::options::{MAX_PLAYERS, Rules};
use super::state::ACTIONS;
use super::view::View;
use crate::vocab::{ByteWriter, ObservationField, Seat, Viewer};

/// Where a card is, as a byte.
const UNSEEN: u8 = 0;
const OWN_HAND: u8 = 1;
const DISCARDED: u8 = 2;
const BOXED: u8 = 3;
/// + the seat, counted from the viewer.
const PILE: u8 = 4;
/// + the line.
const LINE: u8 = 8;

const PLACE: &str = "by type and copy: 0 not seen, 1 in the own hand, 2 discarded, 3 boxed, \
     4 + seat in a score pile, 8 + line on a line; of two copies the lower place first";
const INDEX: &str = "by type and copy: 1 + the index of a card on a line, else 0";
const REDEEMED: &str = "by type and copy: 1 if redeemed";

pub(super) fn fields(rules: &Rules) -> Vec<ObservationField> {
    let cards = rules.types() * rules.decks as usize;
    let (seats, lines) = (rules.seats(), rules.lines());
    let field = |name, size, meaning| ObservationField { name, size, meaning };
    vec![
        field("card_place", cards, PLACE),
        field("card_index", cards, INDEX),
        field("card_redeemed", cards, REDEEMED),
        field("line_stands", lines, "by line: 1 if it stands"),
        field("line_length", lines, "by line: its cards"),
        field("line_flipped", lines, "by line: 1 if flipped"),
        field("line_pinned", lines, "by line: 1 + the pinned index, else 0"),
        field("line_sealed", lines, "by line: 1 + the sealing seat, from the viewer, else 0"),
        field("line_waiting", lines, "by line: 1 + the seat it waits for, from the viewer, else 0"),
        field("hand_size", seats, "by seat from the viewer: cards in hand"),
        field("holds_action", seats, "by seat from the viewer: 1 if it holds an action"),
        field("cycled", seats, "by seat from the viewer: 1 if its last main step was a cycle"),
        field("to_act", seats, "by seat from the viewer: 1 if it is its turn"),
        field(
            "pile_score",
            2 * seats,
            "by seat from the viewer: worth of the score pile, 16 bits, low first",
        ),
        field(
            "match_score",
            2 * seats,
            "by seat from the viewer: sum of round scores, 16 bits, low first",
        ),
        field("step", 1, "0 held action, 1 main, 2 draw or end, 3 drawn action, 4 over"),
        field("round", 1, "the round, from 1"),
        field("rounds", 1, "how many rounds there are"),
        field("deck_size", 1, "cards in the character deck"),
        field("action_deck_size", 1, "cards in the action deck"),
        field("action_discard", ACTIONS, "by kind: action cards discarded"),
        field("own_held", ACTIONS, "by kind: 1 if the viewer holds it"),
        field("own_drawn", ACTIONS, "by kind: 1 if the viewer has drawn it"),
        field("collapsed", 1, "1 if a branch has collapsed in this turn"),
        field("called", 1, "1 if the end of the round is called"),
        field("seat", 1, "the viewer's seat; a spectator sees as seat 0"),
    ]
}

pub(super) fn size(rules: &Rules) -> usize {
    fields(rules).iter().map(|field| field.size).sum()
}

impl View {
    /// Writes the fields in order.
    pub(super) fn observe(&self, viewer: Viewer, observation: &mut [u8]) {
        let first = match viewer {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Spectator => 0,
        };
        let side = Side { first, seats: self.rules.seats() };
        let mut bytes = ByteWriter::new(observation);
        self.write_cards(side, &mut bytes);
        self.write_lines(side, &mut bytes);
        self.write_seats(side, &mut bytes);
        self.write_rest(first, &mut bytes);
        debug_assert!(bytes.is_full());
    }

    fn write_cards(&self, side: Side, bytes: &mut ByteWriter<'_>) {
        let copies = self.rules.decks as usize;
        let mut cards = CardBytes::new(self.rules.types(), copies, bytes);
        if let Some(own) = &self.own {
            own.hand.cards().for_each(|card| cards.note(card, OWN_HAND, 0));
        }
        self.discard.for_each(|card| cards.note(card, DISCARDED, 0));
        self.boxed.for_each(|card| cards.note(card, BOXED, 0));
        for seat in self.seats() {
            let place = PILE + side.place_of(seat);
            self.pile(seat).for_each(|card| cards.note(card, place, 0));
        }
        for line in 0..self.lines.count() {
            for (index, card) in self.lines.cards(line).enumerate() {
                cards.note(card, LINE + line as u8, index as u8 + 1);
            }
        }
    }

    fn write_lines(&self, side: Side, bytes: &mut ByteWriter<'_>) {
        let standing = self.lines.count();
        let mut by_line = |value: &dyn Fn(usize) -> u8| {
            let lines = 0..self.rules.lines();
            bytes.extend(lines.map(|line| if line < standing { value(line) } else { 0 }));
        };
        let seat = |seat: Option<Seat>| seat.map_or(0, |seat| 1 + side.place_of(seat));
        by_line(&|_| 1);
        by_line(&|line| self.lines.len(line) as u8);
        by_line(&|line| self.lines.is_flipped(line).into());
        by_line(&|line| self.lines.pinned(line).map_or(0, |index| index as u8 + 1));
        by_line(&|line| seat(self.lines.sealed_by(line)));
        by_line(&|line| seat(self.lines.waiting_for(line)));
    }

    fn write_seats(&self, side: Side, bytes: &mut ByteWriter<'_>) {
        let seats = side.in_order();
        bytes.extend(seats.clone().map(|seat| self.hand_size(seat) as u8));
        bytes.extend(seats.clone().map(|seat| u8::from(self.holds_action(seat))));
        bytes.extend(seats.clone().map(|seat| u8::from(self.cycled(seat))));
        bytes.extend(seats.clone().map(|seat| u8::from(self.to_act == seat)));
        let pile = |seat: Seat| self.pile(seat).value() as i16;
        let total = |seat: Seat| self.round_scores(seat).sum::<i32>() as i16;
        bytes.extend(seats.clone().flat_map(|seat| pile(seat).to_le_bytes()));
        bytes.extend(seats.flat_map(|seat| total(seat).to_le_bytes()));
    }

    fn write_rest(&self, first: usize, bytes: &mut ByteWriter<'_>) {
        let (round, rounds) = self.rounds();
        bytes.extend([self.step as u8, round as u8, rounds as u8]);
        bytes.extend([self.deck_size as u8, self.action_deck_size as u8]);
        bytes.extend((0..ACTIONS).map(|kind| self.action_discard.count(kind) as u8));
        let own = self.own.map(|own| [own.held, own.drawn]).unwrap_or_default();
        for action in own {
            let kind = action.map(|action| action as usize);
            bytes.extend((0..ACTIONS).map(|other| u8::from(kind == Some(other))));
        }
        bytes.extend([self.collapsed.into(), self.called.into(), first as u8]);
    }
}

/// The bytes of the cards' fields, by type and copy. A card that is not seen has zeros.
struct CardBytes<'a> {
    copies: usize,
    places: &'a mut [u8],
    indices: &'a mut [u8],
    redeemed: &'a mut [u8],
}

impl<'a> CardBytes<'a> {
    fn new(types: usize, copies: usize, bytes: &mut ByteWriter<'a>) -> Self {
        let [places, indices, redeemed] = [(); 3].map(|()| bytes.take(types * copies));
        for field in [&mut *places, &mut *indices, &mut *redeemed] {
            field.fill(UNSEEN);
        }
        Self { copies, places, indices, redeemed }
    }

    /// Notes where a card is seen. There are two copies at most: the first one seen goes last,
    /// and the second before or behind it.
    #[inline]
    fn note(&mut self, card: Card, place: u8, index: u8) {
        let mut at = (card.kind() + 1) * self.copies - 1;
        let redeemed = card.is_redeemed().into();
        if self.places[at] != UNSEEN {
            if self.at(at) < (place, index, redeemed) {
                let first = self.at(at);
                self.set(at - 1, first);
            } else {
                at -= 1;
            }
        }
        self.set(at, (place, index, redeemed));
    }

    fn at(&self, at: usize) -> (u8, u8, u8) {
        (self.places[at], self.indices[at], self.redeemed[at])
    }

    fn set(&mut self, at: usize, (place, index, redeemed): (u8, u8, u8)) {
        self.places[at] = place;
        self.indices[at] = index;
        self.redeemed[at] = redeemed;
    }
}

/// The table as seen from a seat.
#[derive(Clone, Copy)]
struct Side {
    first: usize,
    seats: usize,
}

impl Side {
    fn place_of(self, seat: Seat) -> u8 {
        ((seat.index() + self.seats - self.first) % self.seats) as u8
    }

    fn in_order(self) -> impl Iterator<Item = Seat> + Clone {
        (0..self.seats).map(move |place| Seat::of(((self.first + place) % self.seats) as u8))
    }
}

// Places of cards are told apart.
const _: () = assert!(PILE as usize + MAX_PLAYERS <= LINE as usize && MAX_LINES < 100);
