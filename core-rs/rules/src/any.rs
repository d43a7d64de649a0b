//! The closed set of games, for callers that do not know which one they hold.

use crate::games::eternitium::{self, Eternitium};
use crate::games::off_the_rails::{self, OffTheRails};
use crate::games::offboard::{self, Offboard};
use crate::games::offtrack::{self, OffTrack};
use crate::position::Position;

/// A position of any game.
#[allow(
    clippy::large_enum_variant,
    reason = "one stands alone, behind what owns it; a box would ask for memory at every step"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum AnyPosition {
    /// Offboard.
    Offboard(Position<Offboard>),
    /// OffTrack.
    OffTrack(Position<OffTrack>),
    /// Eternitium.
    Eternitium(Position<Eternitium>),
    /// Off the Rails.
    OffTheRails(Position<OffTheRails>),
}

/// The options of any game.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyOptions {
    /// Offboard.
    Offboard(offboard::Options),
    /// OffTrack.
    OffTrack(offtrack::Options),
    /// Eternitium.
    Eternitium(eternitium::Options),
    /// Off the Rails.
    OffTheRails(off_the_rails::Options),
}

/// Runs the same code for whichever game it is: `for_any!(any, position => position.outcome())`.
#[macro_export]
macro_rules! for_any {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::AnyPosition::Offboard($position) => $body,
            $crate::AnyPosition::OffTrack($position) => $body,
            $crate::AnyPosition::Eternitium($position) => $body,
            $crate::AnyPosition::OffTheRails($position) => $body,
        }
    };
}
