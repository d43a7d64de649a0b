//! The events of OffTrack as messages.

use tablestate_rules::games::offtrack::{Card, EventOf, ShownEvent};

use super::{write_action_card, write_card};
use crate::v1::{self, OffTrackEvent, OffTrackEventKind as Kind};

/// An event as its viewer may know it: hidden cards are not in it in the first place.
pub(super) fn write_event(event: &ShownEvent) -> OffTrackEvent {
    match event {
        EventOf::RoundStarted { round, starting_seat, prime } => OffTrackEvent {
            round: Some(*round as u32),
            seat: Some(starting_seat.index() as u32),
            cards: cards(prime.iter().copied()),
            ..of(Kind::RoundStarted)
        },
        EventOf::Dealt { seat, number, cards: hand } => OffTrackEvent {
            seat: Some(seat.index() as u32),
            number: Some(*number as u32),
            cards: hand.map(|hand| cards(hand.cards())).unwrap_or_default(),
            ..of(Kind::Dealt)
        },
        EventOf::Refilled { seat, number, cards: drawn } => OffTrackEvent {
            seat: Some(seat.index() as u32),
            number: Some(*number as u32),
            cards: drawn.map(|drawn| cards(drawn.cards())).unwrap_or_default(),
            ..of(Kind::Refilled)
        },
        EventOf::ActionDrawn { seat, action } => OffTrackEvent {
            seat: Some(seat.index() as u32),
            action_card: write_action_card(*action),
            ..of(Kind::ActionDrawn)
        },
        EventOf::ActionPlayed { seat, action } => OffTrackEvent {
            seat: Some(seat.index() as u32),
            action_card: write_action_card(Some(*action)),
            ..of(Kind::ActionPlayed)
        },
        EventOf::ActionDiscarded { seat, action } => OffTrackEvent {
            seat: Some(seat.index() as u32),
            action_card: write_action_card(Some(*action)),
            ..of(Kind::ActionDiscarded)
        },
        EventOf::RoundScored { scores } => {
            OffTrackEvent { scores: scores.clone(), ..of(Kind::RoundScored) }
        }
        EventOf::Reshuffled { number } => {
            OffTrackEvent { number: Some(*number as u32), ..of(Kind::Reshuffled) }
        }
        EventOf::TurnStarted { seat } => by_seat(Kind::TurnStarted, seat.index()),
        EventOf::ActionHeld { seat } => by_seat(Kind::ActionHeld, seat.index()),
        EventOf::Skipped { seat } => by_seat(Kind::Skipped, seat.index()),
        EventOf::EndCalled { seat } => by_seat(Kind::EndCalled, seat.index()),
        EventOf::TurnEnded { seat } => by_seat(Kind::TurnEnded, seat.index()),
        EventOf::Cycled { seat, cards: hand } => {
            OffTrackEvent { cards: cards(hand.cards()), ..by_seat(Kind::Cycled, seat.index()) }
        }
        _ => write_table_event(event),
    }
}

/// The events that happen on the lines.
fn write_table_event(event: &ShownEvent) -> OffTrackEvent {
    match event {
        EventOf::SealLifted { line } => on_line(Kind::SealLifted, *line),
        EventOf::Flipped { line } => on_line(Kind::Flipped, *line),
        EventOf::Opened { line } => on_line(Kind::Opened, *line),
        EventOf::Collapsed { line, scored, boxed } => OffTrackEvent {
            scored: Some(write_card(*scored)),
            cards: cards(boxed.iter().copied()),
            ..on_line(Kind::Collapsed, *line)
        },
        EventOf::Waiting { line, seat } => seat_on_line(Kind::Waiting, seat.index(), *line),
        EventOf::Sealed { line, seat } => seat_on_line(Kind::Sealed, seat.index(), *line),
        EventOf::Appended { seat, card, line } => OffTrackEvent {
            cards: vec![write_card(*card)],
            ..seat_on_line(Kind::Appended, seat.index(), *line)
        },
        EventOf::Collected { seat, line, cards: collected } => OffTrackEvent {
            cards: cards(collected.iter().copied()),
            ..seat_on_line(Kind::Collected, seat.index(), *line)
        },
        EventOf::Scored { seat, line, card } => OffTrackEvent {
            scored: Some(write_card(*card)),
            ..seat_on_line(Kind::Scored, seat.index(), *line)
        },
        EventOf::Pinned { line, index } => {
            OffTrackEvent { index: Some(*index as u32), ..on_line(Kind::Pinned, *line) }
        }
        EventOf::Sheared { line, index, branch } => OffTrackEvent {
            index: Some(*index as u32),
            onto: branch.map(|branch| branch as u32),
            ..on_line(Kind::Sheared, *line)
        },
        EventOf::Boxed { line, cards: boxed } => {
            OffTrackEvent { cards: cards(boxed.iter().copied()), ..on_line(Kind::Boxed, *line) }
        }
        EventOf::Redeemed { line, cards: were } => {
            OffTrackEvent { cards: cards(were.iter().copied()), ..on_line(Kind::Redeemed, *line) }
        }
        EventOf::Moved { from, onto, card } => OffTrackEvent {
            onto: Some(*onto as u32),
            cards: vec![write_card(*card)],
            ..on_line(Kind::Moved, *from)
        },
        EventOf::Recalled { line, from, to } => OffTrackEvent {
            index: Some(*from as u32),
            to_index: Some(*to as u32),
            ..on_line(Kind::Recalled, *line)
        },
        _ => unreachable!("the other events are not of the table"),
    }
}

fn of(kind: Kind) -> OffTrackEvent {
    OffTrackEvent { kind: kind.into(), ..OffTrackEvent::default() }
}

fn by_seat(kind: Kind, seat: usize) -> OffTrackEvent {
    OffTrackEvent { seat: Some(seat as u32), ..of(kind) }
}

fn on_line(kind: Kind, line: usize) -> OffTrackEvent {
    OffTrackEvent { line: Some(line as u32), ..of(kind) }
}

fn seat_on_line(kind: Kind, seat: usize, line: usize) -> OffTrackEvent {
    OffTrackEvent { seat: Some(seat as u32), ..on_line(kind, line) }
}

fn cards(cards: impl IntoIterator<Item = Card>) -> Vec<v1::OffTrackCard> {
    cards.into_iter().map(write_card).collect()
}
