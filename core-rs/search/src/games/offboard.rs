//! What makes a position of Offboard good.

use std::sync::LazyLock;

use tablestate_rules::chance::Fast;
use tablestate_rules::games::offboard::{
    Action, CELLS, Cell, Direction, Legal, Marble, Offboard, View,
};
use tablestate_rules::{Game, Position, Seat, SeatSet};

use crate::alphabeta::{self, Judged, MAX_PLY, Score};
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

/// How much the parts of a judgement weigh.
mod weight {
    use crate::alphabeta::Score;

    pub(super) const POINT: Score = 120;
    pub(super) const MARBLE: Score = 40;
    /// A marble by its steps from the rim, 0 to 4.
    pub(super) const RING: [Score; 5] = [0, 12, 20, 25, 27];
    /// Two marbles side by side.
    pub(super) const PAIR: Score = 3;
    /// For each point that the opponent could score next.
    pub(super) const THREAT: Score = 20;
    /// To have the turn.
    pub(super) const TURN: Score = 8;
}

impl Judged for Offboard {
    const HALF: Score = 300;
    const SWAY: Score = 60;

    fn judge(&self) -> Score {
        let Some(seat) = self.actor() else { return 0 };
        let [mine, theirs] = sides(seat);
        let waiting = if self.is_recovering() { weight::MARBLE } else { 0 };
        weight::TURN + waiting + standing(self, mine)
            - standing(self, theirs)
            - threats(self, theirs)
    }

    fn gain(&self, action: Action) -> Score {
        self.points_of(action).into()
    }

    fn loud(&self) -> Legal {
        self.ejecting_moves()
    }

    /// R5: a position is another one when the quiet limit is near.
    fn deadline(&self) -> u64 {
        match u64::from(self.quiet_turns_left()) {
            left @ ..=LOOKAHEAD => (left + 1) << 48,
            _ => 0,
        }
    }
}

/// Further ahead nothing is looked at.
const LOOKAHEAD: u64 = MAX_PLY as u64;

fn standing(state: &Offboard, side: Marble) -> Score {
    let marbles = state.marbles(side);
    let on = |cells: u64| (marbles & cells).count_ones() as Score;
    let rings: Score = RINGS.iter().zip(weight::RING).map(|(&ring, worth)| worth * on(ring)).sum();
    weight::POINT * Score::from(state.points(side))
        + weight::MARBLE * on(u64::MAX)
        + weight::PAIR * state.pairs(side) as Score
        + rings
}

fn threats(state: &Offboard, by: Marble) -> Score {
    let mut points = 0;
    state.for_each_ejection(by, |scored| points += Score::from(scored));
    weight::THREAT * points
}

/// The cells by their steps from the rim.
static RINGS: LazyLock<[u64; 5]> = LazyLock::new(|| {
    std::array::from_fn(|ring| bits_of(cells().filter(|&cell| from_rim(cell) == ring as i64)))
});

impl Searched for Offboard {
    /// Alpha-beta: an iteration is a node. Nothing is drawn at random and one thread does all.
    fn search(
        view: &View<'_>,
        settings: &Settings,
        progress: &mut dyn FnMut(&Report),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Report {
        // Everything is public: the one position that agrees with the view is the position.
        let position = Position::<Self>::determinize(view, &mut Fast::new(settings.seed));
        alphabeta::search(&position, settings, progress, stop)
    }

    fn iterations(level: Level) -> u64 {
        match level {
            Level::Easy => 300,
            Level::Normal => 6_000,
            Level::Hard => 80_000,
        }
    }
}
