//! What does not even fit into a state: numbers out of range, things named twice.

use super::super::cart::{FASTEST, HOLD};
use super::super::geometry::{MINES, NUMBERS, Side};
use super::super::jewels::{Jewel, KINDS, PIECES};
use super::super::missions::MISSIONS;
use super::super::options::{Rules, path};
use super::super::state::{Step, TOKENS};
use super::{
    Saved, SavedCart, SavedCollision, SavedDrawn, SavedMotion, SavedPlace, SavedPlayer, SavedSquare,
};
use crate::error::Faults;

impl Saved {
    /// Numbers that must be in range before a state can be made.
    pub(super) fn check_shape(&self, rules: &Rules, faults: &mut Faults) {
        let (seats, table) = (rules.seats() as u32, &self.table);
        let mut shape = Shape { rules, faults };
        shape.range("turn_of", table.turn_of, 0, seats - 1);
        shape.range("actions_taken", table.actions_taken, 0, 3);
        shape.squares(&table.squares);
        shape.range("players", table.players.len() as u32, seats, seats);
        for (number, player) in table.players.iter().enumerate() {
            shape.player(&format!("players[{number}]"), player);
        }
        shape.counts("bag", &table.bag, KINDS, |kind| PIECES[kind].into());
        shape.counts("removed", &table.removed, KINDS, |kind| PIECES[kind].into());
        shape.range("cards", table.cards.len() as u32, MINES as u32, MINES as u32);
        for (number, cards) in table.cards.iter().enumerate() {
            shape.numbers(&format!("cards[{number}].numbers"), cards, 1, NUMBERS as u32);
        }
        shape.range("deck.size", table.deck_size, 0, rules.deposit_cards.into());
        let top: Vec<u32> = table.deck_top.iter().map(|&mine| mine as u32 + 1).collect();
        shape.numbers("deck.top", &top, 1, MINES as u32);
        shape.range("chasm.opener", table.opener.unwrap_or(0), 0, seats - 1);
        shape.counts("chasm.to_come", &table.to_come, MINES, |_| TOKENS.into());
        shape.counts("chasm.put_out", &table.put_out, MINES, |_| TOKENS.into());
        shape.numbers("missions", &table.missions, 1, MISSIONS as u32);
        shape.numbers("deeds.met", &table.deeds.met, 1, MISSIONS as u32);
        table.motion.iter().for_each(|motion| shape.motion(motion));
        table.collision.iter().for_each(|collision| shape.collision(collision));
        table.drawn.iter().for_each(|drawn| shape.drawn(drawn));
        shape.left_hand(table.step, &self.left_hand);
    }
}

/// Notes what does not fit.
struct Shape<'a> {
    rules: &'a Rules,
    faults: &'a mut Faults,
}

