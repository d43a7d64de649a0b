//! What makes a position of Off the Rails good.

use tablestate_rules::games::off_the_rails::{
    CartName, Colour, Jewels, OffTheRails, Place, PreviewEnd, Side, Square, Step, Table,
};
use tablestate_rules::{Game, Seat, SeatSet};

use crate::mcts::{self, Guided, Values, values_of};
use crate::player::Greedy;
use crate::search::{Level, Report, Searched, Settings};

const WIN: i64 = 1_000_000;
/// A point that is safe; and one of a jewel that is carried.
const POINT: i64 = 100;
const CARRIED: i64 = 60;
/// A cart that is not out of the game, worth its bonus until it is too late.
const CART: i64 = 300;
/// A cart that runs for jewels, one that runs for nothing, and one that will derail: at once, or if
/// nothing is done.
const RUNNING: i64 = 40;
const IDLE: i64 = -30;
const DERAILS_NOW: i64 = -330;
const DERAILS_LATER: i64 = -110;
/// Of a line of track: a square, a point of what lies there, its end on a Surface, a step that
/// its end is away from where it should lead.
const SQUARE: i64 = 8;
const LYING: i64 = 14;
const HOME: i64 = 60;
const STEP_AWAY: i64 = 3;
/// So many squares of a line are looked at. From so many on, or with so many points on a cart, it
/// should lead home.
const LONGEST: usize = 18;
const OUTWARD: usize = 7;
const ENOUGH: i64 = 4;
/// So much ahead is worth half a victory.
const EVEN: f64 = 1_000.0;

impl Greedy for OffTheRails {
    fn appraise(before: &Self, after: &Self) -> i64 {
        let Some(seat) = before.actor() else { return 0 };
        if let Some(outcome) = after.outcome(SeatSet::first(after.seats())) {
            return (WIN as f64 * outcome.returns()[seat.index()]) as i64;
        }
        let table = after.table();
        let others = table.all_seats().filter(|&other| other != seat);
        let best = others.map(|other| standing(table, other)).max().unwrap_or(0);
        standing(table, seat) - best + plans(table, seat)
    }
}

impl Guided for OffTheRails {
    const TRIAL: usize = 0;
    const HALF: i64 = POINT;

    fn judge(state: &Self) -> Values {
        let table = state.table();
        let worth = |seat| (standing(table, seat) + plans(table, seat)) as f64 / EVEN;
        let standings: Vec<_> = table.all_seats().map(worth).collect();
        values_of(standings.into_iter())
    }
}

