//! What makes a position of Offboard good.

use std::sync::LazyLock;

use tablestate_rules::games::offboard::{CELLS, Cell, Direction, Marble, Offboard};
use tablestate_rules::{Game, Seat, SeatSet};

use crate::mcts::{self, Guided, Values, values_of};
use crate::player::Greedy;
use crate::search::{Level, Report, Searched, Settings};

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

impl Guided for Offboard {
    const TRIAL: usize = 0;
    const HALF: i64 = MARBLE;

    fn judge(state: &Self) -> Values {
        let side = |side| side_value(state, side) as f64 / (2 * POINT) as f64;
        values_of([Marble::Red, Marble::Yellow].map(side).into_iter())
    }
}

impl Searched for Offboard {
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
            Level::Easy => 64,
            Level::Normal => 256,
            Level::Hard => 1024,
        }
    }
}

fn sides(seat: Seat) -> [Marble; 2] {
    if seat.index() == 0 { [Marble::Red, Marble::Yellow] } else { [Marble::Yellow, Marble::Red] }
}

fn side_value(state: &Offboard, side: Marble) -> i64 {
    let points = i64::from(state.scores()[side as usize]);
    let marbles = bits_of(cells().filter(|&cell| state.marble_at(cell) == Some(side)));
    let standing = PLACES.iter().enumerate().filter(|(index, _)| marbles >> index & 1 == 1);
    points * POINT + standing.map(|(_, place)| MARBLE + place.worth(marbles)).sum::<i64>()
}

/// A cell, as far as it matters to a marble on it.
struct Place {
    from_rim: i64,
    neighbours: u64,
}

static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let neighbours = |cell: Cell| Direction::ALL.into_iter().filter_map(move |d| cell.step(d));
    let place = |cell| Place { from_rim: from_rim(cell), neighbours: bits_of(neighbours(cell)) };
    cells().map(place).collect()
});

impl Place {
    /// Marbles stand well near the centre, where nothing pushes them off, and side by side.
    fn worth(&self, own: u64) -> i64 {
        10 * self.from_rim + 2 * i64::from((self.neighbours & own).count_ones())
    }
}

fn cells() -> impl Iterator<Item = Cell> {
    (0..CELLS).filter_map(Cell::new)
}

/// Bit i = cell i.
fn bits_of(cells: impl Iterator<Item = Cell>) -> u64 {
    cells.fold(0, |bits, cell| bits | (1 << cell.index()))
}

/// Steps to the nearest cell of the rim: 0 to 4.
fn from_rim(cell: Cell) -> i64 {
    let walk = |direction| std::iter::successors(Some(cell), |c| c.step(direction)).count() - 1;
    Direction::ALL.into_iter().map(walk).min().unwrap_or(0) as i64
}
