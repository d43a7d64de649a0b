//! What makes a position of Eternitium good.

use tablestate_rules::games::eternitium::{Eternitium, Step, View};
use tablestate_rules::{Game, Seat, SeatSet, Viewer};

use crate::mcts::{self, Guided, Values, values_of};
use crate::player::Greedy;
use crate::search::{Level, Report, Searched, Settings};

const WIN: i64 = 1_000_000;
/// An own Era less.
const ERA: i64 = 100;
/// An Era more at an opponent.
const OTHER_ERA: i64 = 20;
/// The own top Era lies face up; and the hand has a Portal of its symbol.
const FACE_UP: i64 = 15;
const OPENS: i64 = 30;
/// A card in hand.
const CARD: i64 = 3;
/// Whatever came of it: a Portal on a face-down Era is a little better than to end the step.
const GAMBLE: i64 = 1;
/// A technology while there is time to use it, and later.
const TECHNOLOGY: [i64; 2] = [110, 150];
const LATE_TECHNOLOGY: [i64; 2] = [30, 60];
/// So many bought ones are enough; with so few Eras it is late.
const ENOUGH: usize = 4;
const LATE: usize = 4;
/// In Eras: a technology with so many Eras left; so many ahead are worth half a victory.
const BASIC: f64 = 0.6;
const ADVANCED: f64 = 0.9;
const MANY: f64 = 10.0;
/// That the own top Era lies face up.
const UP: f64 = 0.3;
const EVEN: f64 = 3.0;

impl Greedy for Eternitium {
    fn appraise(before: &Self, after: &Self) -> i64 {
        let Some(seat) = before.actor() else { return 0 };
        if let Some(outcome) = after.outcome(SeatSet::first(after.seats())) {
            return (WIN as f64 * outcome.returns()[seat.index()]) as i64;
        }
        let [was, is] = [before, after].map(|state| state.view(&(), Viewer::Seat(seat)));
        // What a technology is worth does not change by taking it.
        let mine = was.player(seat);
        let owned: usize = mine.technologies.iter().sum();
        let is_late = mine.eras <= LATE || owned > ENOUGH;
        let worth = if is_late { LATE_TECHNOLOGY } else { TECHNOLOGY };
        if is_gamble(&was, &is, seat) {
            return value(&was, seat, worth) + GAMBLE;
        }
        value(&is, seat, worth)
    }
}

impl Guided for Eternitium {
    const TRIAL: usize = 12;
    const HALF: i64 = FACE_UP;

    fn judge(state: &Self) -> Values {
        let view = state.view(&(), Viewer::Spectator);
        let standing = |seat| {
            let [basics, advanced] = state.technologies(seat).map(|count| count as f64);
            let left = state.eras(seat) as f64;
            // Technologies are worth something while there is time to use them.
            let tools = (BASIC * basics + ADVANCED * advanced) * (left / MANY).min(1.0);
            let up = f64::from(u8::from(view.player(seat).top.is_some()));
            (tools + UP * up - left) / EVEN
        };
        let seats = SeatSet::first(state.seats());
        let standings: Vec<_> = seats.iter().map(standing).collect();
        values_of(standings.into_iter())
    }
}

impl Searched for Eternitium {
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
            Level::Easy => 24,
            Level::Normal => 96,
            Level::Hard => 400,
        }
    }
}

/// Whether a Portal was played on a face-down Era: one line of chance says little about it.
fn is_gamble(was: &View, is: &View, seat: Seat) -> bool {
    let lost = is.turn.refill < was.turn.refill;
    let won = is.gone != was.gone && was.player(seat).top.is_none();
    was.step == Step::Play && (lost || won)
}

fn value(view: &View, seat: Seat, worth: [i64; 2]) -> i64 {
    let mine = view.player(seat);
    let all: i64 = view.players.iter().map(|player| player.eras as i64).sum();
    let others = all - mine.eras as i64;
    let technologies: i64 = (0..2).map(|of| worth[of] * mine.technologies[of] as i64).sum();
    let hand = view.own.as_ref().map(|own| own.hand).filter(|_| view.to_act == seat);
    let hand = hand.unwrap_or_default();
    let opens = mine.top.is_some_and(|era| hand.count(era.portal()) > 0);
    OTHER_ERA * others - ERA * mine.eras as i64
        + FACE_UP * i64::from(mine.top.is_some())
        + OPENS * i64::from(opens)
        + CARD * hand.len() as i64
        + technologies
}
