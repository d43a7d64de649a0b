//! Alpha-beta search for games of two seats without chance, in which nothing is hidden.
//!
//! Principal-variation search with iterative deepening, a table of positions, and a search of
//! the loud actions beyond the horizon. All numbers are integers and all sizes follow from the
//! settings: the same position and budget give the same report on any machine.

mod order;
mod root;
mod table;
#[cfg(test)]
mod tests;
mod tree;

use tablestate_rules::Game;

pub(crate) use root::search;

/// What a position or an action is worth to the seat that acts, higher is better.
pub(crate) type Score = i32;

/// A win now; a win some actions from now is worth one less for each.
const WIN: Score = 1_000_000;

/// The horizon is never further away than this many actions.
const MAX_DEPTH: i32 = 40;

/// With the loud actions beyond the horizon no line is longer than this.
pub(crate) const MAX_PLY: usize = 64;

/// Scores beyond this are wins and losses that were found.
const FOUND: Score = WIN - MAX_PLY as Score;

/// What alpha-beta has to know of a game.
pub(crate) trait Judged: Game {
    /// The score that promises an expected return of ½.
    const HALF: Score;
    /// What an action without gain hardly ever changes the judgement by.
    const SWAY: Score;

    /// What the position is worth to the actor; between −[`FOUND`] and [`FOUND`].
    fn judge(&self) -> Score;

    /// The loud actions, legal all: no position is judged before they are looked at. They are few,
    /// and not to be repeated for ever.
    fn loud(&self) -> Self::Legal<'_>;

    /// What a loud action wins there and then; of those that win nothing 0.
    fn gain(&self, action: Self::Action) -> Score;

    /// What, beside the position that [`Game::hash`] tells, a result within [`MAX_PLY`] actions
    /// depends on; 0 mostly.
    fn deadline(&self) -> u64;
}
