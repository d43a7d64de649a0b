//! The observation: a view as bytes.

use super::bag::Bag;
use super::cards::{CARDS, Card, SYMBOLS, Symbol};
use super::options::Rules;
use super::stack::ROW;
use super::view::{Player, View};
use crate::vocab::{ByteWriter, ObservationField, Viewer};

pub(super) fn fields(rules: &Rules) -> Vec<ObservationField> {
    let seats = rules.seats();
    let field = |name, size, meaning| ObservationField { name, size, meaning };
    vec![
        field("supply", SYMBOLS, "by symbol: Portals in the supply"),
        field("eras_gone", SYMBOLS, "by symbol: Eras out of the game"),
        field("visible_eras", 2, "left and right: 1 + symbol, 0 for none"),
        field("pile_size", 1, "Eras in the pile"),
        field("basic_row", ROW, "by place: 1 + kind, 0 for none"),
        field("advanced_row", ROW, "by place: 1 + kind, 0 for none"),
        field("technology_decks", 2, "cards in the Basic and in the Advanced deck"),
        field("eras", seats, "by seat from the viewer: Eras in the stack"),
        field("top_era", seats, "by seat from the viewer: 1 + symbol of a face-up top, else 0"),
        field("hand_size", seats, "by seat from the viewer: cards in hand"),
        field("deck_size", seats, "by seat from the viewer: cards in the deck"),
        field("basics", seats, "by seat from the viewer: Basics owned"),
        field("advanced", seats, "by seat from the viewer: Advanced owned"),
        field("forfeited", seats, "by seat from the viewer: 1 if it has forfeited"),
        field("to_act", seats, "by seat from the viewer: 1 if it is its turn"),
        field("discard", CARDS * seats, "by seat from the viewer and kind: cards discarded"),
        field("removed", CARDS * seats, "by seat from the viewer and kind: cards removed"),
        field("owned", CARDS * seats, "by seat from the viewer and kind, at the end: cards owned"),
        field("play_area", CARDS, "by kind: cards in the play area"),
        field("own_hand", CARDS, "by kind: cards in the viewer's hand"),
        field("own_deck", CARDS, "by kind: cards in the viewer's deck"),
        field("scanned", 2, "what the viewer's Scanner shows, the top first: 1 + symbol, else 0"),
        field(
            "step",
            1,
            "0 take a Basic, 1 Portal, 2 play, 3 put on top, 4 refit, 5 technology, 6 over",
        ),
        field("extra_turn", 1, "1 in an extra turn"),
        field("time_loop", 1, "1 if Time Loop was played in this turn"),
        field("played", 1, "1 if any card was played in this turn"),
        field("refill_size", 1, "to how many cards the hand will be refilled"),
        field("round", 2, "the round, from 1, 16 bits, low first"),
        field("max_rounds", 2, "the last round, 16 bits, low first"),
        field("seat", 1, "the viewer's seat; a spectator sees as seat 0"),
    ]
}

/// The sum of the fields.
pub(super) fn size(rules: &Rules) -> usize {
    let by_seat = 8 + 3 * CARDS;
    let table = 2 * SYMBOLS + 2 + 1 + 2 * ROW + 2;
    table + by_seat * rules.seats() + 3 * CARDS + 2 + 5 + 4 + 1
}

impl View {
    /// Writes the fields in order.
    pub(super) fn observe(&self, viewer: Viewer, observation: &mut [u8]) {
        let first = match viewer {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Spectator => 0,
        };
        let mut bytes = ByteWriter::new(observation);
        self.write_table(&mut bytes);
        self.write_seats(first, &mut bytes);
        let (hand, deck) =
            self.own.as_ref().map_or_else(Default::default, |own| (own.hand, own.deck));
        [self.play_area, hand, deck].into_iter().for_each(|cards| write_bag(cards, &mut bytes));
        self.write_rest(first, &mut bytes);
        debug_assert!(bytes.is_full());
    }

    fn write_table(&self, bytes: &mut ByteWriter<'_>) {
        bytes.extend(self.supply);
        bytes.extend(self.gone);
        bytes.extend(self.visible.map(symbol));
        bytes.push(self.pile_size as u8);
        let kind = |card: &Option<Card>| card.map_or(0, |card| card.number() as u8 + 1);
        bytes.extend(self.rows.iter().flatten().map(kind));
        bytes.extend(self.deck_sizes.map(|size| size as u8));
    }

    fn write_seats(&self, first: usize, bytes: &mut ByteWriter<'_>) {
        let seats = self.players.len();
        let places = || (0..seats).map(move |place| (first + place) % seats);
        let mut by_seat = |value: &dyn Fn(&Player) -> u8| {
            bytes.extend(places().map(|seat| value(&self.players[seat])));
        };
        by_seat(&|player| player.eras as u8);
        by_seat(&|player| symbol(player.top));
        by_seat(&|player| player.hand_size as u8);
        by_seat(&|player| player.deck_size as u8);
        by_seat(&|player| player.technologies[0] as u8);
        by_seat(&|player| player.technologies[1] as u8);
        by_seat(&|player| player.forfeited.into());
        bytes.extend(places().map(|seat| u8::from(self.to_act.index() == seat)));
        let mut cards_by_seat = |cards: &dyn Fn(&Player) -> Bag| {
            places().for_each(|seat| write_bag(cards(&self.players[seat]), bytes));
        };
        cards_by_seat(&|player| player.discard);
        cards_by_seat(&|player| player.removed);
        cards_by_seat(&|player| player.owned.unwrap_or_default());
    }

    fn write_rest(&self, first: usize, bytes: &mut ByteWriter<'_>) {
        let scanned = |place| self.own.as_ref().and_then(|own| own.scanned.get(place).copied());
        bytes.extend([0, 1].map(|place| symbol(scanned(place))));
        let turn = self.turn;
        bytes.push(self.step as u8);
        bytes.extend([turn.is_extra, turn.looped, turn.played].map(u8::from));
        bytes.push(turn.refill);
        bytes.extend(self.round.to_le_bytes());
        bytes.extend(self.rules.max_rounds.to_le_bytes());
        bytes.push(first as u8);
    }
}

fn symbol(era: Option<Symbol>) -> u8 {
    era.map_or(0, |era| era as u8 + 1)
}

fn write_bag(cards: Bag, bytes: &mut ByteWriter<'_>) {
    let counts = bytes.take(CARDS);
    counts.fill(0);
    cards.kinds().for_each(|card| counts[card.number()] = cards.count(card) as u8);
}
