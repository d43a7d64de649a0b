//! Games played to their ends, added up.

use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use arrayvec::ArrayVec;
use tablestate_rules::chance::Fast;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::vocab::MAX_SEATS;
use tablestate_rules::{AnyOptions, AnyPosition, Game, Outcome, Position, SeatSet, for_any};

use crate::batch::seeds;
use crate::player::{Bot, choose};
use crate::search::Searched;

/// Actions between two questions whether to stop.
const PLIES_UNASKED: usize = 1_024;

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Playouts {
    /// How many games.
    pub games: u32,
    /// The seed of all chance.
    pub seed: u64,
    /// The player on every seat.
    pub player: Bot,
    /// Actions after which a game is left unfinished.
    pub max_plies: usize,
    /// Threads that share the games, at least one; the results do not depend on it.
    pub threads: usize,
}

/// A share of a victory is a whole number of so many parts, however many seats have part in it.
const PARTS: u64 = 840;
const _: () = assert!(MAX_SEATS == 8, "the least number that 1 to 8 divide");

/// The results of games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games that came to their end.
    pub finished: u64,
    /// Games that were left unfinished.
    pub unfinished: u64,
    /// Actions taken.
    pub plies: u64,
    /// Games without a winner.
    pub ties: u64,
    /// Games that each seat won, alone or with others.
    pub wins: ArrayVec<u64, MAX_SEATS>,
    /// The sum of each seat's shares of the victories, in [`PARTS`]: whole numbers add up to the
    /// same in any order.
    shares: ArrayVec<u64, MAX_SEATS>,
}

impl Tally {
    fn of_seats(seats: usize) -> Self {
        let zeros = || std::iter::repeat_n(0, seats).collect();
        Self { wins: zeros(), shares: zeros(), ..Self::default() }
    }

    /// The sum of each seat's returns.
    pub fn returns(&self) -> ArrayVec<f64, MAX_SEATS> {
        let (seats, games) = (self.shares.len() as f64, self.finished as f64);
        let of_share = |parts: &u64| *parts as f64 / PARTS as f64;
        let of_seat = |parts| (seats * of_share(parts) - games) / (seats - 1.0);
        self.shares.iter().map(of_seat).collect()
    }

    fn add(&mut self, outcome: Option<Outcome>) {
        let Some(outcome) = outcome else {
            self.unfinished += 1;
            return;
        };
        self.finished += 1;
        self.ties += u64::from(outcome.winners.is_empty());
        outcome.winners.iter().for_each(|seat| self.wins[seat.index()] += 1);
        let parts = |share: f64| (share * PARTS as f64).round() as u64;
        self.shares.iter_mut().zip(outcome.shares()).for_each(|(sum, share)| *sum += parts(share));
    }

    /// Both together.
    fn plus(mut self, other: Self) -> Self {
        if self.wins.is_empty() {
            return other;
        }
        self.finished += other.finished;
        self.unfinished += other.unfinished;
        self.plies += other.plies;
        self.ties += other.ties;
        self.wins.iter_mut().zip(other.wins).for_each(|(sum, more)| *sum += more);
        self.shares.iter_mut().zip(other.shares).for_each(|(sum, more)| *sum += more);
        self
    }
}

