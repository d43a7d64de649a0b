//! Batches of any game.

use rayon::ThreadPool;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{AnyOptions, AnyPosition, Seat};

use super::{Actions, Batch, Bots, Parts, Widths};

/// A batch of any game.
#[derive(Clone)]
pub enum AnyBatch {
    /// Offboard.
    Offboard(Batch<Offboard>),
    /// OffTrack.
    OffTrack(Batch<OffTrack>),
    /// Eternitium.
    Eternitium(Batch<Eternitium>),
    /// Off the Rails.
    OffTheRails(Batch<OffTheRails>),
}

macro_rules! for_batch {
    ($any:expr, $batch:ident => $body:expr) => {
        match $any {
            AnyBatch::Offboard($batch) => $body,
            AnyBatch::OffTrack($batch) => $body,
            AnyBatch::Eternitium($batch) => $body,
            AnyBatch::OffTheRails($batch) => $body,
        }
    };
}

macro_rules! same_game {
    ($any:expr, $batch:ident => $body:expr) => {
        match $any {
            AnyBatch::Offboard($batch) => AnyBatch::Offboard($body),
            AnyBatch::OffTrack($batch) => AnyBatch::OffTrack($body),
            AnyBatch::Eternitium($batch) => AnyBatch::Eternitium($body),
            AnyBatch::OffTheRails($batch) => AnyBatch::OffTheRails($body),
        }
    };
}

/// The functions of [`Batch`].
impl AnyBatch {
    /// New games, one for each seed.
    pub fn start(options: &AnyOptions, seeds: &[u64], auto_reset: bool, bots: Bots) -> Self {
        match options {
            AnyOptions::Offboard(options) => {
                Self::Offboard(Batch::start(options, seeds, auto_reset, bots))
            }
            AnyOptions::OffTrack(options) => {
                Self::OffTrack(Batch::start(options, seeds, auto_reset, bots))
            }
            AnyOptions::Eternitium(options) => {
                Self::Eternitium(Batch::start(options, seeds, auto_reset, bots))
            }
            AnyOptions::OffTheRails(options) => {
                Self::OffTheRails(Batch::start(options, seeds, auto_reset, bots))
            }
        }
    }

    /// How many games it has.
    pub fn size(&self) -> usize {
        for_batch!(self, batch => batch.size())
    }

    /// How many bytes a slot takes in each part.
    pub fn widths(&self) -> &Widths {
        for_batch!(self, batch => batch.widths())
    }

    /// The game of a slot.
    pub fn position(&self, slot: usize) -> AnyPosition {
        match self {
            Self::Offboard(batch) => AnyPosition::Offboard(batch.position(slot).clone()),
            Self::OffTrack(batch) => AnyPosition::OffTrack(batch.position(slot).clone()),
            Self::Eternitium(batch) => AnyPosition::Eternitium(batch.position(slot).clone()),
            Self::OffTheRails(batch) => AnyPosition::OffTheRails(batch.position(slot).clone()),
        }
    }

    /// Puts another game into a slot; false, and nothing is changed, if it does not fit.
    pub fn put(&mut self, slot: usize, position: AnyPosition) -> bool {
        match (self, position) {
            (Self::Offboard(batch), AnyPosition::Offboard(position)) => batch.put(slot, position),
            (Self::OffTrack(batch), AnyPosition::OffTrack(position)) => batch.put(slot, position),
            (Self::Eternitium(batch), AnyPosition::Eternitium(position)) => {
                batch.put(slot, position)
            }
            (Self::OffTheRails(batch), AnyPosition::OffTheRails(position)) => {
                batch.put(slot, position)
            }
            _ => false,
        }
    }

    /// The chosen slots as a batch of their own.
    pub fn copy(&self, chosen: &[usize], seed: Option<u64>) -> Self {
        same_game!(self, batch => batch.copy(chosen, seed))
    }

    /// Takes an action in every slot, and writes the parts that are wanted.
    pub fn step(
        &mut self,
        actions: Option<Actions<'_>>,
        observer: Option<Seat>,
        parts: Parts<'_>,
        pool: Option<&ThreadPool>,
    ) {
        for_batch!(self, batch => batch.step(actions, observer, parts, pool));
    }

    /// The slots whose game the last step ended and set up again, and their last observations.
    pub fn ended(&self) -> (Vec<u32>, Vec<u8>) {
        for_batch!(self, batch => batch.ended())
    }
}
