//! Walks down a tree, along with positions.

use tablestate_rules::chance::Fast;
use tablestate_rules::{LIST_MARGIN, LegalSet, Position};

use super::Guided;
use super::tree::{Node, NodeId, ROOT, Tree, Values};
use crate::imagined::{drawn, may_take, returns, take};

/// How much an action is preferred that is not worth a look.
const FLOOR: f32 = 0.001;
/// After so many actions more a trial ends within a turn.
const LONGEST_TURN: usize = 8;

/// A tree that grows by chance of its own.
pub(super) struct Walker<G: Guided> {
    /// Some position that agrees with what the actor sees.
    imagined: Position<G>,
    seed: u64,
    chance: Fast,
    tree: Tree,
    iterations: u64,
    room: Room,
}

/// Kept from step to step, so that no memory is asked for on the way.
#[derive(Default)]
struct Room {
    /// The nodes passed, without the root.
    way: Vec<NodeId>,
    /// The indices of the legal actions, and behind them places that may be written to.
    indices: Vec<u16>,
    /// By index, whether the action is legal and no child of the node yet.
    is_new: Vec<bool>,
    /// The children that can be taken.
    open: Vec<NodeId>,
    /// Actions that are new, and what they are appraised at.
    appraised: Vec<(u16, i64)>,
    /// The legal actions that are worth a look.
    shortlist: Vec<u16>,
}

impl Room {
    fn of<G: Guided>(state: &G) -> Self {
        Self {
            indices: vec![0; state.most_legal() + LIST_MARGIN],
            is_new: vec![false; state.actions()],
            ..Self::default()
        }
    }
}

impl<G: Guided> Walker<G> {
    /// Begins a tree at the decision of the imagined position's actor.
    pub(super) fn new(imagined: Position<G>, seed: u64) -> Self {
        let room = Room::of(imagined.state());
        Self { imagined, seed, chance: Fast::new(seed), tree: Tree::new(), iterations: 0, room }
    }

    /// How many iterations the tree has had.
    pub(super) fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The nodes of the root's actions that have been met, by index.
    pub(super) fn by_action(&self) -> Vec<Option<&Node>> {
        let mut nodes = vec![None; self.imagined.state().actions()];
        for (_, node) in self.tree.children(ROOT) {
            nodes[usize::from(node.action)] = Some(node);
        }
        nodes
    }

    /// The sum of the values that the actor was given.
    pub(super) fn value(&self) -> f64 {
        self.tree.children(ROOT).map(|(_, node)| node.value).sum()
    }

    /// Carries iterations out, until `stop` says so.
    pub(super) fn run(&mut self, iterations: u64, stop: &(dyn Fn() -> bool + Sync)) {
        for _ in 0..iterations {
            if stop() {
                return;
            }
            self.iterate();
        }
    }

    fn iterate(&mut self) {
        let mut position = drawn(&self.imagined, &mut self.chance);
        let values = self.descend(&mut position);
        self.tree.back_up(&self.room.way, &values);
        self.iterations += 1;
    }

    /// Goes down to a node that was never there before, or to the end, and judges where it is.
    fn descend(&mut self, position: &mut Position<G>) -> Values {
        self.room.way.clear();
        let mut id = ROOT;
        while position.state().actor().is_some() {
            if id != ROOT && (self.tree.node(id).visits == 0 || self.tree.is_last(id)) {
                return self.try_out(position);
            }
            self.open_children(id, position);
            id = self.tree.select(&self.room.open);
            self.room.way.push(id);
            take(position, self.tree.node(id).action, &mut self.chance);
        }
        returns(position.state())
    }

