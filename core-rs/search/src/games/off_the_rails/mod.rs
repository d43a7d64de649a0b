//! What makes a position of Off the Rails good.
//!
//! [`plan`] proposes ways of several lengths for each cart, from tables that are quick but count a jewel
//! again each time a way comes by and know no full hold. [`trip`] walks each of them: what the cart
//! takes, how many turns and actions it needs, and how likely it is home before the Chasm opens. A
//! cart is worth what its best way is.

mod plan;
mod trip;

use arrayvec::ArrayVec;
use tablestate_rules::games::off_the_rails::{
    Action, CartName, Colour, Jewels, OffTheRails, Place, Side, Square, Step, Table, Track,
};
use tablestate_rules::{Game, Seat, SeatSet};

use crate::mcts::{self, Guided, Values, values_of};
use crate::player::Greedy;
use crate::search::{Level, Report, Searched, Settings};
use plan::{HOME, HORIZON, Leg, POINT, Ways};
use trip::{Clock, Rider};

const WIN: i64 = 1_000_000;
/// So many actions a turn has; and what one is worth that is left.
const ACTIONS: i32 = 4;
const IDLE: i32 = 60;
/// In hundredths, how much of what a cart might bring counts as long as it is in supply; and if
/// both are.
const MAY: i32 = 50;
const BOTH_MAY: i32 = 70;
/// What a cart is worth that will derail, before the Chasm: it may enter again.
const DERAILED: i32 = 170;
/// What it costs to run into a cart, and with an empty hold, which derails.
const RAM: i32 = 200;
const RAM_EMPTY: i32 = 300;
/// In hundredths, how much of a jewel counts that may be taken now.
const AT_HAND: i32 = 90;
/// The speed of a cart that enters.
const START_SPEED: i32 = 3;
/// What a step costs, and with few cards left.
const HASTE: i32 = 15;
const HASTE_LATE: i32 = 30;
/// From so many jewels on a cart goes straight home.
const FULL: usize = 5;
/// With so few deposit cards left the Chasm is near.
const LAST_WAYS: usize = 8;
/// So long are the ways that are compared.
const LENGTHS: [usize; 4] = [HORIZON, 8, 5, 3];
/// So many points ahead are worth half a victory at the very end; more before.
const EVEN: f64 = 5.0;
/// Of so many decisions easy gets one wrong.
const EASY_ERRS: u32 = 5;

impl Greedy for OffTheRails {
    fn appraise(before: &Self, after: &Self) -> i64 {
        let Some(seat) = before.actor() else { return 0 };
        if let Some(outcome) = after.outcome(SeatSet::first(after.seats())) {
            return (WIN as f64 * outcome.returns()[seat.index()]) as i64;
        }
        let table = after.table();
        let ways = AllWays::of(table);
        let others = table.all_seats().filter(|&other| other != seat);
        let best = others.map(|other| standing(table, &ways, other)).max().unwrap_or(0);
        i64::from(standing(table, &ways, seat) - best)
    }

    /// Track is laid along the best ways only.
    fn shortlist(state: &Self, indices: &mut Vec<u16>) {
        let table = state.table();
        if table.step() != Step::Actions {
            return;
        }
        let ways = AllWays::of(table);
        let seat = table.turn();
        let mut wanted: Vec<Leg> = Vec::new();
        for colour in Colour::ALL {
            for legs in courses(table, &ways, CartName { seat, colour }) {
                wanted.extend(legs.iter().filter(|leg| leg.missing > 0));
            }
        }
        if in_supply(table, seat) > 0 {
            for legs in entries(table, &ways, seat) {
                wanted.extend(legs.iter().filter(|leg| leg.missing > 0));
            }
        }
        let fits = |&index: &u16| match state.action_at(index.into()) {
            Some(Action::PlaceTrack(square, track)) => {
                wanted.iter().any(|leg| leg.square == square && leg.exits == track)
            }
            Some(Action::Upgrade(square, track)) => wanted
                .iter()
                .any(|leg| leg.square == square && helps(table.track(square), track, leg.exits)),
            _ => true,
        };
        indices.retain(fits);
    }
}

/// Whether an upgrade adds an exit that is wanted.
fn helps(old: Track, new: Track, wanted: Track) -> bool {
    wanted.exits().any(|exit| new.leads(exit) && !old.leads(exit))
}

/// The ways of carts with room in their holds, and of those without.
struct AllWays<'a> {
    taking: Ways<'a>,
    full: Option<Ways<'a>>,
}

impl<'a> AllWays<'a> {
    fn of(table: &'a Table) -> Self {
        let haste =
            if table.is_chasm_open() || table.deck_size() < LAST_WAYS { HASTE_LATE } else { HASTE };
        let mut names =
            table.all_seats().flat_map(|seat| Colour::ALL.map(|colour| CartName { seat, colour }));
        let some_full = names.any(|name| is_full(table, name));
        let full = some_full.then(|| Ways::of(table, false, haste));
        Self { taking: Ways::of(table, true, haste), full }
    }

