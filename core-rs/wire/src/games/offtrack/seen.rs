//! The views of OffTrack, read back.

use tablestate_rules::games::offtrack::{OffTrack, Options, Saved, SavedSeat, Seen};
use tablestate_rules::{Faults, Position, Viewer};

use super::saved::Reader;
use crate::compare::compare_fields;
use crate::v1;
use crate::view::{ReadView, is_seat};

compare_fields!(OffTrackView:
    round rounds step turn_of lines players hand held drawn boxed discard deck_size
    action_deck_size action_discard collapsed called
);
compare_fields!(OffTrackLine: cards flipped pinned sealed_by waiting_for);
compare_fields!(OffTrackCard: r#type redeemed);
compare_fields!(OffTrackPlayer: hand_size pile pile_score holds_action cycled round_scores);

impl ReadView for OffTrack {
    type Message = v1::OffTrackView;

    fn content(view: &v1::GameView) -> Option<&Self::Message> {
        match &view.game {
            Some(v1::game_view::Game::Offtrack(view)) => Some(view),
            _ => None,
        }
    }

    fn imagine(
        options: &Options,
        viewer: Viewer,
        view: &Self::Message,
    ) -> Result<Position<Self>, Faults> {
        let mut reader = Reader::default();
        let seen = Seen {
            viewer,
            open: read_open(&mut reader, options, viewer, view),
            hand_sizes: view.players.iter().map(|player| player.hand_size).collect(),
            holds: view.players.iter().map(|player| player.holds_action).collect(),
        };
        reader.faults.under("offtrack").or(())?;
        seen.imagine()
    }
}

fn read_open(
    reader: &mut Reader,
    options: &Options,
    viewer: Viewer,
    view: &v1::OffTrackView,
) -> Saved {
    let players = view.players.iter().enumerate();
    let mut read_seat = |(number, player): (usize, &v1::OffTrackPlayer)| {
        let own = is_seat(viewer, number).then_some(view);
        SavedSeat {
            hand: own.map_or(Vec::new(), |own| reader.kinds("hand", &own.hand)),
            pile: reader.cards("players.pile", &player.pile),
            held: own.and_then(|own| reader.action("held", own.held)),
            cycled: player.cycled,
            round_scores: player.round_scores.clone(),
        }
    };
    let seats = players.map(&mut read_seat).collect();
    Saved {
        options: options.clone(),
        round: view.round,
        turn_of: view.turn_of,
        step: reader.step(view.step),
        lines: view.lines.iter().map(|line| reader.line(line)).collect(),
        seats,
        boxed: reader.cards("boxed", &view.boxed),
        deck: Vec::new(),
        discard: reader.kinds("discard", &view.discard),
        action_deck: Vec::new(),
        action_discard: reader.actions("action_discard", &view.action_discard),
        drawn: reader.action("drawn", view.drawn),
        collapsed: view.collapsed,
        called: view.called,
    }
}
