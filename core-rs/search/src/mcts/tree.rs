//! The tree of a Monte Carlo search: its nodes, which way down to take, and what is noted on the
//! way up. It knows no rules.
//!
//! A node stands for the seat and action that lead to it, whatever chance did: many positions share
//! it, and not every child can be taken in each of them. So a child counts how often it could have been
//! taken (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search).

use arrayvec::ArrayVec;
use tablestate_rules::vocab::MAX_SEATS;

/// A value of each seat, −1 to 1.
pub(crate) type Values = ArrayVec<f64, MAX_SEATS>;

/// The number of a node; [`ROOT`] is the first.
pub(super) type NodeId = u32;

/// The node that the search begins at.
pub(super) const ROOT: NodeId = 0;
const NONE: NodeId = NodeId::MAX;

/// Nodes of a tree that has grown: 20 MB. Beyond, its leaves are judged and grow no further.
const MOST_NODES: usize = 500_000;

/// How much is explored.
const EXPLORATION: f64 = 0.8;
/// What is expected of an untried action, below its siblings' mean.
const UNTRIED: f64 = 0.1;

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
    /// How often it could have been taken.
    available: u32,
    /// How good it looked at first, compared with its siblings.
    weight: f32,
    first_child: NodeId,
    next_sibling: NodeId,
}

impl Node {
    fn new(seat: u8, action: u16, weight: f32, next_sibling: NodeId) -> Self {
        let (visits, available, value) = (0, 0, 0.0);
        Self { seat, action, visits, value, available, weight, first_child: NONE, next_sibling }
    }

    /// The mean of the seat's values; none if it was never taken.
    pub(super) fn mean(&self) -> Option<f64> {
        (self.visits > 0).then(|| self.value / f64::from(self.visits))
    }
}

/// A tree of actions.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
}

impl Tree {
    /// A tree of nothing but its root.
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::new(0, 0, 0.0, NONE)] }
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

    /// Whether a node has no children, and is to get none.
    pub(super) fn is_last(&self, id: NodeId) -> bool {
        self.nodes.len() >= MOST_NODES && self.node(id).first_child == NONE
    }

    /// Adds a child. Its weight compares it with its siblings, and must not be negative.
    pub(super) fn add_child(
        &mut self,
        parent: NodeId,
        seat: u8,
        action: u16,
        weight: f32,
    ) -> NodeId {
        let first = self.node(parent).first_child;
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node::new(seat, action, weight, first));
        self.nodes[parent as usize].first_child = id;
        id
    }

    /// The most promising of the children that can be taken now, by PUCT; they must not be empty.
    pub(super) fn select(&mut self, children: &[NodeId]) -> NodeId {
        let nodes = children.iter().map(|&id| self.node(id));
        let (mut weights, mut visits, mut value) = (0.0, 0, 0.0);
        for node in nodes {
            weights += f64::from(node.weight);
            visits += node.visits;
            value += node.value;
        }
        let untried = if visits > 0 { value / f64::from(visits) - UNTRIED } else { 0.0 };
        let (mut best, mut best_score) = (children[0], f64::NEG_INFINITY);
        for &id in children {
            let node = &mut self.nodes[id as usize];
            node.available += 1;
            let prior = f64::from(node.weight) / weights;
            let doubt = f64::from(node.available).sqrt() / f64::from(1 + node.visits);
            let score = node.mean().unwrap_or(untried) + EXPLORATION * prior * doubt;
            if score > best_score {
                (best, best_score) = (id, score);
            }
        }
        best
    }

    /// Notes the values of a leaf all along the way to it.
    pub(super) fn back_up(&mut self, way: &[NodeId], values: &Values) {
        for &id in way {
            let node = &mut self.nodes[id as usize];
            node.visits += 1;
            node.value += values[usize::from(node.seat)];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_that_has_grown_keeps_what_it_has_and_no_leaf_grows() {
        let mut tree = Tree::new();
        let child = tree.add_child(ROOT, 0, 0, 1.0);
        assert!(!tree.is_last(child));
        for action in 1..MOST_NODES {
            tree.add_child(ROOT, 0, (action % 100) as u16, 1.0);
        }
        assert!(tree.is_last(child) && !tree.is_last(ROOT));
    }
}
