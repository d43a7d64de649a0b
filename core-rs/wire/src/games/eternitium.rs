//! The messages of `eternitium.proto`: options and decisions. Views, events and full states have
//! files of their own.

mod event;
mod saved;
mod seen;
mod view;

use tablestate_rules::games::eternitium::{
    Action, Aim, CARDS, Card, Eternitium, Options, Place, ROW, ShownEvent, Side, Step, Symbol, View,
};
use tablestate_rules::{AnyPosition, Faults, Position, Seat};

use crate::games::not_of;
use crate::{WireGame, v1};
use v1::eternitium_action::Action as ActionMessage;

pub(crate) use saved::read_state;

impl WireGame for Eternitium {
    fn any(position: Position<Self>) -> AnyPosition {
        AnyPosition::Eternitium(position)
    }

    fn write_options(options: &Options) -> v1::GameOptions {
        let options = write_options(options);
        v1::GameOptions { game: Some(v1::game_options::Game::Eternitium(options)) }
    }

    fn write_action(&self, action: Action) -> v1::GameAction {
        let action = v1::EternitiumAction { action: Some(write_action(action)) };
        v1::GameAction { game: Some(v1::game_action::Game::Eternitium(action)) }
    }

    fn read_action(&self, message: &v1::GameAction) -> Result<Action, Faults> {
        let action = match &message.game {
            Some(v1::game_action::Game::Eternitium(action)) => action.action.as_ref(),
            other => return Err(not_of(<Self as tablestate_rules::Game>::INFO.id, other.as_ref())),
        };
        let Some(action) = action else {
            return Err(Faults::one("eternitium.action", "not set", "one of the decisions"));
        };
        read_action(action).map_err(|faults| faults.under("eternitium"))
    }

    fn write_event(event: &ShownEvent) -> v1::GameEvent {
        let event = event::write_event(event);
        v1::GameEvent { game: Some(v1::game_event::Game::Eternitium(event)) }
    }

    fn write_view(view: &View) -> v1::GameView {
        v1::GameView { game: Some(v1::game_view::Game::Eternitium(view::write_view(view))) }
    }

    fn write_state(position: &Position<Self>) -> v1::GameState {
        let state = saved::write_state(position);
        v1::GameState { game: Some(v1::game_state::Game::Eternitium(state)) }
    }
}

/// The options of a message. A kind that there is not is a fault.
pub(crate) fn read_options(message: &v1::EternitiumOptions) -> Result<Options, Faults> {
    let mut faults = Faults::default();
    let mut technology_copies = Vec::new();
    for (number, copies) in message.technology_copies.iter().enumerate() {
        let field = format!("eternitium.technology_copies[{number}].card");
        match read_card(&field, copies.card) {
            Ok(card) => technology_copies.push((card, copies.copies)),
            Err(fault) => faults.extend(fault),
        }
    }
    faults.or(Options {
        seats: message.seats,
        eras_per_seat: message.eras_per_seat,
        technology_copies,
        max_rounds: message.max_rounds,
    })
}

fn write_options(options: &Options) -> v1::EternitiumOptions {
    let copies =
        |&(card, copies): &(Card, u32)| v1::EternitiumCopies { card: write_card(card), copies };
    v1::EternitiumOptions {
        seats: options.seats,
        eras_per_seat: options.eras_per_seat,
        technology_copies: options.technology_copies.iter().map(copies).collect(),
        max_rounds: options.max_rounds,
    }
}

fn write_action(action: Action) -> ActionMessage {
    match action {
        Action::TakeBasic(place) => {
            ActionMessage::TakeBasic(v1::EternitiumTakeBasic { place: write_place(place) })
        }
        Action::Portal(symbol) => {
            ActionMessage::Portal(v1::EternitiumTakePortal { symbol: write_symbol(symbol) })
        }
        Action::Play(card, aim) => ActionMessage::Play(write_play(card, aim)),
        Action::PutOnTop(position) => {
            ActionMessage::PutOnTop(v1::EternitiumPutOnTop { position: position.into() })
        }
        Action::EndPlay => ActionMessage::EndPlay(v1::EternitiumEndPlay {}),
        Action::Refit => ActionMessage::Refit(v1::EternitiumRefit {}),
        Action::Remove(card) => {
            ActionMessage::Remove(v1::EternitiumRemove { card: write_card(card) })
        }
        Action::Keep(card) => {
            ActionMessage::Keep(v1::EternitiumKeep { card: card.map_or(0, write_card) })
        }
        Action::Basic(place, side) => ActionMessage::Basic(v1::EternitiumBuyBasic {
            place: write_place(place),
            era: side.map_or(0, write_side),
        }),
        Action::Advanced(place) => {
            ActionMessage::Advanced(v1::EternitiumBuyAdvanced { place: write_place(place) })
        }
        Action::NoTechnology => ActionMessage::NoTechnology(v1::EternitiumNoTechnology {}),
    }
}

