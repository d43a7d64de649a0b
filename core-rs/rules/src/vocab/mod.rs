//! The words that all games share.

mod info;
mod outcome;
mod seat;

pub use info::{ActionPlane, GameInfo, ObservationField, OptionInfo};
pub use outcome::{Outcome, Reason};
pub use seat::{MAX_SEATS, Seat, SeatSet, Viewer};
