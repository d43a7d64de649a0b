//! What a cart brings home on a way, in the time that is left.

use arrayvec::ArrayVec;
use tablestate_rules::Seat;
use tablestate_rules::games::off_the_rails::{Jewel, Jewels, Square, Table};

use super::ACTIONS;
use super::plan::{HOME, HORIZON, Leg, POINT};

/// What a turn costs under way: in it another trip could be made.
const TEMPO: i32 = 45;
/// What an action costs that is still to be taken.
const LAY: i32 = 25;
/// In hundredths, how much of a jewel counts as long as it lies there.
const LYING: i32 = 80;
/// A rock in the hold is in the way.
const ROCK: i32 = 30;
/// In hundredths, how likely a cart comes home; by how much less each turn until then, and each
/// turn after the Chasm has opened; and how likely at least.
const SURE: i32 = 97;
const EACH_TURN: i32 = 2;
const LATE: i32 = 15;
const LEAST: i32 = 5;
/// In hundredths, how much of that is left on a way that does not lead home yet.
const UNFINISHED: i32 = 60;
/// With so many deposit cards left the Chasm Card lies among the top ones but this many, which is
/// Deck 5; and it may be any of the first ones of Deck 4, of which there are five.
const DECK_5: i32 = 4;
const DECK_4: i32 = 5;

/// When the Chasm opens, for a seat.
#[derive(Clone, Copy)]
pub(super) struct Clock {
    /// How many turns the seat has until then, in hundredths.
    left: i32,
    is_open: bool,
}

impl Clock {
    pub(super) fn of(table: &Table, seat: Seat) -> Self {
        let is_open = table.is_chasm_open();
        Self { left: if is_open { 0 } else { turns_left(table, seat) }, is_open }
    }

    /// In hundredths, how likely a cart comes home that takes so many turns.
    fn chance(self, turns: i32) -> i32 {
        let late = (100 * turns - self.left).max(0) * LATE / 100;
        (SURE - EACH_TURN * turns - late).max(LEAST)
    }

    /// What a cart is worth that derails within so many turns.
    fn derailed(self, turns: i32) -> i32 {
        if self.is_open || 100 * turns > self.left { 0 } else { HOME }
    }
}

/// How many turns a seat has until the Chasm opens, the one that goes on included, in hundredths:
/// known once the Chasm Card is turned, else to be expected.
fn turns_left(table: &Table, seat: Seat) -> i32 {
    let seats = table.seats() as i32;
    let turn = table.turn().index() as i32;
    let after = |seat: Seat| (seat.index() as i32 - turn).rem_euclid(seats);
    if let Some(opener) = table.opener() {
        return 100 * ((after(opener) + seats - after(seat)) / seats);
    }
    let cards = table.deck_size() as i32;
    let unlike = (cards - DECK_5 - DECK_4).max(0);
    let card = 100 * unlike + 50 * (cards - unlike - DECK_5 + 1);
    (card + 100 * (seats - after(seat)) + 50 * (seats - 1)) / seats
}

/// What matters of a cart that is under way.
#[derive(Clone, Copy)]
pub(super) struct Rider {
    /// How many jewels it can still take.
    pub(super) room: usize,
    /// What it holds is worth, in hundredths of a point.
    pub(super) held: i32,
    pub(super) speed: i32,
    /// How many steps it has to go in its next move, or still in this one.
    pub(super) first: i32,
    /// How many turns go by before that.
    pub(super) waits: i32,
    /// How many actions can be taken before that.
    pub(super) actions: i32,
}

impl Rider {
    /// What it is worth to go a way, in hundredths of a point; none if the cart derails in its next
    /// move.
    pub(super) fn value(self, table: &Table, clock: Clock, legs: &[Leg]) -> Option<i32> {
        if self.missing(legs) > self.actions {
            return None;
        }
        let missing: i32 = legs.iter().map(|leg| leg.missing).sum();
        let turns = self.turns(legs, missing);
        let is_home = legs.last().is_none_or(|leg| leg.leads_home);
        let chance = clock.chance(turns) * if is_home { 100 } else { UNFINISHED } / 100;
        let cargo = self.held + self.takings(table, legs) * LYING / 100;
        let expected = (cargo + HOME) * chance + clock.derailed(turns) * (100 - chance);
        Some(expected / 100 - TEMPO * self.pace(legs) / 100 - LAY * missing)
    }

    /// How many actions the steps of the next move still need.
    pub(super) fn missing(self, legs: &[Leg]) -> i32 {
        legs.iter().take(self.first as usize).map(|leg| leg.missing).sum()
    }

    /// How many turns the cart is under way, with so many actions to be taken.
    fn turns(self, legs: &[Leg], missing: i32) -> i32 {
        let moves = (self.later_steps(legs) + self.speed - 1) / self.speed;
        let building = ((missing - self.actions).max(0) + ACTIONS - 1) / ACTIONS;
        self.waits + 1 + moves.max(building)
    }

    /// The same in hundredths, with moves that are not used up counted in part, so that speed counts.
    fn pace(self, legs: &[Leg]) -> i32 {
        let steps = legs.len() as i32 + 1;
        let first = 100 * steps.min(self.first) / self.speed.max(self.first);
        100 * self.waits + first + 100 * self.later_steps(legs) / self.speed
    }

    /// The steps after the next move; the last one is on to the Surface.
    fn later_steps(self, legs: &[Leg]) -> i32 {
        (legs.len() as i32 + 1 - self.first).max(0)
    }

    /// What the jewels are worth that the cart takes on its way, in hundredths.
    fn takings(self, table: &Table, legs: &[Leg]) -> i32 {
        let mut seen = ArrayVec::<Square, HORIZON>::new();
        let (mut room, mut sum, mut steps_left) = (self.room, 0, self.first);
        for leg in legs {
            steps_left -= 1;
            let most = if steps_left == 0 { 2 } else { 1 };
            if steps_left == 0 {
                steps_left = self.speed;
            }
            // What it took there it finds no more.
            if !seen.contains(&leg.square) {
                seen.push(leg.square);
                let (gain, taken) = taking(table.jewels(leg.square), room.min(most));
                sum += gain;
                room -= taken;
            }
        }
        sum
    }
}

/// What a cart gets from a square from which it may take so many jewels, in hundredths, and how many
/// it takes. Rocks come first, and for nothing but rocks it does not stop.
pub(super) fn taking(jewels: Jewels, most: usize) -> (i32, usize) {
    let rocks = jewels.count(Jewel::Rock);
    if rocks >= most {
        return (0, 0);
    }
    let mut best = [0, 0];
    for worth in jewels.iter().map(Jewel::worth) {
        if worth > best[0] {
            best = [worth, best[0]];
        } else if worth > best[1] {
            best[1] = worth;
        }
    }
    let taken = best.iter().take(most - rocks).filter(|&&worth| worth > 0);
    let (sum, count) = (taken.clone().sum::<i32>(), taken.count());
    if count == 0 { (0, 0) } else { (POINT * sum - ROCK * rocks as i32, count + rocks) }
}
