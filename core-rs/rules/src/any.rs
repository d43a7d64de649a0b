//! The closed set of games, for callers that do not know which one they hold.

use crate::chance::Chance;
use crate::error::Faults;
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

impl AnyOptions {
    /// The default options of a game; none if there is no game of this name.
    pub fn default_of(game: &str) -> Option<Self> {
        match game {
            "offboard" => Some(Self::Offboard(offboard::Options::default())),
            _ => None,
        }
    }

    /// Sets the game up.
    pub fn start(&self, chance: &mut impl Chance) -> Result<AnyPosition, Faults> {
        match self {
            Self::Offboard(options) => {
                Position::new(options, chance, &mut ()).map(AnyPosition::Offboard)
            }
        }
    }
}
