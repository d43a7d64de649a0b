//! Batches for Python: over NumPy arrays in place, or as messages.

use std::sync::Arc;

use numpy::{PyReadonlyArray1, PyReadwriteArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::{ThreadPool, ThreadPoolBuilder};
use tablestate_rules::{AnyOptions, AnyPosition};
use tablestate_search::batch::{self, Actions, AnyBatch, Bots, Form, Part, Parts};
use tablestate_wire::{self as wire, Message, v1};

use crate::error::refuse;
use crate::state::{GameState, attempted, bot_named, seat_of};
use crate::stop::Stop;

/// No machine has use for more, and many cannot start them.
const MOST_THREADS: usize = 1024;

#[pyclass(module = "tablestate_service._core")]
pub(crate) struct Batch {
    options: Arc<AnyOptions>,
    batch: AnyBatch,
    pool: Option<Arc<ThreadPool>>,
    /// The last reply, kept for its memory.
    shown: wire::Reply,
}

type Array<'py> = Option<PyReadwriteArray1<'py, u8>>;

#[pymethods]
impl Batch {
    #[staticmethod]
    #[pyo3(signature = (options, seeds, auto_reset, threads = 1, bots = Vec::new(), stop = None))]
    fn start(
        py: Python<'_>,
        options: &[u8],
        seeds: Vec<u64>,
        auto_reset: bool,
        threads: usize,
        bots: Vec<Option<String>>,
        stop: Option<&Stop>,
    ) -> PyResult<Self> {
        let options = wire::complete(options).map_err(|refusal| refuse(py, refusal))?;
        let named = bots.iter().map(|bot| bot.as_deref().map(bot_named).transpose());
        let stop = stop.map(Stop::flag).unwrap_or_default();
        let bots = Bots::new(named.collect::<PyResult<Vec<_>>>()?, stop);
        let batch = py.detach(|| AnyBatch::start(&options, &seeds, auto_reset, bots));
        Ok(Self::of(Arc::new(options), batch, pool_of(threads)?))
    }

    #[getter]
    fn size(&self) -> usize {
        self.batch.size()
    }

    #[getter]
    fn seats(&self) -> usize {
        self.batch.widths().seats
    }

    #[getter]
    fn actions(&self) -> usize {
        self.batch.widths().actions
    }

    #[getter]
    fn mask_bytes(&self) -> usize {
        self.batch.widths().of_part(Part::Masks)
    }

    #[getter]
    fn observation_bytes(&self) -> usize {
        self.batch.widths().of_part(Part::Observations)
    }

    fn state(&self, slot: usize) -> PyResult<GameState> {
        Ok(GameState::of(self.position(slot)?))
    }

    fn put(&mut self, slot: usize, state: &GameState) -> PyResult<bool> {
        self.check_slot(slot)?;
        Ok(self.batch.put(slot, state.any().clone()))
    }

    fn attempt_start<'py>(&self, py: Python<'py>, draws: Vec<u32>) -> PyResult<Bound<'py, PyAny>> {
        attempted(py, wire::attempt_start(&self.options, &draws))
    }

    #[pyo3(signature = (slots, seed))]
    fn copy(&self, slots: Vec<usize>, seed: Option<u64>) -> PyResult<Self> {
        slots.iter().try_for_each(|&slot| self.check_slot(slot))?;
        let batch = self.batch.copy(&slots, seed);
        Ok(Self::of(self.options.clone(), batch, self.pool.clone()))
    }

    #[pyo3(signature = (form, actions, observer, parts))]
    fn step(
        &mut self,
        py: Python<'_>,
        form: u8,
        actions: Option<PyReadonlyArray1<'_, u8>>,
        observer: Option<usize>,
        parts: [Array<'_>; Part::COUNT],
    ) -> PyResult<()> {
        let mut parts = parts;
        let slices = slices_of(&mut parts)?;
        let bytes = match &actions {
            Some(array) => array.as_slice()?,
            None => &[],
        };
        self.run(py, form, bytes, observer, Parts::new(slices))
    }

    fn ended<'py>(&self, py: Python<'py>) -> (Vec<u32>, Bound<'py, PyBytes>) {
        let (slots, observations) = self.batch.ended();
        (slots, PyBytes::new(py, &observations))
    }

    fn reply<'py>(
        &mut self,
        py: Python<'py>,
        form: u8,
        actions: &[u8],
        wanted: &[u8],
        others: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let wanted = v1::WantedParts::decode(wanted)
            .map_err(|error| refuse(py, wire::Refusal::from(error)))?;
        let mut shown = std::mem::take(&mut self.shown);
        let parts = Parts::new(shown.begin(self.lengths(&wanted)));
        self.run(py, form, actions, wanted.observer.map(|seat| seat as usize), parts)?;
        let (ended_slots, last_observations) =
            if wanted.last_observations { self.batch.ended() } else { Default::default() };
        let ended = v1::BatchParts { ended_slots, last_observations, ..Default::default() };
        let bytes = PyBytes::new(py, shown.finish(&ended, others));
        self.shown = shown;
        Ok(bytes)
    }
}

