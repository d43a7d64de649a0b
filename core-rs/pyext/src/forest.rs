//! Searches whose evaluator is outside, for Python: over NumPy arrays in place, or as messages.

use std::sync::Arc;

use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::ThreadPool;
use tablestate_rules::{AnyPosition, Faults};
use tablestate_search::batch::Part;
use tablestate_search::evaluated::{Answers, AnyForest, Leaves, Packing, Plan};
use tablestate_wire::{self as wire, Message, Refusal, v1};

use crate::batch::{Batch, pool_of};
use crate::error::refuse;
use crate::search::decider;
use crate::stop::Stop;

type Array<'py> = PyReadwriteArray1<'py, u8>;

/// Trees that wait for an evaluator's answers.
#[pyclass(module = "tablestate_service._core")]
pub(crate) struct Forest {
    forest: AnyForest,
    pool: Option<Arc<ThreadPool>>,
    /// The last leaves, kept for their memory.
    shown: v1::Leaves,
}

#[pymethods]
impl Forest {
    #[staticmethod]
    #[pyo3(signature = (
        batch, slots, *, simulations, leaves, exploration, seed, most_nodes, threads = 1
    ))]
    #[allow(clippy::too_many_arguments, reason = "named by the caller")]
    fn of_batch(
        py: Python<'_>,
        batch: &Batch,
        slots: Vec<usize>,
        simulations: u32,
        leaves: usize,
        exploration: f64,
        seed: u64,
        most_nodes: usize,
        threads: usize,
    ) -> PyResult<Self> {
        let plan = Plan { simulations, leaves, exploration, seed, most_nodes };
        let positions = slots.iter().map(|&slot| batch.position(slot));
        Self::of(py, positions.collect::<PyResult<_>>()?, plan, threads, "")
    }

    #[staticmethod]
    #[pyo3(signature = (
        options, roots, *, simulations, leaves, exploration, seed, most_nodes, threads = 1, path = ""
    ))]
    #[allow(clippy::too_many_arguments, reason = "named by the caller")]
    fn of_roots(
        py: Python<'_>,
        options: &[u8],
        roots: Vec<(Option<usize>, Vec<u8>)>,
        simulations: u32,
        leaves: usize,
        exploration: f64,
        seed: u64,
        most_nodes: usize,
        threads: usize,
        path: &str,
    ) -> PyResult<Self> {
        let plan = Plan { simulations, leaves, exploration, seed, most_nodes };
        let read = |(place, (seat, bytes)): (usize, &(Option<usize>, Vec<u8>))| {
            let field = root_field(path, place);
            root_of(options, *seat, bytes).map_err(|refusal| under(&field, refusal))
        };
        let positions = py.detach(|| roots.iter().enumerate().map(read).collect::<Result<_, _>>());
        Self::of(py, positions.map_err(|refusal| refuse(py, refusal))?, plan, threads, path)
    }

    #[getter]
    fn size(&self) -> usize {
        self.forest.size()
    }

    #[getter]
    fn seats(&self) -> usize {
        self.forest.widths().seats
    }

    #[getter]
    fn actions(&self) -> usize {
        self.forest.widths().actions
    }

    #[getter]
    fn mask_bytes(&self) -> usize {
        self.forest.widths().of_part(Part::Masks)
    }

    #[getter]
    fn observation_bytes(&self) -> usize {
        self.forest.widths().of_part(Part::Observations)
    }

    #[getter]
    fn most_legal(&self) -> usize {
        self.forest.most_legal()
    }

    #[getter]
    fn actors(&self) -> Vec<Option<usize>> {
        self.forest.actors()
    }

    #[pyo3(signature = (stop = None))]
    fn gather(&mut self, py: Python<'_>, stop: Option<&Stop>) -> usize {
        let unstopped = Stop::default();
        let stop = stop.unwrap_or(&unstopped);
        let Self { forest, pool, .. } = self;
        py.detach(|| forest.gather(pool.as_deref(), &stop.ask()))
    }

    #[getter]
    fn waiting(&self) -> usize {
        self.forest.waiting()
    }

    fn write(
        &self,
        mut roots: Array<'_>,
        mut actors: Array<'_>,
        mut masks: Array<'_>,
        mut observations: Array<'_>,
    ) -> PyResult<()> {
        let (roots, actors) = (roots.as_slice_mut()?, actors.as_slice_mut()?);
        let (masks, observations) = (masks.as_slice_mut()?, observations.as_slice_mut()?);
        let (leaves, widths) = (self.forest.waiting(), self.forest.widths());
        fits(roots, 4 * leaves)?;
        fits(actors, leaves)?;
        fits(masks, leaves * widths.of_part(Part::Masks))?;
        fits(observations, leaves * widths.of_part(Part::Observations))?;
        self.forest.write(Leaves { roots, actors, masks, observations });
        Ok(())
    }

    fn answer(
        &mut self,
        py: Python<'_>,
        priors: PyReadonlyArray1<'_, u8>,
        values: PyReadonlyArray1<'_, u8>,
    ) -> PyResult<()> {
        let (priors, values) = (priors.as_slice()?, values.as_slice()?);
        let taken = self.take(py, Answers { priors, packing: Packing::All, values });
        taken.map_err(|faults| refuse(py, Refusal::Invalid(faults)))
    }

    fn report(
        &self,
        mut visits: Array<'_>,
        mut values: Array<'_>,
        mut returns: Array<'_>,
    ) -> PyResult<()> {
        let (visits, values) = (visits.as_slice_mut()?, values.as_slice_mut()?);
        let returns = returns.as_slice_mut()?;
        fits(visits, self.report_bytes())?;
        fits(values, self.report_bytes())?;
        fits(returns, self.returns_bytes())?;
        self.forest.write_actions(visits, values);
        self.forest.write_returns(returns);
        Ok(())
    }

    #[getter]
    fn lines(&self) -> Vec<Vec<u16>> {
        self.forest.lines()
    }

    fn dump_leaves<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let (leaves, widths) = (self.forest.waiting(), *self.forest.widths());
        let shown = &mut self.shown;
        shown.roots.resize(4 * leaves, 0);
        shown.actors.resize(leaves, 0);
        shown.masks.resize(leaves * widths.of_part(Part::Masks), 0);
        shown.observations.resize(leaves * widths.of_part(Part::Observations), 0);
        self.forest.write(Leaves {
            roots: &mut shown.roots,
            actors: &mut shown.actors,
            masks: &mut shown.masks,
            observations: &mut shown.observations,
        });
        PyBytes::new_with(py, shown.encoded_len(), |mut bytes| {
            shown.encode(&mut bytes).map_err(|_| PyValueError::new_err("too short"))
        })
    }

    fn load_answers(&mut self, py: Python<'_>, priors: &[u8], values: &[u8]) -> PyResult<()> {
        let taken = self.take(py, Answers { priors, packing: Packing::Legal, values });
        taken.map_err(|faults| refuse(py, Refusal::Invalid(faults.under("answers"))))
    }

    fn dump_report<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let (mut visits, mut values) = (vec![0; self.report_bytes()], vec![0; self.report_bytes()]);
        let mut returns = vec![0; self.returns_bytes()];
        self.forest.write_actions(&mut visits, &mut values);
        self.forest.write_returns(&mut returns);
        let line =
            |line: Vec<u16>| v1::SearchLine { actions: line.into_iter().map(u32::from).collect() };
        let lines = self.forest.lines().into_iter().map(line).collect();
        let report = v1::EvaluateReport { visits, values, returns, lines };
        PyBytes::new(py, &report.encode_to_vec())
    }
}

