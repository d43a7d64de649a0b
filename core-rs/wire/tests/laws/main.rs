//! The laws that hold for every game, checked on random and biased play.

mod battery;
mod offboard;
mod offtrack;
mod offtrack_cases;
mod offtrack_faults;
mod offtrack_table;
