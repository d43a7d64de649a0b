//! The bots of a batch.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tablestate_rules::Seat;

use crate::player::Bot;

/// Who plays the seats of a batch, and whether they are to go on.
#[derive(Clone, Debug, Default)]
pub struct Bots {
    by_seat: Vec<Option<Bot>>,
    stop: Arc<AtomicBool>,
}

impl Bots {
    /// `by_seat` tells which bot plays a seat, if one does; at least one seat must have none.
    /// Once `stop` is set they act no more: what the batch holds then is of no use to anybody.
    pub fn new(by_seat: Vec<Option<Bot>>, stop: Arc<AtomicBool>) -> Self {
        Self { by_seat, stop }
    }

    /// The bot that acts for a seat.
    #[inline]
    pub(super) fn of(&self, seat: Seat) -> Option<Bot> {
        let bot = (*self.by_seat.get(seat.index())?)?;
        (!self.stop.load(Ordering::Relaxed)).then_some(bot)
    }
}
