//! The tree below the root: principal-variation search.

use arrayvec::ArrayVec;
use tablestate_rules::chance::Fast;
use tablestate_rules::{Game, History, LegalSet, Position, Seat, SeatSet};

use super::order::{Candidate, Candidates, MOST_LEGAL, Memory};
use super::table::{Bound, Entry, Found, Table};
use super::{FOUND, Judged, MAX_PLY, Score, WIN};

/// How the tree is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pruning {
    /// Nothing is left out that could change the value of the root at a depth.
    Sound,
    /// Actions that hardly deserve it are looked at less deep or not at all, and what deeper
    /// searches found is used.
    Selective,
}

/// The search was told to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended;

/// When a search ends.
#[derive(Clone, Copy)]
pub(super) struct Limit<'a> {
    /// Nodes it may visit.
    pub(super) nodes: u64,
    /// Asked every [`NODES_UNASKED`] nodes.
    pub(super) stop: &'a dyn Fn() -> bool,
}

const NODES_UNASKED: u64 = 1_024;

/// The scores between which a value matters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Self = Self { alpha: -WIN, beta: WIN };

    /// Tells only whether a value is above alpha.
    fn null(alpha: Score) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The same seen from the other seat.
    fn turned(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A line of actions, by index.
pub(super) type Line = ArrayVec<u16, MAX_PLY>;

/// A position in the tree that is not the end of a game.
pub(super) struct Node<'s, G> {
    pub(super) state: &'s G,
    /// The seat that acts.
    pub(super) seat: Seat,
    /// Actions from the root.
    pub(super) ply: usize,
}

/// How an action is looked at.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) window: Window,
    /// Actions from here to the horizon.
    pub(super) depth: i32,
    /// How many were looked at before.
    pub(super) rank: usize,
}

/// A search under way.
pub(super) struct Tree<'a, G: Game> {
    pub(super) limit: Limit<'a>,
    /// Nodes visited: actions taken.
    pub(super) nodes: u64,
    history: G::History,
    pruning: Pruning,
    table: Table,
    memory: Memory,
    /// The hashes of the positions from the root on.
    path: [u64; MAX_PLY],
    /// The principal line from each ply on.
    lines: Vec<Line>,
}

impl<'a, G: Judged> Tree<'a, G> {
    pub(super) fn new(
        position: &Position<G>,
        table: Table,
        pruning: Pruning,
        limit: Limit<'a>,
    ) -> Self {
        let state = position.state();
        let mut path = [0; MAX_PLY];
        path[0] = state.hash();
        Self {
            limit,
            nodes: 0,
            history: position.history().clone(),
            pruning,
            table,
            memory: Memory::new(state.actions()),
            path,
            lines: vec![Line::new(); MAX_PLY],
        }
    }

    /// The principal line after the action that was looked at last at the root.
    pub(super) fn line(&self) -> &Line {
        &self.lines[1]
    }

    /// The value of an action to the seat that takes it. An action that comes late in the order
    /// must show first that it deserves a closer look.
    pub(super) fn value_of(
        &mut self,
        node: &Node<'_, G>,
        candidate: &Candidate<G>,
        look: Look,
    ) -> Result<Score, Ended> {
        let Look { window, depth, rank } = look;
        let mark = self.history.mark();
        let child = self.child(node, candidate.action)?;
        let value = if rank == 0 {
            self.below(node, &child, window, depth - 1)
        } else {
            self.below_late(node, &child, look, self.reduction(candidate, depth, rank))
        };
        self.history.rewind(mark);
        value
    }

    fn child(&mut self, node: &Node<'_, G>, action: G::Action) -> Result<G, Ended> {
        let asks = self.nodes.is_multiple_of(NODES_UNASKED);
        if self.nodes >= self.limit.nodes || asks && (self.limit.stop)() {
            return Err(Ended);
        }
        self.nodes += 1;
        let mut child = node.state.clone();
        child.apply_unchecked(action, &mut self.history, &mut Fast::new(0), &mut ());
        Ok(child)
    }

    /// How much less deep an action is looked at first.
    fn reduction(&self, candidate: &Candidate<G>, depth: i32, rank: usize) -> i32 {
        if self.pruning == Pruning::Sound || candidate.gain > 0 || depth < 3 || rank < 3 {
            return 0;
        }
        1 + i32::from(rank >= 12) + i32::from(rank >= 12 && depth >= 6)
    }

    fn below_late(
        &mut self,
        node: &Node<'_, G>,
        child: &G,
        look: Look,
        reduction: i32,
    ) -> Result<Score, Ended> {
        let Look { window, depth, .. } = look;
        let null = Window::null(window.alpha);
        let mut value = self.below(node, child, null, depth - 1 - reduction)?;
        if value > window.alpha && reduction > 0 {
            value = self.below(node, child, null, depth - 1)?;
        }
        if value > window.alpha && value < window.beta {
            value = self.below(node, child, window, depth - 1)?;
        }
        Ok(value)
    }

