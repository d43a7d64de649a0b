//! Tree search on the server with the caller as judge, over one stream.

use std::fmt;

use crate::dialogue::Dialogue;
use crate::errors::{Error, Result};
use crate::methods::EVALUATE;
use crate::transport::{Calls, whole};
use crate::v1::evaluate_request::Step;
use crate::v1::evaluate_response::Step as Told;
use crate::v1::{
    BatchShape, EvaluateReport, EvaluateRequest, EvaluateResponse, LeafAnswers, Leaves,
    OpenEvaluate,
};

/// Bytes of priors in a message: with its values it must not be longer than servers take.
const MOST_PRIORS: usize = 512 * 1024;

/// Trees that grow at the same time, one for each root, with the caller as their judge; made by
/// [`Client::evaluate`](crate::Client::evaluate). The server forgets them when this is dropped.
pub struct TreeSearch {
    dialogue: Dialogue<EvaluateRequest, EvaluateResponse>,
    shape: BatchShape,
    told: Option<Told>,
}

impl TreeSearch {
    pub(crate) async fn begin(calls: &Calls, search: OpenEvaluate) -> Result<Self> {
        let mut dialogue = Dialogue::new(calls, EVALUATE);
        dialogue.send(EvaluateRequest { step: Some(Step::Open(search)) });
        let EvaluateResponse { shape, step } = dialogue.receive().await?;
        Ok(Self { dialogue, shape: whole(shape)?, told: Some(whole(step)?) })
    }

    /// The shape of leaves and report; `size` is the number of roots.
    pub fn shape(&self) -> &BatchShape {
        &self.shape
    }

    /// Waits for the leaves of the next round; `None` when all simulations were made. Leaves that
    /// wait for an answer are given again.
    pub async fn leaves(&mut self) -> Result<Option<&Leaves>> {
        if self.told.is_none() {
            self.told = Some(whole(self.dialogue.receive().await?.step)?);
        }
        Ok(match &self.told {
            Some(Told::Leaves(leaves)) => Some(leaves),
            _ => None,
        })
    }

    /// Tells what the caller thinks of the last leaves, in their order.
    ///
    /// `priors`: for each leaf a number from 0 on for each of its legal actions, by rising index.
    /// `values`: for each leaf the return, -1 to 1, that its actor may expect, or one for each seat.
    /// An argument error for other counts, or if no leaves wait.
    pub fn answer(&mut self, priors: &[f32], values: &[f32]) -> Result<()> {
        let Some(Told::Leaves(leaves)) = &self.told else {
            return Err(Error::argument("priors", "given for leaves that wait for an answer"));
        };
        require_counts(leaves, &self.shape, priors.len(), values.len())?;
        self.told = None;
        for answers in messages(priors, values) {
            self.dialogue.send(EvaluateRequest { step: Some(Step::Answers(answers)) });
        }
        Ok(())
    }

    /// What the search has found; `None` before `leaves` has given none.
    pub fn report(&self) -> Option<&EvaluateReport> {
        match &self.told {
            Some(Told::Report(report)) => Some(report),
            _ => None,
        }
    }
}

impl fmt::Debug for TreeSearch {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("TreeSearch").field("shape", &self.shape).finish_non_exhaustive()
    }
}

fn require_counts(leaves: &Leaves, shape: &BatchShape, priors: usize, values: usize) -> Result<()> {
    let legal: usize = leaves.masks.iter().map(|byte| byte.count_ones() as usize).sum();
    if priors != legal {
        return Err(Error::argument("priors", &format!("{legal} numbers, not {priors}")));
    }
    let (one, each) = (leaves.actors.len(), leaves.actors.len() * shape.seats as usize);
    if values != one && values != each {
        return Err(Error::argument("values", &format!("{one} or {each} numbers, not {values}")));
    }
    Ok(())
}

/// The messages of the answers: all but the last say that more follows.
fn messages(priors: &[f32], values: &[f32]) -> Vec<LeafAnswers> {
    let cut = |part: &[f32]| LeafAnswers { priors: bytes(part), more: true, ..Default::default() };
    let mut messages: Vec<_> = priors.chunks(MOST_PRIORS / size_of::<f32>()).map(cut).collect();
    let mut last = messages.pop().unwrap_or_default();
    last.values = bytes(values);
    last.more = false;
    messages.push(last);
    messages
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_answers_are_cut_and_the_last_part_has_the_values() {
        let parts = messages(&vec![1.0; 300_000], &[0.5]);
        let sizes: Vec<_> = parts.iter().map(|part| (part.priors.len(), part.more)).collect();
        let rest = 1_200_000 - 2 * MOST_PRIORS;
        assert_eq!(sizes, [(MOST_PRIORS, true), (MOST_PRIORS, true), (rest, false)]);
        assert_eq!(parts[2].values, 0.5_f32.to_le_bytes());
        assert!(parts[0].values.is_empty());
        assert_eq!(messages(&[], &[]), [LeafAnswers::default()]);
    }

    #[test]
    fn counts_that_do_not_fit_are_refused() {
        let leaves = Leaves { masks: vec![0b101, 0b1], actors: vec![0, 1], ..Default::default() };
        let shape = BatchShape { seats: 3, ..Default::default() };
        assert!(require_counts(&leaves, &shape, 3, 2).is_ok());
        assert!(require_counts(&leaves, &shape, 3, 6).is_ok());
        let refused = require_counts(&leaves, &shape, 4, 2).unwrap_err();
        assert_eq!(refused.violations()[0].description, "must be 3 numbers, not 4");
        assert_eq!(
            require_counts(&leaves, &shape, 3, 3).unwrap_err().violations()[0].field,
            "values"
        );
    }
}