    fn of_cart(&self, table: &Table, name: CartName) -> &Ways<'a> {
        match &self.full {
            Some(full) if is_full(table, name) => full,
            _ => &self.taking,
        }
    }
}

fn is_full(table: &Table, name: CartName) -> bool {
    table.cart(name).hold.len() >= FULL
}

/// What a seat has, and what it may expect, in hundredths of a point.
fn standing(table: &Table, ways: &AllWays<'_>, seat: Seat) -> i32 {
    let clock = Clock::of(table, seat);
    let scored = POINT * table.scores()[seat.index()];
    scored
        + carts(table, ways, clock, seat)
        + entering(table, ways, clock, seat)
        + idle(table, seat)
}

/// Actions that are left.
fn idle(table: &Table, seat: Seat) -> i32 {
    if table.turn() == seat && table.step() == Step::Actions {
        IDLE * actions_left(table, seat)
    } else {
        0
    }
}

/// How many actions a seat has before its carts move next.
fn actions_left(table: &Table, seat: Seat) -> i32 {
    if table.turn() == seat && table.step() == Step::Actions {
        ACTIONS - i32::from(table.actions_taken())
    } else {
        ACTIONS
    }
}

/// What carts in supply may bring.
fn entering(table: &Table, ways: &AllWays<'_>, clock: Clock, seat: Seat) -> i32 {
    let waiting = in_supply(table, seat);
    if waiting == 0 {
        return 0;
    }
    let best = entries(table, ways, seat)
        .filter_map(|legs| newcomer(table, seat, &legs).value(table, clock, &legs));
    // A cart in supply has its bonus already.
    let gain = (best.max().unwrap_or(0) - HOME).max(0);
    gain * if waiting > 1 { BOTH_MAY } else { MAY } / 100
}

/// A cart that goes a way from the own Surface as soon as it can.
fn newcomer(table: &Table, seat: Seat, legs: &[Leg]) -> Rider {
    let (speed, first) = (START_SPEED, START_SPEED);
    let rider = Rider { room: FULL, held: 0, speed, first, waits: 0, actions: ACTIONS - 1 };
    let has_turn = table.turn() != seat || table.step() == Step::Actions;
    // One action is to place it.
    let now = if has_turn { actions_left(table, seat) - 1 } else { -1 };
    let waits_turn = now < 0;
    let actions = if waits_turn { rider.actions } else { now };
    let missing = rider.missing(legs);
    let waits = i32::from(waits_turn) + i32::from(missing > actions);
    Rider { waits, actions: actions.max(missing), ..rider }
}

/// The best ways from the own Surface.
fn entries(table: &Table, ways: &AllWays<'_>, seat: Seat) -> impl Iterator<Item = Legs> {
    let side = table.side(seat);
    of_all_lengths(move |steps| {
        ways.taking.way(ways.taking.entrance(side, steps), side, steps).collect()
    })
}

/// The best ways of at most so many steps each. One that leads home in few steps is the best of
/// fewer as well.
fn of_all_lengths(best: impl Fn(usize) -> Legs) -> impl Iterator<Item = Legs> {
    let mut shortest = usize::MAX;
    LENGTHS.into_iter().filter_map(move |steps| {
        let legs = (shortest > steps).then(|| best(steps))?;
        shortest = legs.len();
        Some(legs)
    })
}

fn in_supply(table: &Table, seat: Seat) -> usize {
    let is_there = |&colour: &Colour| table.cart(CartName { seat, colour }).place == Place::Supply;
    Colour::ALL.into_iter().filter(is_there).count()
}

fn worth(jewels: Jewels) -> i32 {
    jewels.iter().map(|jewel| jewel.worth()).sum()
}

/// What the carts on the board may bring home. They share the actions of their seat's turn.
fn carts(table: &Table, ways: &AllWays<'_>, clock: Clock, seat: Seat) -> i32 {
    let mut actions = actions_left(table, seat);
    let mut sum = 0;
    for colour in Colour::ALL {
        let name = CartName { seat, colour };
        if !table.cart(name).is_on_board() {
            continue;
        }
        match best_way(table, ways, clock, name, actions) {
            Some((value, missing)) => {
                sum += value;
                actions -= missing;
            }
            None => sum += if table.is_chasm_open() { 0 } else { DERAILED },
        }
    }
    sum
}

/// How many steps a cart has yet to go in this turn, if it has.
fn still_moves(table: &Table, name: CartName) -> Option<i32> {
    if table.turn() != name.seat {
        return None;
    }
    let speed = i32::from(table.cart(name).speed);
    match (table.step(), table.motion()) {
        (Step::First, _) => Some(speed),
        (_, Some(motion)) if motion.cart == name.colour => Some(motion.steps_left.into()),
        (_, Some(motion)) if motion.other_to_move => Some(speed),
        _ => None,
    }
}

