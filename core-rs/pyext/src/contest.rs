//! Games between bots, for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablestate_search::{self as search, Conduct, Moment, Pairing, Seen, contests};
use tablestate_wire as wire;

use crate::batch::pool_of;
use crate::error::refuse;
use crate::state::bot_named;
use crate::stop::Stop;

/// Plays games; the GIL is released meanwhile.
#[allow(clippy::too_many_arguments, reason = "the caller's")]
#[pyfunction(name = "contests")]
#[pyo3(signature = (
    options, bots, seeds, *, opening, max_plies, threads, stop, keeps_views = false
))]
pub(crate) fn contests_between(
    py: Python<'_>,
    options: &[u8],
    bots: Vec<Vec<String>>,
    seeds: Vec<u64>,
    opening: usize,
    max_plies: usize,
    threads: usize,
    stop: &Stop,
    keeps_views: bool,
) -> PyResult<Option<Vec<Contest>>> {
    let options = wire::complete(options).map_err(|refusal| refuse(py, refusal))?;
    if bots.len() != seeds.len() || bots.iter().any(|each| each.len() != wire::seats_of(&options)) {
        return Err(PyValueError::new_err("every game needs a seed and a bot for every seat"));
    }
    let pairing = |(bots, seed): (Vec<String>, u64)| {
        let bots = bots.iter().map(|name| bot_named(name)).collect::<PyResult<_>>()?;
        Ok(Pairing { bots, seed })
    };
    let pairings = bots.into_iter().zip(seeds).map(pairing).collect::<PyResult<Vec<_>>>()?;
    let conduct = Conduct { opening, max_plies, keeps_views };
    let pool = pool_of(threads)?;
    let played = py.detach(|| contests(&options, &pairings, conduct, pool.as_deref(), &stop.ask()));
    Ok(played.map(|played| played.into_iter().map(Contest).collect()))
}

/// A game that was played.
#[pyclass(frozen, module = "tablestate_service._core")]
pub(crate) struct Contest(search::Contest);

#[pymethods]
impl Contest {
    #[getter]
    fn shares(&self) -> Vec<f64> {
        self.0.shares.to_vec()
    }

    #[getter]
    fn is_finished(&self) -> bool {
        self.0.is_finished
    }

    #[getter]
    fn opening(&self) -> Vec<usize> {
        self.0.opening.clone()
    }

    #[getter]
    fn seats(&self) -> Vec<usize> {
        self.each(|moment| moment.seat)
    }

    #[getter]
    fn actions(&self) -> Vec<usize> {
        self.each(|moment| moment.action)
    }

    #[getter]
    fn choices(&self) -> Vec<usize> {
        self.each(|moment| moment.choices)
    }

    #[getter]
    fn nanoseconds(&self) -> Vec<u64> {
        self.each(|moment| moment.nanoseconds)
    }

    #[getter]
    fn values(&self) -> Vec<Option<f64>> {
        self.each(|moment| moment.value)
    }

    #[getter]
    fn visits(&self) -> Vec<Vec<(usize, u64)>> {
        self.each(|moment| moment.visits.clone())
    }

    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.joined(py, |seen| &seen.observation)
    }

    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.joined(py, |seen| &seen.mask)
    }
}

impl Contest {
    fn each<T>(&self, part: impl Fn(&Moment) -> T) -> Vec<T> {
        self.0.moments.iter().map(part).collect()
    }

    fn joined<'py>(
        &self,
        py: Python<'py>,
        part: impl Fn(&Seen) -> &Vec<u8>,
    ) -> Bound<'py, PyBytes> {
        let seen = self.0.moments.iter().filter_map(|moment| moment.seen.as_ref());
        PyBytes::new(py, &seen.flat_map(|seen| part(seen).iter().copied()).collect::<Vec<_>>())
    }
}
