//! Games between bots, with what every decision came from.

use std::time::Instant;

use arrayvec::ArrayVec;
use rayon::ThreadPool;
use rayon::prelude::*;
use tablestate_rules::chance::Fast;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::vocab::MAX_SEATS;
use tablestate_rules::{AnyOptions, Game, LegalSet, Position, Seat, SeatSet, Viewer};

use crate::player::{Bot, Decision, decide};
use crate::search::Searched;

/// Who plays in a game, and its chance.
#[derive(Clone, Debug)]
pub struct Pairing {
    /// The bot on each seat.
    pub bots: Vec<Bot>,
    /// The seed of all chance. Games of equal seeds have the same opening and the same deals, as
    /// far as the same cards are drawn in the same order.
    pub seed: u64,
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Conduct {
    /// So many actions are drawn at random before the bots begin.
    pub opening: usize,
    /// Actions after which a game is left unfinished.
    pub max_plies: usize,
    /// Whether to keep what the seat saw at each decision.
    pub keeps_views: bool,
}

/// A game that was played.
#[derive(Clone, Debug, Default)]
pub struct Contest {
    /// Each seat's share of the victory; equal ones if the game was left unfinished.
    pub shares: ArrayVec<f64, MAX_SEATS>,
    /// Whether it came to its end.
    pub is_finished: bool,
    /// The opening, as indices.
    pub opening: Vec<usize>,
    /// The decisions of the bots, in order.
    pub moments: Vec<Moment>,
}

/// A decision of a bot.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Whose it was.
    pub seat: usize,
    /// The index of the action.
    pub action: usize,
    /// How many actions were legal.
    pub choices: usize,
    /// How long it took.
    pub nanoseconds: u64,
    /// What the seat saw, if it is kept.
    pub seen: Option<Seen>,
    /// For each action that was searched its index and the iterations that began with it.
    pub visits: Vec<(usize, u64)>,
    /// The expected return of the seat, if there was a search.
    pub value: Option<f64>,
}

/// What a seat saw.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The observation.
    pub observation: Vec<u8>,
    /// The mask of the legal actions.
    pub mask: Vec<u8>,
}

/// Plays games of options that have been completed, each with a bot for every seat; in the order of
/// the pairings, whether or not a pool of threads plays them. None if `stop` told to leave off, which
/// is asked before every decision.
pub fn contests(
    options: &AnyOptions,
    pairings: &[Pairing],
    conduct: Conduct,
    pool: Option<&ThreadPool>,
    stop: &(impl Fn() -> bool + Sync),
) -> Option<Vec<Contest>> {
    let table = Table { conduct, pool, stop };
    match options {
        AnyOptions::Offboard(options) => table.play_all::<Offboard>(options, pairings),
        AnyOptions::OffTrack(options) => table.play_all::<OffTrack>(options, pairings),
        AnyOptions::Eternitium(options) => table.play_all::<Eternitium>(options, pairings),
        AnyOptions::OffTheRails(options) => table.play_all::<OffTheRails>(options, pairings),
    }
}

struct Table<'a, S> {
    conduct: Conduct,
    pool: Option<&'a ThreadPool>,
    stop: &'a S,
}

impl<S: Fn() -> bool + Sync> Table<'_, S> {
    fn play_all<G: Searched<Options: Sync>>(
        &self,
        options: &G::Options,
        pairings: &[Pairing],
    ) -> Option<Vec<Contest>> {
        let play = |pairing| self.play::<G>(options, pairing);
        match self.pool {
            Some(pool) => pool.install(|| pairings.par_iter().map(play).collect()),
            None => pairings.iter().map(play).collect(),
        }
    }

    fn play<G: Searched>(&self, options: &G::Options, pairing: &Pairing) -> Option<Contest> {
        // Bots think with chance of their own, so that thinking does not change the deal.
        let (mut deal, mut thought) = (Fast::new(pairing.seed), Fast::new(!pairing.seed));
        let (state, history) = G::new(options, &mut deal, &mut ());
        let mut position = Position::<G>::from_parts(state, history);
        let opening = self.open(&mut position, &mut deal);
        let mut moments = Vec::new();
        while opening.len() + moments.len() < self.conduct.max_plies {
            if (self.stop)() {
                return None;
            }
            let Some(seat) = position.state().actor() else { break };
            let bot = pairing.bots[seat.index()];
            let Some((action, moment)) = self.decide(bot, &position, seat, &mut thought) else {
                break;
            };
            position.apply_unchecked(action, &mut deal, &mut ());
            moments.push(moment);
        }
        Some(Contest { opening, moments, ..ended(&position) })
    }

    /// Takes the actions of the opening, none of which ends the game.
    fn open<G: Searched>(&self, position: &mut Position<G>, deal: &mut Fast) -> Vec<usize> {
        let mut opening = Vec::new();
        while opening.len() < self.conduct.opening {
            let Some(action) = position.draw_action(deal) else { break };
            let mut next = position.clone();
            next.apply_unchecked(action, deal, &mut ());
            if next.state().actor().is_none() {
                break;
            }
            opening.push(position.state().index(action));
            *position = next;
        }
        opening
    }

    fn decide<G: Searched>(
        &self,
        bot: Bot,
        position: &Position<G>,
        seat: Seat,
        thought: &mut Fast,
    ) -> Option<(G::Action, Moment)> {
        let begun = Instant::now();
        let Decision { action, report } = decide(bot, position, thought)?;
        let nanoseconds = begun.elapsed().as_nanos() as u64;
        let ranked = report.map(|report| report.actions).unwrap_or_default();
        let visits = ranked.iter().map(|each| (each.action, each.visits)).collect();
        let state = position.state();
        let moment = Moment {
            seat: seat.index(),
            action: state.index(action),
            choices: state.legal().count(),
            nanoseconds,
            seen: self.conduct.keeps_views.then(|| seen(position, seat)),
            visits,
            value: ranked.first().map(|best| best.value),
        };
        Some((action, moment))
    }
}

fn seen<G: Game>(position: &Position<G>, seat: Seat) -> Seen {
    let state = position.state();
    let mut observation = vec![0; state.observation_bytes()];
    position.observe(Viewer::Seat(seat), &mut observation);
    let mut mask = vec![0; state.actions().div_ceil(8)];
    state.legal().write_mask(&mut mask);
    Seen { observation, mask }
}

/// How a game stands that is over or was left.
fn ended<G: Game>(position: &Position<G>) -> Contest {
    let seats = position.state().seats();
    let outcome = position.outcome(SeatSet::EMPTY);
    let even = || std::iter::repeat_n(1.0 / seats as f64, seats).collect();
    let is_finished = outcome.is_some();
    let shares = outcome.map_or_else(even, |outcome| outcome.shares().iter().copied().collect());
    Contest { shares, is_finished, ..Contest::default() }
}