/// A cart on the board, before the next move of which its seat has so many actions.
fn rider(table: &Table, name: CartName, actions: i32) -> Rider {
    let cart = table.cart(name);
    let speed = i32::from(cart.speed);
    let room = FULL.saturating_sub(cart.hold.len());
    let held = POINT * worth(cart.hold);
    let (first, waits, actions) = match still_moves(table, name) {
        Some(0) => (speed, 1, ACTIONS),
        Some(steps) => (steps, 0, 0),
        None if table.turn() == name.seat && table.step() != Step::Actions => (speed, 1, ACTIONS),
        None => (speed, 0, actions),
    };
    Rider { room, held, speed, first, waits, actions }
}

/// A way.
type Legs = ArrayVec<Leg, HORIZON>;

/// What the best way of a cart is worth, and how many actions it needs before its next move.
fn best_way(
    table: &Table,
    ways: &AllWays<'_>,
    clock: Clock,
    name: CartName,
    actions: i32,
) -> Option<(i32, i32)> {
    let rider = taking_here(table, name, rider(table, name, actions));
    let valued = courses(table, ways, name).filter_map(|legs| {
        let value = rider.value(table, clock, &legs)? - ramming(table, name, rider, &legs);
        Some((value, rider.missing(&legs)))
    });
    valued.max_by_key(|&(value, _)| value)
}

/// The active cart with what it may still take where it is.
fn taking_here(table: &Table, name: CartName, rider: Rider) -> Rider {
    match (table.motion(), table.cart(name).place) {
        (Some(motion), Place::Underground(square))
            if table.turn() == name.seat && motion.cart == name.colour =>
        {
            let most = rider.room.min(motion.takings_left.into());
            let (gain, taken) = trip::taking(table.jewels(square), most);
            let held = rider.held + gain * AT_HAND / 100;
            Rider { room: rider.room - taken, held, ..rider }
        }
        _ => rider,
    }
}

/// What it costs to run into another cart on the first move.
fn ramming(table: &Table, name: CartName, rider: Rider, legs: &[Leg]) -> i32 {
    let next = &legs[..legs.len().min(rider.first as usize)];
    let in_way = |other: CartName| {
        other != name
            && next.iter().any(|leg| table.cart(other).place == Place::Underground(leg.square))
    };
    match table.cart_names().any(in_way) {
        false => 0,
        true if rider.room == FULL => RAM_EMPTY,
        true => RAM,
    }
}

/// The ways that come into question for a cart on the board.
fn courses(table: &Table, ways: &AllWays<'_>, name: CartName) -> impl Iterator<Item = Legs> {
    let starts = starts(table, name);
    let ways = ways.of_cart(table, name);
    starts.into_iter().flat_map(move |start| {
        of_all_lengths(move |steps| match start {
            Some((square, side)) => ways.way(square, side, steps).collect(),
            None => Legs::new(),
        })
    })
}

/// Where a cart can go next: the square and by which side it enters it; none for a Surface.
fn starts(table: &Table, name: CartName) -> ArrayVec<Option<(Square, Side)>, 4> {
    let cart = table.cart(name);
    let onward =
        |square, exit: Side| table.neighbour(square, exit).map(|next| (next, exit.opposite()));
    match (cart.place, cart.facing) {
        (Place::Surface(place), _) => {
            let side = table.side(name.seat);
            [Some((table.entrance(side, place), side))].into_iter().collect()
        }
        (Place::Underground(square), Some(facing)) => {
            [onward(square, facing)].into_iter().collect()
        }
        (Place::Underground(square), None) => {
            let entered = table.motion().and_then(|motion| motion.entered_by);
            let exits = table.track(square).exits().filter(|&exit| Some(exit) != entered);
            exits.map(|exit| onward(square, exit)).collect()
        }
        _ => ArrayVec::new(),
    }
}

impl Guided for OffTheRails {
    const TRIAL: usize = 0;
    const HALF: i64 = 60;
    const GROWN: u64 = 400;

    fn judge(state: &Self) -> Values {
        let table = state.table();
        let ways = AllWays::of(table);
        let left = (table.deck_size() as f64 + 4.0).sqrt();
        let scale = POINT as f64 * (EVEN + left);
        let worth = |seat| f64::from(standing(table, &ways, seat)) / scale;
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
            Level::Easy => 4,
            Level::Normal => 40,
            Level::Hard => 320,
        }
    }

    /// Four iterations play like [`Greedy`] already, so a beginner could not win: easy errs.
    fn errs_once_in(level: Level) -> Option<u32> {
        (level == Level::Easy).then_some(EASY_ERRS)
    }
}
