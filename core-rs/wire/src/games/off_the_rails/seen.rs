//! The views of Off the Rails, read back.

use tablestate_rules::games::off_the_rails::{OffTheRails, Options, Seen};
use tablestate_rules::{Faults, Position, Viewer};

use super::saved::Reader;
use crate::compare::{Compare, compare_fields, compare_whole, excerpt};
use crate::v1;
use crate::view::ReadView;

compare_fields!(OffTheRailsView: board sides table left_hand scores preview);
compare_fields!(OffTheRailsTable:
    step turn_of actions_taken squares players bag removed cards deck chasm missions deeds r#move
    collision token
);
compare_fields!(OffTheRailsPreview: cart squares end steps_left facing);
compare_fields!(OffTheRailsPlayer: white black stockpile claimed);
compare_whole!(
    v1::OffTheRailsSquare,
    v1::OffTheRailsCards,
    Option<v1::OffTheRailsCart>,
    Option<v1::OffTheRailsCartName>,
    Option<v1::OffTheRailsDeck>,
    Option<v1::OffTheRailsChasm>,
    Option<v1::OffTheRailsDeeds>,
    Option<v1::OffTheRailsMove>,
    Option<v1::OffTheRailsCollision>,
    Option<v1::OffTheRailsToken>
);

impl Compare for Option<v1::OffTheRailsTable> {
    fn compare(&self, expected: &Self, field: &str, faults: &mut Faults) {
        if let (Some(table), Some(expected)) = (self, expected) {
            table.compare(expected, field, faults);
        }
    }
}

impl ReadView for OffTheRails {
    type Message = v1::OffTheRailsView;

    fn content(view: &v1::GameView) -> Option<&Self::Message> {
        match &view.game {
            Some(v1::game_view::Game::OffTheRails(view)) => Some(view),
            _ => None,
        }
    }

    fn imagine(
        options: &Options,
        viewer: Viewer,
        view: &Self::Message,
    ) -> Result<Position<Self>, Faults> {
        let mut reader = Reader::default();
        let Some(table) = reader.part("table", view.table.as_ref()) else {
            return Err(reader.faults.under("off_the_rails"));
        };
        let table = reader.table(table);
        let left_hand = reader.jewels("left_hand", &view.left_hand);
        reader.faults.under("off_the_rails").or(())?;
        Seen { viewer, options: options.clone(), table, left_hand }.imagine()
    }
}
