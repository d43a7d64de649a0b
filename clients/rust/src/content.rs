//! Game content from what is handy in Rust.

use crate::errors::{Error, Result};
use crate::v1::*;

/// The games that this client knows, by name.
pub const GAMES: [&str; 4] = ["eternitium", "off_the_rails", "offboard", "offtrack"];

/// The default options of a game, by its name; an argument error for one that is not known.
pub fn game_options(game: &str) -> Result<GameOptions> {
    match game {
        "eternitium" => Ok(EternitiumOptions::default().into()),
        "off_the_rails" => Ok(OffTheRailsOptions::default().into()),
        "offboard" => Ok(OffboardOptions::default().into()),
        "offtrack" => Ok(OffTrackOptions::default().into()),
        _ => Err(Error::argument("game", &format!("one of {}", GAMES.join(", ")))),
    }
}

/// The name of the game that options belong to; `None`: of none that is known.
pub fn game_of(options: &GameOptions) -> Option<&'static str> {
    match options.game.as_ref()? {
        game_options::Game::Eternitium(_) => Some("eternitium"),
        game_options::Game::OffTheRails(_) => Some("off_the_rails"),
        game_options::Game::Offboard(_) => Some("offboard"),
        game_options::Game::Offtrack(_) => Some("offtrack"),
    }
}

macro_rules! contents {
    ($($game:ident: $options:ident, $action:ident;)+) => {
        $(impl From<$options> for GameOptions {
            fn from(options: $options) -> Self {
                Self { game: Some(game_options::Game::$game(options)) }
            }
        }

        impl From<$action> for GameAction {
            fn from(action: $action) -> Self {
                Self { game: Some(game_action::Game::$game(action)) }
            }
        }

        impl From<$action> for ActionChoice {
            fn from(action: $action) -> Self {
                GameAction::from(action).into()
            }
        })+
    };
}

contents! {
    Offboard: OffboardOptions, OffboardAction;
    Offtrack: OffTrackOptions, OffTrackAction;
    Eternitium: EternitiumOptions, EternitiumAction;
    OffTheRails: OffTheRailsOptions, OffTheRailsAction;
}

impl From<action_choice::Choice> for ActionChoice {
    fn from(choice: action_choice::Choice) -> Self {
        Self { choice: Some(choice) }
    }
}

impl From<&str> for ActionChoice {
    fn from(notation: &str) -> Self {
        action_choice::Choice::Notation(notation.into()).into()
    }
}

impl From<String> for ActionChoice {
    fn from(notation: String) -> Self {
        action_choice::Choice::Notation(notation).into()
    }
}

impl From<u32> for ActionChoice {
    fn from(index: u32) -> Self {
        action_choice::Choice::Index(index).into()
    }
}

impl From<&LegalAction> for ActionChoice {
    fn from(action: &LegalAction) -> Self {
        action.index.into()
    }
}

impl From<GameAction> for ActionChoice {
    fn from(action: GameAction) -> Self {
        action_choice::Choice::Action(action).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_options_of_its_name() {
        for game in GAMES {
            assert_eq!(game_of(&game_options(game).unwrap()), Some(game));
        }
        let refused = game_options("chess").unwrap_err();
        assert_eq!(refused.violations()[0].field, "game");
    }

    #[test]
    fn an_action_is_named_as_it_was_given() {
        use crate::v1::action_choice::Choice;
        let listed = LegalAction { index: 7, ..Default::default() };
        assert_eq!(ActionChoice::from("e3e4").choice, Some(Choice::Notation("e3e4".into())));
        assert_eq!(ActionChoice::from(&listed), ActionChoice::from(7));
        let typed = GameAction::from(OffboardAction::default());
        let named = ActionChoice::from(OffboardAction::default());
        assert_eq!(named.choice, Some(Choice::Action(typed)));
    }
}
