//! The ways that carts could go: over track that lies and track that could be laid, to the jewels
//! and home.

use tablestate_rules::games::off_the_rails::{Jewel, Jewels, Side, Square, Table, Track};

/// Everything is counted in hundredths of a point.
pub(super) const POINT: i32 = 100;
/// A cart that comes home.
pub(super) const HOME: i32 = 300;
/// What an action costs that lays a track or adds an exit.
const LAY: i32 = 25;
const ADD: i32 = 30;
/// Of what a jewel is worth, as long as it lies there.
const LYING: i32 = 90;
/// A rock is in the way.
const ROCK: i32 = -10;
/// A cart that is not home after [`HORIZON`] steps.
const LOST: i32 = -400;
/// No way at all.
const NEVER: i32 = -10_000;
/// So many steps are looked ahead.
pub(super) const HORIZON: usize = 12;
const MAX_SQUARES: usize = 81;

/// What is to be gained by standing on a square, having entered it by a side.
pub(super) type Gains = [[i32; 4]; MAX_SQUARES];

/// The gains of all squares, for each number of steps that are left.
pub(super) struct Ways<'a> {
    table: &'a Table,
    squares: Vec<Ground>,
    haste: i32,
    gains: Vec<Gains>,
}

/// What matters of a square.
struct Ground {
    square: Square,
    track: Track,
    can_have_track: bool,
    /// What entering it brings, less what it costs to lay track.
    brings: i32,
    /// What it costs to add an exit on each side.
    cost: [i32; 4],
    /// The squares on its sides.
    next: [Option<usize>; 4],
}

/// A step of a way.
#[derive(Clone, Copy)]
pub(super) struct Leg {
    pub(super) square: Square,
    /// The exits that it needs there.
    pub(super) exits: Track,
    /// How many actions it takes to have them there.
    pub(super) missing: i32,
    /// Whether going on leads to a Surface.
    pub(super) leads_home: bool,
}

impl<'a> Ways<'a> {
    /// The ways of carts that take what lies there, or of those that can take no more. `haste` is
    /// what a step costs.
    pub(super) fn of(table: &'a Table, takes: bool, haste: i32) -> Self {
        let squares: Vec<_> =
            table.squares().map(|square| Ground::of(table, square, takes)).collect();
        let mut ways = Self { table, squares, haste, gains: Vec::with_capacity(HORIZON + 1) };
        ways.gains.push([[LOST; 4]; MAX_SQUARES]);
        for steps in 1..=HORIZON {
            let mut gains = [[NEVER; 4]; MAX_SQUARES];
            for (ground, gains) in ways.squares.iter().zip(&mut gains) {
                if ground.can_have_track {
                    let exits = ways.best_exits(ground, steps);
                    *gains = Side::ALL.map(|side| ground.brings + ground.onward(exits, side).0);
                }
            }
            ways.gains.push(gains);
        }
        ways
    }

    /// The two best exits of a square, and what going on by them is worth.
    fn best_exits(&self, ground: &Ground, steps: usize) -> [(i32, Side); 2] {
        let mut best = [(NEVER, Side::North); 2];
        for exit in Side::ALL {
            let value = self.beyond(ground, exit, steps) - ground.cost[exit as usize];
            if value > best[0].0 {
                best = [(value, exit), best[0]];
            } else if value > best[1].0 {
                best[1] = (value, exit);
            }
        }
        best
    }

    fn beyond(&self, ground: &Ground, exit: Side, steps: usize) -> i32 {
        match ground.next[exit as usize] {
            Some(next) => self.gains[steps - 1][next][exit.opposite() as usize] - self.haste,
            None => HOME - self.haste,
        }
    }

    /// The best way of at most so many steps from a square that is entered by a side.
    pub(super) fn way(
        &self,
        square: Square,
        side: Side,
        steps: usize,
    ) -> impl Iterator<Item = Leg> + '_ {
        let mut at = Some((square.index(), side));
        let steps = (1..=steps).rev();
        steps.map_while(move |steps| {
            let (index, entered) = at?;
            let ground = &self.squares[index];
            let (value, exit) = ground.onward(self.best_exits(ground, steps), entered);
            if !ground.can_have_track || value <= NEVER / 2 {
                return None;
            }
            at = ground.next[exit as usize].map(|next| (next, exit.opposite()));
            let exits = [entered, exit];
            let missing = if ground.track.is_empty() {
                1
            } else {
                exits.iter().filter(|&&exit| !ground.track.leads(exit)).count() as i32
            };
            let exits = exits.into_iter().collect();
            Some(Leg { square: ground.square, exits, missing, leads_home: at.is_none() })
        })
    }

    /// The best square to enter from a Surface on a way of at most so many steps.
    pub(super) fn entrance(&self, side: Side, steps: usize) -> Square {
        let entrances = (0..self.table.size() as u8).map(|place| self.table.entrance(side, place));
        let gain = |square: &Square| self.gains[steps][square.index()][side as usize];
        entrances.max_by_key(gain).expect("a board has squares")
    }
}

impl Ground {
    fn of(table: &Table, square: Square, takes: bool) -> Self {
        let track = table.track(square);
        let cost = |side| if track.is_empty() || track.leads(side) { 0 } else { ADD };
        let brought = if takes { brings(table.jewels(square)) } else { 0 };
        Self {
            square,
            track,
            can_have_track: table.can_have_track(square),
            brings: brought - if track.is_empty() { LAY } else { 0 },
            cost: Side::ALL.map(cost),
            next: Side::ALL.map(|side| table.neighbour(square, side).map(Square::index)),
        }
    }

    /// What going on is worth after entering by a side, and by which exit: there is no turning
    /// back.
    fn onward(&self, [first, second]: [(i32, Side); 2], entered: Side) -> (i32, Side) {
        let (value, exit) = if first.1 == entered { second } else { first };
        (value - self.cost[entered as usize], exit)
    }
}

/// What a cart gets on a square, most likely.
fn brings(jewels: Jewels) -> i32 {
    if jewels.is_empty() {
        return 0;
    }
    if jewels.count(Jewel::Rock) > 0 {
        return ROCK;
    }
    let best = jewels.iter().map(Jewel::worth).max().unwrap_or(0);
    best * LYING
}
