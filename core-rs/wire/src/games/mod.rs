//! One module a game.

pub(crate) mod eternitium;
pub(crate) mod off_the_rails;
pub(crate) mod offboard;
pub(crate) mod offtrack;
