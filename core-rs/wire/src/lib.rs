//! Game content as protobuf bytes: the only place that knows both the rules and the messages.
//!
//! Each game has a module that implements [`WireGame`]; the functions here find the game.

#![forbid(unsafe_code)]

mod any;
mod catalog;
mod compare;
mod games;
mod reply;
mod step;
mod view;

/// The messages, generated from `proto/` by `make gen`.
#[allow(missing_docs, clippy::all, unreachable_pub)]
pub mod v1 {
    include!("generated/tablestate.v1.rs");
}

pub use any::{
    agreed_draw, encode_options, info_of, legal_actions, legal_mask, legal_notations, load,
    observation, outcome, save, seats_of, view,
};
pub use catalog::{game_info, game_info_for, games};
pub use prost::Message;
pub use reply::Reply;
pub use step::{
    Attempt, Refusal, Step, apply, attempt, attempt_start, check, complete, replay, replay_start,
    start,
};

pub use view::load_view;

use tablestate_rules::{AnyPosition, Faults, Game, Position};

/// A game whose content can be written and read as messages.
///
/// Reading never trusts: every fault is listed with the path of its field.
pub trait WireGame: Game<Event: Send + Sync> + 'static {
    /// The position as one of any game.
    fn any(position: Position<Self>) -> AnyPosition;

    /// The options as a message.
    fn write_options(options: &Self::Options) -> v1::GameOptions;

    /// An action as a message.
    fn write_action(&self, action: Self::Action) -> v1::GameAction;

    /// The action that a message names, legal or not; paths begin at the message.
    fn read_action(&self, message: &v1::GameAction) -> Result<Self::Action, Faults>;

    /// An event as its viewer may know it.
    fn write_event(event: &Self::ShownEvent) -> v1::GameEvent;

    /// A view as a message.
    fn write_view(view: &Self::View<'_>) -> v1::GameView;

    /// Everything that a position holds.
    fn write_state(position: &Position<Self>) -> v1::GameState;
}
