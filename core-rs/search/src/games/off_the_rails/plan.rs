//! The ways that carts could go: over track that lies and track that could be laid, to the jewels
//! and home.
//!
//! The tables are filled for all squares at once: cells lie in rows with a border round the board, so what
//! lies beyond an exit is the same array some places on, and the compiler can do many at a time.

use tablestate_rules::games::off_the_rails::{Jewel, Jewels, Side, Square, Table, Track};

/// Everything is counted in hundredths of a point.
pub(super) const POINT: i32 = 100;
/// A cart that comes home.
pub(super) const HOME: i32 = 300;
/// What an action costs that lays a track or adds an exit.
const LAY: i16 = 25;
const ADD: i16 = 30;
/// Of what a jewel is worth, as long as it lies there.
const LYING: i32 = 90;
/// A rock is in the way.
const ROCK: i32 = -10;
/// A cart that is not home after [`HORIZON`] steps.
const LOST: i16 = -400;
/// No way at all.
const NEVER: i16 = -10_000;
/// So many steps are looked ahead.
pub(super) const HORIZON: usize = 12;

/// Cells of a row: the squares of the largest board's, and a border.
const ROW: usize = 11;
/// The cells of the rows of squares, between a row of the border and another, in whole sixteens.
const INNER: usize = (9 * ROW).next_multiple_of(16);
const CELLS: usize = INNER + 2 * ROW;
/// How many cells on the next square on each side lies, counted from a row before.
const ONWARD: [usize; 4] = [2 * ROW, ROW + 1, 0, ROW - 1];

/// Something of each cell between the first row and the last.
type Inner = [i16; INNER];

/// What is to be gained by standing on each cell, having entered it by each side; beyond the border
/// is home.
type Gains = [[i16; CELLS]; 4];

/// The gains of all cells, for each number of steps that are left.
pub(super) struct Ways<'a> {
    table: &'a Table,
    ground: Ground,
    haste: i16,
    gains: Vec<Gains>,
}

/// What matters of the squares.
struct Ground {
    /// What entering it brings, less what it costs to lay track.
    brings: Inner,
    /// What it costs to add an exit on each side.
    cost: [Inner; 4],
    /// All ones where track can lie, else 0; and what is gained where none can, or beyond the border.
    open: Inner,
    closed: Inner,
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
        let ground = Ground::of(table, takes);
        let haste = haste as i16;
        let mut gains = vec![[[HOME as i16; CELLS]; 4]; HORIZON + 1];
        gains[0] = [Ground::lost(table); 4];
        for steps in 0..HORIZON {
            let (before, after) = gains.split_at_mut(steps + 1);
            ground.one_more(&before[steps], haste, &mut after[0]);
        }
        Self { table, ground, haste, gains }
    }

    /// The two best exits of a cell, and what going on by them is worth.
    fn best_exits(&self, cell: usize, steps: usize) -> [(i16, Side); 2] {
        let mut best = [(NEVER, Side::North); 2];
        for exit in Side::ALL {
            let beyond =
                self.gains[steps - 1][exit.opposite() as usize][cell + ONWARD[exit as usize]];
            let value = beyond - self.haste - self.ground.cost[exit as usize][cell];
            if value > best[0].0 {
                best = [(value, exit), best[0]];
            } else if value > best[1].0 {
                best[1] = (value, exit);
            }
        }
        best
    }

    /// The best way of at most so many steps from a square that is entered by a side.
    pub(super) fn way(
        &self,
        square: Square,
        side: Side,
        steps: usize,
    ) -> impl Iterator<Item = Leg> + '_ {
        let mut at = Some((square, side));
        let steps = (1..=steps).rev();
        steps.map_while(move |steps| {
            let (square, entered) = at?;
            let (value, exit) = self.onward(square, entered, steps);
            if !self.table.can_have_track(square) || value <= NEVER / 2 {
                return None;
            }
            at = self.table.neighbour(square, exit).map(|next| (next, exit.opposite()));
            let exits = [entered, exit];
            let track = self.table.track(square);
            let missing = if track.is_empty() {
                1
            } else {
                exits.iter().filter(|&&exit| !track.leads(exit)).count() as i32
            };
            let exits = exits.into_iter().collect();
            Some(Leg { square, exits, missing, leads_home: at.is_none() })
        })
    }

    /// What going on is worth after entering by a side, and by which exit: there is no turning
    /// back.
    fn onward(&self, square: Square, entered: Side, steps: usize) -> (i16, Side) {
        let cell = inner(self.table, square);
        let [first, second] = self.best_exits(cell, steps);
        let (value, exit) = if first.1 == entered { second } else { first };
        (value - self.ground.cost[entered as usize][cell], exit)
    }

    /// The best square to enter from a Surface on a way of at most so many steps.
    pub(super) fn entrance(&self, side: Side, steps: usize) -> Square {
        let entrances = (0..self.table.size() as u8).map(|place| self.table.entrance(side, place));
        let gains = &self.gains[steps][side as usize];
        let gain = |square: &Square| gains[ROW + inner(self.table, *square)];
        entrances.max_by_key(gain).expect("a board has squares")
    }
}

