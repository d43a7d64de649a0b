//! The observation: a view as bytes.

use super::cart::{Cart, CartName, Colour, Place};
use super::geometry::{MINES, NUMBERS, Side, Square};
use super::jewels::{Jewel, Jewels, KINDS};
use super::missions::MISSIONS;
use super::options::Rules;
use super::state::{Step, Table};
use super::view::View;
use crate::vocab::{ByteWriter, ObservationField, Seat, Viewer};

pub(super) fn fields(rules: &Rules) -> Vec<ObservationField> {
    let (seats, squares) = (rules.seats(), rules.geometry().squares());
    let field = |name, size, meaning| ObservationField { name, size, meaning };
    vec![
        field("tracks", squares, "by square: exits, N 1, E 2, S 4, W 8; 0 for none"),
        field("jewels", KINDS * squares, "by kind and square: how many lie there"),
        field("tokens", squares, "by square: 1 + colour, 0 for none"),
        field(
            "cart_place",
            2 * seats,
            "by cart: 0 in supply, 1 underground, 2 on the Surface, 3 out of the game",
        ),
        field("cart_square", 2 * seats, "by cart: its square; on the Surface its file or rank"),
        field("cart_facing", 2 * seats, "by cart: 1 + exit, 0 for none"),
        field("cart_speed", 2 * seats, "by cart: 0 off the board"),
        field("holds", 2 * seats * KINDS, "by cart and kind"),
        field("bag", KINDS, "by kind"),
        field("removed", KINDS, "by kind: out of the game"),
        field("stockpiles", seats * KINDS, "by seat from the viewer and kind"),
        field("cards", MINES * NUMBERS, "by colour and number: 1 if turned or shown"),
        field("deck", MINES + 1, "what is left in the deck on top: the colours, the Chasm Card"),
        field("deck_size", 1, "cards in all decks"),
        field("opener", 1, "1 + seat from the viewer, 0 for none"),
        field("open", 1, "1 once the Chasm is open"),
        field("tokens_to_come", MINES, "by colour"),
        field("tokens_out", MINES, "by colour: put out"),
        field("missions", MISSIONS, "by mission: 1 if face up"),
        field("claimed", seats * MISSIONS, "by seat from the viewer and mission"),
        field("banked", 2, "by colour of the cart: 1 if it has banked a jewel in this turn"),
        field("met", MISSIONS, "by mission: 1 if what the turn has brought meets it"),
        field("side", seats, "by seat from the viewer: 0 north, 1 east, 2 south, 3 west"),
        field("turn", seats, "by seat from the viewer: 1 if it is its turn"),
        field("to_act", seats, "by seat from the viewer: 1 if it must decide"),
        field(
            "step",
            1,
            "0 actions, 1 first, 2 take, 3 face, 4 odd, 5 split, 6 hand, 7 turn of the active \
             cart, 8 of the opposing one, 9 claim, 10 token, 11 over",
        ),
        field("actions_left", 1, "in the action phase"),
        field("active_cart", 1, "1 white, 2 black, 0 when none moves"),
        field("steps_left", 1, "of the active cart"),
        field("takings_left", 1, "of the active cart on its square"),
        field("entered_by", 1, "1 + side by which the active cart entered its square, 0 for none"),
        field("other_to_move", 1, "1 if the seat's other cart is yet to move"),
        field("taken_from", 2, "1 + square from which the move took jewels, 0 for none"),
        field("opposing_cart", 1, "1 + 2 x seat from the viewer + (1 if black), 0 for none"),
        field("hit_side", 1, "1 + side of the opposing cart's square, 0 for none"),
        field("left_hand", KINDS, "by kind: the viewer's own left hand"),
        field("token", 1, "1 + colour of the token that was drawn, 0 for none"),
        field("die", 1, "the number rolled, 0 for none"),
        field("seat", 1, "the viewer's seat; a spectator sees as seat 0"),
    ]
}

/// The sum of the fields.
pub(super) fn size(rules: &Rules) -> usize {
    let (seats, squares) = (rules.seats(), rules.geometry().squares());
    let by_square = 2 + KINDS;
    let by_seat = 2 * (4 + KINDS) + KINDS + MISSIONS + 3;
    let cards = MINES * NUMBERS + MINES + 1 + 1;
    let chasm = 2 + 2 * MINES;
    let missions = 2 * MISSIONS + 2;
    let pending = 1 + 1 + 5 + 2 + 2 + KINDS + 2;
    squares * by_square + seats * by_seat + 2 * KINDS + cards + chasm + missions + pending + 1
}

impl View<'_> {
    /// Writes the fields in order.
    pub(super) fn observe(&self, viewer: Viewer, observation: &mut [u8]) {
        let first = match viewer {
            Viewer::Seat(seat) => seat.index(),
            Viewer::Spectator => 0,
        };
        let side_of = Sight { table: self.table(), first };
        let mut bytes = ByteWriter::new(observation);
        side_of.write_board(&mut bytes);
        side_of.write_carts(&mut bytes);
        side_of.write_cards(&mut bytes);
        side_of.write_missions(&mut bytes);
        side_of.write_course(&mut bytes);
        side_of.write_collision(self.left_hand().unwrap_or_default(), &mut bytes);
        bytes.push(first as u8);
        debug_assert!(bytes.is_full());
    }
}

