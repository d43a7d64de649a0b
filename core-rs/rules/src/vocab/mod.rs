//! The words that all games share.

mod bytes;
mod hash;
mod info;
mod mask;
mod outcome;
mod seat;

pub(crate) use bytes::ByteWriter;
pub(crate) use hash::mix;
pub use info::{ActionPlane, GameInfo, ObservationField, OptionInfo};
pub use mask::Mask;
pub(crate) use mask::nth_bit;
pub use outcome::{Outcome, Reason};
pub use seat::{MAX_SEATS, Seat, SeatSet, Viewer};
