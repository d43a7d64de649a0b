//! What makes a position of OffTrack good.

use tablestate_rules::games::offtrack::{OffTrack, Scoring, Step};
use tablestate_rules::{Game, Seat, Viewer};

use crate::mcts::{self, Guided, Values, values_of};
use crate::player::Greedy;
use crate::search::{Level, Report, Searched, Settings};

/// A point on a pile; smaller things only break ties.
const POINT: i64 = 100;
/// An action at hand is worth a little.
const ACTION: i64 = 30;
/// So many points ahead are worth half a victory.
const EVEN: f64 = 12.0;

impl Greedy for OffTrack {
    fn appraise(before: &Self, after: &Self) -> i64 {
        let Some(seat) = before.actor() else { return 0 };
        lead(after, seat) - lead(before, seat) + prospects(after, seat)
    }
}

impl Guided for OffTrack {
    const TRIAL: usize = 0;
    const HALF: i64 = 2 * POINT;

    fn judge(state: &Self) -> Values {
        let view = state.view(&(), Viewer::Spectator);
        let sign = if state.scoring() == Scoring::High { 1 } else { -1 };
        let total =
            |seat: Seat| sign * (view.pile(seat).value() + view.round_scores(seat).sum::<i32>());
        let totals: Vec<_> = view.seats().map(|seat| f64::from(total(seat)) / EVEN).collect();
        values_of(totals.into_iter())
    }
}

impl Searched for OffTrack {
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
            Level::Easy => 32,
            Level::Normal => 256,
            Level::Hard => 2048,
        }
    }
}

/// What the seat has scored, the round's pile included, over the best of the others.
fn lead(state: &OffTrack, seat: Seat) -> i64 {
    let view = state.view(&(), Viewer::Spectator);
    let sign = if state.scoring() == Scoring::High { 1 } else { -1 };
    let score = |seat: Seat| {
        let pile = if view.step().0 == Step::Over { 0 } else { view.pile(seat).value() };
        sign * i64::from(pile + view.round_scores(seat).sum::<i32>())
    };
    let others = view.seats().filter(|&other| other != seat).map(score).max().unwrap_or(0);
    POINT * (score(seat) - others)
}

/// A held or drawn action, and high cards kept in hand.
fn prospects(state: &OffTrack, seat: Seat) -> i64 {
    let view = state.view(&(), Viewer::Seat(seat));
    let Some(own) = view.own() else { return 0 };
    let hand: i64 = own.hand.cards().map(|card| i64::from(card.value())).sum();
    ACTION * i64::from(own.held.is_some() || own.drawn.is_some()) + hand
}
