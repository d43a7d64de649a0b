//! The games. None imports another.

pub mod offboard;
pub mod offtrack;
