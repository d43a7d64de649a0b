//! Search: what it is told, what it tells, and how much of it each level of a bot has.

use tablestate_rules::LegalSet;

use crate::player::Greedy;

/// How strong a searching bot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// For beginners.
    Easy,
    /// In between.
    Normal,
    /// As strong as some tens of milliseconds a decision make it.
    Hard,
}

/// What a search is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many simulations of a tree search, or nodes of alpha-beta. With a time budget
    /// [`u64::MAX`]: then the search goes on until it is stopped.
    pub iterations: u64,
    /// The seed of all chance.
    pub seed: u64,
    /// How many threads; what is found does not depend on it.
    pub threads: usize,
}

/// What a search has found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// How many iterations were carried out.
    pub iterations: u64,
    /// Every legal action once, the best first; empty when the game is over.
    pub actions: Vec<Ranked>,
}

/// What a search has found about an action.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranked {
    /// The dense index of the action.
    pub action: usize,
    /// How many iterations began with it.
    pub visits: u64,
    /// The expected return of the actor, −1 to 1; of an action that was never tried that of the
    /// position as a whole.
    pub value: f64,
    /// The principal line, as indices, beginning with the action itself.
    pub line: Vec<usize>,
}

/// A game that can be searched.
pub trait Searched: Greedy {
    /// Searches for the actor's best action, given what the actor sees.
    ///
    /// The same view and settings but for the threads give the same report, on any machine.
    /// `progress` is called now and then with what has been found so far. When `stop` says so, which
    /// is asked every few milliseconds of work, the search ends with what it has: every legal
    /// action is still ranked.
    fn search(
        view: &Self::View<'_>,
        settings: &Settings,
        progress: &mut dyn FnMut(&Report),
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Report;

    /// How many iterations a level has, such that `Hard` takes at most 50 ms a decision.
    fn iterations(level: Level) -> u64;

    /// If a level errs on purpose: of so many decisions one, as chance has it, is any legal action.
    /// For games in which hardly any search is strong already.
    fn errs_once_in(_level: Level) -> Option<u32> {
        None
    }
}

/// The indices of the legal actions, rising.
pub(crate) fn legal_indices<G: Greedy>(state: &G) -> Vec<usize> {
    let mut indices = Vec::with_capacity(state.most_legal());
    state.legal().for_each(|action| indices.push(state.index(action)));
    indices
}
