//! One module a game.

pub(crate) mod eternitium;
pub(crate) mod off_the_rails;
pub(crate) mod offboard;
pub(crate) mod offtrack;

use tablestate_rules::Faults;

use crate::v1;

/// The fault of an action that is none of the game's.
fn not_of(game: &str, given: Option<&v1::game_action::Game>) -> Faults {
    use v1::game_action::Game;
    let given = match given {
        None => "not set",
        Some(Game::Offboard(_)) => "an action of offboard",
        Some(Game::Offtrack(_)) => "an action of offtrack",
        Some(Game::Eternitium(_)) => "an action of eternitium",
        Some(Game::OffTheRails(_)) => "an action of off_the_rails",
    };
    Faults::one("game", given, format!("an action of {game}"))
}
