//! What the players know of each game.

mod eternitium;
mod off_the_rails;
mod offboard;
mod offtrack;