impl Shape<'_> {
    fn fault(&mut self, field: &str, value: impl std::fmt::Display, expected: impl Into<String>) {
        self.faults.add(&path(&format!("table.{field}")), value, expected);
    }

    fn range(&mut self, field: &str, value: u32, low: u32, high: u32) {
        if !(low..=high).contains(&value) {
            self.fault(field, value, format!("a number from {low} to {high}"));
        }
    }

    fn square_number(&mut self, field: &str, number: u32) {
        self.range(field, number, 0, self.rules.geometry().squares() as u32 - 1);
    }

    /// Different numbers, rising.
    fn numbers(&mut self, field: &str, numbers: &[u32], low: u32, high: u32) {
        if !numbers.is_sorted_by(|one, other| one < other) {
            self.fault(field, numbers.len(), "different ones, sorted");
        }
        numbers.iter().for_each(|&number| self.range(field, number, low, high));
    }

    /// So many numbers, none above what there is.
    fn counts(&mut self, field: &str, counts: &[u32], length: usize, most: impl Fn(usize) -> u32) {
        self.range(field, counts.len() as u32, length as u32, length as u32);
        for (place, &count) in counts.iter().enumerate().take(length) {
            self.range(field, count, 0, most(place));
        }
    }

    /// No more of a kind than there are, sorted.
    fn jewels(&mut self, field: &str, jewels: &[Jewel]) {
        if !jewels.is_sorted() {
            self.fault(field, jewels.len(), "a sorted list");
        }
        for jewel in Jewel::ALL {
            let number = jewels.iter().filter(|&&other| other == jewel).count();
            let most = PIECES[jewel as usize];
            if number > most.into() {
                self.fault(field, number, format!("at most {most} of a kind"));
            }
        }
    }

    fn squares(&mut self, squares: &[SavedSquare]) {
        let numbers: Vec<u32> = squares.iter().map(|square| square.square).collect();
        if !numbers.is_sorted_by(|one, other| one < other) {
            self.fault("squares", numbers.len(), "different squares, sorted");
        }
        for (number, square) in squares.iter().enumerate() {
            let field = |name: &str| format!("squares[{number}].{name}");
            self.square_number(&field("square"), square.square);
            self.exits(&field("exits"), &square.exits);
            self.jewels(&field("jewels"), &square.jewels);
            if square.is_bare() {
                self.fault(&field("square"), square.square, "a square on which anything lies");
            }
        }
    }

    fn exits(&mut self, field: &str, exits: &[Side]) {
        if exits.len() == 1 || !exits.is_sorted_by(|one, other| one < other) {
            self.fault(field, exits.len(), "two, three or four different exits, sorted, or none");
        }
    }

    fn player(&mut self, parent: &str, player: &SavedPlayer) {
        for (name, cart) in ["white", "black"].into_iter().zip(&player.carts) {
            self.cart(&format!("{parent}.{name}"), cart);
        }
        let field = format!("{parent}.stockpile");
        self.counts(&field, &player.stockpile, KINDS, |kind| PIECES[kind].into());
        self.numbers(&format!("{parent}.claimed"), &player.claimed, 1, MISSIONS as u32);
    }

    fn cart(&mut self, parent: &str, cart: &SavedCart) {
        let field = format!("{parent}.square");
        match cart.place {
            SavedPlace::Underground(square) => self.square_number(&field, square),
            SavedPlace::Surface(place) => {
                self.range(&field, place, 0, self.rules.geometry().size as u32 - 1);
            }
            SavedPlace::Supply | SavedPlace::Out => {}
        }
        let is_on_board = matches!(cart.place, SavedPlace::Underground(_) | SavedPlace::Surface(_));
        let speeds = if is_on_board { (1, FASTEST.into()) } else { (0, 0) };
        self.range(&format!("{parent}.speed"), cart.speed, speeds.0, speeds.1);
        let most = if is_on_board { HOLD as u32 } else { 0 };
        self.range(&format!("{parent}.hold"), cart.hold.len() as u32, 0, most);
        self.jewels(&format!("{parent}.hold"), &cart.hold);
    }

    fn motion(&mut self, motion: &SavedMotion) {
        self.range("move.steps_left", motion.steps_left, 0, u32::from(FASTEST) - 1);
        self.range("move.takings_left", motion.takings_left, 0, 2);
        self.range("move.taken_from", motion.taken_from.len() as u32, 0, 2);
        let squares = self.rules.geometry().squares() as u32;
        self.numbers("move.taken_from", &motion.taken_from, 0, squares - 1);
    }

    fn collision(&mut self, collision: &SavedCollision) {
        let seats = self.rules.seats() as u32;
        self.range("collision.opposing.seat", collision.seat, 0, seats - 1);
    }

    fn drawn(&mut self, drawn: &SavedDrawn) {
        let (low, high) = if self.rules.chasm_die { (1, NUMBERS as u32) } else { (0, 0) };
        self.range("token.die", drawn.die, low, high);
    }

    fn left_hand(&mut self, step: Step, hand: &[Jewel]) {
        let most = if step == Step::Hand { HOLD / 2 } else { 0 };
        if hand.len() > most || !hand.is_sorted() {
            let expected = format!("at most {most} jewels in this step, sorted");
            self.faults.add(&path("left_hand"), hand.len(), expected);
        }
    }
}
