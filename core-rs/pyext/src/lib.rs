//! The Python module `tablestate_service._core`: converts, calls, converts. What each item does
//! is told in `service/tablestate_service/_core.pyi`.

mod batch;
mod contest;
mod error;
mod forest;
mod playout;
mod search;
mod state;
mod stop;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablestate_search::Bot;
use tablestate_wire::{self as wire, Message};

use batch::Batch;
use error::{refuse, unknown_game};
use forest::Forest;
use playout::PlayoutTally;
use search::{RankedAction, SearchReport};
use state::{GameState, Step};
use stop::Stop;

#[pyclass(frozen, module = "tablestate_service._core")]
struct Setup {
    #[pyo3(get)]
    game: &'static str,
    #[pyo3(get)]
    seats: usize,
    #[pyo3(get)]
    rules_version: u32,
    options: Vec<u8>,
}

#[pymethods]
impl Setup {
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.options)
    }
}

#[pyfunction]
fn games() -> Vec<&'static str> {
    wire::games()
}

#[pyfunction]
fn game_info<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyBytes>> {
    let info = wire::game_info(game).ok_or_else(|| unknown_game(py, game))?;
    Ok(with_bots(py, info))
}

#[pyfunction]
fn game_info_for<'py>(py: Python<'py>, options: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let options = wire::complete(options).map_err(|refusal| refuse(py, refusal))?;
    Ok(with_bots(py, wire::game_info_for(&options)))
}

fn with_bots(py: Python<'_>, mut info: wire::v1::GameInfo) -> Bound<'_, PyBytes> {
    info.bots = Bot::ALL.iter().map(|bot| bot.name().to_owned()).collect();
    PyBytes::new(py, &info.encode_to_vec())
}

#[pyfunction]
fn bots(py: Python<'_>, game: &str) -> PyResult<Vec<&'static str>> {
    wire::game_info(game).ok_or_else(|| unknown_game(py, game))?;
    Ok(Bot::ALL.iter().map(|bot| bot.name()).collect())
}

#[pyfunction]
fn default_options<'py>(py: Python<'py>, game: &str) -> PyResult<Bound<'py, PyBytes>> {
    let info = wire::game_info(game).ok_or_else(|| unknown_game(py, game))?;
    Ok(PyBytes::new(py, &info.default_options.unwrap_or_default().encode_to_vec()))
}

#[pyfunction]
fn validate_options(py: Python<'_>, options: &[u8]) -> PyResult<Setup> {
    let options = wire::complete(options).map_err(|refusal| refuse(py, refusal))?;
    let info = wire::info_of(&options);
    Ok(Setup {
        game: info.id,
        seats: wire::seats_of(&options),
        rules_version: info.rules_version,
        options: wire::encode_options(&options),
    })
}

#[cfg(feature = "faults")]
#[pyfunction]
fn provoke_panic() {
    panic!("provoked");
}

#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("CoreError", module.py().get_type::<error::CoreError>())?;
    module.add_class::<Setup>()?;
    module.add_class::<Step>()?;
    module.add_class::<GameState>()?;
    module.add_class::<Forest>()?;
    module.add_class::<Batch>()?;
    module.add_class::<Stop>()?;
    module.add_class::<PlayoutTally>()?;
    module.add_class::<RankedAction>()?;
    module.add_class::<contest::Contest>()?;
    module.add_class::<SearchReport>()?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(game_info, module)?)?;
    module.add_function(wrap_pyfunction!(game_info_for, module)?)?;
    module.add_function(wrap_pyfunction!(bots, module)?)?;
    module.add_function(wrap_pyfunction!(default_options, module)?)?;
    module.add_function(wrap_pyfunction!(batch::seeds, module)?)?;
    module.add_function(wrap_pyfunction!(validate_options, module)?)?;
    module.add_function(wrap_pyfunction!(playout::playouts_of_options, module)?)?;
    module.add_function(wrap_pyfunction!(search::search_view, module)?)?;
    module.add_function(wrap_pyfunction!(contest::contests_between, module)?)?;
    #[cfg(feature = "faults")]
    module.add_function(wrap_pyfunction!(provoke_panic, module)?)?;
    Ok(())
}
