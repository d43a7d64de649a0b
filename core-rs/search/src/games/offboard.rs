//! What makes a position of Offboard good.

use tablestate_rules::games::offboard::{CELLS, Cell, Direction, Marble, Offboard};
use tablestate_rules::{Game, Seat, SeatSet};

use crate::player::Greedy;

/// A point outweighs any arrangement of marbles.
const POINT: i64 = 1_000;
const WIN: i64 = 1_000_000;
/// A marble given up.
const MARBLE: i64 = 300;

impl Greedy for Offboard {
    fn appraise(before: &Self, after: &Self) -> i64 {
        let Some(seat) = before.actor() else { return 0 };
        if let Some(outcome) = after.outcome(SeatSet::first(2)) {
            return WIN * outcome.returns()[seat.index()] as i64;
        }
        let [mine, theirs] = sides(seat).map(|side| side_value(after, side));
        mine - theirs
    }
}

fn sides(seat: Seat) -> [Marble; 2] {
    if seat.index() == 0 { [Marble::Red, Marble::Yellow] } else { [Marble::Yellow, Marble::Red] }
}

fn side_value(state: &Offboard, side: Marble) -> i64 {
    let points = i64::from(state.scores()[side as usize]);
    let marbles = (0..CELLS).filter_map(Cell::new).filter(|&c| state.marble_at(c) == Some(side));
    points * POINT + marbles.map(|cell| MARBLE + standing(state, side, cell)).sum::<i64>()
}

/// Marbles stand well near the centre, where nothing pushes them off, and side by side.
fn standing(state: &Offboard, side: Marble, cell: Cell) -> i64 {
    let neighbours = Direction::ALL.into_iter().filter_map(|direction| cell.step(direction));
    let friends = neighbours.filter(|&next| state.marble_at(next) == Some(side)).count();
    10 * from_rim(cell) + 2 * friends as i64
}

/// Steps to the nearest cell of the rim: 0 to 4.
fn from_rim(cell: Cell) -> i64 {
    let walk = |direction| std::iter::successors(Some(cell), |c| c.step(direction)).count() - 1;
    Direction::ALL.into_iter().map(walk).min().unwrap_or(0) as i64
}
