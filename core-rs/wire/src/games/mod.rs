//! One module a game.

pub(crate) mod eternitium;
pub(crate) mod offboard;
pub(crate) mod offtrack;