    /// Finds the children of a node that can be taken in a position, and adds those that are not
    /// there yet.
    fn open_children(&mut self, id: NodeId, position: &Position<G>) {
        let state = position.state();
        let seat = state.actor().map_or(0, |seat| seat.index() as u8);
        let Room { indices, is_new, open, appraised, shortlist, .. } = &mut self.room;
        let length = state.legal().write_indices(indices);
        let indices = &indices[..length];
        open.clear();
        indices.iter().for_each(|&index| is_new[usize::from(index)] = true);
        for (child, node) in self.tree.children(id) {
            if node.seat == seat && std::mem::take(&mut is_new[usize::from(node.action)]) {
                open.push(child);
            }
        }
        if open.len() == length {
            return;
        }
        appraised.clear();
        shortlist.clear();
        shortlist.extend_from_slice(indices);
        G::shortlist(state, shortlist);
        for &index in shortlist.iter() {
            if std::mem::take(&mut is_new[usize::from(index)]) {
                let mut next = position.clone();
                take(&mut next, index, &mut self.chance);
                appraised.push((index, G::appraise(state, next.state())));
            }
        }
        let best = appraised.iter().map(|&(_, value)| value).max().unwrap_or(0);
        for &(index, value) in appraised.iter() {
            open.push(self.tree.add_child(id, seat, index, weight::<G>(best - value)));
        }
        for &index in indices {
            if std::mem::take(&mut is_new[usize::from(index)]) {
                open.push(self.tree.add_child(id, seat, index, FLOOR));
            }
        }
    }

    /// Judges a position, after greedy players have gone on for some actions.
    fn try_out(&mut self, position: &mut Position<G>) -> Values {
        let mut turn = position.state().actor();
        for ply in 0..G::TRIAL + LONGEST_TURN {
            let actor = position.state().actor();
            if actor.is_none() || ply >= G::TRIAL && (G::TRIAL == 0 || actor != turn) {
                break;
            }
            turn = actor;
            let best = self.best_action(position);
            take(position, best, &mut self.chance);
        }
        match position.state().actor() {
            Some(_) => G::judge(position.state()),
            None => returns(position.state()),
        }
    }

    /// The first of the actions worth a look that are appraised best.
    fn best_action(&mut self, position: &Position<G>) -> u16 {
        let state = position.state();
        let Room { indices, shortlist, .. } = &mut self.room;
        let length = state.legal().write_indices(indices);
        shortlist.clear();
        shortlist.extend_from_slice(&indices[..length]);
        G::shortlist(state, shortlist);
        let (mut best, mut best_value) = (shortlist[0], i64::MIN);
        for &index in shortlist.iter() {
            let mut next = position.clone();
            take(&mut next, index, &mut self.chance);
            let value = G::appraise(state, next.state());
            if value > best_value {
                (best, best_value) = (index, value);
            }
        }
        best
    }

    /// The line that was gone most often from an action of the root on, as far as it can be gone from
    /// one drawn position.
    pub(super) fn line(&self, action: usize) -> Vec<usize> {
        let mut chance = Fast::new(self.seed);
        let mut position = self.imagined.clone();
        let mut line = Vec::new();
        let mut next = self.child(ROOT, |node| usize::from(node.action) == action);
        while let Some(id) = next {
            let action = self.tree.node(id).action;
            line.push(usize::from(action));
            take(&mut position, action, &mut chance);
            next = self.child(id, |node| may_take(position.state(), node.seat, node.action));
        }
        if line.is_empty() { vec![action] } else { line }
    }

    /// The child that was taken most often, and more than once, of those that are wanted.
    fn child(&self, id: NodeId, is_wanted: impl Fn(&Node) -> bool) -> Option<NodeId> {
        let children =
            self.tree.children(id).filter(|(_, node)| node.visits > 1 && is_wanted(node));
        children.max_by_key(|(_, node)| node.visits).map(|(id, _)| id)
    }
}

/// How much an action is preferred that is appraised at so much less than the best.
fn weight<G: Guided>(gap: i64) -> f32 {
    let gap = gap as f32 / G::HALF as f32;
    1.0 / (1.0 + gap * gap)
}
