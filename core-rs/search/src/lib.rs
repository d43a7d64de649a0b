//! Players over the rules: they see what their seat may know, and nothing else.

#![forbid(unsafe_code)]

mod games;
mod player;

pub use player::{Bot, Greedy, choose};
