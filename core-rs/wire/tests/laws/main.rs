//! The laws that hold for every game, checked on random and biased play.

mod battery;
mod offboard;
mod offtrack;
