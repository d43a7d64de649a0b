//! The laws that hold for every game, checked on random and biased play.

mod battery;
mod eternitium;
mod eternitium_cases;
mod eternitium_effects;
mod eternitium_faults;
mod eternitium_table;
mod off_the_rails;
mod off_the_rails_cases;
mod off_the_rails_course;
mod off_the_rails_faults;
mod off_the_rails_table;
mod offboard;
mod offtrack;
mod offtrack_cases;
mod offtrack_faults;
mod offtrack_table;
mod recorded;
mod seen;
