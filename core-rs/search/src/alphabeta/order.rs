//! In which order actions are looked at: the sooner a good one comes, the less is searched.

use arrayvec::ArrayVec;
use tablestate_rules::{Game, LegalSet};

use super::tree::Node;
use super::{Judged, MAX_PLY, Score};

/// More actions than this are never legal at once in a game that is searched here.
pub(super) const MOST_LEGAL: usize = 192;

const TABLE_ACTION: Score = 1 << 30;
const LOUD: Score = 1 << 28;
const KILLERS: [Score; 2] = [1 << 27, (1 << 27) - 1];
/// What an action can become worth by its past lies below this, above or below 0.
const PAST_MAX: Score = 1 << 14;

/// What the search so far says of actions.
pub(super) struct Memory {
    /// How often an action cut a search short, by seat and index.
    past: [Vec<Score>; 2],
    /// The actions that did so last at the same distance from the root.
    killers: [[u16; 2]; MAX_PLY],
}

impl Memory {
    /// Of a game with so many indices of actions.
    pub(super) fn new(actions: usize) -> Self {
        let none = u16::MAX;
        Self { past: [vec![0; actions], vec![0; actions]], killers: [[none; 2]; MAX_PLY] }
    }

    /// The last of the actions tried was good enough, a quiet one; those before it were not.
    pub(super) fn reward<G>(&mut self, node: &Node<'_, G>, depth: i32, tried: &[u16]) {
        let Some((&good, others)) = tried.split_last() else { return };
        let killers = &mut self.killers[node.ply];
        if killers[0] != good {
            *killers = [good, killers[0]];
        }
        let past = &mut self.past[node.seat.index()];
        let weight = (depth * depth * 16).min(PAST_MAX / 4);
        shift(&mut past[usize::from(good)], weight);
        others.iter().for_each(|&index| shift(&mut past[usize::from(index)], -weight));
    }

    /// How promising a quiet action is.
    fn score<G>(&self, node: &Node<'_, G>, index: u16) -> Score {
        match self.killers[node.ply].iter().position(|&killer| killer == index) {
            Some(rank) => KILLERS[rank],
            None => self.past[node.seat.index()][usize::from(index)],
        }
    }
}

/// Moves a value towards the end of its range, the less the nearer it is.
fn shift(value: &mut Score, weight: Score) {
    *value += weight - *value * weight.abs() / PAST_MAX;
}

/// An action and how promising it is.
pub(super) struct Candidate<G: Game> {
    pub(super) action: G::Action,
    pub(super) index: u16,
    /// What it wins there and then.
    pub(super) gain: Score,
    score: Score,
}

/// The legal actions of a position, the most promising first.
pub(super) struct Candidates<G: Game> {
    left: ArrayVec<Candidate<G>, MOST_LEGAL>,
}

impl<G: Judged> Candidates<G> {
    /// All of them; first that of the table, if it is one of them.
    pub(super) fn all(node: &Node<'_, G>, memory: &Memory, table_action: Option<u16>) -> Self {
        let mut left = ArrayVec::new();
        node.state.loud().for_each(|action| {
            let (index, gain) = (node.state.index(action) as u16, node.state.gain(action));
            left.push(Candidate { action, index, gain, score: LOUD + gain });
        });
        let loud = left.len();
        node.state.legal().for_each(|action| {
            let index = node.state.index(action) as u16;
            let is_loud = left[..loud].iter().any(|candidate| candidate.index == index);
            if !is_loud {
                let score = memory.score(node, index);
                left.push(Candidate { action, index, gain: 0, score });
            }
        });
        if let Some(first) = left.iter_mut().find(|first| Some(first.index) == table_action) {
            first.score = TABLE_ACTION;
        }
        Self { left }
    }
}

impl<G: Game> Iterator for Candidates<G> {
    type Item = Candidate<G>;

    /// The best that is left; of equals the first.
    #[inline]
    fn next(&mut self) -> Option<Candidate<G>> {
        let mut best = 0;
        for (place, candidate) in self.left.iter().enumerate() {
            if candidate.score > self.left[best].score {
                best = place;
            }
        }
        (!self.left.is_empty()).then(|| self.left.swap_remove(best))
    }
}