/// Where playouts begin.
#[derive(Clone, Copy, Debug)]
pub enum Start<'a> {
    /// With new games of these options, which must have been completed.
    Options(&'a AnyOptions),
    /// With this position.
    Position(&'a AnyPosition),
}

/// Plays games of any kind; none if `stop` told to leave off.
pub fn playouts(
    settings: Playouts,
    start: Start<'_>,
    stop: &(impl Fn() -> bool + Sync),
) -> Option<Tally> {
    match start {
        Start::Options(AnyOptions::Offboard(options)) => {
            playouts_of(settings, set_up::<Offboard>(options), stop)
        }
        Start::Options(AnyOptions::OffTrack(options)) => {
            playouts_of(settings, set_up::<OffTrack>(options), stop)
        }
        Start::Options(AnyOptions::Eternitium(options)) => {
            playouts_of(settings, set_up::<Eternitium>(options), stop)
        }
        Start::Options(AnyOptions::OffTheRails(options)) => {
            playouts_of(settings, set_up::<OffTheRails>(options), stop)
        }
        Start::Position(position) => {
            for_any!(position, position => playouts_of(settings, |_| position.clone(), stop))
        }
    }
}

fn set_up<G: Game>(options: &G::Options) -> impl Fn(&mut Fast) -> Position<G> {
    |chance| {
        let (state, history) = G::new(options, chance, &mut ());
        Position::from_parts(state, history)
    }
}

/// Plays games that begin as `start` makes them; none if `stop` told to leave off, which is asked
/// every thousand actions.
///
/// Every game has a seed of its own, so equal settings give equal results.
fn playouts_of<G: Searched>(
    settings: Playouts,
    start: impl Fn(&mut Fast) -> Position<G> + Sync,
    stop: &(impl Fn() -> bool + Sync),
) -> Option<Tally> {
    let seeds = Mutex::new(seeds(settings.seed).take(settings.games as usize));
    let next = || seeds.lock().unwrap_or_else(PoisonError::into_inner).next();
    let share = || play_share(&settings, next, &start, stop);
    std::thread::scope(|scope| {
        // As many as there are games, and as can be started.
        let threads = settings.threads.min(settings.games as usize);
        let start = |_| Builder::new().spawn_scoped(scope, share).ok();
        let others: Vec<_> = (1..threads).map_while(start).collect();
        let mine = share();
        others.into_iter().fold(mine, |sum, other| {
            let tally = other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
            Some(sum?.plus(tally))
        })
    })
}

/// Plays games of the seeds that `next` gives, until there are no more.
fn play_share<G: Searched>(
    settings: &Playouts,
    next: impl Fn() -> Option<u64>,
    start: impl Fn(&mut Fast) -> Position<G>,
    stop: &impl Fn() -> bool,
) -> Option<Tally> {
    let mut tally: Option<Tally> = None;
    while let Some(seed) = next() {
        if stop() {
            return None;
        }
        let mut chance = Fast::new(seed);
        let mut position = start(&mut chance);
        let plies = play(settings, &mut position, &mut chance, stop)?;
        let state = position.state();
        let tally = tally.get_or_insert_with(|| Tally::of_seats(state.seats()));
        tally.plies += plies as u64;
        tally.add(state.outcome(SeatSet::first(state.seats())));
    }
    Some(tally.unwrap_or_default())
}

/// Plays a game; the number of actions taken.
fn play<G: Searched>(
    settings: &Playouts,
    position: &mut Position<G>,
    chance: &mut Fast,
    stop: &impl Fn() -> bool,
) -> Option<usize> {
    let mut plies = 0;
    while plies < settings.max_plies && position.state().actor().is_some() {
        if stop() {
            return None;
        }
        let most = settings.max_plies.min(plies + unasked(settings.player));
        plies += match settings.player {
            Bot::Random => position.playout(most - plies, chance),
            bot => play_as(bot, position, most - plies, chance),
        };
    }
    Some(plies)
}

/// Other players take longer over an action.
fn unasked(player: Bot) -> usize {
    match (player, player.level()) {
        (_, Some(_)) => 1,
        (Bot::Random, None) => PLIES_UNASKED,
        (_, None) => 16,
    }
}

fn play_as<G: Searched>(
    bot: Bot,
    position: &mut Position<G>,
    plies: usize,
    chance: &mut Fast,
) -> usize {
    for ply in 0..plies {
        let Some(action) = choose(bot, position, chance) else { return ply };
        position.apply_unchecked(action, chance, &mut ());
    }
    plies
}

#[cfg(test)]
mod tests {
    use super::*;
    use tablestate_rules::games::offboard::Options;

    fn play_offboard(settings: Playouts, stop: bool) -> Option<Tally> {
        let start = |chance: &mut Fast| {
            Position::<Offboard>::new(&Options::default(), chance, &mut ()).expect("defaults")
        };
        playouts_of(settings, start, &|| stop)
    }

    const SETTINGS: Playouts =
        Playouts { games: 60, seed: 5, player: Bot::Random, max_plies: 100_000, threads: 1 };

    #[test]
    fn every_game_is_counted_once_and_returns_sum_to_nothing() {
        let tally = play_offboard(SETTINGS, false).expect("nobody stops it");
        assert_eq!((tally.finished, tally.unfinished), (60, 0));
        assert_eq!(tally.wins.iter().sum::<u64>() + tally.ties, 60);
        assert_eq!(tally.returns().iter().sum::<f64>(), 0.0);
        assert_eq!(Some(tally), play_offboard(SETTINGS, false));
    }

    #[test]
    fn long_games_are_left_unfinished() {
        let settings = Playouts { max_plies: 3, player: Bot::Greedy, ..SETTINGS };
        let tally = play_offboard(settings, false).expect("nobody stops it");
        assert_eq!((tally.finished, tally.unfinished, tally.plies), (0, 60, 180));
    }

    #[test]
    fn threads_change_nothing() {
        let alone = play_offboard(SETTINGS, false);
        for threads in [2, 3, 70, usize::MAX] {
            assert_eq!(play_offboard(Playouts { threads, ..SETTINGS }, false), alone);
        }
        assert_eq!(play_offboard(Playouts { threads: 2, ..SETTINGS }, true), None);
    }

    #[test]
    fn who_is_told_to_stop_gives_nothing() {
        assert_eq!(play_offboard(SETTINGS, true), None);
    }
}
