//! The closed set of games, for callers that do not know which one they hold.

use crate::games::offboard::{self, Offboard};
use crate::position::Position;

/// A position of any game.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyPosition {
    /// Offboard.
    Offboard(Position<Offboard>),
}

/// The options of any game.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyOptions {
    /// Offboard.
    Offboard(offboard::Options),
}

/// Runs the same code for whichever game it is: `for_any!(any, position => position.outcome())`.
#[macro_export]
macro_rules! for_any {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::AnyPosition::Offboard($position) => $body,
        }
    };
}
