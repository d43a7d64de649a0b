//! The leaves of a tree that wait for the evaluator, and its answers.

use std::ops::Range;

use tablestate_rules::{Faults, Game, LegalSet, Position, Seat, Viewer};

use super::tree::NodeId;
use crate::batch::{Part, Widths};
use crate::mcts::Values;

/// A position that the evaluator is asked about.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) node: NodeId,
    pub(super) seat: u8,
    way: Range<usize>,
    legal: Range<usize>,
}

/// Leaves, as they are handed out. Kept from round to round for its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    pub(super) leaves: Vec<Leaf>,
    pub(super) masks: Vec<u8>,
    pub(super) observations: Vec<u8>,
    ways: Vec<NodeId>,
    legal: Vec<u16>,
    /// The ways of simulations that came to a leaf that others wait for.
    pub(super) in_vain: Vec<NodeId>,
}

impl Round {
    pub(super) fn clear(&mut self) {
        self.leaves.clear();
        self.masks.clear();
        self.observations.clear();
        self.ways.clear();
        self.legal.clear();
        self.in_vain.clear();
    }

    /// Hands a position out: what its actor sees, and may do.
    pub(super) fn add<G: Game>(
        &mut self,
        position: &Position<G>,
        actor: Seat,
        way: &[NodeId],
        legal: &[u16],
        (node, widths): (NodeId, &Widths),
    ) {
        let mask = room(&mut self.masks, widths.of_part(Part::Masks));
        position.state().legal().write_mask(mask);
        let observation = room(&mut self.observations, widths.of_part(Part::Observations));
        position.observe(Viewer::Seat(actor), observation);
        self.leaves.push(Leaf {
            node,
            seat: actor.index() as u8,
            way: appended(&mut self.ways, way),
            legal: appended(&mut self.legal, legal),
        });
    }

    /// The nodes passed on the way to a leaf, without the root.
    pub(super) fn way(&self, leaf: &Leaf) -> &[NodeId] {
        &self.ways[leaf.way.clone()]
    }

    /// How many legal actions all leaves have.
    pub(super) fn legal_count(&self) -> usize {
        self.legal.len()
    }

    /// The indices of a leaf's legal actions, rising.
    pub(super) fn legal(&self, leaf: &Leaf) -> &[u16] {
        &self.legal[leaf.legal.clone()]
    }
}

/// So many bytes more, of zeros.
fn room(bytes: &mut Vec<u8>, width: usize) -> &mut [u8] {
    let begin = bytes.len();
    bytes.resize(begin + width, 0);
    &mut bytes[begin..]
}

fn appended<T: Copy>(all: &mut Vec<T>, items: &[T]) -> Range<usize> {
    let begin = all.len();
    all.extend_from_slice(items);
    begin..all.len()
}

/// What the evaluator says of leaves, one after the other: numbers of four bytes (IEEE 754), least
/// significant byte first.
#[derive(Clone, Copy, Debug)]
pub struct Answers<'a> {
    /// How promising each action is, from 0 on. They need not add up to 1. If all are 0 all legal
    /// actions count as equally promising.
    pub priors: &'a [u8],
    /// Which actions have a prior.
    pub packing: Packing,
    /// The return, −1 to 1, that the leaf's actor may expect, or one for each seat. Returns of all
    /// seats add up to 0: the others share what the actor loses.
    pub values: &'a [u8],
}

/// Which actions of a leaf have a prior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// One for each index; those of actions that are not legal are not read.
    All,
    /// One for each legal action, by rising index.
    Legal,
}

/// Where the answers to the leaves of a tree begin, and how they are laid out.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// Leaves of the trees before.
    pub(super) leaves: usize,
    /// Their legal actions.
    pub(super) legal: usize,
    /// Leaves of all trees.
    pub(super) all: usize,
    pub(super) widths: &'a Widths,
}

/// The answer to one leaf.
pub(super) struct Answer<'a> {
    priors: &'a [u8],
    packing: Packing,
    values: &'a [u8],
}

