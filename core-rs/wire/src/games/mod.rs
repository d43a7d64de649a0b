//! One module a game.

pub(crate) mod offboard;