impl Searched for OffTheRails {
    fn search(
        view: &Self::View<'_>,
        settings: &Settings,
        progress: &mut dyn FnMut(&Report),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Report {
        mcts::search::<Self>(view, settings, progress, stop)
    }

    fn iterations(level: Level) -> u64 {
        match level {
            Level::Easy => 16,
            Level::Normal => 64,
            Level::Hard => 512,
        }
    }
}

/// What a seat has banked and what its carts carry.
fn standing(table: &Table, seat: Seat) -> i64 {
    let held = |colour| table.cart(CartName { seat, colour }).hold;
    let carried: i64 = Colour::ALL.into_iter().map(|colour| worth(held(colour))).sum();
    POINT * i64::from(table.scores()[seat.index()]) - POINT * 3 * in_supply(table, seat)
        + CARRIED * carried
}

fn in_supply(table: &Table, seat: Seat) -> i64 {
    let is_there = |&colour: &Colour| table.cart(CartName { seat, colour }).place == Place::Supply;
    Colour::ALL.into_iter().filter(is_there).count() as i64
}

fn worth(jewels: Jewels) -> i64 {
    jewels.iter().map(|jewel| i64::from(jewel.worth())).sum()
}

/// Where the carts of a seat are going, and the best line for one that is still in supply.
fn plans(table: &Table, seat: Seat) -> i64 {
    let carts: i64 = Colour::ALL.into_iter().map(|colour| prospects(table, seat, colour)).sum();
    let entrance = (0..table.size() as u8).map(|place| {
        let name = CartName { seat, colour: Colour::White };
        let inward = table.side(seat).opposite();
        Line::along(table, name, Place::Surface(place), inward).value(table, 0)
    });
    let waits = in_supply(table, seat) > 0;
    carts + if waits { entrance.max().unwrap_or(0) } else { 0 }
}

fn prospects(table: &Table, seat: Seat, colour: Colour) -> i64 {
    let name = CartName { seat, colour };
    let cart = table.cart(name);
    if cart.place == Place::Out {
        return 0;
    }
    let Some(facing) = cart.facing else { return CART };
    let line = Line::along(table, name, cart.place, facing);
    let derails = !line.is_closed && line.squares.len() < usize::from(cart.speed);
    let is_next = table.turn() == seat && table.step() == Step::Actions;
    let fate = match derails {
        true if is_next => DERAILS_NOW - POINT * worth(cart.hold),
        true => DERAILS_LATER,
        false if worth(cart.hold) + line.lying(table) > 0 => RUNNING,
        false => IDLE,
    };
    CART + fate + line.value(table, worth(cart.hold))
}

/// The way along the tracks, straight on or by the first exit where there is a choice.
struct Line {
    squares: Vec<Square>,
    /// It leads to a Surface, a cart or a choice: it does not end for want of track.
    is_closed: bool,
    is_home: bool,
    from: Place,
}

impl Line {
    fn along(table: &Table, name: CartName, place: Place, facing: Side) -> Self {
        let mut line = Self { squares: Vec::new(), is_closed: true, is_home: false, from: place };
        let (mut place, mut facing) = (place, facing);
        while line.squares.len() < LONGEST {
            let way = table.preview_from(name, place, facing);
            line.squares.extend(&way.squares);
            line.is_home = way.end == PreviewEnd::Bank;
            line.is_closed = way.end != PreviewEnd::Derailment;
            match (way.end, way.squares.last(), way.facing) {
                (PreviewEnd::SpeedUsed, Some(&square), Some(next)) => {
                    (place, facing) = (Place::Underground(square), next);
                }
                _ => break,
            }
        }
        line
    }

    /// What lies along it, as far as a cart can take it.
    fn lying(&self, table: &Table) -> i64 {
        self.squares.iter().map(|&square| worth(table.jewels(square)).min(6)).sum()
    }

    /// A way home is worth something to a cart that brings something.
    fn value(&self, table: &Table, carried: i64) -> i64 {
        let lying = self.lying(table);
        let home = match self.is_home {
            true if carried + lying == 0 => return 0,
            true => HOME + POINT / 5 * carried,
            false => 0,
        };
        let length = self.squares.len().min(2 * OUTWARD) as i64;
        SQUARE * length + LYING * lying + home - STEP_AWAY * self.steps_away(table, carried)
    }

    /// From an open end to the next jewels that are not on the line, or, if it should lead home, to
    /// the border.
    fn steps_away(&self, table: &Table, carried: i64) -> i64 {
        if self.is_closed {
            return 0;
        }
        let end = match (self.squares.last(), self.from) {
            (Some(&square), _) | (None, Place::Underground(square)) => square,
            _ => return 0,
        };
        let size = table.size() as i64;
        let at = |square: Square| (square.index() as i64 % size, square.index() as i64 / size);
        let (file, rank) = at(end);
        if self.squares.len() > OUTWARD || carried >= ENOUGH {
            return [file, rank, size - 1 - file, size - 1 - rank].into_iter().min().unwrap_or(0);
        }
        let wanted = table
            .squares()
            .filter(|&square| worth(table.jewels(square)) > 0 && !self.squares.contains(&square));
        let steps = wanted.map(at).map(|(f, r)| (f - file).abs() + (r - rank).abs());
        steps.min().unwrap_or(size)
    }
}
