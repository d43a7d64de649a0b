//! Players over the rules, who see what their seat may know and nothing else; and many games
//! played at once.

#![forbid(unsafe_code)]

mod alphabeta;
pub mod batch;
mod contest;
pub mod evaluated;
mod games;
mod imagined;
mod mcts;
mod player;
mod playout;
mod search;

pub use contest::{Conduct, Contest, Moment, Pairing, Seen, contests};
pub use player::{Bot, Decision, Greedy, choose, decide};
pub use playout::{Playouts, Start, Tally, playouts};
pub use search::{Level, Ranked, Report, Searched, Settings};
