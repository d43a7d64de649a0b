//! States and steps for Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablestate_rules::chance::{Fast, Match};
use tablestate_rules::{AnyPosition, Game, Position, Seat, SeatSet, Viewer, for_any};
use tablestate_search::{self as search, Bot, Playouts, Searched, Start};
use tablestate_wire::{self as wire, Message};

use crate::error::refuse;
use crate::playout::{self, PlayoutTally};
use crate::stop::Stop;

#[pyclass(frozen, module = "tablestate_service._core")]
pub(crate) struct GameState {
    position: AnyPosition,
}

#[pyclass(frozen, module = "tablestate_service._core")]
pub(crate) struct Step {
    step: wire::Step,
    state: Py<GameState>,
}

impl GameState {
    pub(crate) fn of(position: AnyPosition) -> Self {
        Self { position }
    }

    pub(crate) fn any(&self) -> &AnyPosition {
        &self.position
    }
}

impl Step {
    fn of(py: Python<'_>, step: Result<wire::Step, wire::Refusal>) -> PyResult<Self> {
        let step = step.map_err(|refusal| refuse(py, refusal))?;
        let state = Py::new(py, GameState { position: step.position.clone() })?;
        Ok(Self { step, state })
    }
}

#[pymethods]
impl Step {
    #[getter]
    fn state(&self, py: Python<'_>) -> Py<GameState> {
        self.state.clone_ref(py)
    }

    #[getter]
    fn notation(&self) -> &str {
        &self.step.notation
    }

    #[getter]
    fn draws(&self) -> Vec<u32> {
        self.step.draws.clone()
    }

    #[getter]
    fn draw_bounds(&self) -> Vec<u32> {
        self.step.bounds.clone()
    }

    #[pyo3(signature = (viewer))]
    fn events<'py>(
        &self,
        py: Python<'py>,
        viewer: Option<usize>,
    ) -> PyResult<Vec<Bound<'py, PyBytes>>> {
        let events = self.step.events(viewer_of(viewer)?);
        Ok(events.iter().map(|event| PyBytes::new(py, event)).collect())
    }
}

#[pymethods]
impl GameState {
    #[staticmethod]
    fn start(py: Python<'_>, options: &[u8], seed: [u8; 32]) -> PyResult<Step> {
        let options = wire::complete(options).map_err(|refusal| refuse(py, refusal))?;
        Step::of(py, wire::start(&options, Match::game(&seed, 0)))
    }

    #[staticmethod]
    fn replay_start(py: Python<'_>, options: &[u8], draws: Vec<u32>) -> PyResult<Step> {
        let options = wire::complete(options).map_err(|refusal| refuse(py, refusal))?;
        Step::of(py, wire::replay_start(&options, &draws))
    }

    #[staticmethod]
    fn load(py: Python<'_>, state: &[u8]) -> PyResult<Self> {
        let position = wire::load(state).map_err(|refusal| refuse(py, refusal))?;
        Ok(Self { position })
    }

