//! What the players know of each game.

mod eternitium;
mod offboard;
mod offtrack;
