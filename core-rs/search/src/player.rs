//! The players that can be put on a seat.

use tablestate_rules::{Chance, Game, LIST_MARGIN, LegalSet, Position, Viewer};

use crate::search::{Level, Report, Searched, Settings};

/// A player of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bot {
    /// Takes every legal action with equal chance.
    Random,
    /// Looks one action ahead.
    Greedy,
    /// Searches a little.
    Easy,
    /// Searches.
    Normal,
    /// Searches for some tens of milliseconds.
    Hard,
}

impl Bot {
    /// All bots, in alphabetical order of their names.
    pub const ALL: [Self; 5] = [Self::Easy, Self::Greedy, Self::Hard, Self::Normal, Self::Random];

    /// Its name in requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Greedy => "greedy",
            Self::Easy => "easy",
            Self::Normal => "normal",
            Self::Hard => "hard",
        }
    }

    /// How much it searches, if it does.
    pub fn level(self) -> Option<Level> {
        match self {
            Self::Random | Self::Greedy => None,
            Self::Easy => Some(Level::Easy),
            Self::Normal => Some(Level::Normal),
            Self::Hard => Some(Level::Hard),
        }
    }

    /// The bot of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|bot| bot.name() == name)
    }
}

/// A game in which one action ahead can be judged.
pub trait Greedy: Game {
    /// How good the position is for the seat that has just acted; higher is better.
    fn appraise(before: &Self, after: &Self) -> i64;

    /// Leaves those of the legal actions, given by their indices, that are worth a look; at least
    /// one. By default all.
    fn shortlist(_state: &Self, _indices: &mut Vec<u16>) {}
}

/// What a bot does, and what it found before.
#[derive(Clone, Debug)]
pub struct Decision<A> {
    /// The action that it takes.
    pub action: A,
    /// What its search found, if there was one.
    pub report: Option<Report>,
}

/// The action that a bot takes for the actor; none when the game is over.
pub fn choose<G: Searched>(
    bot: Bot,
    position: &Position<G>,
    chance: &mut impl Chance,
) -> Option<G::Action> {
    decide(bot, position, chance).map(|decision| decision.action)
}

/// What a bot does for the actor; none when the game is over.
///
/// The bot is given what the actor sees and draws a position that agrees with it; the true
/// position never reaches it.
pub fn decide<G: Searched>(
    bot: Bot,
    position: &Position<G>,
    chance: &mut impl Chance,
) -> Option<Decision<G::Action>> {
    let actor = position.state().actor()?;
    let view = position.view(Viewer::Seat(actor));
    let imagined = Position::<G>::determinize(&view, chance);
    let action = match (bot, bot.level()) {
        (_, Some(level)) => return searched::<G>(level, &imagined, chance),
        (Bot::Random, None) => imagined.draw_action(chance)?,
        (_, None) => greedy(&imagined, chance),
    };
    Some(Decision { action, report: None })
}

/// The action that a search finds best, given what the actor sees of the position. Nothing is searched
/// where there is no choice, nor when the level errs.
fn searched<G: Searched>(
    level: Level,
    position: &Position<G>,
    chance: &mut impl Chance,
) -> Option<Decision<G::Action>> {
    let state = position.state();
    if state.legal().count() == 1 {
        return Some(Decision { action: state.legal().nth(0), report: None });
    }
    if G::errs_once_in(level).is_some_and(|decisions| chance.draw(decisions) == 0) {
        return Some(Decision { action: position.draw_action(chance)?, report: None });
    }
    let view = position.view(Viewer::Seat(state.actor()?));
    let seed = u64::from(chance.draw(u32::MAX));
    let settings = Settings { iterations: G::iterations(level), seed, threads: 1 };
    let report = G::search(&view, &settings, &mut |_| (), &|| false);
    let action = state.action_at(report.actions.first()?.action)?;
    Some(Decision { action, report: Some(report) })
}

/// The action that leads to the best position; of equals each with equal chance.
fn greedy<G: Greedy>(position: &Position<G>, chance: &mut impl Chance) -> G::Action {
    let state = position.state();
    let mut indices = vec![0; state.most_legal() + LIST_MARGIN];
    let length = state.legal().write_indices(&mut indices);
    indices.truncate(length);
    G::shortlist(state, &mut indices);
    let mut best = Vec::new();
    let mut best_value = i64::MIN;
    for action in indices.into_iter().filter_map(|index| state.action_at(index.into())) {
        let mut next = position.clone();
        next.apply_unchecked(action, chance, &mut ());
        let value = G::appraise(state, next.state());
        if value > best_value {
            best.clear();
            best_value = value;
        }
        if value == best_value {
            best.push(action);
        }
    }
    best[chance.draw(best.len() as u32) as usize]
}