fn write_play(card: Card, aim: Aim) -> v1::EternitiumPlay {
    let (seat, other) = match aim {
        Aim::None => (None, 0),
        Aim::Seat(seat) => (Some(seat.index() as u32), 0),
        Aim::Card(other) => (None, write_card(other)),
    };
    v1::EternitiumPlay { card: write_card(card), seat, other }
}

fn read_action(action: &ActionMessage) -> Result<Action, Faults> {
    Ok(match action {
        ActionMessage::TakeBasic(take) => {
            Action::TakeBasic(read_place("take_basic.place", take.place)?)
        }
        ActionMessage::Portal(take) => Action::Portal(read_symbol("portal.symbol", take.symbol)?),
        ActionMessage::Play(play) => read_play(play).map_err(|faults| faults.under("play"))?,
        ActionMessage::PutOnTop(put) => match put.position {
            0 | 1 => Action::PutOnTop(put.position as u8),
            other => return Err(Faults::one("put_on_top.position", other, "0 or 1")),
        },
        ActionMessage::EndPlay(_) => Action::EndPlay,
        ActionMessage::Refit(_) => Action::Refit,
        ActionMessage::Remove(remove) => Action::Remove(read_card("remove.card", remove.card)?),
        ActionMessage::Keep(keep) => Action::Keep(match keep.card {
            0 => None,
            card => Some(read_card("keep.card", card)?),
        }),
        ActionMessage::Basic(basic) => {
            let place = read_place("basic.place", basic.place)?;
            Action::Basic(place, read_side("basic.era", basic.era)?)
        }
        ActionMessage::Advanced(advanced) => {
            Action::Advanced(read_place("advanced.place", advanced.place)?)
        }
        ActionMessage::NoTechnology(_) => Action::NoTechnology,
    })
}

/// Only a card that is aimed at a seat takes one, and only one that is aimed at a card takes that.
fn read_play(play: &v1::EternitiumPlay) -> Result<Action, Faults> {
    let card = read_card("card", play.card)?;
    let seat = |number: u32| {
        let seat = Seat::new(number as usize);
        seat.ok_or_else(|| Faults::one("seat", number, "a seat of the table"))
    };
    let aim = match (play.seat, play.other) {
        (None, 0) => Aim::None,
        (Some(number), 0) => Aim::Seat(seat(number)?),
        (None, other) => Aim::Card(read_card("other", other)?),
        (Some(number), _) => return Err(Faults::one("seat", number, "a seat or a card, not both")),
    };
    Ok(Action::Play(card, aim))
}

fn write_place(place: Place) -> Option<u32> {
    match place {
        Place::Row(place) => Some(place.into()),
        Place::Unseen => None,
    }
}

fn read_place(field: &str, place: Option<u32>) -> Result<Place, Faults> {
    match place {
        None => Ok(Place::Unseen),
        Some(place) if (place as usize) < ROW => Ok(Place::Row(place as u8)),
        Some(place) => Err(Faults::one(field, place, "a place of the row, 0 to 2")),
    }
}

fn write_symbol(symbol: Symbol) -> i32 {
    symbol as i32 + 1
}

fn read_symbol(field: &str, number: i32) -> Result<Symbol, Faults> {
    let symbol = Symbol::ALL.get((number as usize).wrapping_sub(1)).copied();
    symbol.ok_or_else(|| Faults::one(field, number, "a symbol, 1 to 4"))
}

fn write_card(card: Card) -> i32 {
    card.number() as i32 + 1
}

fn read_card(field: &str, number: i32) -> Result<Card, Faults> {
    let card = Card::new((number as usize).wrapping_sub(1));
    card.ok_or_else(|| Faults::one(field, number, format!("a kind of card, 1 to {CARDS}")))
}

fn write_cards(cards: impl IntoIterator<Item = Card>) -> Vec<i32> {
    cards.into_iter().map(write_card).collect()
}

fn write_side(side: Side) -> i32 {
    side as i32 + 1
}

fn read_side(field: &str, number: i32) -> Result<Option<Side>, Faults> {
    match number {
        0 => Ok(None),
        1 => Ok(Some(Side::Left)),
        2 => Ok(Some(Side::Right)),
        _ => Err(Faults::one(field, number, "a visible Era, 1 or 2, or none")),
    }
}

/// The steps by their numbers in messages.
const STEPS: [Step; 7] = [
    Step::Over,
    Step::TakeBasic,
    Step::Portal,
    Step::Play,
    Step::PutOnTop,
    Step::Refit,
    Step::Technology,
];

fn write_step(step: Step) -> i32 {
    STEPS.iter().position(|&other| other == step).unwrap_or(0) as i32
}