/// The table as it is seen from a seat.
struct Sight<'a> {
    table: &'a Table,
    /// The viewer's seat.
    first: usize,
}

impl Sight<'_> {
    /// The seats, the viewer's first.
    fn seats(&self) -> impl Iterator<Item = Seat> {
        let (seats, first) = (self.table.seats(), self.first);
        (0..seats).map(move |place| Seat::of(((first + place) % seats) as u8))
    }

    /// A seat counted from the viewer's.
    fn place_of(&self, seat: Seat) -> u8 {
        let seats = self.table.seats();
        ((seat.index() + seats - self.first) % seats) as u8
    }

    fn write_board(&self, bytes: &mut ByteWriter<'_>) {
        let table = self.table;
        bytes.extend(table.squares().map(|square| table.track(square).bits()));
        for jewel in Jewel::ALL {
            let lying = |square: Square| table.jewels(square).count(jewel) as u8;
            bytes.extend(table.squares().map(lying));
        }
        let token = |square: Square| table.token(square).map_or(0, |mine| mine as u8 + 1);
        bytes.extend(table.squares().map(token));
    }

    fn write_carts(&self, bytes: &mut ByteWriter<'_>) {
        let names = || {
            let of_seat = |seat| Colour::ALL.map(|colour| CartName { seat, colour });
            self.seats().flat_map(of_seat)
        };
        let mut by_cart = |value: &dyn Fn(&Cart) -> u8| {
            bytes.extend(names().map(|name| value(self.table.cart(name))));
        };
        by_cart(&|cart| place(cart.place).0);
        by_cart(&|cart| place(cart.place).1);
        by_cart(&|cart| side(cart.facing));
        by_cart(&|cart| cart.speed);
        names().for_each(|name| bytes.extend(self.table.cart(name).hold.counts()));
        bytes.extend(self.table.bag.counts());
        bytes.extend(self.table.removed.counts());
        self.seats().for_each(|seat| bytes.extend(self.table.stockpile(seat).counts()));
    }

    fn write_cards(&self, bytes: &mut ByteWriter<'_>) {
        let Table { deck, chasm, .. } = self.table;
        deck.seen.iter().for_each(|&seen| bytes.bits(seen.into(), NUMBERS));
        bytes.bits(deck.top.into(), MINES + 1);
        bytes.push(deck.size);
        bytes.push(chasm.opener.map_or(0, |seat| self.place_of(seat) + 1));
        bytes.push(chasm.is_open.into());
        bytes.extend(chasm.to_come);
        bytes.extend(chasm.put_out);
    }

    fn write_missions(&self, bytes: &mut ByteWriter<'_>) {
        let table = self.table;
        bytes.bits(table.missions.bits().into(), MISSIONS);
        for seat in self.seats() {
            bytes.bits(table.claimed[seat.index()].bits().into(), MISSIONS);
        }
        bytes.extend(table.deeds.banked.map(u8::from));
        bytes.bits(table.deeds.met.bits().into(), MISSIONS);
    }

    fn write_course(&self, bytes: &mut ByteWriter<'_>) {
        let table = self.table;
        bytes.extend(self.seats().map(|seat| table.side(seat) as u8));
        bytes.extend(self.seats().map(|seat| u8::from(table.turn == seat)));
        bytes.extend(self.seats().map(|seat| u8::from(table.decider() == Some(seat))));
        bytes.push(table.step as u8);
        bytes.push(match table.step {
            Step::Actions => super::course::ACTIONS - table.actions_taken,
            _ => 0,
        });
        let Some(motion) = table.motion else { return bytes.extend([0; 7]) };
        bytes.extend([motion.cart as u8 + 1, motion.steps_left, motion.takings_left]);
        bytes.extend([side(motion.entered_by), motion.other_to_move.into()]);
        bytes.extend(motion.taken_from.map(|square| square.map_or(0, |s| s.index() as u8 + 1)));
    }

    fn write_collision(&self, left_hand: Jewels, bytes: &mut ByteWriter<'_>) {
        let table = self.table;
        let number = |name: CartName| 1 + 2 * self.place_of(name.seat) + name.colour as u8;
        bytes.push(table.collision.map_or(0, |collision| number(collision.opposing)));
        bytes.push(side(table.collision.map(|collision| collision.hit_side)));
        bytes.extend(left_hand.counts());
        bytes.push(table.drawn.map_or(0, |drawn| drawn.colour as u8 + 1));
        bytes.push(table.drawn.and_then(|drawn| drawn.die).unwrap_or(0));
    }
}

fn place(place: Place) -> (u8, u8) {
    match place {
        Place::Supply => (0, 0),
        Place::Underground(square) => (1, square.index() as u8),
        Place::Surface(place) => (2, place),
        Place::Out => (3, 0),
    }
}

fn side(side: Option<Side>) -> u8 {
    side.map_or(0, |side| side as u8 + 1)
}
