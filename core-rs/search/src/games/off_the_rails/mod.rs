//! What makes a position of Off the Rails good.

mod plan;

use tablestate_rules::games::off_the_rails::{
    Action, CartName, Colour, Jewels, OffTheRails, Place, Side, Square, Step, Table,
};
use tablestate_rules::{Game, Seat, SeatSet};

use crate::mcts::{self, Guided, Values, values_of};
use crate::player::Greedy;
use crate::search::{Level, Report, Searched, Settings};
use plan::{Leg, POINT, Ways};

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
/// In hundredths, how much of what a cart carries is lost each turn until it is home.
const CARRIED_AWAY: i32 = 3;
/// From so many jewels on a cart goes straight home.
const FULL: usize = 5;
/// With so few deposit cards left the Chasm is near: to plan by, and for the carts on the board.
const LAST_WAYS: usize = 8;
const LAST_CARTS: usize = 7;
/// So many points ahead are worth half a victory at the very end; more before.
const EVEN: f64 = 2.0;

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
            if let Some(way) = Way::of(
                table,
                ways.of_cart(table, CartName { seat, colour }),
                CartName { seat, colour },
            ) {
                wanted.extend(way.legs.iter().filter(|leg| !leg.is_laid));
            }
        }
        if in_supply(table, seat) > 0 {
            let side = table.side(seat);
            let mut entrances: Vec<_> = ways.taking.entrances(side).collect();
            entrances.sort_by_key(|&(value, _)| -value);
            for &(_, square) in entrances.iter().take(3) {
                wanted.extend(ways.taking.way(square, side).filter(|leg| !leg.is_laid));
            }
        }
        let fits = |&index: &u16| match state.action_at(index.into()) {
            Some(Action::PlaceTrack(square, track)) => {
                wanted.iter().any(|leg| leg.square == square && leg.exits == track)
            }
            Some(Action::Upgrade(square, track)) => wanted
                .iter()
                .any(|leg| leg.square == square && leg.exits.exits().all(|exit| track.leads(exit))),
            _ => true,
        };
        indices.retain(fits);
    }
}

/// How near the Chasm is.
#[derive(Clone, Copy)]
enum Season {
    Early,
    Late,
    Last,
    Open,
}

impl Season {
    fn of(table: &Table) -> Self {
        match table.deck_size() {
            _ if table.is_chasm_open() => Self::Open,
            0..LAST_CARTS => Self::Last,
            LAST_CARTS..LAST_WAYS => Self::Late,
            _ => Self::Early,
        }
    }

    /// What each turn costs a cart that is not home.
    fn risk(self) -> i32 {
        match self {
            Self::Early | Self::Late => 25,
            Self::Last => 100,
            Self::Open => 300,
        }
    }

    /// What each step costs.
    fn haste(self) -> i32 {
        match self {
            Self::Early => 18,
            Self::Late | Self::Last | Self::Open => 50,
        }
    }
}

/// The ways of carts with room in their holds, and of those without.
struct AllWays<'a> {
    taking: Ways<'a>,
    full: Option<Ways<'a>>,
}

impl<'a> AllWays<'a> {
    fn of(table: &'a Table) -> Self {
        let haste = Season::of(table).haste();
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
    let scored = POINT * table.scores()[seat.index()];
    scored + carts(table, ways, seat) + entering(table, ways, seat) + idle(table, seat)
}

/// Actions that are left.
fn idle(table: &Table, seat: Seat) -> i32 {
    if table.turn() == seat && table.step() == Step::Actions {
        IDLE * (ACTIONS - i32::from(table.actions_taken()))
    } else {
        0
    }
}

/// What carts in supply may bring.
fn entering(table: &Table, ways: &AllWays<'_>, seat: Seat) -> i32 {
    let waiting = in_supply(table, seat);
    if waiting == 0 {
        return 0;
    }
    let best = ways.taking.entrances(table.side(seat)).map(|(value, _)| value).max().unwrap_or(0);
    // A cart in supply has its bonus already.
    let gain = (best - 3 * POINT).max(0);
    gain * if waiting > 1 { BOTH_MAY } else { MAY } / 100
}

fn in_supply(table: &Table, seat: Seat) -> usize {
    let is_there = |&colour: &Colour| table.cart(CartName { seat, colour }).place == Place::Supply;
    Colour::ALL.into_iter().filter(is_there).count()
}

fn worth(jewels: Jewels) -> i32 {
    jewels.iter().map(|jewel| jewel.worth()).sum()
}

/// What the carts on the board may bring home. They share the actions of their seat's turn.
fn carts(table: &Table, ways: &AllWays<'_>, seat: Seat) -> i32 {
    let mut actions = ACTIONS;
    if table.turn() == seat && table.step() == Step::Actions {
        actions -= i32::from(table.actions_taken());
    }
    let mut sum = 0;
    for colour in Colour::ALL {
        let name = CartName { seat, colour };
        let Some(way) = Way::of(table, ways.of_cart(table, name), name) else { continue };
        let cart = table.cart(name);
        let held = POINT * worth(cart.hold);
        let moves = still_moves(table, name);
        let steps = moves.unwrap_or(i32::from(cart.speed));
        let missing = way.missing(steps);
        let can_lay = if moves.is_some() { 0 } else { actions };
        if missing > can_lay {
            sum += if table.is_chasm_open() { 0 } else { DERAILED };
            continue;
        }
        actions -= if moves.is_some() { 0 } else { missing };
        let speed = i32::from(cart.speed).max(1);
        let turns = (way.legs.len() as i32 + speed) / speed;
        sum += held * (100 - CARRIED_AWAY * turns) / 100 + way.value
            - Season::of(table).risk() * turns;
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

/// The best way of a cart.
struct Way {
    value: i32,
    legs: Vec<Leg>,
}

impl Way {
    fn of(table: &Table, ways: &Ways<'_>, name: CartName) -> Option<Self> {
        let cart = table.cart(name);
        let side = table.side(name.seat);
        let at = match (cart.place, cart.facing) {
            (Place::Surface(place), _) => {
                let square = table.entrance(side, place);
                return Some(Self::entering(ways, square, side));
            }
            (Place::Underground(square), Some(facing)) => (square, facing),
            (Place::Underground(square), None) => {
                let exits = table.track(square).exits();
                (square, exits.max_by_key(|&exit| ways.through(square, exit))?)
            }
            _ => return None,
        };
        let (square, exit) = at;
        match table.neighbour(square, exit) {
            None => Some(Self { value: ways.through(square, exit), legs: Vec::new() }),
            Some(next) => {
                let value = ways.through(square, exit);
                Some(Self { value, ..Self::entering(ways, next, exit.opposite()) })
            }
        }
    }

    fn entering(ways: &Ways<'_>, square: Square, side: Side) -> Self {
        let legs = ways.way(square, side).collect();
        Self { value: ways.entering(square, side), legs }
    }

    /// How many tracks are missing on the next steps.
    fn missing(&self, steps: i32) -> i32 {
        let next = self.legs.iter().take(steps as usize);
        next.filter(|leg| !leg.is_laid).count() as i32
    }
}

impl Guided for OffTheRails {
    const TRIAL: usize = 0;
    const HALF: i64 = 60;

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
            Level::Easy => 12,
            Level::Normal => 48,
            Level::Hard => 200,
        }
    }
}
