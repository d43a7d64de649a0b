//! The full state of Off the Rails as a message.

use tablestate_rules::games::off_the_rails::{
    Colour, Jewel, Mine, OffTheRails, Saved, SavedCart, SavedCollision, SavedDeeds, SavedDrawn,
    SavedMotion, SavedPlace, SavedPlayer, SavedSquare, SavedTable, Side, Step,
};
use tablestate_rules::{Faults, Position};

use super::table::{STEPS, write_table};
use super::{
    read_colour, read_jewel, read_mine, read_options, read_side, write_jewels, write_options,
};
use crate::v1::{self, OffTheRailsCartPlace as CartPlace};

pub(super) fn write_state(position: &Position<OffTheRails>) -> v1::OffTheRailsState {
    let saved = Saved::of(position);
    v1::OffTheRailsState {
        options: Some(write_options(&saved.options)),
        table: Some(write_table(&saved.table)),
        left_hand: write_jewels(saved.left_hand),
    }
}

/// The match of a full state; lists every fault.
pub(crate) fn read_state(message: &v1::OffTheRailsState) -> Result<Position<OffTheRails>, Faults> {
    let mut reader = Reader::default();
    let options = message.options.unwrap_or_default();
    let options = read_options(&options).map_err(|faults| faults.under("off_the_rails.options"))?;
    let Some(table) = &message.table else {
        return Err(Faults::one("off_the_rails.table", "not set", "what lies on the table"));
    };
    let table = reader.table(table);
    let left_hand = reader.jewels("left_hand", &message.left_hand);
    reader.faults.under("off_the_rails").or(())?;
    Saved { options, table, left_hand }.restore()
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

    /// A part that must be there.
    pub(super) fn part<'a, T>(&mut self, field: &str, part: Option<&'a T>) -> Option<&'a T> {
        if part.is_none() {
            self.faults.add(field, "not set", "a message");
        }
        part
    }

    pub(super) fn table(&mut self, table: &v1::OffTheRailsTable) -> SavedTable {
        let deck = self.part("table.deck", table.deck.as_ref()).cloned().unwrap_or_default();
        let chasm = self.part("table.chasm", table.chasm.as_ref()).cloned().unwrap_or_default();
        SavedTable {
            step: self.step(table.step),
            turn_of: table.turn_of,
            actions_taken: table.actions_taken,
            squares: table.squares.iter().map(|square| self.square(square)).collect(),
            players: table.players.iter().map(|player| self.player(player)).collect(),
            bag: table.bag.clone(),
            removed: table.removed.clone(),
            cards: table.cards.iter().map(|cards| cards.numbers.clone()).collect(),
            deck_size: deck.size,
            deck_top: self.mines("table.deck.top", &deck.top),
            chasm_card_on_top: deck.chasm_card_on_top,
            opener: chasm.opener,
            is_open: chasm.open,
            to_come: chasm.to_come,
            put_out: chasm.put_out,
            missions: table.missions.clone(),
            deeds: table.deeds.as_ref().map(read_deeds).unwrap_or_default(),
            motion: table.r#move.as_ref().map(|motion| self.motion(motion)),
            collision: table.collision.as_ref().map(|collision| self.collision(collision)),
            drawn: table.token.as_ref().map(|token| self.drawn(token)),
        }
    }

    fn step(&mut self, number: i32) -> Step {
        let step = STEPS.get(number as usize).copied();
        let step = step.ok_or_else(|| Faults::one("table.step", number, "a step, 0 to 11"));
        self.note(step).unwrap_or(Step::Over)
    }

    fn square(&mut self, square: &v1::OffTheRailsSquare) -> SavedSquare {
        const FIELD: &str = "table.squares.token";
        let token = (square.token != 0).then_some(square.token);
        SavedSquare {
            square: self.number("table.squares.square", square.square),
            exits: self.sides("table.squares.exits", &square.exits),
            jewels: self.jewels("table.squares.jewels", &square.jewels),
            token: token.and_then(|token| self.note(read_mine(FIELD, token))),
        }
    }

    /// A number that must be there.
    fn number(&mut self, field: &str, number: Option<u32>) -> u32 {
        self.part(field, number.as_ref()).copied().unwrap_or(0)
    }

    fn player(&mut self, player: &v1::OffTheRailsPlayer) -> SavedPlayer {
        SavedPlayer {
            carts: [
                self.cart("table.players.white", player.white.as_ref()),
                self.cart("table.players.black", player.black.as_ref()),
            ],
            stockpile: player.stockpile.clone(),
            claimed: player.claimed.clone(),
        }
    }

    fn cart(&mut self, field: &str, cart: Option<&v1::OffTheRailsCart>) -> SavedCart {
        let cart = self.part(field, cart).cloned().unwrap_or_default();
        SavedCart {
            place: self.place(field, &cart),
            facing: self.optional_side(&format!("{field}.facing"), cart.facing),
            speed: cart.speed,
            hold: self.jewels(&format!("{field}.hold"), &cart.hold),
        }
    }

    fn place(&mut self, field: &str, cart: &v1::OffTheRailsCart) -> SavedPlace {
        match (cart.place(), cart.square) {
            (CartPlace::Supply, None) => SavedPlace::Supply,
            (CartPlace::Out, None) => SavedPlace::Out,
            (CartPlace::Underground, Some(square)) => SavedPlace::Underground(square),
            (CartPlace::Surface, Some(place)) => SavedPlace::Surface(place),
            _ => {
                let expected = "a place of a cart, 1 to 4, with a square if it is on the board";
                self.faults.add(&format!("{field}.place"), cart.place, expected);
                SavedPlace::Supply
            }
        }
    }

    fn motion(&mut self, motion: &v1::OffTheRailsMove) -> SavedMotion {
        SavedMotion {
            cart: self.colour("table.move.cart", motion.cart),
            steps_left: motion.steps_left,
            takings_left: motion.takings_left,
            entered_by: self.optional_side("table.move.entered_by", motion.entered_by),
            other_to_move: motion.other_to_move,
            taken_from: motion.taken_from.clone(),
        }
    }

    fn collision(&mut self, collision: &v1::OffTheRailsCollision) -> SavedCollision {
        const FIELD: &str = "table.collision.opposing";
        let opposing = self.part(FIELD, collision.opposing.as_ref()).copied().unwrap_or_default();
        let hit_side = read_side("table.collision.hit_side", collision.hit_side);
        SavedCollision {
            seat: self.number("table.collision.opposing.seat", opposing.seat),
            colour: self.colour("table.collision.opposing.colour", opposing.colour),
            hit_side: self.note(hit_side).unwrap_or(Side::North),
        }
    }

    fn drawn(&mut self, token: &v1::OffTheRailsToken) -> SavedDrawn {
        let colour = self.note(read_mine("table.token.colour", token.colour));
        SavedDrawn { colour: colour.unwrap_or(Mine::Red), die: token.die }
    }

    fn colour(&mut self, field: &str, number: i32) -> Colour {
        self.note(read_colour(field, number)).unwrap_or(Colour::White)
    }

    fn optional_side(&mut self, field: &str, number: i32) -> Option<Side> {
        if number == 0 { None } else { self.note(read_side(field, number)) }
    }

    fn sides(&mut self, field: &str, numbers: &[i32]) -> Vec<Side> {
        numbers.iter().filter_map(|&number| self.note(read_side(field, number))).collect()
    }

    fn mines(&mut self, field: &str, numbers: &[i32]) -> Vec<Mine> {
        numbers.iter().filter_map(|&number| self.note(read_mine(field, number))).collect()
    }

    pub(super) fn jewels(&mut self, field: &str, numbers: &[i32]) -> Vec<Jewel> {
        numbers.iter().filter_map(|&number| self.note(read_jewel(field, number))).collect()
    }
}

fn read_deeds(deeds: &v1::OffTheRailsDeeds) -> SavedDeeds {
    SavedDeeds { banked: [deeds.white_banked, deeds.black_banked], met: deeds.met.clone() }
}