impl<'a> Answers<'a> {
    /// Notes a fault if there are not as many numbers as so many leaves with so many legal actions
    /// ask for.
    pub(super) fn check_lengths(
        &self,
        leaves: usize,
        legal: usize,
        widths: &Widths,
    ) -> Result<(), Faults> {
        let mut faults = Faults::default();
        let bytes = |length| format!("{length} bytes");
        let priors = match self.packing {
            Packing::All => 4 * leaves * widths.actions,
            Packing::Legal => 4 * legal,
        };
        if self.priors.len() != priors {
            faults.add("priors", bytes(self.priors.len()), bytes(priors));
        }
        let (each, one) = (4 * leaves * widths.seats, 4 * leaves);
        if ![each, one].contains(&self.values.len()) {
            let expected = format!("{one} bytes, or {each}");
            faults.add("values", bytes(self.values.len()), expected);
        }
        faults.or(())
    }

    /// Calls `take` with each leaf of a round, its number among all and what is said of it. The
    /// lengths have been checked.
    pub(super) fn for_each(
        &self,
        round: &Round,
        place: Place<'_>,
        mut take: impl FnMut(usize, &Leaf, Answer<'a>),
    ) {
        let (mut number, mut begin) = match self.packing {
            Packing::All => (place.leaves, place.leaves * place.widths.actions),
            Packing::Legal => (place.leaves, place.legal),
        };
        let width = self.values.len() / place.all.max(1);
        for leaf in &round.leaves {
            let count = match self.packing {
                Packing::All => place.widths.actions,
                Packing::Legal => leaf.legal.len(),
            };
            let priors = &self.priors[4 * begin..4 * (begin + count)];
            let values = &self.values[number * width..(number + 1) * width];
            take(number, leaf, Answer { priors, packing: self.packing, values });
            (number, begin) = (number + 1, begin + count);
        }
    }
}

impl Answer<'_> {
    /// Notes what is no prior or no return.
    pub(super) fn check(&self, number: usize, legal: &[u16], faults: &mut Faults) {
        for (rank, &action) in legal.iter().enumerate() {
            let prior = self.prior(rank, action);
            if !(prior.is_finite() && prior >= 0.0) {
                let field = format!("priors[{number}][{action}]");
                faults.add(&field, prior, "a number from 0 on");
            }
        }
        for seat in 0..self.values.len() / 4 {
            let value = float(self.values, seat);
            if !(-1.0..=1.0).contains(&value) {
                faults.add(&format!("values[{number}][{seat}]"), value, "-1 to 1");
            }
        }
    }

    /// The shares of the legal actions.
    pub(super) fn shares(
        &self,
        legal: &[u16],
    ) -> impl DoubleEndedIterator<Item = (u16, f32)> + ExactSizeIterator {
        let prior = |(rank, &action): (usize, &u16)| f64::from(self.prior(rank, action));
        let sum: f64 = legal.iter().enumerate().map(prior).sum();
        let even = 1.0 / legal.len() as f64;
        let share = move |each| if sum > 0.0 { prior(each) / sum } else { even };
        let ranked = legal.iter().enumerate();
        ranked.map(move |(rank, action)| (*action, share((rank, action)) as f32))
    }

    /// What each seat may expect.
    pub(super) fn values(&self, actor: u8, seats: usize) -> Values {
        let given = |place| f64::from(float(self.values, place));
        if self.values.len() > 4 {
            return (0..seats).map(given).collect();
        }
        let others = -given(0) / (seats as f64 - 1.0);
        let of = |seat| if seat == usize::from(actor) { given(0) } else { others };
        (0..seats).map(of).collect()
    }

    fn prior(&self, rank: usize, action: u16) -> f32 {
        match self.packing {
            Packing::All => float(self.priors, action.into()),
            Packing::Legal => float(self.priors, rank),
        }
    }
}

fn float(bytes: &[u8], place: usize) -> f32 {
    let mut number = [0; 4];
    number.copy_from_slice(&bytes[4 * place..4 * place + 4]);
    f32::from_le_bytes(number)
}
