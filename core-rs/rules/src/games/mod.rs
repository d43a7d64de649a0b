//! The games. None imports another.

pub mod eternitium;
pub mod offboard;
pub mod offtrack;
