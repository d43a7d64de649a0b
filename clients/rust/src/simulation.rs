//! Batches of games on the server, over one stream.

use std::collections::{HashMap, VecDeque};
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
    /// The batches whose answers have not come, in order.
    awaited: VecDeque<u32>,
    /// Slots, by batch.
    sizes: HashMap<u32, u32>,
}

impl Simulation {
    pub(crate) fn new(calls: &Calls) -> Self {
        let dialogue = Dialogue::new(calls, SIMULATE);
        Self { dialogue, awaited: VecDeque::new(), sizes: HashMap::new() }
    }

    /// Makes a batch of new games; gives the shape of its parts.
    pub async fn open(&mut self, batch: u32, open: OpenBatch) -> Result<BatchShape> {
        let answer = self.ask(batch, Operation::Open(open), WantedParts::default()).await?;
        whole(answer.shape)
    }

    /// Takes an action in every slot: packed as `form` says, slot after slot. Another length is an
    /// argument error, and nothing is sent.
    pub async fn step(
        &mut self,
        batch: u32,
        form: ActionForm,
        actions: Vec<u8>,
        wanted: WantedParts,
    ) -> Result<SimulateResponse> {
        if let Some(&size) = self.sizes.get(&batch) {
            require_length(form, size, actions.len())?;
        }
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
        while self.awaited.len() > 1 {
            self.finish().await?;
        }
        self.finish().await
    }

    /// Sends an operation, whose answer `finish` gives.
    pub fn begin(&mut self, batch: u32, operation: Operation, wanted: WantedParts) {
        let (wanted, operation) = (Some(wanted), Some(operation));
        self.dialogue.send(SimulateRequest { batch, wanted, operation });
        self.awaited.push_back(batch);
    }

    /// Waits for the answer to the first operation that has none yet; an argument error if there is
    /// none.
    pub async fn finish(&mut self) -> Result<SimulateResponse> {
        let Some(&batch) = self.awaited.front() else {
            return Err(Error::argument("operation", "one that was begun"));
        };
        let answer = self.dialogue.receive().await?;
        self.awaited.pop_front();
        if let Some(shape) = &answer.shape {
            self.sizes.insert(batch, shape.size);
        }
        Ok(answer)
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Simulation").field("awaited", &self.awaited.len()).finish_non_exhaustive()
    }
}

/// Refuses a step of another length than its form has for so many slots.
fn require_length(form: ActionForm, size: u32, given: usize) -> Result<()> {
    let width = match form {
        ActionForm::Index | ActionForm::Rank => 2,
        ActionForm::Draw => 4,
        // What newer servers may know is theirs to tell of.
        _ => return Ok(()),
    };
    let expected = width * size as usize;
    if given == expected {
        return Ok(());
    }
    let told = format!("{expected}, {width} for each slot");
    Err(Error::refused("actions", &format!("{given} bytes"), &told))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_another_length_are_refused() {
        for (form, length) in
            [(ActionForm::Index, 6), (ActionForm::Rank, 6), (ActionForm::Draw, 12)]
        {
            assert!(require_length(form, 3, length).is_ok());
            let refused = require_length(form, 3, length - 1).unwrap_err();
            let told = &refused.violations()[0];
            let width = length / 3;
            assert_eq!(told.field, "actions");
            let expected = format!("{} bytes: must be {length}, {width} for each slot", length - 1);
            assert_eq!(told.description, expected);
        }
    }
}
