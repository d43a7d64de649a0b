//! The tree of a search whose evaluator is outside. It knows no rules.
//!
//! A node stands for the seat and action that lead to it, whatever chance did, as in
//! [`crate::mcts`]. Beside what came of it a node counts simulations that are under way: until the
//! evaluator has answered they count as lost, so that others look elsewhere.

use crate::mcts::Values;

/// The number of a node; [`ROOT`] is the first.
pub(super) type NodeId = u32;

/// The node that the search begins at.
pub(super) const ROOT: NodeId = 0;
const NONE: NodeId = NodeId::MAX;

/// An action of a seat, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Who takes the action.
    pub(super) seat: u8,
    /// The dense index of the action.
    pub(super) action: u16,
    /// How often it was taken.
    pub(super) visits: u32,
    /// The sum of the seat's values.
    pub(super) value: f64,
    /// Simulations under way that have taken it.
    awaited: u32,
    /// How often it could have been taken.
    available: u32,
    /// How likely the evaluator took it to be, among the actions that were legal then.
    prior: f32,
    /// Whether the evaluator has been asked about a position here.
    is_asked: bool,
    first_child: NodeId,
    next_sibling: NodeId,
}

impl Node {
    fn new(seat: u8, action: u16, prior: f32, next_sibling: NodeId) -> Self {
        Self {
            seat,
            action,
            visits: 0,
            value: 0.0,
            awaited: 0,
            available: 0,
            prior,
            is_asked: false,
            first_child: NONE,
            next_sibling,
        }
    }

    /// The mean of the seat's values, with what is under way as lost; 0 if there was nothing yet.
    fn mean(&self) -> f64 {
        match self.visits + self.awaited {
            0 => 0.0,
            taken => (self.value - f64::from(self.awaited)) / f64::from(taken),
        }
    }
}

/// A tree of actions.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    most_nodes: usize,
}

impl Tree {
    /// A tree of nothing but its root. Once it has about so many nodes it grows no further.
    pub(super) fn new(most_nodes: usize) -> Self {
        Self { nodes: vec![Node::new(0, 0, 0.0, NONE)], most_nodes }
    }

    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id as usize]
    }

    /// The children of a node.
    pub(super) fn children(&self, id: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let mut next = self.node(id).first_child;
        std::iter::from_fn(move || {
            let id = (next != NONE).then_some(next)?;
            next = self.node(id).next_sibling;
            Some((id, self.node(id)))
        })
    }

    /// Whether the evaluator has been asked about the node and has not answered.
    pub(super) fn is_asked(&self, id: NodeId) -> bool {
        self.node(id).is_asked
    }

    /// Notes that the evaluator is asked about a node, or has answered.
    pub(super) fn set_asked(&mut self, id: NodeId, is_asked: bool) {
        self.nodes[id as usize].is_asked = is_asked;
    }

    /// The most promising of the children that can be taken now, by PUCT (Silver and others: A
    /// general reinforcement learning algorithm that masters chess, shogi, and Go); of equals that of
    /// the lower index. They must not be empty.
    ///
    /// The root is drawn not from the visits of the node but from how often the child could have been
    /// taken, which is the same where the legal actions do not depend on what is hidden.
    pub(super) fn select(&self, children: &[NodeId], exploration: f64) -> NodeId {
        let nodes = || children.iter().map(|&id| (id, self.node(id)));
        let sum: f64 = nodes().map(|(_, node)| f64::from(node.prior)).sum();
        let (mut best, mut best_score) = (children[0], f64::NEG_INFINITY);
        for (id, node) in nodes() {
            let prior =
                if sum > 0.0 { f64::from(node.prior) / sum } else { 1.0 / children.len() as f64 };
            let doubt = f64::from(node.available + 1).sqrt()
                / (1.0 + f64::from(node.visits) + f64::from(node.awaited));
            let score = node.mean() + exploration * prior * doubt;
            let is_first = node.action < self.node(best).action;
            if score > best_score || (score == best_score && is_first) {
                (best, best_score) = (id, score);
            }
        }
        best
    }

    /// Notes that children could have been taken.
    pub(super) fn note_available(&mut self, children: &[NodeId]) {
        children.iter().for_each(|&id| self.nodes[id as usize].available += 1);
    }

    /// Notes that a simulation has gone this way and is under way.
    pub(super) fn begin(&mut self, way: &[NodeId]) {
        way.iter().for_each(|&id| self.nodes[id as usize].awaited += 1);
    }

    /// Notes that it is under way no more.
    pub(super) fn end(&mut self, way: &[NodeId]) {
        way.iter().for_each(|&id| self.nodes[id as usize].awaited -= 1);
    }

    /// Notes the values of a leaf all along the way to it.
    pub(super) fn back_up(&mut self, way: &[NodeId], values: &Values) {
        for &id in way {
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            node.value += values[usize::from(node.seat)];
        }
    }

    /// Gives a node the children that it has not yet, of these actions and priors, if there is
    /// room; the root always has.
    pub(super) fn expand(
        &mut self,
        id: NodeId,
        seat: u8,
        actions: impl DoubleEndedIterator<Item = (u16, f32)> + ExactSizeIterator,
    ) {
        if id != ROOT && self.nodes.len() + actions.len() > self.most_nodes {
            return;
        }
        let known = self.node(id).first_child;
        let is_known = |tree: &Self, action| {
            let mut same = tree.children(id).filter(|(_, node)| node.seat == seat);
            known != NONE && same.any(|(_, node)| node.action == action)
        };
        for (action, prior) in actions.rev() {
            if !is_known(self, action) {
                self.add_child(id, seat, action, prior);
            }
        }
    }

    fn add_child(&mut self, parent: NodeId, seat: u8, action: u16, prior: f32) {
        let first = self.node(parent).first_child;
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node::new(seat, action, prior, first));
        self.nodes[parent as usize].first_child = id;
    }
}
