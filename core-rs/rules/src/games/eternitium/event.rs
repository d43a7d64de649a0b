//! What decisions bring about: in full, and as a viewer may know it.

use arrayvec::ArrayVec;

use super::action::Side;
use super::bag::Bag;
use super::cards::{Card, Symbol, Type};
use crate::vocab::{Seat, Viewer};

/// Eras in order, two at most.
pub type Eras = ArrayVec<Symbol, 2>;

/// An event, in the order of the rules' "Events". `B`, `C`, `K` and `E` are what only one seat is
/// told: cards, a card, a kept card or none, Eras.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum EventOf<B, C, K, E> {
    ErasDealt {
        seat: Seat,
        number: usize,
    },
    EraTurned {
        seat: Seat,
        era: Symbol,
    },
    VisibleEra {
        side: Side,
        era: Symbol,
    },
    TechnologyUnder {
        of: Type,
        card: Card,
    },
    TechnologyTurned {
        of: Type,
        place: usize,
        card: Card,
    },
    /// From the row.
    TechnologyTaken {
        seat: Seat,
        of: Type,
        place: usize,
        card: Card,
    },
    TechnologyTakenUnseen {
        seat: Seat,
        of: Type,
        card: C,
    },
    Reshuffled {
        seat: Seat,
        number: usize,
    },
    Drawn {
        seat: Seat,
        number: usize,
        cards: B,
    },
    TurnStarted {
        seat: Seat,
        round: usize,
        is_extra: bool,
    },
    PortalTaken {
        seat: Seat,
        card: Card,
    },
    Played {
        seat: Seat,
        card: Card,
        opponent: Option<Seat>,
    },
    EraRevealed {
        seat: Seat,
        era: Symbol,
    },
    EraLeft {
        seat: Seat,
        era: Symbol,
    },
    GambleLost {
        seat: Seat,
    },
    EraGainedUnseen {
        seat: Seat,
    },
    EraCovered {
        seat: Seat,
    },
    StackShuffled {
        seat: Seat,
    },
    ErasExchanged {
        seat: Seat,
        opponent: Seat,
    },
    ErasSeen {
        seat: Seat,
        number: usize,
        eras: E,
    },
    PutOnTop {
        seat: Seat,
        position: usize,
        era: Symbol,
    },
    EraExiled {
        seat: Seat,
        opponent: Seat,
        era: Symbol,
    },
    PlayEnded {
        seat: Seat,
    },
    Refitted {
        seat: Seat,
    },
    Removed {
        seat: Seat,
        card: Card,
    },
    Kept {
        seat: Seat,
        number: usize,
        card: K,
    },
    Discarded {
        seat: Seat,
        cards: Bag,
    },
    ErasGained {
        seat: Seat,
        eras: Eras,
    },
    NoTechnology {
        seat: Seat,
    },
    TurnEnded {
        seat: Seat,
    },
}

/// The full truth.
pub type Event = EventOf<Bag, Card, Option<Card>, Eras>;
/// What a viewer may know: hidden cards only where they are its own.
pub type ShownEvent = EventOf<Option<Bag>, Option<Card>, Option<Card>, Option<Eras>>;

impl Event {
    /// The event as a viewer may know it ("Who sees what").
    pub(super) fn shown_to(&self, viewer: Viewer) -> ShownEvent {
        let own = |seat: Seat| viewer == Viewer::Seat(seat);
        match self.clone() {
            Self::TechnologyTakenUnseen { seat, of, card } => {
                EventOf::TechnologyTakenUnseen { seat, of, card: own(seat).then_some(card) }
            }
            Self::Drawn { seat, number, cards } => {
                EventOf::Drawn { seat, number, cards: own(seat).then_some(cards) }
            }
            Self::ErasSeen { seat, number, eras } => {
                EventOf::ErasSeen { seat, number, eras: own(seat).then_some(eras) }
            }
            Self::Kept { seat, number, card } => {
                EventOf::Kept { seat, number, card: card.filter(|_| own(seat)) }
            }
            event => event.shown_to_all(),
        }
    }

    /// An event that hides nothing.
    fn shown_to_all(self) -> ShownEvent {
        match self {
            Self::ErasDealt { seat, number } => EventOf::ErasDealt { seat, number },
            Self::EraTurned { seat, era } => EventOf::EraTurned { seat, era },
            Self::VisibleEra { side, era } => EventOf::VisibleEra { side, era },
            Self::TechnologyUnder { of, card } => EventOf::TechnologyUnder { of, card },
            Self::TechnologyTurned { of, place, card } => {
                EventOf::TechnologyTurned { of, place, card }
            }
            Self::TechnologyTaken { seat, of, place, card } => {
                EventOf::TechnologyTaken { seat, of, place, card }
            }
            Self::Reshuffled { seat, number } => EventOf::Reshuffled { seat, number },
            Self::TurnStarted { seat, round, is_extra } => {
                EventOf::TurnStarted { seat, round, is_extra }
            }
            Self::PortalTaken { seat, card } => EventOf::PortalTaken { seat, card },
            Self::Played { seat, card, opponent } => EventOf::Played { seat, card, opponent },
            Self::EraRevealed { seat, era } => EventOf::EraRevealed { seat, era },
            Self::EraLeft { seat, era } => EventOf::EraLeft { seat, era },
            Self::GambleLost { seat } => EventOf::GambleLost { seat },
            Self::EraGainedUnseen { seat } => EventOf::EraGainedUnseen { seat },
            Self::EraCovered { seat } => EventOf::EraCovered { seat },
            Self::StackShuffled { seat } => EventOf::StackShuffled { seat },
            Self::ErasExchanged { seat, opponent } => EventOf::ErasExchanged { seat, opponent },
            Self::PutOnTop { seat, position, era } => EventOf::PutOnTop { seat, position, era },
            Self::EraExiled { seat, opponent, era } => EventOf::EraExiled { seat, opponent, era },
            Self::PlayEnded { seat } => EventOf::PlayEnded { seat },
            Self::Refitted { seat } => EventOf::Refitted { seat },
            Self::Removed { seat, card } => EventOf::Removed { seat, card },
            Self::Discarded { seat, cards } => EventOf::Discarded { seat, cards },
            Self::ErasGained { seat, eras } => EventOf::ErasGained { seat, eras },
            Self::NoTechnology { seat } => EventOf::NoTechnology { seat },
            Self::TurnEnded { seat } => EventOf::TurnEnded { seat },
            Self::TechnologyTakenUnseen { .. }
            | Self::Drawn { .. }
            | Self::ErasSeen { .. }
            | Self::Kept { .. } => unreachable!("these hide something"),
        }
    }
}