    /// The value of a child of the node to the node's seat.
    fn below(
        &mut self,
        node: &Node<'_, G>,
        state: &G,
        window: Window,
        depth: i32,
    ) -> Result<Score, Ended> {
        let ply = node.ply + 1;
        let Some(seat) = state.actor() else {
            self.lines[ply].clear();
            return Ok(at_the_end(state, node.seat, ply));
        };
        let child = Node { state, seat, ply };
        if seat == node.seat {
            self.value(&child, window, depth)
        } else {
            Ok(-self.value(&child, window.turned(), depth)?)
        }
    }

    /// The value of a node to its seat, or a bound of it where it lies outside of the window.
    fn value(&mut self, node: &Node<'_, G>, window: Window, depth: i32) -> Result<Score, Ended> {
        self.lines[node.ply].clear();
        if depth <= 0 || self.is_hopeless(node, window, depth) {
            return self.settled(node, window);
        }
        let hash = node.state.hash();
        if self.path[..node.ply].contains(&hash) {
            // What can be repeated once can be repeated until the rules call it a draw.
            return Ok(0);
        }
        self.path[node.ply] = hash;
        let key = hash ^ node.state.deadline();
        let entry = self.table.get(key).copied();
        match entry {
            Some(entry) if window.is_null() && self.suffices(&entry, node.ply, window, depth) => {
                Ok(entry.found(node.ply).score)
            }
            _ => self.searched(node, key, entry.map(|entry| entry.action), window, depth),
        }
    }

    /// Whether what the table says will do.
    fn suffices(&self, entry: &Entry, ply: usize, window: Window, depth: i32) -> bool {
        let found = entry.found(ply);
        let is_deep_enough = match self.pruning {
            Pruning::Sound => found.depth == depth,
            Pruning::Selective => found.depth >= depth,
        };
        is_deep_enough && found.settles(window)
    }

    /// Looks at the actions of a node, and notes what comes out.
    fn searched(
        &mut self,
        node: &Node<'_, G>,
        key: u64,
        table_action: Option<u16>,
        window: Window,
        depth: i32,
    ) -> Result<Score, Ended> {
        let candidates = Candidates::all(node, &self.memory, table_action);
        let mut tried = ArrayVec::<u16, MOST_LEGAL>::new();
        let (mut best, mut best_action, mut alpha) = (-WIN, 0, window.alpha);
        for (rank, candidate) in candidates.enumerate() {
            tried.push(candidate.index);
            let look = Look { window: Window { alpha, ..window }, depth, rank };
            let value = self.value_of(node, &candidate, look)?;
            if value > best {
                (best, best_action) = (value, candidate.index);
            }
            if value > alpha {
                alpha = value;
                self.lengthen_line(node.ply, candidate.index);
            }
            if value >= window.beta {
                if candidate.gain == 0 {
                    self.memory.reward(node, depth, &tried);
                }
                break;
            }
        }
        let found = Found { score: best, bound: Bound::of(best, window), depth };
        self.table.put(key, found, best_action, node.ply);
        Ok(best)
    }

    /// Whether a node is so near the horizon and so far below the window that only loud actions
    /// could bring it there.
    fn is_hopeless(&self, node: &Node<'_, G>, window: Window, depth: i32) -> bool {
        self.pruning == Pruning::Selective
            && depth == 1
            && window.is_null()
            && window.alpha > -FOUND
            && node.state.judge() + G::SWAY <= window.alpha
    }

    fn lengthen_line(&mut self, ply: usize, index: u16) {
        let (here, after) = self.lines.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(index);
        here[ply].extend(after[0].iter().copied());
    }

    /// The judgement of a position once the loud actions are over, none of which need be taken.
    fn settled(&mut self, node: &Node<'_, G>, window: Window) -> Result<Score, Ended> {
        let mut best = node.state.judge();
        let mut actions = ArrayVec::<G::Action, MOST_LEGAL>::new();
        if best < window.beta {
            node.state.loud().for_each(|action| actions.push(action));
        }
        for action in actions {
            let alpha = best.max(window.alpha);
            let mark = self.history.mark();
            let child = self.child(node, action)?;
            let value = self.below(node, &child, Window { alpha, ..window }, 0);
            self.history.rewind(mark);
            best = best.max(value?);
            if best >= window.beta {
                break;
            }
        }
        Ok(best)
    }
}

/// The value of the end of a game to a seat: sooner wins and later losses are better.
pub(super) fn at_the_end<G: Game>(state: &G, seat: Seat, ply: usize) -> Score {
    let outcome = state.outcome(SeatSet::first(state.seats()));
    match outcome.map(|outcome| outcome.winners) {
        Some(winners) if winners.contains(seat) => WIN - ply as Score,
        Some(winners) if !winners.is_empty() => ply as Score - WIN,
        _ => 0,
    }
}
