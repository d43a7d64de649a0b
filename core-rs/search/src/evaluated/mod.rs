//! Monte Carlo tree search whose positions are judged outside, by a network for instance.
//!
//! Many trees grow at once. Each round every tree hands out some leaves: positions that it wants
//! to know two things of, how promising each legal action is and what the seats may expect. The
//! caller answers for all leaves together, and so on until the trees have had their simulations.
//!
//! A tree begins with what the actor of its root sees. Every simulation draws a position that
//! agrees with that, goes down the tree by PUCT while chance is drawn anew, and ends at a position that
//! the tree does not know, or at the end of the game, which needs no judge. What a leaf shows is
//! what its actor sees in the *imagined* position: nobody's cards are told. The first leaf of a
//! tree is its root, so that who learns by self-play mixes noise into the priors of the first
//! round.
//!
//! A node whose position allows actions that were never met there, because other cards were drawn, is a
//! leaf once more. A simulation that comes to a leaf that is already handed out comes to nothing,
//! and is made up for in a later round.

mod any;
mod grower;
mod round;
mod tree;

use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use tablestate_rules::{Faults, Game, Position};

pub use any::AnyForest;
pub use round::{Answers, Packing};

use crate::batch::{Widths, seeds};
use grower::Grower;
use round::Place;

/// Nodes that a tree of its own may have: 20 MB.
pub const MOST_NODES: usize = 500_000;
/// Fewer trees than this are not worth another thread's attention.
const LEAST_CHUNK: usize = 8;

/// How trees are grown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Simulations of each tree, not counting the look at its root.
    pub simulations: u32,
    /// Leaves that a tree hands out in a round at most. With one the search is the textbook's; with
    /// more it is given answers later, and its choices are a little worse.
    pub leaves: usize,
    /// How much is explored: c of PUCT.
    pub exploration: f64,
    /// The seed of all chance.
    pub seed: u64,
    /// Nodes of 40 bytes that each tree has at most, beyond its root's. Then it grows no further.
    pub most_nodes: usize,
}

/// Where leaves are written: slices for exactly as many leaves as there are, or empty ones for
/// what is not wanted. Numbers are written least significant byte first.
#[derive(Default)]
pub struct Leaves<'a> {
    /// The number of the leaf's tree, four bytes.
    pub roots: &'a mut [u8],
    /// The seat that must decide, a byte.
    pub actors: &'a mut [u8],
    /// The mask of its legal actions.
    pub masks: &'a mut [u8],
    /// What it sees, in a position that is imagined.
    pub observations: &'a mut [u8],
}

/// Trees of one game with one layout of actions and observations.
#[derive(Clone)]
pub struct Forest<G: Game> {
    trees: Vec<Grower<G>>,
    widths: Widths,
    plan: Plan,
}

