//! The events of Eternitium as messages.

use tablestate_rules::Seat;
use tablestate_rules::games::eternitium::{Card, EventOf, ShownEvent, Symbol, Type};

use super::{write_card, write_cards, write_side, write_symbol};
use crate::v1::{EternitiumEvent, EternitiumEventKind as Kind};

/// An event as its viewer may know it: hidden cards are not in it in the first place.
pub(super) fn write_event(event: &ShownEvent) -> EternitiumEvent {
    match event {
        EventOf::TurnStarted { seat, round, is_extra } => EternitiumEvent {
            round: Some(*round as u32),
            extra_turn: *is_extra,
            ..by_seat(Kind::TurnStarted, *seat)
        },
        EventOf::GambleLost { seat } => by_seat(Kind::GambleLost, *seat),
        EventOf::EraGainedUnseen { seat } => by_seat(Kind::EraGainedUnseen, *seat),
        EventOf::EraCovered { seat } => by_seat(Kind::EraCovered, *seat),
        EventOf::StackShuffled { seat } => by_seat(Kind::StackShuffled, *seat),
        EventOf::PlayEnded { seat } => by_seat(Kind::PlayEnded, *seat),
        EventOf::Refitted { seat } => by_seat(Kind::Refitted, *seat),
        EventOf::NoTechnology { seat } => by_seat(Kind::NoTechnology, *seat),
        EventOf::TurnEnded { seat } => by_seat(Kind::TurnEnded, *seat),
        EventOf::ErasDealt { seat, number } => {
            EternitiumEvent { number: Some(*number as u32), ..by_seat(Kind::ErasDealt, *seat) }
        }
        EventOf::Reshuffled { seat, number } => {
            EternitiumEvent { number: Some(*number as u32), ..by_seat(Kind::Reshuffled, *seat) }
        }
        EventOf::Drawn { seat, number, cards } => EternitiumEvent {
            number: Some(*number as u32),
            cards: cards.map(|cards| write_cards(cards.iter())).unwrap_or_default(),
            ..by_seat(Kind::Drawn, *seat)
        },
        EventOf::Kept { seat, number, card } => EternitiumEvent {
            number: Some(*number as u32),
            card: card.map_or(0, write_card),
            ..by_seat(Kind::Kept, *seat)
        },
        EventOf::Discarded { seat, cards } => {
            EternitiumEvent { cards: write_cards(cards.iter()), ..by_seat(Kind::Discarded, *seat) }
        }
        EventOf::PortalTaken { seat, card } => with_card(Kind::PortalTaken, *seat, *card),
        EventOf::Removed { seat, card } => with_card(Kind::Removed, *seat, *card),
        EventOf::Played { seat, card, opponent } => EternitiumEvent {
            opponent: opponent.map(|seat| seat.index() as u32),
            ..with_card(Kind::Played, *seat, *card)
        },
        _ => write_era_event(event),
    }
}

/// What happens to Eras.
fn write_era_event(event: &ShownEvent) -> EternitiumEvent {
    match event {
        EventOf::EraTurned { seat, era } => with_era(Kind::EraTurned, *seat, *era),
        EventOf::EraRevealed { seat, era } => with_era(Kind::EraRevealed, *seat, *era),
        EventOf::EraLeft { seat, era } => with_era(Kind::EraLeft, *seat, *era),
        EventOf::VisibleEra { side, era } => EternitiumEvent {
            side: write_side(*side),
            era: write_symbol(*era),
            ..of(Kind::VisibleEra)
        },
        EventOf::ErasExchanged { seat, opponent } => EternitiumEvent {
            opponent: Some(opponent.index() as u32),
            ..by_seat(Kind::ErasExchanged, *seat)
        },
        EventOf::EraExiled { seat, opponent, era } => EternitiumEvent {
            opponent: Some(opponent.index() as u32),
            ..with_era(Kind::EraExiled, *seat, *era)
        },
        EventOf::PutOnTop { seat, position, era } => EternitiumEvent {
            place: Some(*position as u32),
            ..with_era(Kind::PutOnTop, *seat, *era)
        },
        EventOf::ErasSeen { seat, number, eras } => EternitiumEvent {
            number: Some(*number as u32),
            eras: eras.iter().flat_map(|eras| write_eras(eras)).collect(),
            ..by_seat(Kind::ErasSeen, *seat)
        },
        EventOf::ErasGained { seat, eras } => {
            EternitiumEvent { eras: write_eras(eras), ..by_seat(Kind::ErasGained, *seat) }
        }
        _ => write_technology_event(event),
    }
}

fn write_technology_event(event: &ShownEvent) -> EternitiumEvent {
    match event {
        EventOf::TechnologyUnder { of, card } => {
            EternitiumEvent { card: write_card(*card), ..of_type(Kind::TechnologyUnder, *of) }
        }
        EventOf::TechnologyTurned { of, place, card } => EternitiumEvent {
            place: Some(*place as u32),
            card: write_card(*card),
            ..of_type(Kind::TechnologyTurned, *of)
        },
        EventOf::TechnologyTaken { seat, of, place, card } => EternitiumEvent {
            seat: Some(seat.index() as u32),
            place: Some(*place as u32),
            card: write_card(*card),
            ..of_type(Kind::TechnologyTaken, *of)
        },
        EventOf::TechnologyTakenUnseen { seat, of, card } => EternitiumEvent {
            seat: Some(seat.index() as u32),
            card: card.map_or(0, write_card),
            ..of_type(Kind::TechnologyTaken, *of)
        },
        _ => unreachable!("the other events are not of technologies"),
    }
}

fn of(kind: Kind) -> EternitiumEvent {
    EternitiumEvent { kind: kind.into(), ..EternitiumEvent::default() }
}

fn of_type(kind: Kind, technology: Type) -> EternitiumEvent {
    EternitiumEvent { r#type: technology as i32 + 1, ..of(kind) }
}

fn by_seat(kind: Kind, seat: Seat) -> EternitiumEvent {
    EternitiumEvent { seat: Some(seat.index() as u32), ..of(kind) }
}

fn with_card(kind: Kind, seat: Seat, card: Card) -> EternitiumEvent {
    EternitiumEvent { card: write_card(card), ..by_seat(kind, seat) }
}

fn with_era(kind: Kind, seat: Seat, era: Symbol) -> EternitiumEvent {
    EternitiumEvent { era: write_symbol(era), ..by_seat(kind, seat) }
}

fn write_eras(eras: &[Symbol]) -> Vec<i32> {
    eras.iter().copied().map(write_symbol).collect()
}