/// The place of a square among the inner cells.
fn inner(table: &Table, square: Square) -> usize {
    let size = table.size();
    square.index() / size * ROW + square.index() % size + 1
}

/// The places of all squares of a board among the inner cells, in order.
fn inner_cells(size: usize) -> impl Iterator<Item = usize> {
    (0..size).flat_map(move |rank| (1..=size).map(move |file| rank * ROW + file))
}

impl Ground {
    fn of(table: &Table, takes: bool) -> Self {
        let mut ground = Self {
            brings: [0; INNER],
            cost: [[0; INNER]; 4],
            open: [0; INNER],
            closed: [HOME as i16; INNER],
        };
        for (square, cell) in table.squares().zip(inner_cells(table.size())) {
            let track = table.track(square);
            let brought = if takes { brings(table.jewels(square)) as i16 } else { 0 };
            ground.brings[cell] = brought - if track.is_empty() { LAY } else { 0 };
            for side in Side::ALL {
                let is_there = track.is_empty() || track.leads(side);
                ground.cost[side as usize][cell] = if is_there { 0 } else { ADD };
            }
            let is_open = table.can_have_track(square);
            (ground.open[cell], ground.closed[cell]) = if is_open { (-1, 0) } else { (0, NEVER) };
        }
        ground
    }

    /// The gains when no step is left.
    fn lost(table: &Table) -> [i16; CELLS] {
        let mut gains = [HOME as i16; CELLS];
        inner_cells(table.size()).for_each(|cell| gains[ROW + cell] = LOST);
        gains
    }

    /// The gains with one step more than these.
    fn one_more(&self, gains: &Gains, haste: i16, next: &mut Gains) {
        let [north, east, south, west] = Side::ALL.map(|exit| beyond(gains, exit));
        for cell in 0..INNER {
            let cost = Side::ALL.map(|side| self.cost[side as usize][cell]);
            let leave =
                |beyond: &Inner, exit| (beyond[cell] - haste - cost[exit as usize]).max(NEVER);
            let (north, south) = (leave(north, Side::North), leave(south, Side::South));
            let (east, west) = (leave(east, Side::East), leave(west, Side::West));
            let (across, along) = (north.max(south), east.max(west));
            let onward = [south.max(along), west.max(across), north.max(along), east.max(across)];
            for side in Side::ALL {
                let gain = self.brings[cell] - cost[side as usize] + onward[side as usize];
                next[side as usize][ROW + cell] = gain & self.open[cell] | self.closed[cell];
            }
        }
    }
}

/// The gains of what lies beyond an exit of each cell.
fn beyond(gains: &Gains, exit: Side) -> &Inner {
    let gains = &gains[exit.opposite() as usize][ONWARD[exit as usize]..];
    gains.first_chunk().expect("the last row of the border is beyond the inner cells")
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
