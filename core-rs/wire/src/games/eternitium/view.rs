//! The views of Eternitium as messages.

use tablestate_rules::games::eternitium::{Card, Player, Symbol, View};

use super::{write_card, write_cards, write_step, write_symbol};
use crate::v1;

pub(super) fn write_view(view: &View) -> v1::EternitiumView {
    let turn = view.turn;
    let own = view.own.as_ref();
    v1::EternitiumView {
        round: view.round.into(),
        max_rounds: view.max_rounds() as u32,
        step: write_step(view.step),
        turn_of: view.to_act.index() as u32,
        extra_turn: turn.is_extra,
        time_loop: turn.looped,
        played: turn.played,
        refill_size: turn.refill.into(),
        players: view.players.iter().map(write_player).collect(),
        supply: view.supply.map(u32::from).to_vec(),
        eras_gone: view.gone.map(u32::from).to_vec(),
        visible_eras: write_places(&view.visible),
        pile_size: view.pile_size as u32,
        basic_row: write_row(&view.rows[0]),
        advanced_row: write_row(&view.rows[1]),
        basic_deck_size: view.deck_sizes[0] as u32,
        advanced_deck_size: view.deck_sizes[1] as u32,
        play_area: write_cards(view.play_area.iter()),
        hand: own.map(|own| write_cards(own.hand.iter())).unwrap_or_default(),
        deck: own.map(|own| write_cards(own.deck.iter())).unwrap_or_default(),
        scanned: own.iter().flat_map(|own| own.scanned.iter().copied().map(write_symbol)).collect(),
    }
}

fn write_player(player: &Player) -> v1::EternitiumPlayer {
    v1::EternitiumPlayer {
        eras: player.eras as u32,
        top: player.top.map_or(0, write_symbol),
        hand_size: player.hand_size as u32,
        deck_size: player.deck_size as u32,
        discard: write_cards(player.discard.iter()),
        removed: write_cards(player.removed.iter()),
        basics: player.technologies[0] as u32,
        advanced: player.technologies[1] as u32,
        owned: player.owned.map(|owned| write_cards(owned.iter())).unwrap_or_default(),
        forfeited: player.forfeited,
    }
}

/// Visible Eras, 0 for an empty place.
pub(super) fn write_places(eras: &[Option<Symbol>]) -> Vec<i32> {
    eras.iter().map(|era| era.map_or(0, write_symbol)).collect()
}

/// A row, 0 for an empty place.
pub(super) fn write_row(row: &[Option<Card>]) -> Vec<i32> {
    row.iter().map(|card| card.map_or(0, write_card)).collect()
}
