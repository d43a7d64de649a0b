//! The events of Off the Rails as messages.

use tablestate_rules::Seat;
use tablestate_rules::games::off_the_rails::{
    CartName, EventOf, Hands, Jewel, Jewels, ShownEvent, Square,
};

use super::{
    write_cart_name, write_exits, write_hand, write_jewels, write_mine, write_side, write_surface,
};
use crate::v1::{OffTheRailsEvent, OffTheRailsEventKind as Kind};

/// An event as its viewer may know it: closed hands are not in it in the first place.
pub(super) fn write_event(event: &ShownEvent) -> OffTheRailsEvent {
    match event {
        EventOf::MissionsDealt { missions } => OffTheRailsEvent {
            numbers: missions.iter().map(|mission| mission.number() as u32).collect(),
            ..of(Kind::MissionsDealt)
        },
        EventOf::TurnStarted { seat } => by_seat(Kind::TurnStarted, *seat),
        EventOf::TrackPlaced { seat, square, track } => OffTheRailsEvent {
            square: number(*square),
            exits: write_exits(*track),
            ..by_seat(Kind::TrackPlaced, *seat)
        },
        EventOf::TrackUpgraded { seat, square, track } => OffTheRailsEvent {
            square: number(*square),
            exits: write_exits(*track),
            ..by_seat(Kind::TrackUpgraded, *seat)
        },
        EventOf::CartPlaced { cart, surface } => OffTheRailsEvent {
            surface: Some(write_surface(*surface)),
            ..of_cart(Kind::CartPlaced, *cart)
        },
        EventOf::SpeedChanged { cart, speed } => {
            OffTheRailsEvent { speed: (*speed).into(), ..of_cart(Kind::SpeedChanged, *cart) }
        }
        EventOf::ActionsEnded { seat } => by_seat(Kind::ActionsEnded, *seat),
        EventOf::MissionClaimed { seat, mission } => OffTheRailsEvent {
            number: mission.number() as u32,
            ..by_seat(Kind::MissionClaimed, *seat)
        },
        EventOf::NoClaim { seat } => by_seat(Kind::NoClaim, *seat),
        EventOf::TurnEnded { seat } => by_seat(Kind::TurnEnded, *seat),
        _ => write_move_event(event),
    }
}

/// What happens while carts move.
fn write_move_event(event: &ShownEvent) -> OffTheRailsEvent {
    match event {
        EventOf::MoveStarted { cart } => of_cart(Kind::MoveStarted, *cart),
        EventOf::Entered { cart, square } => on_square(Kind::Entered, *cart, *square, []),
        EventOf::Took { cart, square, jewel } => on_square(Kind::Took, *cart, *square, [*jewel]),
        EventOf::TookNothing { cart, square } => on_square(Kind::TookNothing, *cart, *square, []),
        EventOf::Faced { cart, exit } => {
            OffTheRailsEvent { facing: write_side(*exit), ..of_cart(Kind::Faced, *cart) }
        }
        EventOf::Banked { cart, surface, jewels } => OffTheRailsEvent {
            surface: Some(write_surface(*surface)),
            jewels: write_jewels(jewels.iter()),
            ..of_cart(Kind::Banked, *cart)
        },
        EventOf::Derailed { cart, jewels, is_out } => OffTheRailsEvent {
            jewels: write_jewels(jewels.iter()),
            out: *is_out,
            ..of_cart(Kind::Derailed, *cart)
        },
        _ => write_collision_event(event),
    }
}

fn write_collision_event(event: &ShownEvent) -> OffTheRailsEvent {
    match event {
        EventOf::Collided { cart, opposing, is_connected, is_front } => OffTheRailsEvent {
            opposing: Some(write_cart_name(*opposing)),
            connected: *is_connected,
            front_first: *is_front,
            ..of_cart(Kind::Collided, *cart)
        },
        EventOf::Dropped { cart, square, jewels } => {
            on_square(Kind::Dropped, *cart, *square, jewels.iter())
        }
        EventOf::HandsClosed { cart, hands } => {
            let hands = hands.unwrap_or_default();
            with_hands(Kind::HandsClosed, *cart, hands)
        }
        EventOf::HandChosen { cart, hand, hands } => OffTheRailsEvent {
            hand: write_hand(*hand),
            ..with_hands(Kind::HandChosen, *cart, *hands)
        },
        EventOf::Turned { cart, exit } => {
            OffTheRailsEvent { facing: write_side(*exit), ..of_cart(Kind::Turned, *cart) }
        }
        EventOf::Returned { cart } => of_cart(Kind::Returned, *cart),
        _ => write_mine_event(event),
    }
}

/// What happens in the mines: deposits, the Chasm.
fn write_mine_event(event: &ShownEvent) -> OffTheRailsEvent {
    match event {
        EventOf::Deposited { colour, number: card, square, jewels } => OffTheRailsEvent {
            colour: write_mine(*colour),
            number: *card as u32,
            ..lying(Kind::Deposited, *square, *jewels)
        },
        EventOf::ChasmCard { seat } => by_seat(Kind::ChasmCard, *seat),
        EventOf::ChasmOpened { numbers } => OffTheRailsEvent {
            numbers: numbers.iter().map(|&number| number as u32).collect(),
            ..of(Kind::ChasmOpened)
        },
        EventOf::TokenDrawn { colour } => {
            OffTheRailsEvent { colour: write_mine(*colour), ..of(Kind::TokenDrawn) }
        }
        EventOf::DieRolled { number: rolled, square } => OffTheRailsEvent {
            number: *rolled as u32,
            square: number(*square),
            ..of(Kind::DieRolled)
        },
        EventOf::TokenPlaced { colour, square, track, jewels } => OffTheRailsEvent {
            colour: write_mine(*colour),
            exits: write_exits(*track),
            ..lying(Kind::TokenPlaced, *square, *jewels)
        },
        EventOf::TokenPutOut { colour } => {
            OffTheRailsEvent { colour: write_mine(*colour), ..of(Kind::TokenPutOut) }
        }
        _ => unreachable!("the other events are not of mines"),
    }
}

fn number(square: Square) -> Option<u32> {
    Some(square.index() as u32)
}

fn of(kind: Kind) -> OffTheRailsEvent {
    OffTheRailsEvent { kind: kind.into(), ..OffTheRailsEvent::default() }
}

fn by_seat(kind: Kind, seat: Seat) -> OffTheRailsEvent {
    OffTheRailsEvent { seat: Some(seat.index() as u32), ..of(kind) }
}

fn of_cart(kind: Kind, cart: CartName) -> OffTheRailsEvent {
    OffTheRailsEvent { cart: Some(write_cart_name(cart)), ..of(kind) }
}

fn lying(kind: Kind, square: Square, jewels: Jewels) -> OffTheRailsEvent {
    let jewels = write_jewels(jewels.iter());
    OffTheRailsEvent { square: number(square), jewels, ..of(kind) }
}

fn on_square(
    kind: Kind,
    cart: CartName,
    square: Square,
    jewels: impl IntoIterator<Item = Jewel>,
) -> OffTheRailsEvent {
    let jewels = write_jewels(jewels);
    OffTheRailsEvent { square: number(square), jewels, ..of_cart(kind, cart) }
}

fn with_hands(kind: Kind, cart: CartName, [left, right]: Hands) -> OffTheRailsEvent {
    OffTheRailsEvent {
        left: write_jewels(left.iter()),
        right: write_jewels(right.iter()),
        ..of_cart(kind, cart)
    }
}
