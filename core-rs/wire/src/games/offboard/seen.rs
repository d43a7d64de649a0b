//! The views of Offboard, read back.

use tablestate_rules::games::offboard::{Offboard, Options, Seen};
use tablestate_rules::{Faults, Position, Viewer};

use crate::compare::compare_fields;
use crate::v1;
use crate::view::ReadView;

compare_fields!(OffboardView:
    cells targets scores recovering quiet_turns turn points_to_win quiet_limit repetitions position
);
compare_fields!(OffboardTarget: value marble);

impl ReadView for Offboard {
    type Message = v1::OffboardView;

    fn content(view: &v1::GameView) -> Option<&Self::Message> {
        match &view.game {
            Some(v1::game_view::Game::Offboard(view)) => Some(view),
            _ => None,
        }
    }

    fn imagine(
        options: &Options,
        _: Viewer,
        view: &Self::Message,
    ) -> Result<Position<Self>, Faults> {
        let seen = Seen {
            options: options.clone(),
            position: view.position.clone(),
            repetitions: view.repetitions,
        };
        seen.imagine()
    }
}