impl Batch {
    /// The game of a slot, which must exist.
    pub(crate) fn position(&self, slot: usize) -> PyResult<AnyPosition> {
        self.check_slot(slot)?;
        Ok(self.batch.position(slot))
    }

    fn of(options: Arc<AnyOptions>, batch: AnyBatch, pool: Option<Arc<ThreadPool>>) -> Self {
        Self { options, batch, pool, shown: wire::Reply::default() }
    }

    fn check_slot(&self, slot: usize) -> PyResult<()> {
        let exists = slot < self.batch.size();
        exists.then_some(()).ok_or_else(|| PyValueError::new_err("no such slot"))
    }

    fn run(
        &mut self,
        py: Python<'_>,
        form: u8,
        bytes: &[u8],
        observer: Option<usize>,
        parts: Parts<'_>,
    ) -> PyResult<()> {
        let form = form_of(form)?;
        if bytes.len() != form.width() * self.batch.size() {
            return Err(PyValueError::new_err("actions of another length"));
        }
        if parts.misfit(self.batch.size(), self.batch.widths()).is_some() {
            return Err(PyValueError::new_err("a part of another length"));
        }
        let observer = observer.map(seat_of).transpose()?;
        let actions = (form != Form::None).then_some(Actions { form, bytes });
        let Self { batch, pool, .. } = self;
        py.detach(|| batch.step(actions, observer, parts, pool.as_deref()));
        Ok(())
    }

    /// How many bytes each part takes; none if it is not wanted.
    fn lengths(&self, wanted: &v1::WantedParts) -> [usize; Part::COUNT] {
        let (size, widths) = (self.batch.size(), self.batch.widths());
        Part::ALL.map(|part| {
            let is_wanted = match part {
                Part::Actors => wanted.actors,
                Part::Flags => wanted.flags,
                Part::Actions => wanted.actions,
                Part::Returns => wanted.returns,
                Part::Masks => wanted.masks,
                Part::Observations => wanted.observations,
            };
            if is_wanted { size * widths.of_part(part) } else { 0 }
        })
    }
}

fn slices_of<'a>(parts: &'a mut [Array<'_>; Part::COUNT]) -> PyResult<[&'a mut [u8]; Part::COUNT]> {
    let mut slices: [&mut [u8]; Part::COUNT] = Default::default();
    for (slice, part) in slices.iter_mut().zip(parts) {
        if let Some(array) = part {
            *slice = array.as_slice_mut()?;
        }
    }
    Ok(slices)
}

fn form_of(number: u8) -> PyResult<Form> {
    let forms = [Form::None, Form::Index, Form::Rank, Form::Draw];
    let form = forms.get(usize::from(number)).copied();
    form.ok_or_else(|| PyValueError::new_err("no such form"))
}

/// One thread needs no pool: the caller's does the work.
pub(crate) fn pool_of(threads: usize) -> PyResult<Option<Arc<ThreadPool>>> {
    if threads < 2 {
        return Ok(None);
    }
    if threads > MOST_THREADS {
        return Err(PyValueError::new_err(format!(
            "threads: {threads}; expected at most {MOST_THREADS}"
        )));
    }
    let name = |number| format!("batch-{number}");
    let pool = ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build();
    pool.map(|pool| Some(Arc::new(pool)))
        .map_err(|_| PyValueError::new_err("so many threads cannot be started"))
}

/// So many seeds that follow from one.
#[pyfunction]
pub(crate) fn seeds(seed: u64, count: usize) -> Vec<u64> {
    batch::seeds(seed).take(count).collect()
}