impl<G: Game + Send + Sync> Forest<G>
where
    G::History: Send + Sync,
{
    /// A tree for each position. Nothing of it is read but what its actor sees. A position whose game
    /// is over has no leaves. The first whose layout is another than the first's is refused.
    pub fn new(positions: &[Position<G>], plan: Plan) -> Result<Self, usize> {
        let widths = positions.first().map(|first| Widths::of(first.state())).ok_or(0usize)?;
        let fits = |position: &Position<G>| Widths::of(position.state()) == widths;
        match positions.iter().position(|position| !fits(position)) {
            Some(misfit) => Err(misfit),
            None => {
                let trees = positions.iter().zip(seeds(plan.seed));
                let trees = trees.map(|(position, seed)| Grower::new(position, seed, &plan));
                Ok(Self { trees: trees.collect(), widths, plan })
            }
        }
    }

    /// How many trees there are.
    pub fn size(&self) -> usize {
        self.trees.len()
    }

    /// How actions and observations are laid out.
    pub fn widths(&self) -> &Widths {
        &self.widths
    }

    /// Finds the leaves of the next round, and returns how many there are: none when all
    /// simulations were made. Leaves that wait for an answer stay until they have it. When `stop`
    /// says so it ends early, and the trees are of no more use.
    pub fn gather(&mut self, pool: Option<&ThreadPool>, stop: &(dyn Fn() -> bool + Sync)) -> usize {
        let Self { trees, widths, plan } = self;
        if trees.iter().all(|tree| tree.round.leaves.is_empty()) {
            each(trees, pool, |_, tree| tree.gather(plan, widths, stop));
        }
        self.waiting()
    }

    /// How many leaves wait for an answer.
    pub fn waiting(&self) -> usize {
        self.trees.iter().map(|tree| tree.round.leaves.len()).sum()
    }

    /// Writes the leaves, tree after tree.
    pub fn write(&self, leaves: Leaves<'_>) {
        let mut roots = leaves.roots.chunks_exact_mut(4);
        let mut actors = leaves.actors.iter_mut();
        let (mut masks, mut observations) = (leaves.masks, leaves.observations);
        for (number, tree) in (0u32..).zip(&self.trees) {
            for leaf in &tree.round.leaves {
                roots
                    .next()
                    .into_iter()
                    .for_each(|root| root.copy_from_slice(&number.to_le_bytes()));
                actors.next().into_iter().for_each(|actor| *actor = leaf.seat);
            }
            masks = write_on(masks, &tree.round.masks);
            observations = write_on(observations, &tree.round.observations);
        }
    }

    /// Takes the answers to all leaves, in the order in which they were written; of wrong ones
    /// none, and lists what is wrong.
    pub fn answer(
        &mut self,
        answers: Answers<'_>,
        pool: Option<&ThreadPool>,
    ) -> Result<(), Faults> {
        let Self { trees, widths, .. } = self;
        let all = trees.iter().map(|tree| tree.round.leaves.len()).sum();
        let mut place = Place { leaves: 0, legal: 0, all, widths };
        let mut places = Vec::with_capacity(trees.len());
        for tree in trees.iter() {
            places.push(place);
            place.leaves += tree.round.leaves.len();
            place.legal += tree.round.legal_count();
        }
        answers.check_lengths(all, place.legal, widths)?;
        let mut faults = Faults::default();
        for (tree, &place) in trees.iter().zip(&places) {
            tree.check(&answers, place, &mut faults);
        }
        faults.or(())?;
        each(trees, pool, |number, tree| tree.answer(&answers, places[number]));
        Ok(())
    }

    /// Writes how often each action of each root was taken, four bytes for each index, and the mean
    /// return of the root's actor after it: a float of four bytes, 0 if it was never taken.
    pub fn write_actions(&self, visits: &mut [u8], values: &mut [u8]) {
        visits.fill(0);
        values.fill(0);
        for (number, tree) in self.trees.iter().enumerate() {
            for node in tree.actions().filter(|node| node.visits > 0) {
                let begin = 4 * (number * self.widths.actions + usize::from(node.action));
                let mean = node.value / f64::from(node.visits);
                visits[begin..begin + 4].copy_from_slice(&node.visits.to_le_bytes());
                values[begin..begin + 4].copy_from_slice(&(mean as f32).to_le_bytes());
            }
        }
    }

    /// Writes what each seat may expect of each root, as floats of four bytes: the mean of all
    /// answers and ends of games. Of a game that is over its returns.
    pub fn write_returns(&self, returns: &mut [u8]) {
        let values = self.trees.iter().flat_map(|tree| tree.returns());
        for (bytes, value) in returns.chunks_exact_mut(4).zip(values) {
            bytes.copy_from_slice(&(value as f32).to_le_bytes());
        }
    }

    /// Who decides at each root; none where the game is over.
    pub fn actors(&self) -> Vec<Option<usize>> {
        self.trees.iter().map(|tree| tree.actor().map(|seat| seat.index())).collect()
    }

    /// No more actions than this are ever legal at once.
    pub fn most_legal(&self) -> usize {
        self.trees.iter().map(Grower::most_legal).max().unwrap_or_default()
    }

    /// The line of each root that was gone most often, as indices: its first actions, if it is long.
    pub fn lines(&self) -> Vec<Vec<u16>> {
        self.trees.iter().map(Grower::line).collect()
    }
}

/// Does something with each tree, on the threads of the pool.
fn each<G: Game + Send>(
    trees: &mut [Grower<G>],
    pool: Option<&ThreadPool>,
    work: impl Fn(usize, &mut Grower<G>) + Sync,
) where
    G::History: Send,
{
    match pool {
        None => trees.iter_mut().enumerate().for_each(|(number, tree)| work(number, tree)),
        Some(pool) => pool.install(|| {
            let trees = trees.par_iter_mut().with_min_len(LEAST_CHUNK).enumerate();
            trees.for_each(|(number, tree)| work(number, tree));
        }),
    }
}

/// Writes at the beginning of a slice, unless that is not wanted; what lies behind.
fn write_on<'a>(slice: &'a mut [u8], bytes: &[u8]) -> &'a mut [u8] {
    if slice.is_empty() {
        return slice;
    }
    let (place, rest) = slice.split_at_mut(bytes.len());
    place.copy_from_slice(bytes);
    rest
}
