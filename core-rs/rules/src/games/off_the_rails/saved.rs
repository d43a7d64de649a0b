//! Saving a match at any moment and going on from it.

use super::cart::{Cart, CartName, Colour, Place};
use super::geometry::{MINES, Mine, NUMBERS, Side, Square};
use super::jewels::{Jewel, Jewels};
use super::missions::{Deeds, Mission, Missions};
use super::options::{Options, Rules};
use super::state::{Collision, Drawn, Motion, OffTheRails, Step, Table};
use super::track::Track;
use crate::error::Faults;
use crate::position::Position;
use crate::vocab::Seat;

mod shape;

/// Everything that a match holds, as an untrusted caller gives it.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Saved {
    pub options: Options,
    pub table: SavedTable,
    pub left_hand: Vec<Jewel>,
}

/// All that everybody sees.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SavedTable {
    pub step: Step,
    pub turn_of: u32,
    pub actions_taken: u32,
    pub squares: Vec<SavedSquare>,
    pub players: Vec<SavedPlayer>,
    /// By kind.
    pub bag: Vec<u32>,
    /// By kind.
    pub removed: Vec<u32>,
    /// The numbers seen, by colour.
    pub cards: Vec<Vec<u32>>,
    pub deck_size: u32,
    pub deck_top: Vec<Mine>,
    pub chasm_card_on_top: bool,
    pub opener: Option<u32>,
    pub is_open: bool,
    /// By colour.
    pub to_come: Vec<u32>,
    /// By colour.
    pub put_out: Vec<u32>,
    pub missions: Vec<u32>,
    pub deeds: SavedDeeds,
    pub motion: Option<SavedMotion>,
    pub collision: Option<SavedCollision>,
    pub drawn: Option<SavedDrawn>,
}

/// A square on which anything but a cart lies.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct SavedSquare {
    pub square: u32,
    pub exits: Vec<Side>,
    pub jewels: Vec<Jewel>,
    pub token: Option<Mine>,
}

/// What belongs to a seat.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SavedPlayer {
    /// White, black.
    pub carts: [SavedCart; 2],
    /// By kind.
    pub stockpile: Vec<u32>,
    pub claimed: Vec<u32>,
}

/// A cart.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SavedCart {
    pub place: SavedPlace,
    pub facing: Option<Side>,
    pub speed: u32,
    pub hold: Vec<Jewel>,
}

/// Where a cart is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum SavedPlace {
    Supply,
    Underground(u32),
    Surface(u32),
    Out,
}

/// R29.
#[derive(Clone, Debug, Default, PartialEq)]
#[allow(missing_docs)]
pub struct SavedDeeds {
    pub banked: [bool; 2],
    pub met: Vec<u32>,
}

/// A move that goes on.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SavedMotion {
    pub cart: Colour,
    pub steps_left: u32,
    pub takings_left: u32,
    pub entered_by: Option<Side>,
    pub other_to_move: bool,
    pub taken_from: Vec<u32>,
}

/// A collision that is not settled yet.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SavedCollision {
    pub seat: u32,
    pub colour: Colour,
    pub hit_side: Side,
}

/// A token that was drawn.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct SavedDrawn {
    pub colour: Mine,
    /// 0 without the die.
    pub die: u32,
}

impl Saved {
    /// Saves a match.
    pub fn of(position: &Position<OffTheRails>) -> Self {
        let OffTheRails { table, left_hand } = position.state();
        Self {
            options: table.rules.options(),
            table: SavedTable::of(table),
            left_hand: left_hand.unwrap_or_default().iter().collect(),
        }
    }

    /// The match that was saved; lists every fault.
    pub fn restore(&self) -> Result<Position<OffTheRails>, Faults> {
        let rules = Rules::new(&self.options)?;
        let mut faults = Faults::default();
        self.check_shape(&rules, &mut faults);
        faults.or(())?;
        let hand: Jewels = self.left_hand.iter().copied().collect();
        let left_hand = (self.table.step == Step::Hand).then_some(hand);
        let state = OffTheRails { table: self.table.restore(rules), left_hand };
        let mut faults = Faults::default();
        state.check(&mut faults);
        faults.or(Position::from_parts(state, ()))
    }
}

