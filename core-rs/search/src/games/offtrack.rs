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
/// What a point in hand is worth, in points on a pile.
const HAND: f64 = 0.3;
/// So many points ahead are worth half a victory at the very end; before that the root of the
/// cards to come more, of which each further round has about so many.
const EVEN: f64 = 3.0;
const ROUND: usize = 40;

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
        let sign = if state.scoring() == Scoring::High { 1.0 } else { -1.0 };
        let (round, rounds) = view.rounds();
        let (deck, _) = view.deck_sizes();
        let to_come = deck + view.discard().len() + ROUND * (rounds - round);
        let scale = EVEN + (to_come as f64).sqrt();
        let total = |seat: Seat| {
            let points = view.pile(seat).value() + view.round_scores(seat).sum::<i32>();
            (sign * f64::from(points) + HAND * f64::from(hand_value(state, seat))) / scale
        };
        let totals: Vec<_> = view.seats().map(total).collect();
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
            Level::Hard => 1024,
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

/// The sum of the values of a seat's hand.
fn hand_value(state: &OffTrack, seat: Seat) -> i32 {
    let view = state.view(&(), Viewer::Seat(seat));
    view.own().map_or(0, |own| own.hand.cards().map(|card| card.value()).sum())
}
