#![cfg_attr(not(doctest), doc = include_str!("../README.md"))]

mod call;
mod client;
mod content;
mod credentials;
mod cursor;
mod dialogue;
mod engine;
mod entropy;
mod errors;
mod evaluate;
pub mod fairness;
mod host;
#[cfg(feature = "json")]
pub mod json;
mod methods;
mod operator;
mod play;
mod player;
mod replay;
mod requests;
mod retry;
mod settings;
mod simulation;
mod streams;
mod transport;

pub use call::Call;
pub use client::{Client, ListMatches};
pub use content::{GAMES, game_of, game_options};
pub use credentials::{
    HostCredential, Intent, SavedHost, SavedIntent, SavedSeat, SeatCredential, new_invitation_code,
    new_token,
};
pub use cursor::{Watched, has_ended};
pub use engine::{Search, Start};
pub use errors::{Error, ErrorKind, Result, Violation};
pub use evaluate::TreeSearch;
pub use host::HostedMatch;
pub use operator::WatchFeed;
pub use play::Play;
pub use player::SeatedPlayer;
pub use replay::Replay;
pub use requests::{Join, Mutation, Settles};
pub use retry::RetryPolicy;
pub use settings::ClientBuilder;
pub use simulation::Simulation;
pub use streams::{Updates, Watch};
pub use tonic::Code;
pub use transport::Transport;

/// The messages of the contract, and its services as plain gRPC clients, as they are generated.
///
/// A plain client is made over [`Client::transport`], as
/// `match_service_client::MatchServiceClient::new(client.transport())`.
#[allow(missing_docs, unreachable_pub, clippy::all, rustdoc::all)]
pub mod v1 {
    include!("gen/tablestate.v1.rs");
}

/// The examples of the README, in a copy with the address of the service that a test has started.
#[cfg(all(doctest, live_readme))]
#[doc = include_str!(env!("TABLESTATE_README"))]
struct Readme;
