//! One tree, and the positions along which it grows.

use tablestate_rules::chance::Fast;
use tablestate_rules::{Faults, Game, LIST_MARGIN, LegalSet, Position, Seat};

use super::Plan;
use super::round::{Answers, Place, Round};
use super::tree::{Node, NodeId, ROOT, Tree};
use crate::batch::Widths;
use crate::imagined::{drawn, may_take, returns, take};
use crate::mcts::Values;

/// Actions of a line that are told at most.
const MOST_OF_LINE: usize = 64;

/// A tree, grown by chance of its own.
#[derive(Clone)]
pub(super) struct Grower<G: Game> {
    /// Some position that agrees with what the actor sees.
    imagined: Position<G>,
    chance: Fast,
    tree: Tree,
    /// Simulations that were begun; those that came to nothing are not counted.
    begun: u32,
    /// What each seat was given by all answers and ends.
    sum: Values,
    /// How many these were.
    judged: u32,
    pub(super) round: Round,
    room: Room,
}

/// Kept from step to step, so that no memory is asked for on the way.
#[derive(Clone, Default)]
struct Room {
    /// The nodes passed, without the root.
    way: Vec<NodeId>,
    /// All children that could have been taken on the way.
    passed: Vec<NodeId>,
    /// The indices of the legal actions, and behind them places that may be written to.
    indices: Vec<u16>,
    /// How many are legal.
    legal: usize,
    /// By index, whether the action is legal and no child was found for it yet.
    is_new: Vec<bool>,
    /// The children that can be taken.
    open: Vec<NodeId>,
}

/// Where a simulation has come to.
#[derive(PartialEq, Eq)]
enum Arrival {
    /// To a position that the evaluator is asked about.
    Leaf,
    /// To the end of the game.
    End,
    /// To a node that the evaluator has already been asked about.
    InVain,
}

impl<G: Game> Grower<G> {
    /// Begins a tree at the decision of the position's actor. Of the position nothing is read but
    /// what the actor sees.
    pub(super) fn new(position: &Position<G>, seed: u64, plan: &Plan) -> Self {
        let mut chance = Fast::new(seed);
        let imagined = drawn(position, &mut chance);
        let state = imagined.state();
        let room = Room {
            indices: vec![0; state.most_legal() + LIST_MARGIN],
            is_new: vec![false; state.actions()],
            ..Room::default()
        };
        let sum = std::iter::repeat_n(0.0, state.seats()).collect();
        let (tree, round) = (Tree::new(plan.most_nodes), Round::default());
        Self { imagined, chance, tree, begun: 0, sum, judged: 0, round, room }
    }

    /// Finds the next leaves; none when the tree has had all its simulations.
    pub(super) fn gather(&mut self, plan: &Plan, widths: &Widths, stop: &dyn Fn() -> bool) {
        self.round.clear();
        let mut tried = 0;
        while self.has_work(plan) && tried < plan.leaves && !stop() {
            match self.simulate(plan, widths) {
                Arrival::End => (),
                Arrival::Leaf | Arrival::InVain => tried += 1,
            }
        }
    }

    /// Whether there is something to simulate, and it can be: until the evaluator has told of the
    /// root, nothing else can.
    fn has_work(&self, plan: &Plan) -> bool {
        let goes_on = self.imagined.state().actor().is_some();
        goes_on && self.begun < plan.simulations && !self.tree.is_asked(ROOT)
    }

    fn simulate(&mut self, plan: &Plan, widths: &Widths) -> Arrival {
        let mut position = drawn(&self.imagined, &mut self.chance);
        let arrival = self.descend(&mut position, plan, widths);
        if arrival == Arrival::InVain {
            self.tree.begin(&self.room.way);
            self.round.in_vain.extend_from_slice(&self.room.way);
            return arrival;
        }
        self.begun += u32::from(!self.room.way.is_empty());
        self.tree.note_available(&self.room.passed);
        arrival
    }

    /// Goes down until something is met that the tree does not know, or to the end.
    fn descend(&mut self, position: &mut Position<G>, plan: &Plan, widths: &Widths) -> Arrival {
        self.room.way.clear();
        self.room.passed.clear();
        let mut id = ROOT;
        while let Some(actor) = position.state().actor() {
            if !self.open_children(id, actor, position.state()) {
                if self.tree.is_asked(id) {
                    return Arrival::InVain;
                }
                self.ask(position, actor, id, widths);
                return Arrival::Leaf;
            }
            id = self.tree.select(&self.room.open, plan.exploration);
            self.room.passed.extend_from_slice(&self.room.open);
            self.room.way.push(id);
            take(position, self.tree.node(id).action, &mut self.chance);
        }
        let returns = returns(position.state());
        self.tree.back_up(&self.room.way, &returns);
        self.judge(&returns);
        Arrival::End
    }

