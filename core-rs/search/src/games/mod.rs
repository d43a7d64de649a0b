//! What the players know of each game.

mod offboard;
mod offtrack;