impl SavedTable {
    /// All that everybody sees, as plain values.
    pub fn of(table: &Table) -> Self {
        let numbers = |counts: &[u8]| counts.iter().map(|&count| count.into()).collect();
        let on_top = |bit: usize| table.deck.top >> bit & 1 == 1;
        Self {
            step: table.step,
            turn_of: table.turn.index() as u32,
            actions_taken: table.actions_taken.into(),
            squares: SavedSquare::all(table),
            players: table.rules.all_seats().map(|seat| SavedPlayer::of(table, seat)).collect(),
            bag: numbers(&table.bag.counts()),
            removed: numbers(&table.removed.counts()),
            cards: table.deck.seen.iter().map(|&seen| seen_numbers(seen)).collect(),
            deck_size: table.deck.size.into(),
            deck_top: Mine::ALL.into_iter().filter(|&mine| on_top(mine as usize)).collect(),
            chasm_card_on_top: on_top(MINES),
            opener: table.chasm.opener.map(|seat| seat.index() as u32),
            is_open: table.chasm.is_open,
            to_come: numbers(&table.chasm.to_come),
            put_out: numbers(&table.chasm.put_out),
            missions: mission_numbers(table.missions),
            deeds: SavedDeeds { banked: table.deeds.banked, met: mission_numbers(table.deeds.met) },
            motion: table.motion.map(SavedMotion::of),
            collision: table.collision.map(SavedCollision::of),
            drawn: table.drawn.map(|drawn| SavedDrawn {
                colour: drawn.colour,
                die: drawn.die.unwrap_or(0).into(),
            }),
        }
    }

    fn restore(&self, rules: Rules) -> Table {
        let mut table = Table::bare(rules);
        table.step = self.step;
        table.turn = Seat::of(self.turn_of as u8);
        table.actions_taken = self.actions_taken as u8;
        self.squares.iter().for_each(|square| square.restore(&mut table));
        for (number, player) in self.players.iter().enumerate() {
            table.carts[number] = [0, 1].map(|colour| player.carts[colour].restore());
            table.stockpiles[number] = jewels(&player.stockpile);
            table.claimed[number] = missions(&player.claimed);
        }
        table.bag = jewels(&self.bag);
        table.removed = jewels(&self.removed);
        self.restore_deck(&mut table);
        table.missions = missions(&self.missions);
        table.deeds = Deeds { banked: self.deeds.banked, met: missions(&self.deeds.met) };
        table.motion = self.motion.as_ref().map(SavedMotion::restore);
        table.collision = self.collision.as_ref().map(SavedCollision::restore);
        table.drawn = self.drawn.as_ref().map(SavedDrawn::restore);
        table
    }

    fn restore_deck(&self, table: &mut Table) {
        let colours = self.deck_top.iter().fold(0, |top, &mine| top | 1 << mine as u8);
        table.deck.size = self.deck_size as u8;
        table.deck.top = colours | u8::from(self.chasm_card_on_top) << MINES;
        for (seen, numbers) in table.deck.seen.iter_mut().zip(&self.cards) {
            *seen = numbers.iter().fold(0, |seen, number| seen | 1 << (number - 1));
        }
        table.chasm.opener = self.opener.map(|seat| Seat::of(seat as u8));
        table.chasm.is_open = self.is_open;
        table.chasm.to_come = std::array::from_fn(|mine| self.to_come[mine] as u8);
        table.chasm.put_out = std::array::from_fn(|mine| self.put_out[mine] as u8);
    }
}

impl SavedSquare {
    fn all(table: &Table) -> Vec<Self> {
        let squares = table.squares().map(|square| Self {
            square: square.index() as u32,
            exits: table.track(square).exits().collect(),
            jewels: table.jewels(square).iter().collect(),
            token: table.token(square),
        });
        squares.filter(|square| !square.is_bare()).collect()
    }

