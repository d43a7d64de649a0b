//! Players over the rules, who see what their seat may know and nothing else; and many games
//! played at once.

#![forbid(unsafe_code)]

pub mod batch;
mod games;
mod player;
mod playout;

pub use player::{Bot, Greedy, choose};
pub use playout::{Playouts, Start, Tally, playouts};
