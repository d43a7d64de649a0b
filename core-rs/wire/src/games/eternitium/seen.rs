//! The views of Eternitium, read back.

use tablestate_rules::games::eternitium::{
    Eternitium, Options, SYMBOLS, Saved, SavedDeck, SavedSeat, SavedStack, Seen, SeenPlayer,
};
use tablestate_rules::{Faults, Position, Viewer};

use super::saved::Reader;
use crate::compare::compare_fields;
use crate::v1;
use crate::view::{ReadView, is_seat};

compare_fields!(EternitiumView:
    round max_rounds step turn_of extra_turn time_loop played refill_size players supply eras_gone
    visible_eras pile_size basic_row advanced_row basic_deck_size advanced_deck_size play_area hand
    deck scanned
);
compare_fields!(EternitiumPlayer:
    eras top hand_size deck_size discard removed basics advanced owned forfeited
);

impl ReadView for Eternitium {
    type Message = v1::EternitiumView;

    fn content(view: &v1::GameView) -> Option<&Self::Message> {
        match &view.game {
            Some(v1::game_view::Game::Eternitium(view)) => Some(view),
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
            players: view.players.iter().map(|player| read_player(&mut reader, player)).collect(),
            deck_sizes: [view.basic_deck_size, view.advanced_deck_size],
            scanned: reader.eras("scanned", &view.scanned),
        };
        reader.faults.under("eternitium").or(())?;
        seen.imagine()
    }
}

fn read_open(
    reader: &mut Reader,
    options: &Options,
    viewer: Viewer,
    view: &v1::EternitiumView,
) -> Saved {
    let mut seats = Vec::with_capacity(view.players.len());
    for (number, player) in view.players.iter().enumerate() {
        seats.push(read_seat(reader, player, is_seat(viewer, number).then_some(view)));
    }
    Saved {
        options: options.clone(),
        round: view.round,
        step: reader.step(view.step),
        turn_of: view.turn_of,
        is_extra: view.extra_turn,
        looped: view.time_loop,
        played: view.played,
        refill: view.refill_size,
        seats,
        supply: view.supply.clone(),
        gone: view.eras_gone.clone(),
        visible: reader.visible(&view.visible_eras),
        pile: vec![0; SYMBOLS],
        rows: [
            reader.row("basic_row", &view.basic_row),
            reader.row("advanced_row", &view.advanced_row),
        ],
        decks: [SavedDeck::default(), SavedDeck::default()],
        play_area: reader.cards("play_area", &view.play_area),
    }
}

/// What lies open of a seat's, and what it sees itself if it is the viewer.
fn read_seat(
    reader: &mut Reader,
    player: &v1::EternitiumPlayer,
    own: Option<&v1::EternitiumView>,
) -> SavedSeat {
    SavedSeat {
        stack: SavedStack { shuffled: vec![0; SYMBOLS], ..SavedStack::default() },
        hand: own.map_or(Vec::new(), |own| reader.cards("hand", &own.hand)),
        deck: own.map_or(Vec::new(), |own| reader.cards("deck", &own.deck)),
        discard: reader.cards("players.discard", &player.discard),
        removed: reader.cards("players.removed", &player.removed),
        forfeited: player.forfeited,
    }
}

fn read_player(reader: &mut Reader, player: &v1::EternitiumPlayer) -> SeenPlayer {
    SeenPlayer {
        eras: player.eras,
        top: reader.era("players.top", player.top),
        hand_size: player.hand_size,
        deck_size: player.deck_size,
        technologies: [player.basics, player.advanced],
        owned: reader.cards("players.owned", &player.owned),
    }
}
