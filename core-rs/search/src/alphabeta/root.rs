//! The root: ever deeper searches of all its actions, and the report.

use tablestate_rules::{Position, Seat};

use super::order::{Candidate, Candidates, Memory};
use super::table::Table;
use super::tree::{Ended, Limit, Look, Node, Pruning, Tree, Window};
use super::{FOUND, Judged, MAX_DEPTH, Score, WIN};
use crate::search::{Ranked, Report, Settings};

/// Searches for the actor's best action among all; an empty report when the game is over.
///
/// The first look, one action ahead, is always carried out, whatever the budget.
pub(crate) fn search<G: Judged>(
    position: &Position<G>,
    settings: &Settings,
    progress: &mut dyn FnMut(&Report),
    stop: &dyn Fn() -> bool,
) -> Report {
    let Some(seat) = position.state().actor() else { return Report::default() };
    let table = Table::new(table_bits(settings.iterations));
    let mut root = Root::new(position, seat, table, Pruning::Selective);
    let limit = Limit { nodes: settings.iterations, stop };
    for depth in 1..=MAX_DEPTH {
        if root.deepen(depth).is_err() {
            break;
        }
        progress(&root.report());
        if root.is_decided(depth) {
            break;
        }
        root.tree.limit = limit;
    }
    root.report()
}

/// A table that a search of so many nodes fills, up to 16 MiB.
fn table_bits(nodes: u64) -> u32 {
    nodes.max(1).ilog2().saturating_sub(2).clamp(8, 20)
}

/// The position to be searched.
pub(super) struct Root<'a, G: Judged> {
    node: Node<'a, G>,
    pub(super) tree: Tree<'a, G>,
    /// All legal actions, the best first.
    pub(super) actions: Vec<RootAction<G>>,
}

/// What is known of an action of the root.
pub(super) struct RootAction<G: Judged> {
    candidate: Candidate<G>,
    nodes: u64,
    /// Its value, if it was the best when it was last looked at; else no less than its value.
    pub(super) score: Score,
    line: Vec<usize>,
}

impl<'a, G: Judged> Root<'a, G> {
    pub(super) fn new(
        position: &'a Position<G>,
        seat: Seat,
        table: Table,
        pruning: Pruning,
    ) -> Self {
        let unlimited = Limit { nodes: u64::MAX, stop: &|| false };
        let node = Node { state: position.state(), seat, ply: 0 };
        let actions = Candidates::all(&node, &Memory::new(node.state.actions()), None);
        let actions = actions.map(RootAction::new).collect();
        Self { node, tree: Tree::new(position, table, pruning, unlimited), actions }
    }

    /// Searches all actions to a depth. If it has to end before, what it has found of better
    /// actions is kept.
    pub(super) fn deepen(&mut self, depth: i32) -> Result<(), Ended> {
        let mut alpha = Window::FULL.alpha;
        for rank in 0..self.actions.len() {
            let look = Look { window: Window { alpha, ..Window::FULL }, depth, rank };
            let action = &mut self.actions[rank];
            let before = self.tree.nodes;
            let value = self.tree.value_of(&self.node, &action.candidate, look);
            action.nodes += self.tree.nodes - before;
            action.score = value?;
            if action.score > alpha {
                alpha = action.score;
                action.line.truncate(1);
                action.line.extend(self.tree.line().iter().map(|&index| usize::from(index)));
                self.actions[..=rank].rotate_right(1);
            }
        }
        self.actions.sort_by_key(|action| -action.score);
        Ok(())
    }

    /// Whether a deeper search would change nothing: a win or a loss was found, and nothing
    /// shorter can be.
    fn is_decided(&self, depth: i32) -> bool {
        let score = self.actions[0].score.abs();
        score >= FOUND && WIN - score <= depth
    }

    fn report(&self) -> Report {
        let best = self.actions[0].score;
        let mut actions: Vec<_> = self.actions.iter().collect();
        // After a search that ended early the others' scores can be those of one less deep.
        actions.sort_by_key(|action| -action.score.min(best));
        let ranked = |action: &RootAction<G>| Ranked {
            action: action.candidate.index.into(),
            visits: action.nodes,
            value: expected_return::<G>(action.score.min(best)),
            line: action.line.clone(),
        };
        Report { iterations: self.tree.nodes, actions: actions.into_iter().map(ranked).collect() }
    }
}

impl<G: Judged> RootAction<G> {
    fn new(candidate: Candidate<G>) -> Self {
        let line = vec![candidate.index.into()];
        Self { candidate, nodes: 0, score: -WIN, line }
    }
}

/// A score as an expected return: 1 and −1 for wins and losses that were found.
fn expected_return<G: Judged>(score: Score) -> f64 {
    if score.abs() >= FOUND {
        return f64::from(score.signum());
    }
    f64::from(score) / f64::from(score.abs() + G::HALF)
}
