//! One module a game.

pub(crate) mod offboard;
pub(crate) mod offtrack;
