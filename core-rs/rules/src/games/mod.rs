//! The games. None imports another.

pub mod eternitium;
pub mod off_the_rails;
pub mod offboard;
pub mod offtrack;
