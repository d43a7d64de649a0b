//! The Chasm, side by side with the rules' section of this name: how it opens and what collapses.

use arrayvec::ArrayVec;

use super::course::Course;
use super::event::{Event, EventOf};
use super::geometry::{MINES, Mine, NUMBERS, Square, Squares};
use super::jewels::Jewels;
use super::state::{Drawn, Step, Table};
use super::track::Track;
use crate::chance::Chance;
use crate::game::Events;
use crate::vocab::Seat;

impl Table {
    /// The seat that turned the Chasm Card.
    pub fn opener(&self) -> Option<Seat> {
        self.chasm.opener
    }

    /// The squares on which a drawn token can be laid.
    pub(super) fn token_places(&self, drawn: Drawn) -> Squares {
        let covered = self.chasm.squares();
        if let Some(number) = drawn.die {
            let rolled = self.mine_square(drawn.colour, number.into());
            if !covered.contains(rolled) {
                return Squares::one(rolled);
            }
            let beside = self.geometry().neighbours(rolled).without(covered);
            if !beside.is_empty() {
                return beside;
            }
            // R15: as without the die.
        }
        // R14: any underground square, mine centres too.
        let own = self.chasm.tokens[drawn.colour as usize];
        self.geometry().next_to(own).without(covered)
    }
}

impl<C: Chance, E: Events<Event>> Course<'_, C, E> {
    /// R31: the four cards of the Chasm Deck are shown, then a token is laid on each.
    pub(super) fn open_chasm(&mut self) {
        self.table().chasm.is_open = true;
        let mut cards = ArrayVec::<(Mine, usize), MINES>::new();
        for mine in Mine::ALL {
            let number = self.state.table.deck.show(mine, self.chance);
            cards.push((mine, number.into()));
        }
        self.events.emit(|| EventOf::ChasmOpened {
            numbers: cards.iter().map(|&(_, number)| number).collect(),
        });
        for (mine, number) in cards {
            let square = self.table().mine_square(mine, number);
            self.lay_token(mine, square);
        }
    }

    /// Step 4 once the Chasm is open.
    pub(super) fn draw_token(&mut self) {
        let colour = self.draw_colour();
        self.events.emit(|| EventOf::TokenDrawn { colour });
        let die = self.table().rules.chasm_die.then(|| self.roll(colour));
        let drawn = Drawn { colour, die };
        let places = self.table().token_places(drawn);
        self.table().drawn = Some(drawn);
        match (places.len(), places.first()) {
            (0, _) | (_, None) => self.put_out(),
            (1, Some(square)) => self.lay_drawn(square),
            _ => {
                self.table().step = Step::Token;
                return;
            }
        }
        self.end_turn();
    }

    fn draw_colour(&mut self) -> Mine {
        let to_come = self.table().chasm.tokens_to_come();
        let place = self.chance.draw(to_come);
        let chasm = &mut self.table().chasm;
        let mut passed = 0;
        let is_drawn = |mine: &Mine| {
            passed += u32::from(chasm.to_come[*mine as usize]);
            place < passed
        };
        let colour = Mine::ALL.into_iter().find(is_drawn).expect("a token is to come");
        chasm.to_come[colour as usize] -= 1;
        colour
    }

    /// The Chasm die: the number of a square of the mine.
    fn roll(&mut self, colour: Mine) -> u8 {
        let number = self.chance.draw(NUMBERS as u32) as usize + 1;
        let square = self.table().mine_square(colour, number);
        self.events.emit(|| EventOf::DieRolled { number, square });
        number as u8
    }

    pub(super) fn lay_drawn(&mut self, square: Square) {
        if let Some(drawn) = self.table().drawn.take() {
            self.lay_token(drawn.colour, square);
        }
    }

    /// R14.
    fn put_out(&mut self) {
        if let Some(Drawn { colour, .. }) = self.table().drawn.take() {
            self.table().chasm.put_out[colour as usize] += 1;
            self.events.emit(|| EventOf::TokenPutOut { colour });
        }
    }

    /// R32: track and jewels are removed from the game, then a cart there derails.
    fn lay_token(&mut self, colour: Mine, square: Square) {
        let table = self.table();
        let track = table.track(square);
        table.tracks.lay(square, Track::NONE);
        let jewels = std::mem::replace(&mut table.jewels[square.index()], Jewels::EMPTY);
        table.removed = table.removed.plus(jewels);
        table.chasm.tokens[colour as usize].insert(square);
        let cart = table.cart_on(square);
        self.events.emit(|| EventOf::TokenPlaced { colour, square, track, jewels });
        if let Some(cart) = cart {
            self.derail(cart);
        }
    }
}
