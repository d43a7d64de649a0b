//! What decisions bring about: in full, and as a viewer may know it.

use super::cards::{Card, Hand};
use super::state::ActionCard;
use crate::vocab::{Seat, Viewer};

/// An event, in the order of the rules' "Events". `Private` is what only one seat is told.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum EventOf<H, A> {
    RoundStarted { round: usize, starting_seat: Seat, prime: Vec<Card> },
    Dealt { seat: Seat, number: usize, cards: H },
    TurnStarted { seat: Seat },
    SealLifted { line: usize },
    Collapsed { line: usize, scored: Card, boxed: Vec<Card> },
    Waiting { line: usize, seat: Seat },
    ActionPlayed { seat: Seat, action: ActionCard },
    ActionDiscarded { seat: Seat, action: ActionCard },
    ActionHeld { seat: Seat },
    ActionDrawn { seat: Seat, action: A },
    Appended { seat: Seat, card: Card, line: usize },
    Collected { seat: Seat, line: usize, cards: Vec<Card> },
    Pinned { line: usize, index: usize },
    Sheared { line: usize, index: usize, branch: Option<usize> },
    Scored { seat: Seat, line: usize, card: Card },
    Boxed { line: usize, cards: Vec<Card> },
    Moved { from: usize, onto: usize, card: Card },
    Recalled { line: usize, from: usize, to: usize },
    Flipped { line: usize },
    Redeemed { line: usize, cards: Vec<Card> },
    Sealed { line: usize, seat: Seat },
    Opened { line: usize },
    Cycled { seat: Seat, cards: Hand },
    Skipped { seat: Seat },
    Reshuffled { number: usize },
    Refilled { seat: Seat, number: usize, cards: H },
    EndCalled { seat: Seat },
    TurnEnded { seat: Seat },
    RoundScored { scores: Vec<i32> },
}

/// The full truth.
pub type Event = EventOf<Hand, ActionCard>;
/// What a viewer may know: hidden cards only where they are its own.
pub type ShownEvent = EventOf<Option<Hand>, Option<ActionCard>>;

impl Event {
    /// The event as a viewer may know it ("Who sees what", R14).
    pub(super) fn shown_to(&self, viewer: Viewer) -> ShownEvent {
        let own = |seat: &Seat| viewer == Viewer::Seat(*seat);
        match self.clone() {
            Self::Dealt { seat, number, cards } => {
                EventOf::Dealt { seat, number, cards: own(&seat).then_some(cards) }
            }
            Self::Refilled { seat, number, cards } => {
                EventOf::Refilled { seat, number, cards: own(&seat).then_some(cards) }
            }
            Self::ActionDrawn { seat, action } => {
                EventOf::ActionDrawn { seat, action: own(&seat).then_some(action) }
            }
            Self::RoundStarted { round, starting_seat, prime } => {
                EventOf::RoundStarted { round, starting_seat, prime }
            }
            Self::TurnStarted { seat } => EventOf::TurnStarted { seat },
            Self::SealLifted { line } => EventOf::SealLifted { line },
            Self::Collapsed { line, scored, boxed } => EventOf::Collapsed { line, scored, boxed },
            Self::Waiting { line, seat } => EventOf::Waiting { line, seat },
            Self::ActionPlayed { seat, action } => EventOf::ActionPlayed { seat, action },
            Self::ActionDiscarded { seat, action } => EventOf::ActionDiscarded { seat, action },
            Self::ActionHeld { seat } => EventOf::ActionHeld { seat },
            Self::Appended { seat, card, line } => EventOf::Appended { seat, card, line },
            Self::Collected { seat, line, cards } => EventOf::Collected { seat, line, cards },
            Self::Pinned { line, index } => EventOf::Pinned { line, index },
            Self::Sheared { line, index, branch } => EventOf::Sheared { line, index, branch },
            Self::Scored { seat, line, card } => EventOf::Scored { seat, line, card },
            Self::Boxed { line, cards } => EventOf::Boxed { line, cards },
            Self::Moved { from, onto, card } => EventOf::Moved { from, onto, card },
            Self::Recalled { line, from, to } => EventOf::Recalled { line, from, to },
            Self::Flipped { line } => EventOf::Flipped { line },
            Self::Redeemed { line, cards } => EventOf::Redeemed { line, cards },
            Self::Sealed { line, seat } => EventOf::Sealed { line, seat },
            Self::Opened { line } => EventOf::Opened { line },
            Self::Cycled { seat, cards } => EventOf::Cycled { seat, cards },
            Self::Skipped { seat } => EventOf::Skipped { seat },
            Self::Reshuffled { number } => EventOf::Reshuffled { number },
            Self::EndCalled { seat } => EventOf::EndCalled { seat },
            Self::TurnEnded { seat } => EventOf::TurnEnded { seat },
            Self::RoundScored { scores } => EventOf::RoundScored { scores },
        }
    }
}
