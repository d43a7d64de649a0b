//! What is said once for all games: a state together with its history, played, counted, replayed.

use crate::chance::{Chance, Recording, Scripted};
use crate::error::{Faults, Illegal};
use crate::game::{Events, Game, History, LegalSet};
use crate::vocab::{Outcome, Seat, SeatSet, Viewer};

/// A state and what the rules need of the positions before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Position<G: Game> {
    state: G,
    history: G::History,
}

impl<G: Game> Position<G> {
    /// Sets a game up; lists every fault of the options.
    pub fn new(
        options: &G::Options,
        chance: &mut impl Chance,
        events: &mut impl Events<G::Event>,
    ) -> Result<Self, Faults> {
        let (state, history) = G::new(&G::complete(options)?, chance, events);
        Ok(Self { state, history })
    }

    /// Joins a state to the history that belongs to it.
    pub fn from_parts(state: G, history: G::History) -> Self {
        Self { state, history }
    }

    /// A position drawn at random among those that agree with a view.
    pub fn determinize(view: &G::View<'_>, chance: &mut impl Chance) -> Self {
        let (state, history) = G::determinize(view, chance);
        Self { state, history }
    }

    /// Whether everybody knows the whole state: a spectator's view leaves nothing open, so that what
    /// is made of it without any choice of chance is the state itself.
    pub fn hides_nothing(&self) -> bool {
        let mut chance = Recording::new(Scripted::new(&[]));
        let seen = Self::determinize(&self.view(Viewer::Spectator), &mut chance);
        let (_, bounds) = chance.into_draws();
        bounds.iter().all(|&bound| bound == 1) && seen.state == self.state
    }

    /// The state.
    pub fn state(&self) -> &G {
        &self.state
    }

    /// The history.
    pub fn history(&self) -> &G::History {
        &self.history
    }

    /// What a viewer may see.
    pub fn view(&self, viewer: Viewer) -> G::View<'_> {
        self.state.view(&self.history, viewer)
    }

    /// Writes what a seat sees as the bytes of [`Game::observation_fields`].
    pub fn observe(&self, viewer: Viewer, observation: &mut [u8]) {
        G::observe(&self.view(viewer), viewer, observation);
    }

    /// Applies an action, or leaves everything as it is and says why not.
    pub fn apply(
        &mut self,
        action: G::Action,
        chance: &mut impl Chance,
        events: &mut impl Events<G::Event>,
    ) -> Result<(), Illegal> {
        self.state.check(action)?;
        self.apply_unchecked(action, chance, events);
        Ok(())
    }

    /// Applies an action that the caller knows to be legal.
    #[inline]
    pub fn apply_unchecked(
        &mut self,
        action: G::Action,
        chance: &mut impl Chance,
        events: &mut impl Events<G::Event>,
    ) {
        self.state.apply_unchecked(action, &mut self.history, chance, events);
    }

    /// Notes that a seat has forfeited; it still has to be named in [`Position::outcome`].
    pub fn forfeit(&mut self, seat: Seat) {
        self.state.forfeit(seat);
    }

    /// Counts the decision sequences of a length; none if `stop` told to leave off, which is
    /// asked every few thousand sequences. For games without chance: `chance` serves the others
    /// one line of draws each.
    pub fn perft(
        &mut self,
        depth: u32,
        chance: &mut impl Chance,
        stop: &impl Fn() -> bool,
    ) -> Option<u64> {
        perft(&self.state, &mut self.history, depth, chance, stop)
    }

    /// Counts, for each first action by rising index, the decision sequences of a length that
    /// begin with it, as [`Position::perft`] does. The depth must not be 0.
    pub fn divide(
        &self,
        depth: u32,
        chance: &mut impl Chance,
        stop: &impl Fn() -> bool,
    ) -> Option<Vec<(G::Action, u64)>> {
        let mut actions = Vec::new();
        self.state.legal().for_each(|action| actions.push(action));
        let mut count = |action| {
            let mut next = self.clone();
            next.apply_unchecked(action, chance, &mut ());
            Some((action, next.perft(depth - 1, chance, stop)?))
        };
        actions.into_iter().map(&mut count).collect()
    }

    /// Plays uniformly at random until the game is over, or `plies` actions were taken. Returns
    /// the number of actions taken.
    pub fn playout(&mut self, plies: usize, chance: &mut impl Chance) -> usize {
        for ply in 0..plies {
            let Some(action) = self.draw_action(chance) else { return ply };
            self.apply_unchecked(action, chance, &mut ());
        }
        plies
    }

    /// A legal action, each with equal chance; none when the game is over.
    #[inline]
    pub fn draw_action(&self, chance: &mut impl Chance) -> Option<G::Action> {
        let legal = self.state.legal();
        match legal.count() {
            0 => None,
            count => Some(legal.nth(chance.draw(count as u32) as usize)),
        }
    }

    /// The outcome, when the game is over or only one seat has not forfeited.
    pub fn outcome(&self, forfeited: SeatSet) -> Option<Outcome> {
        let left_in = SeatSet::first(self.state.seats()).without(forfeited);
        match self.state.outcome(left_in) {
            None if left_in.len() == 1 => {
                let winner = left_in.iter().next()?;
                Some(Outcome::by_forfeit(winner, self.state.scores()))
            }
            outcome => outcome,
        }
    }

    /// The result when all who have not forfeited agree on a draw.
    pub fn agreed_draw(&self, forfeited: SeatSet) -> Outcome {
        let left_in = SeatSet::first(self.state.seats()).without(forfeited);
        Outcome::by_agreement(left_in, self.state.scores())
    }
}

fn perft<G: Game>(
    state: &G,
    history: &mut G::History,
    depth: u32,
    chance: &mut impl Chance,
    stop: &impl Fn() -> bool,
) -> Option<u64> {
    let legal = match depth {
        0 => return Some(1),
        1 => return Some(state.legal().count() as u64),
        _ if stop() => return None,
        _ => state.legal(),
    };
    let mark = history.mark();
    let mut sequences = Some(0);
    legal.for_each(|action| {
        if let Some(sum) = sequences {
            let mut next = state.clone();
            next.apply_unchecked(action, history, chance, &mut ());
            sequences = perft(&next, history, depth - 1, chance, stop).map(|more| sum + more);
            history.rewind(mark);
        }
    });
    sequences
}
