//! Players over the rules, who see what their seat may know and nothing else; and many games
//! played at once.

#![forbid(unsafe_code)]

mod alphabeta;
pub mod batch;
mod games;
mod mcts;
mod player;
mod playout;
mod search;

pub use player::{Bot, Greedy, choose};
pub use playout::{Playouts, Start, Tally, playouts};
pub use search::{Level, Ranked, Report, Searched, Settings};
