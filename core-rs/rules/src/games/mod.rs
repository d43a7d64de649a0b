//! The games. None imports another.

pub mod offboard;
