//! The notation of positions: the eighteen fields of the rules' "Notation".

use super::action::SurfaceSquare;
use super::cart::{Cart, CartName, Place};
use super::deck::CHASM;
use super::geometry::{Mine, NUMBERS, Square};
use super::missions::Missions;
use super::notation::{write_square, write_surface};
use super::state::{Drawn, Motion, OffTheRails, Step, Table};
use crate::vocab::Seat;

impl OffTheRails {
    /// Full truth.
    pub(super) fn write_position(&self) -> String {
        let table = &self.table;
        let piles = |pile: &dyn Fn(Seat) -> String| table.by_seat(pile);
        [
            table.write_turn(),
            table.write_step(),
            table.motion.map_or("-".into(), |motion| table.write_motion(motion)),
            self.write_collision(),
            table.write_squares(&|square| table.track(square).to_string()),
            table.write_squares(&|square| table.jewels(square).to_string()),
            table.write_squares(&|square| {
                table.token(square).map_or(String::new(), |mine| mine.letter().into())
            }),
            piles(&|seat| {
                table.carts[seat.index()].map(|cart| table.write_cart(seat, cart)).join(",")
            }),
            counts(&table.bag.counts()),
            piles(&|seat| counts(&table.stockpile(seat).counts())),
            counts(&table.removed.counts()),
            Mine::ALL.map(|mine| table.write_cards(mine)).join("/"),
            table.write_deck(),
            table.write_opener(),
            [table.chasm.to_come, table.chasm.put_out].map(|tokens| counts(&tokens)).join("/"),
            write_missions(table.missions),
            piles(&|seat| write_missions(table.claimed[seat.index()])),
            table.write_deeds(),
        ]
        .join(" ")
    }

    fn write_collision(&self) -> String {
        let Some(collision) = self.table.collision else { return "-".into() };
        let CartName { seat, colour } = collision.opposing;
        let hand = self.left_hand.map_or(String::new(), |left| format!("={left}"));
        format!("{}{}{}{hand}", seat.index(), colour.letter(), collision.hit_side.letter())
    }
}

impl Table {
    fn by_seat(&self, write: &dyn Fn(Seat) -> String) -> String {
        self.rules.all_seats().map(write).collect::<Vec<_>>().join("/")
    }

    fn write_turn(&self) -> String {
        if self.step == Step::Over { "-".into() } else { self.turn.index().to_string() }
    }

    fn write_step(&self) -> String {
        let letter = match self.step {
            Step::Actions => return format!("A{}", self.actions_taken),
            Step::First => "F",
            Step::Take => "T",
            Step::Face => "C",
            Step::Odd => "O",
            Step::Split => "S",
            Step::Hand => "H",
            Step::TurnActive => "U",
            Step::TurnOpposing => "V",
            Step::Claim => "M",
            Step::Token => return self.drawn.map_or(String::new(), write_drawn),
            Step::Over => "-",
        };
        letter.into()
    }

    fn write_motion(&self, motion: Motion) -> String {
        let entered = motion.entered_by.map_or('-', |side| side.letter());
        let other = if motion.other_to_move { '+' } else { '-' };
        let taken = motion.taken_from.into_iter().flatten();
        let taken: String = taken.map(|square| self.write_square(square)).collect();
        let Motion { cart, steps_left, takings_left, .. } = motion;
        format!("{}{steps_left}{takings_left}{entered}{other}{taken}", cart.letter())
    }

    pub(super) fn write_square(&self, square: Square) -> String {
        write_square(self.geometry(), square)
    }

    /// The squares on which there is something, with it.
    fn write_squares(&self, write: &dyn Fn(Square) -> String) -> String {
        let squares = self.squares().map(|square| (square, write(square)));
        let filled = squares.filter(|(_, content)| !content.is_empty());
        let texts = filled.map(|(square, content)| self.write_square(square) + &content);
        or_dash(texts.collect::<Vec<_>>().join(","))
    }

    fn write_cart(&self, seat: Seat, cart: Cart) -> String {
        let place = match cart.place {
            Place::Supply => return "s".into(),
            Place::Out => return "o".into(),
            Place::Underground(square) => self.write_square(square),
            Place::Surface(place) => write_surface(SurfaceSquare { side: self.side(seat), place }),
        };
        let facing = cart.facing.map_or('?', |side| side.letter());
        format!("{place}{facing}{}{}", cart.speed, cart.hold)
    }

    fn write_cards(&self, mine: Mine) -> String {
        let seen = self.deck.seen[mine as usize];
        let numbers = (1..=NUMBERS).filter(|number| seen >> (number - 1) & 1 == 1);
        or_dash(numbers.map(|number| number.to_string()).collect())
    }

    fn write_deck(&self) -> String {
        let colours = Mine::ALL.into_iter().filter(|&mine| self.deck.top >> mine as u8 & 1 == 1);
        let chasm = if self.deck.top & CHASM != 0 { "x" } else { "" };
        let colours: String = colours.map(Mine::letter).collect();
        format!("{colours}{chasm}{}", self.deck.size)
    }

    fn write_opener(&self) -> String {
        let open = if self.chasm.is_open { "!" } else { "" };
        self.chasm.opener.map_or("-".into(), |seat| format!("{}{open}", seat.index()))
    }

    fn write_deeds(&self) -> String {
        let [white, black] = self.deeds.banked;
        let marks = [(white, 'w'), (black, 'b')].into_iter().filter(|(banked, _)| *banked);
        let marks: String = marks.map(|(_, letter)| letter).collect();
        let met = self.deeds.met.iter().map(|mission| format!(",{}", mission.number()));
        or_dash(marks + &met.collect::<String>())
    }
}

fn write_drawn(drawn: Drawn) -> String {
    let die = drawn.die.map_or(String::new(), |number| number.to_string());
    format!("K{}{die}", drawn.colour.letter())
}

fn write_missions(missions: Missions) -> String {
    let numbers = missions.iter().map(|mission| mission.number().to_string());
    or_dash(numbers.collect::<Vec<_>>().join(","))
}

fn counts(counts: &[u8]) -> String {
    counts.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}