    fn dump<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &wire::save(&self.position).encode_to_vec())
    }

    #[getter]
    fn game(&self) -> &'static str {
        for_any!(&self.position, position => name_of(position))
    }

    #[getter]
    fn seats(&self) -> usize {
        for_any!(&self.position, position => position.state().seats())
    }

    #[getter]
    fn actor(&self) -> Option<usize> {
        for_any!(&self.position, position => position.state().actor().map(Seat::index))
    }

    #[getter]
    fn hash(&self) -> u64 {
        for_any!(&self.position, position => position.state().hash())
    }

    #[getter]
    fn position(&self) -> String {
        for_any!(&self.position, position => position.state().position())
    }

    #[getter]
    fn hides_nothing(&self) -> bool {
        for_any!(&self.position, position => position.hides_nothing())
    }

    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &wire::legal_actions(&self.position).encode_to_vec())
    }

    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &wire::legal_mask(&self.position))
    }

    fn legal_notations(&self) -> Vec<String> {
        wire::legal_notations(&self.position)
    }

    fn check(&self, py: Python<'_>, choice: &[u8]) -> PyResult<String> {
        wire::check(&self.position, choice).map_err(|refusal| refuse(py, refusal))
    }

    fn apply(&self, py: Python<'_>, choice: &[u8], seed: [u8; 32], stream: u64) -> PyResult<Step> {
        Step::of(py, wire::apply(&self.position, choice, Match::game(&seed, stream)))
    }

    fn replay(&self, py: Python<'_>, notation: &str, draws: Vec<u32>) -> PyResult<Step> {
        Step::of(py, wire::replay(&self.position, notation, &draws))
    }

    fn attempt<'py>(
        &self,
        py: Python<'py>,
        index: u32,
        draws: Vec<u32>,
    ) -> PyResult<Bound<'py, PyAny>> {
        attempted(py, wire::attempt(&self.position, index, &draws))
    }

    #[pyo3(signature = (depth, stop))]
    fn divide(
        &self,
        py: Python<'_>,
        depth: u32,
        stop: &Stop,
    ) -> PyResult<Option<Vec<(usize, String, u64)>>> {
        if depth == 0 {
            return Err(PyValueError::new_err("no first action in a sequence of none"));
        }
        Ok(py.detach(|| {
            for_any!(&self.position, position => {
                divided(position, depth, &stop.ask())
            })
        }))
    }

    #[allow(clippy::too_many_arguments, reason = "the caller's")]
    #[pyo3(signature = (games, seed, player, max_plies, stop, threads = 1))]
    fn playouts(
        &self,
        py: Python<'_>,
        games: u32,
        seed: u64,
        player: &str,
        max_plies: usize,
        stop: &Stop,
        threads: usize,
    ) -> PyResult<Option<PlayoutTally>> {
        let settings = Playouts { games, seed, player: bot_named(player)?, max_plies, threads };
        Ok(playout::run(py, settings, Start::Position(&self.position), stop))
    }

    #[pyo3(signature = (depth, stop))]
    fn perft(&self, py: Python<'_>, depth: u32, stop: &Stop) -> Option<u64> {
        let mut position = self.position.clone();
        let mut chance = Fast::new(0);
        py.detach(|| {
            for_any!(&mut position, position => {
                position.perft(depth, &mut chance, &stop.ask())
            })
        })
    }

    #[pyo3(signature = (viewer))]
    fn view<'py>(&self, py: Python<'py>, viewer: Option<usize>) -> PyResult<Bound<'py, PyBytes>> {
        let view = wire::view(&self.position, viewer_of(viewer)?);
        Ok(PyBytes::new(py, &view.encode_to_vec()))
    }

    #[pyo3(signature = (viewer))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        viewer: Option<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let observation = wire::observation(&self.position, viewer_of(viewer)?);
        Ok(PyBytes::new(py, &observation))
    }

    #[pyo3(signature = (forfeited = Vec::new()))]
    fn outcome<'py>(
        &self,
        py: Python<'py>,
        forfeited: Vec<usize>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let forfeited = forfeited.into_iter().map(seat_of).collect::<PyResult<SeatSet>>()?;
        let outcome = wire::outcome(&self.position, forfeited);
        Ok(outcome.map(|outcome| PyBytes::new(py, &outcome.encode_to_vec())))
    }

    fn agreed_draw<'py>(
        &self,
        py: Python<'py>,
        forfeited: Vec<usize>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let forfeited = forfeited.into_iter().map(seat_of).collect::<PyResult<SeatSet>>()?;
        let outcome = wire::agreed_draw(&self.position, forfeited);
        Ok(PyBytes::new(py, &outcome.encode_to_vec()))
    }

    fn forfeit(&self, seat: usize) -> PyResult<Self> {
        let mut position = self.position.clone();
        let seat = seat_of(seat)?;
        for_any!(&mut position, position => position.forfeit(seat));
        Ok(Self { position })
    }

    fn default_action(&self) -> PyResult<String> {
        let notation = for_any!(&self.position, position => {
            let state = position.state();
            state.default_action().map(|action| state.notation(action))
        });
        notation.ok_or_else(over)
    }

    fn choose(&self, py: Python<'_>, bot: &str, seed: [u8; 32], ply: u64) -> PyResult<String> {
        let named = bot_named(bot)?;
        let notation =
            py.detach(|| for_any!(&self.position, position => choose(named, position, &seed, ply)));
        notation.ok_or_else(over)
    }
}

fn divided<G: Game>(
    position: &Position<G>,
    depth: u32,
    stop: &impl Fn() -> bool,
) -> Option<Vec<(usize, String, u64)>> {
    let state = position.state();
    let divisions = position.divide(depth, &mut Fast::new(0), stop)?.into_iter();
    let named = |(action, count)| (state.index(action), state.notation(action), count);
    Some(divisions.map(named).collect())
}

fn name_of<G: Game>(_: &Position<G>) -> &'static str {
    G::INFO.id
}

fn choose<G: Searched>(
    bot: Bot,
    position: &Position<G>,
    seed: &[u8; 32],
    ply: u64,
) -> Option<String> {
    let actor = position.state().actor()?;
    let action = search::choose(bot, position, &mut Match::bot(seed, actor.index(), ply))?;
    Some(position.state().notation(action))
}

/// The number of values of the next draw, or the step.
pub(crate) fn attempted(
    py: Python<'_>,
    attempt: Result<wire::Attempt, wire::Refusal>,
) -> PyResult<Bound<'_, PyAny>> {
    match attempt {
        Ok(wire::Attempt::Draw(bound)) => Ok(bound.into_pyobject(py)?.into_any()),
        Ok(wire::Attempt::Done(step)) => Ok(Bound::new(py, Step::of(py, Ok(*step))?)?.into_any()),
        Err(refusal) => Err(refuse(py, refusal)),
    }
}

fn over() -> PyErr {
    PyValueError::new_err("the game is over")
}

pub(crate) fn bot_named(name: &str) -> PyResult<Bot> {
    Bot::named(name).ok_or_else(|| PyValueError::new_err("unknown bot"))
}

pub(crate) fn seat_of(number: usize) -> PyResult<Seat> {
    Seat::new(number).ok_or_else(|| PyValueError::new_err("no such seat"))
}

fn viewer_of(viewer: Option<usize>) -> PyResult<Viewer> {
    viewer.map_or(Ok(Viewer::Spectator), |number| seat_of(number).map(Viewer::Seat))
}