    /// Finds the children of a node that can be taken in a state; whether these are all its legal
    /// actions.
    fn open_children(&mut self, id: NodeId, actor: Seat, state: &G) -> bool {
        let Room { indices, legal, is_new, open, .. } = &mut self.room;
        *legal = state.legal().write_indices(indices);
        let indices = &indices[..*legal];
        open.clear();
        indices.iter().for_each(|&index| is_new[usize::from(index)] = true);
        for (child, node) in self.tree.children(id) {
            let is_actors = usize::from(node.seat) == actor.index();
            if is_actors && std::mem::take(&mut is_new[usize::from(node.action)]) {
                open.push(child);
            }
        }
        indices.iter().for_each(|&index| is_new[usize::from(index)] = false);
        open.len() == *legal
    }

    fn ask(&mut self, position: &Position<G>, actor: Seat, id: NodeId, widths: &Widths) {
        let Room { way, indices, legal, .. } = &self.room;
        self.round.add(position, actor, way, &indices[..*legal], (id, widths));
        self.tree.begin(way);
        self.tree.set_asked(id, true);
    }

    fn judge(&mut self, values: &Values) {
        self.sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        self.judged += 1;
    }

    /// Notes what is wrong with the answers.
    pub(super) fn check(&self, answers: &Answers<'_>, place: Place<'_>, faults: &mut Faults) {
        answers.for_each(&self.round, place, |number, leaf, answer| {
            answer.check(number, self.round.legal(leaf), faults);
        });
    }

    /// Takes the answers, which have been checked.
    pub(super) fn answer(&mut self, answers: &Answers<'_>, place: Place<'_>) {
        let mut round = std::mem::take(&mut self.round);
        self.tree.end(&round.in_vain);
        answers.for_each(&round, place, |_, leaf, answer| {
            let (way, values) = (round.way(leaf), answer.values(leaf.seat, place.widths.seats));
            self.tree.end(way);
            self.tree.set_asked(leaf.node, false);
            self.tree.expand(leaf.node, leaf.seat, answer.shares(round.legal(leaf)));
            self.tree.back_up(way, &values);
            self.judge(&values);
        });
        round.clear();
        self.round = round;
    }

    /// What each seat may expect: the mean of all that was told; at the end what it has got.
    pub(super) fn returns(&self) -> Values {
        match (self.imagined.state().actor(), self.judged) {
            (None, _) => returns(self.imagined.state()),
            (_, 0) => self.sum.clone(),
            (_, judged) => self.sum.iter().map(|sum| sum / f64::from(judged)).collect(),
        }
    }

    /// The actions of the root; none before the evaluator has told of it.
    pub(super) fn actions(&self) -> impl Iterator<Item = &Node> {
        self.tree.children(ROOT).map(|(_, node)| node)
    }

    /// Who decides at the root.
    pub(super) fn actor(&self) -> Option<Seat> {
        self.imagined.state().actor()
    }

    /// No more actions than this are ever legal at once.
    pub(super) fn most_legal(&self) -> usize {
        self.imagined.state().most_legal()
    }

    /// The line that was gone most often, as far as it can be gone from one drawn position.
    pub(super) fn line(&self) -> Vec<u16> {
        let (mut position, mut chance) = (self.imagined.clone(), Fast::new(0));
        let (mut line, mut id) = (Vec::new(), ROOT);
        while line.len() < MOST_OF_LINE
            && let Some(child) = self.most_visited(id, position.state())
        {
            let action = self.tree.node(child).action;
            line.push(action);
            take(&mut position, action, &mut chance);
            id = child;
        }
        line
    }

    /// The child that was taken most often of those that can be taken; of equals the lower index.
    fn most_visited(&self, id: NodeId, state: &G) -> Option<NodeId> {
        let children = self.tree.children(id).filter(|(_, node)| node.visits > 0);
        let legal = children.filter(|(_, node)| may_take(state, node.seat, node.action));
        legal
            .max_by_key(|(_, node)| (node.visits, std::cmp::Reverse(node.action)))
            .map(|(id, _)| id)
    }
}
