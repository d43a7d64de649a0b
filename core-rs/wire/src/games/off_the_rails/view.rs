//! The views of Off the Rails as messages.

use tablestate_rules::games::off_the_rails::{Preview, PreviewEnd, SavedTable, View};

use super::table::{write_optional_side, write_table};
use super::{write_board, write_cart_name, write_jewels, write_side};
use crate::v1::{self, OffTheRailsPreviewEnd as EndMessage};

pub(super) fn write_view(view: &View<'_>) -> v1::OffTheRailsView {
    let table = view.table();
    v1::OffTheRailsView {
        board: write_board(table.board()),
        sides: table.all_seats().map(|seat| write_side(table.side(seat))).collect(),
        table: Some(write_table(&SavedTable::of(table))),
        left_hand: write_jewels(view.left_hand().unwrap_or_default().iter()),
        scores: table.scores().to_vec(),
        preview: view.previews().iter().map(write_preview).collect(),
    }
}

fn write_preview(preview: &Preview) -> v1::OffTheRailsPreview {
    v1::OffTheRailsPreview {
        cart: Some(write_cart_name(preview.cart)),
        squares: preview.squares.iter().map(|square| square.index() as u32).collect(),
        end: write_end(preview.end).into(),
        steps_left: preview.steps_left.into(),
        facing: write_optional_side(preview.facing),
    }
}

fn write_end(end: PreviewEnd) -> EndMessage {
    match end {
        PreviewEnd::SpeedUsed => EndMessage::SpeedUsed,
        PreviewEnd::Choice => EndMessage::Choice,
        PreviewEnd::Collision => EndMessage::Collision,
        PreviewEnd::Bank => EndMessage::Bank,
        PreviewEnd::Derailment => EndMessage::Derailment,
    }
}
