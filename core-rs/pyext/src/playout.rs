//! Playouts for Python.

use pyo3::prelude::*;
use tablestate_search::{Playouts, Start, Tally, playouts};
use tablestate_wire as wire;

use crate::error::refuse;
use crate::state::bot_named;
use crate::stop::Stop;

/// Plays new games of the options.
#[allow(clippy::too_many_arguments, reason = "the caller's")]
#[pyfunction(name = "playouts")]
#[pyo3(signature = (options, games, seed, player, max_plies, stop, threads = 1))]
pub(crate) fn playouts_of_options(
    py: Python<'_>,
    options: &[u8],
    games: u32,
    seed: u64,
    player: &str,
    max_plies: usize,
    stop: &Stop,
    threads: usize,
) -> PyResult<Option<PlayoutTally>> {
    let options = wire::complete(options).map_err(|refusal| refuse(py, refusal))?;
    let settings = Playouts { games, seed, player: bot_named(player)?, max_plies, threads };
    Ok(run(py, settings, Start::Options(&options), stop))
}

/// Plays; the GIL is released meanwhile.
pub(crate) fn run(
    py: Python<'_>,
    settings: Playouts,
    start: Start<'_>,
    stop: &Stop,
) -> Option<PlayoutTally> {
    py.detach(|| playouts(settings, start, &stop.ask())).map(PlayoutTally)
}

/// The results of games.
#[pyclass(frozen, module = "tablestate_service._core")]
pub(crate) struct PlayoutTally(Tally);

#[pymethods]
impl PlayoutTally {
    #[getter]
    fn finished(&self) -> u64 {
        self.0.finished
    }

    #[getter]
    fn unfinished(&self) -> u64 {
        self.0.unfinished
    }

    #[getter]
    fn plies(&self) -> u64 {
        self.0.plies
    }

    #[getter]
    fn ties(&self) -> u64 {
        self.0.ties
    }

    #[getter]
    fn wins(&self) -> Vec<u64> {
        self.0.wins.to_vec()
    }

    #[getter]
    fn returns(&self) -> Vec<f64> {
        self.0.returns().to_vec()
    }
}
