//! What tree searches do with positions that they imagine.

use tablestate_rules::chance::Fast;
use tablestate_rules::{Game, Position, SeatSet, Viewer};

use crate::mcts::Values;

/// A position that agrees with what the actor sees.
pub(crate) fn drawn<G: Game>(position: &Position<G>, chance: &mut Fast) -> Position<G> {
    let viewer = position.state().actor().map_or(Viewer::Spectator, Viewer::Seat);
    Position::determinize(&position.view(viewer), chance)
}

/// Whether a seat, given by its number, may take an action, given by its index.
pub(crate) fn may_take<G: Game>(state: &G, seat: u8, index: u16) -> bool {
    state.actor().is_some_and(|actor| actor.index() == usize::from(seat))
        && state.action_at(index.into()).is_some_and(|action| state.check(action).is_ok())
}

/// Takes an action that is known to be legal.
pub(crate) fn take<G: Game>(position: &mut Position<G>, index: u16, chance: &mut Fast) {
    if let Some(action) = position.state().action_at(index.into()) {
        position.apply_unchecked(action, chance, &mut ());
    }
}

/// What each seat gets at the end.
pub(crate) fn returns<G: Game>(state: &G) -> Values {
    let outcome = state.outcome(SeatSet::first(state.seats()));
    outcome.map_or_else(|| std::iter::repeat_n(0.0, state.seats()).collect(), |end| end.returns())
}
