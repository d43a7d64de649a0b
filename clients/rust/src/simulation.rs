//! Batches of games on the server, over one stream.

use std::fmt;

use crate::dialogue::Dialogue;
use crate::errors::{Error, Result};
use crate::methods::SIMULATE;
use crate::transport::{Calls, whole};
use crate::v1::simulate_request::Operation;
use crate::v1::{
    ActionForm, BatchShape, OpenBatch, SimulateRequest, SimulateResponse, StepBatch, WantedParts,
};

/// A stream on which batches of games live; they are gone when it is dropped.
///
/// The caller numbers the batches. Each request is answered once, in order: `begin` two, for two
/// batches, and then `finish` both, and the server works on both at the same time. What is wrong
/// ends the stream; an action that is not legal does not, it marks its slot.
pub struct Simulation {
    dialogue: Dialogue<SimulateRequest, SimulateResponse>,
    awaited: usize,
}

impl Simulation {
    pub(crate) fn new(calls: &Calls) -> Self {
        Self { dialogue: Dialogue::new(calls, SIMULATE), awaited: 0 }
    }

    /// Makes a batch of new games; gives the shape of its parts.
    pub async fn open(&mut self, batch: u32, open: OpenBatch) -> Result<BatchShape> {
        let answer = self.ask(batch, Operation::Open(open), WantedParts::default()).await?;
        whole(answer.shape)
    }

    /// Takes an action in every slot: packed as `form` says, slot after slot.
    pub async fn step(
        &mut self,
        batch: u32,
        form: ActionForm,
        actions: Vec<u8>,
        wanted: WantedParts,
    ) -> Result<SimulateResponse> {
        let step = StepBatch { form: form.into(), actions };
        self.ask(batch, Operation::Step(step), wanted).await
    }

    /// Carries an operation out, and gives its answer.
    pub async fn ask(
        &mut self,
        batch: u32,
        operation: Operation,
        wanted: WantedParts,
    ) -> Result<SimulateResponse> {
        self.begin(batch, operation, wanted);
        while self.awaited > 1 {
            self.finish().await?;
        }
        self.finish().await
    }

    /// Sends an operation, whose answer `finish` gives.
    pub fn begin(&mut self, batch: u32, operation: Operation, wanted: WantedParts) {
        let (wanted, operation) = (Some(wanted), Some(operation));
        self.dialogue.send(SimulateRequest { batch, wanted, operation });
        self.awaited += 1;
    }

    /// Waits for the answer to the first operation that has none yet; an argument error if there is
    /// none.
    pub async fn finish(&mut self) -> Result<SimulateResponse> {
        if self.awaited == 0 {
            return Err(Error::argument("operation", "one that was begun"));
        }
        let answer = self.dialogue.receive().await?;
        self.awaited -= 1;
        Ok(answer)
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Simulation").field("awaited", &self.awaited).finish_non_exhaustive()
    }
}
