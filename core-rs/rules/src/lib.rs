//! The rules of the games, and nothing else: no I/O, clock, threads or wire formats.
//!
//! A game is a type that implements [`Game`]; everything that can be said once for all games
//! (checked application, perft, playouts) is provided by [`Position`] on top of it. The one
//! closed enum [`AnyPosition`] stands at the edge, where a caller does not know the game.

#![forbid(unsafe_code)]

pub mod any;
pub mod chance;
pub mod error;
pub mod game;
pub mod games;
pub mod pile;
pub mod position;
pub mod vocab;

pub use any::{AnyOptions, AnyPosition};
pub use chance::Chance;
pub use error::{Fault, Faults, Illegal};
pub use game::{Events, Game, History, LIST_MARGIN, LegalSet};
pub use position::Position;
pub use vocab::{Outcome, Reason, Seat, SeatSet, Viewer};