impl Forest {
    fn of(
        py: Python<'_>,
        positions: Vec<AnyPosition>,
        plan: Plan,
        threads: usize,
        path: &str,
    ) -> PyResult<Self> {
        let pool = pool_of(threads)?;
        match py.detach(|| AnyForest::new(positions, plan)) {
            Ok(forest) => Ok(Self { forest, pool, shown: v1::Leaves::default() }),
            Err(place) => {
                let expected = "a game laid out as the first root's";
                let faults = Faults::one(&root_field(path, place), "", expected);
                Err(refuse(py, Refusal::Invalid(faults)))
            }
        }
    }

    fn take(&mut self, py: Python<'_>, answers: Answers<'_>) -> Result<(), Faults> {
        let Self { forest, pool, .. } = self;
        py.detach(|| forest.answer(answers, pool.as_deref()))
    }

    fn report_bytes(&self) -> usize {
        4 * self.forest.size() * self.forest.widths().actions
    }

    fn returns_bytes(&self) -> usize {
        4 * self.forest.size() * self.forest.widths().seats
    }
}

/// A position that agrees with the view of the seat, or for no seat the one of a full state.
fn root_of(options: &[u8], seat: Option<usize>, bytes: &[u8]) -> Result<AnyPosition, Refusal> {
    match seat {
        Some(seat) => decider(options, bytes, seat).map(|(position, _)| position),
        None => wire::load(bytes),
    }
}

/// What the caller calls the root of a place.
fn root_field(path: &str, place: usize) -> String {
    let dot = if path.is_empty() { "" } else { "." };
    format!("{path}{dot}roots[{place}]")
}

/// A refusal of a part of a field.
fn under(field: &str, refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Invalid(faults) => Refusal::Invalid(faults.under(field)),
        other => other,
    }
}

fn fits(bytes: &[u8], length: usize) -> PyResult<()> {
    let fits = bytes.len() == length;
    fits.then_some(()).ok_or_else(|| PyValueError::new_err("an array of another length"))
}
