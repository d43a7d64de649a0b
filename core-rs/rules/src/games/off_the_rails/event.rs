//! What decisions bring about: in full, and as a viewer may know it.

use arrayvec::ArrayVec;

use super::action::{Hand, SurfaceSquare};
use super::cart::CartName;
use super::geometry::{MINES, Mine, Side, Square};
use super::jewels::{Jewel, Jewels};
use super::missions::{Mission, Missions};
use super::track::Track;
use crate::vocab::{Seat, Viewer};

/// The two hands of a split hold: left, right.
pub type Hands = [Jewels; 2];

/// An event, in the order of the rules' "Events". `H` are the hands, which only their owner is
/// told.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum EventOf<H> {
    Deposited {
        colour: Mine,
        number: usize,
        square: Square,
        jewels: Jewels,
    },
    MissionsDealt {
        missions: Missions,
    },
    TurnStarted {
        seat: Seat,
    },
    TrackPlaced {
        seat: Seat,
        square: Square,
        track: Track,
    },
    TrackUpgraded {
        seat: Seat,
        square: Square,
        track: Track,
    },
    CartPlaced {
        cart: CartName,
        surface: SurfaceSquare,
    },
    SpeedChanged {
        cart: CartName,
        speed: u8,
    },
    ActionsEnded {
        seat: Seat,
    },
    MoveStarted {
        cart: CartName,
    },
    Entered {
        cart: CartName,
        square: Square,
    },
    Took {
        cart: CartName,
        square: Square,
        jewel: Jewel,
    },
    TookNothing {
        cart: CartName,
        square: Square,
    },
    Faced {
        cart: CartName,
        exit: Side,
    },
    Banked {
        cart: CartName,
        surface: SurfaceSquare,
        jewels: Jewels,
    },
    Derailed {
        cart: CartName,
        /// They go to the bag.
        jewels: Jewels,
        /// Out of the game.
        is_out: bool,
    },
    Collided {
        cart: CartName,
        opposing: CartName,
        is_connected: bool,
        /// The opposing cart was hit front first.
        is_front: bool,
    },
    Dropped {
        cart: CartName,
        square: Square,
        jewels: Jewels,
    },
    HandsClosed {
        cart: CartName,
        hands: H,
    },
    HandChosen {
        cart: CartName,
        hand: Hand,
        hands: Hands,
    },
    Turned {
        cart: CartName,
        exit: Side,
    },
    /// R12.
    Returned {
        cart: CartName,
    },
    MissionClaimed {
        seat: Seat,
        mission: Mission,
    },
    NoClaim {
        seat: Seat,
    },
    ChasmCard {
        seat: Seat,
    },
    ChasmOpened {
        /// The cards' numbers, by colour.
        numbers: ArrayVec<usize, MINES>,
    },
    TokenDrawn {
        colour: Mine,
    },
    DieRolled {
        number: usize,
        square: Square,
    },
    TokenPlaced {
        colour: Mine,
        square: Square,
        /// The track that was removed.
        track: Track,
        /// The jewels that were removed.
        jewels: Jewels,
    },
    TokenPutOut {
        colour: Mine,
    },
    TurnEnded {
        seat: Seat,
    },
}

/// The full truth.
pub type Event = EventOf<Hands>;
/// What a viewer may know: closed hands only where they are its own.
pub type ShownEvent = EventOf<Option<Hands>>;

impl Event {
    /// The event as a viewer may know it ("Who sees what").
    pub(super) fn shown_to(&self, viewer: Viewer) -> ShownEvent {
        match self.clone() {
            Self::HandsClosed { cart, hands } => {
                let is_own = viewer == Viewer::Seat(cart.seat);
                EventOf::HandsClosed { cart, hands: is_own.then_some(hands) }
            }
            event => event.shown_to_all(),
        }
    }

    /// An event that hides nothing.
    fn shown_to_all(self) -> ShownEvent {
        match self {
            Self::Deposited { colour, number, square, jewels } => {
                EventOf::Deposited { colour, number, square, jewels }
            }
            Self::MissionsDealt { missions } => EventOf::MissionsDealt { missions },
            Self::TurnStarted { seat } => EventOf::TurnStarted { seat },
            Self::TrackPlaced { seat, square, track } => {
                EventOf::TrackPlaced { seat, square, track }
            }
            Self::TrackUpgraded { seat, square, track } => {
                EventOf::TrackUpgraded { seat, square, track }
            }
            Self::CartPlaced { cart, surface } => EventOf::CartPlaced { cart, surface },
            Self::SpeedChanged { cart, speed } => EventOf::SpeedChanged { cart, speed },
            Self::ActionsEnded { seat } => EventOf::ActionsEnded { seat },
            Self::MissionClaimed { seat, mission } => EventOf::MissionClaimed { seat, mission },
            Self::NoClaim { seat } => EventOf::NoClaim { seat },
            Self::ChasmCard { seat } => EventOf::ChasmCard { seat },
            Self::ChasmOpened { numbers } => EventOf::ChasmOpened { numbers },
            Self::TokenDrawn { colour } => EventOf::TokenDrawn { colour },
            Self::DieRolled { number, square } => EventOf::DieRolled { number, square },
            Self::TokenPlaced { colour, square, track, jewels } => {
                EventOf::TokenPlaced { colour, square, track, jewels }
            }
            Self::TokenPutOut { colour } => EventOf::TokenPutOut { colour },
            Self::TurnEnded { seat } => EventOf::TurnEnded { seat },
            event => event.of_a_cart(),
        }
    }

    /// An event of a cart that hides nothing.
    fn of_a_cart(self) -> ShownEvent {
        match self {
            Self::MoveStarted { cart } => EventOf::MoveStarted { cart },
            Self::Entered { cart, square } => EventOf::Entered { cart, square },
            Self::Took { cart, square, jewel } => EventOf::Took { cart, square, jewel },
            Self::TookNothing { cart, square } => EventOf::TookNothing { cart, square },
            Self::Faced { cart, exit } => EventOf::Faced { cart, exit },
            Self::Banked { cart, surface, jewels } => EventOf::Banked { cart, surface, jewels },
            Self::Derailed { cart, jewels, is_out } => EventOf::Derailed { cart, jewels, is_out },
            Self::Collided { cart, opposing, is_connected, is_front } => {
                EventOf::Collided { cart, opposing, is_connected, is_front }
            }
            Self::Dropped { cart, square, jewels } => EventOf::Dropped { cart, square, jewels },
            Self::HandChosen { cart, hand, hands } => EventOf::HandChosen { cart, hand, hands },
            Self::Turned { cart, exit } => EventOf::Turned { cart, exit },
            Self::Returned { cart } => EventOf::Returned { cart },
            _ => unreachable!("the hands are hidden, the other events are not of a cart"),
        }
    }
}