    fn is_bare(&self) -> bool {
        self.exits.is_empty() && self.jewels.is_empty() && self.token.is_none()
    }

    fn restore(&self, table: &mut Table) {
        let square = Square(self.square as u8);
        table.tracks.lay(square, self.exits.iter().copied().collect::<Track>());
        table.jewels[square.index()] = self.jewels.iter().copied().collect();
        if let Some(mine) = self.token {
            table.chasm.tokens[mine as usize].insert(square);
        }
    }
}

impl SavedPlayer {
    fn of(table: &Table, seat: Seat) -> Self {
        let counts = table.stockpile(seat).counts();
        Self {
            carts: table.carts[seat.index()].map(|cart| SavedCart::of(&cart)),
            stockpile: counts.iter().map(|&count| count.into()).collect(),
            claimed: mission_numbers(table.claimed[seat.index()]),
        }
    }
}

impl SavedCart {
    fn of(cart: &Cart) -> Self {
        let place = match cart.place {
            Place::Supply => SavedPlace::Supply,
            Place::Underground(square) => SavedPlace::Underground(square.index() as u32),
            Place::Surface(place) => SavedPlace::Surface(place.into()),
            Place::Out => SavedPlace::Out,
        };
        let hold = cart.hold.iter().collect();
        Self { place, facing: cart.facing, speed: cart.speed.into(), hold }
    }

    fn restore(&self) -> Cart {
        let place = match self.place {
            SavedPlace::Supply => Place::Supply,
            SavedPlace::Underground(square) => Place::Underground(Square(square as u8)),
            SavedPlace::Surface(place) => Place::Surface(place as u8),
            SavedPlace::Out => Place::Out,
        };
        let hold = self.hold.iter().copied().collect();
        Cart { place, facing: self.facing, speed: self.speed as u8, hold }
    }
}

impl SavedMotion {
    fn of(motion: Motion) -> Self {
        let taken_from = motion.taken_from.into_iter().flatten();
        Self {
            cart: motion.cart,
            steps_left: motion.steps_left.into(),
            takings_left: motion.takings_left.into(),
            entered_by: motion.entered_by,
            other_to_move: motion.other_to_move,
            taken_from: taken_from.map(|square| square.index() as u32).collect(),
        }
    }

    fn restore(&self) -> Motion {
        let taken = |place: usize| self.taken_from.get(place).map(|&square| Square(square as u8));
        Motion {
            cart: self.cart,
            steps_left: self.steps_left as u8,
            takings_left: self.takings_left as u8,
            entered_by: self.entered_by,
            other_to_move: self.other_to_move,
            taken_from: [taken(0), taken(1)],
        }
    }
}

impl SavedCollision {
    fn of(collision: Collision) -> Self {
        let CartName { seat, colour } = collision.opposing;
        Self { seat: seat.index() as u32, colour, hit_side: collision.hit_side }
    }

    fn restore(&self) -> Collision {
        let opposing = CartName { seat: Seat::of(self.seat as u8), colour: self.colour };
        Collision { opposing, hit_side: self.hit_side }
    }
}

impl SavedDrawn {
    fn restore(&self) -> Drawn {
        Drawn { colour: self.colour, die: (self.die > 0).then_some(self.die as u8) }
    }
}

fn seen_numbers(seen: u8) -> Vec<u32> {
    (1..=NUMBERS as u32).filter(|number| seen >> (number - 1) & 1 == 1).collect()
}

fn mission_numbers(missions: Missions) -> Vec<u32> {
    missions.iter().map(|mission| mission.number() as u32).collect()
}

fn missions(numbers: &[u32]) -> Missions {
    numbers.iter().filter_map(|&number| Mission::new(number as usize)).collect()
}

/// Jewels of counts by kind.
fn jewels(counts: &[u32]) -> Jewels {
    Jewels::of_counts(std::array::from_fn(|kind| counts[kind] as u8))
}
