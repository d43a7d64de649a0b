//! Monte Carlo tree search for games with chance and hidden information.
//!
//! Every iteration draws a position that agrees with what the actor sees, walks down a tree of
//! actions, judges where it arrives and notes that on the way up. Chance is drawn anew each time. If there
//! are iterations enough several trees grow apart from each other, each with its own seed, and are
//! added up in the end: so threads can share the work and the result is the same for any number of
//! them.

mod tree;
mod walk;

use tablestate_rules::Position;
use tablestate_rules::chance::Fast;

use crate::batch::seeds;
use crate::player::Greedy;
use crate::search::{Ranked, Report, Settings, legal_indices};
use tree::Node;
pub(crate) use tree::Values;
use walk::Walker;

/// At most so many trees grow apart from each other.
const TREES: usize = 8;
/// So many iterations each tree has between two calls of `progress`.
const ROUND: u64 = 64;

/// What a tree search knows of a game beside its rules.
pub(crate) trait Guided: Greedy {
    /// So many actions greedy players take by way of trial, and on to the end of a turn, before a
    /// position is judged.
    const TRIAL: usize;
    /// By so much less of [`Greedy::appraise`] an action seems half as good.
    const HALF: i64;
    /// A search has a further tree only if each has so many iterations: small trees that are added
    /// up know less than one.
    const GROWN: u64 = 1;

    /// What each seat may expect of a position that is not the end.
    fn judge(state: &Self) -> Values;
}

/// Values of `seats` seats from how well each stands, in units of which one decides as much as is
/// left: each against the mean of the others.
pub(crate) fn values_of(standings: impl ExactSizeIterator<Item = f64> + Clone) -> Values {
    let (seats, sum) = (standings.len() as f64, standings.clone().sum::<f64>());
    let ahead = standings.map(|mine| mine - (sum - mine) / (seats - 1.0));
    ahead.map(|ahead| ahead / (1.0 + ahead.abs())).collect()
}

/// Searches with up to [`TREES`] trees.
pub(crate) fn search<G: Guided + Send>(
    view: &G::View<'_>,
    settings: &Settings,
    progress: &mut dyn FnMut(&Report),
    stop: &(dyn Fn() -> bool + Sync),
) -> Report
where
    G::History: Send,
{
    let mut chance = Fast::new(settings.seed);
    // Its view is the one given: the trees take theirs from it, each on its thread.
    let imagined = Position::<G>::determinize(view, &mut chance);
    if imagined.state().actor().is_none() {
        return Report::default();
    }
    let trees = (settings.iterations / G::GROWN).clamp(1, TREES as u64) as usize;
    let walkers = seeds(settings.seed).take(trees).map(|seed| Walker::new(imagined.clone(), seed));
    let mut walkers: Vec<_> = walkers.collect();
    let mut rest = settings.iterations;
    while rest > 0 && !stop() {
        let round = rest.min(ROUND * trees as u64);
        grow(&mut walkers, round, settings.threads, stop);
        rest -= round;
        if rest > 0 {
            progress(&merged(&walkers, &imagined));
        }
    }
    merged(&walkers, &imagined)
}

/// Lets every tree have its part of the iterations.
fn grow<G: Guided + Send>(
    walkers: &mut [Walker<G>],
    iterations: u64,
    threads: usize,
    stop: &(dyn Fn() -> bool + Sync),
) where
    G::History: Send,
{
    let trees = walkers.len();
    let part = |number: usize| (iterations + trees as u64 - 1 - number as u64) / trees as u64;
    let mut parts: Vec<_> =
        walkers.iter_mut().enumerate().map(|(number, walker)| (walker, part(number))).collect();
    let run = |share: &mut [(&mut Walker<G>, u64)]| {
        share.iter_mut().for_each(|(walker, part)| walker.run(*part, stop));
    };
    let share = trees.div_ceil(threads.clamp(1, trees));
    std::thread::scope(|scope| {
        let (mine, others) = parts.split_at_mut(share);
        others.chunks_mut(share).for_each(|share| {
            scope.spawn(|| run(share));
        });
        run(mine);
    });
}

/// What all trees have found together: by visits, then by value, then by index.
fn merged<G: Guided>(walkers: &[Walker<G>], imagined: &Position<G>) -> Report {
    let iterations = walkers.iter().map(|walker| walker.iterations()).sum();
    let total: f64 = walkers.iter().map(|walker| walker.value()).sum();
    let mean = if iterations > 0 { total / iterations as f64 } else { 0.0 };
    let firsts: Vec<_> = walkers.iter().map(|walker| (walker, walker.by_action())).collect();
    let actions = legal_indices(imagined.state()).into_iter();
    let mut actions: Vec<_> = actions.map(|action| ranked(&firsts, action, mean)).collect();
    actions.sort_by(|a, b| (b.visits.cmp(&a.visits)).then(b.value.total_cmp(&a.value)));
    Report { iterations, actions }
}

/// An action of the root, given each tree with its nodes there by action.
fn ranked<G: Guided>(
    firsts: &[(&Walker<G>, Vec<Option<&Node>>)],
    action: usize,
    mean: f64,
) -> Ranked {
    let nodes = firsts.iter().filter_map(|(walker, nodes)| Some((walker, nodes[action]?)));
    let (visits, sum) = nodes.clone().fold((0, 0.0), |(visits, sum), (_, node)| {
        (visits + u64::from(node.visits), sum + node.value)
    });
    let value = if visits > 0 { sum / visits as f64 } else { mean };
    // Of equals the first.
    let longest = nodes.rev().max_by_key(|(_, node)| node.visits);
    let line = longest.map_or_else(|| vec![action], |(walker, _)| walker.line(action));
    Ranked { action, visits, value, line }
}
