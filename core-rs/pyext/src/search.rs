//! Search for Python: from what a seat sees to ranked actions.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tablestate_rules::chance::Scripted;
use tablestate_rules::{AnyPosition, Faults, Game, Position, Seat, Viewer, for_any};
use tablestate_search::{Ranked, Report, Searched, Settings};
use tablestate_wire::{self as wire, Message, Refusal, WireGame, v1};

use crate::error::refuse;
use crate::stop::Stop;

/// How much is searched, and what for.
struct Search {
    seat: Seat,
    settings: Settings,
    seconds: Option<Duration>,
    every: Duration,
}

/// Reads the view and searches; the GIL is released meanwhile. None if it was stopped.
#[pyfunction(name = "search")]
#[pyo3(signature = (
    options, view, seat, *, iterations = None, seconds = None, seed = 0, threads = 1, stop = None,
    progress = None, progress_seconds = 0.0
))]
#[allow(clippy::too_many_arguments, reason = "named by the caller")]
pub(crate) fn search_view(
    py: Python<'_>,
    options: &[u8],
    view: &[u8],
    seat: usize,
    iterations: Option<u64>,
    seconds: Option<f64>,
    seed: u64,
    threads: usize,
    stop: Option<Py<Stop>>,
    progress: Option<Py<PyAny>>,
    progress_seconds: f64,
) -> PyResult<Option<SearchReport>> {
    let invalid = |faults| refuse(py, Refusal::Invalid(faults));
    let seconds = read_budget(iterations, seconds).map_err(invalid)?;
    let every = read_seconds("progress_seconds", progress_seconds).map_err(invalid)?;
    let (position, seat) =
        py.detach(|| decider(options, view, seat)).map_err(|refusal| refuse(py, refusal))?;
    let settings = Settings { iterations: iterations.unwrap_or(u64::MAX), seed, threads };
    let search = Search { seat, settings, seconds, every };
    let unstopped = Stop::default();
    let stop = stop.as_ref().map_or(&unstopped, Py::get);
    py.detach(|| for_any!(&position, position => search.run(position, stop, progress)))
}

/// The time, if that is what is given; one of the two must be.
fn read_budget(iterations: Option<u64>, seconds: Option<f64>) -> Result<Option<Duration>, Faults> {
    match (iterations, seconds) {
        (Some(0), None) => Err(Faults::one("iterations", 0, "at least 1")),
        (Some(_), None) => Ok(None),
        (None, Some(seconds)) => read_seconds("seconds", seconds).map(Some),
        _ => Err(Faults::one("budget", "none or both", "either iterations or a time")),
    }
}

fn read_seconds(field: &str, seconds: f64) -> Result<Duration, Faults> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| Faults::one(field, seconds, "a number of seconds from 0 on"))
}

/// A position that agrees with the view of the seat, which must be the one that decides.
pub(crate) fn decider(
    options: &[u8],
    view: &[u8],
    number: usize,
) -> Result<(AnyPosition, Seat), Refusal> {
    let options = wire::complete(options)?;
    let invalid = |value: &str, expected| Refusal::Invalid(Faults::one("seat", value, expected));
    let text = number.to_string();
    let seat = Seat::new(number).ok_or_else(|| invalid(&text, "a seat of the options"))?;
    let position = wire::load_view(&options, Viewer::Seat(seat), view)?;
    match for_any!(&position, position => position.state().actor()) {
        Some(actor) if actor == seat => Ok((position, seat)),
        Some(_) => Err(invalid(&text, "the seat that decides in this view")),
        None => Err(invalid(&text, "a game that is not over")),
    }
}

impl Search {
    fn run<G: Searched + WireGame>(
        &self,
        position: &Position<G>,
        stop: &Stop,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Option<SearchReport>> {
        let view = position.view(Viewer::Seat(self.seat));
        let end = self.seconds.and_then(|seconds| Instant::now().checked_add(seconds));
        let (ask, is_refused) = (stop.ask(), AtomicBool::new(false));
        let leaves_off = || {
            ask()
                || is_refused.load(Ordering::Relaxed)
                || end.is_some_and(|end| Instant::now() >= end)
        };
        let (mut told, mut refusal) = (Instant::now(), Ok(()));
        let mut tell = |report: &Report| {
            let Some(progress) = progress.as_ref().filter(|_| told.elapsed() >= self.every) else {
                return;
            };
            let report = self.written(position, report);
            refusal = Python::attach(|py| progress.call1(py, (report,)).map(drop));
            is_refused.store(refusal.is_err(), Ordering::Relaxed);
            told = Instant::now();
        };
        let report = G::search(&view, &self.settings, &mut tell, &leaves_off);
        refusal?;
        Ok((!ask()).then(|| self.written(position, &report)))
    }

    fn written<G: WireGame>(&self, position: &Position<G>, report: &Report) -> SearchReport {
        let actions = report.actions.iter().filter_map(|ranked| self.ranked(position, ranked));
        SearchReport(v1::SearchResponse {
            done: false,
            iterations: report.iterations,
            actions: actions.collect(),
        })
    }

    fn ranked<G: WireGame>(
        &self,
        position: &Position<G>,
        ranked: &Ranked,
    ) -> Option<v1::RankedAction> {
        let state = position.state();
        let action = state.action_at(ranked.action)?;
        Some(v1::RankedAction {
            index: ranked.action as u32,
            notation: state.notation(action),
            action: Some(state.write_action(action)),
            visits: ranked.visits,
            value: ranked.value,
            line: ranked.line.iter().map(|&index| index as u32).collect(),
            line_notations: self.named(position, &ranked.line),
        })
    }

    /// The line in notation, as far as it can be followed without chance, and without deciding
    /// for others on what the seat does not see.
    fn named<G: WireGame>(&self, position: &Position<G>, line: &[usize]) -> Vec<String> {
        let (mut position, mut notations) = (position.clone(), Vec::new());
        for &index in line {
            let state = position.state();
            let decides = state.actor() == Some(self.seat) || self.sees_all(&position);
            let action = state.action_at(index).filter(|&action| state.check(action).is_ok());
            let Some(action) = action.filter(|_| decides) else { break };
            notations.push(state.notation(action));
            let mut chance = Scripted::new(&[]);
            position.apply_unchecked(action, &mut chance, &mut ());
            if chance.missing().is_some() {
                break;
            }
        }
        notations
    }

    /// Whether there is nothing to draw where a position is imagined from what the seat sees.
    fn sees_all<G: WireGame>(&self, position: &Position<G>) -> bool {
        let mut chance = Scripted::new(&[]);
        Position::<G>::determinize(&position.view(Viewer::Seat(self.seat)), &mut chance);
        chance.missing().is_none()
    }
}

/// What a search has found.
#[pyclass(frozen, module = "tablestate_service._core")]
pub(crate) struct SearchReport(v1::SearchResponse);

#[pymethods]
impl SearchReport {
    #[getter]
    fn iterations(&self) -> u64 {
        self.0.iterations
    }

    #[getter]
    fn actions(&self) -> Vec<RankedAction> {
        self.0.actions.iter().cloned().map(RankedAction).collect()
    }

    fn dump<'py>(&self, py: Python<'py>, done: bool) -> Bound<'py, PyBytes> {
        let message = v1::SearchResponse { done, ..self.0.clone() };
        PyBytes::new(py, &message.encode_to_vec())
    }
}

/// What a search has found about an action.
#[pyclass(frozen, module = "tablestate_service._core")]
pub(crate) struct RankedAction(v1::RankedAction);

#[pymethods]
impl RankedAction {
    #[getter]
    fn index(&self) -> u32 {
        self.0.index
    }

    #[getter]
    fn notation(&self) -> &str {
        &self.0.notation
    }

    #[getter]
    fn action<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.action.as_ref().map_or(Vec::new(), Message::encode_to_vec))
    }

    #[getter]
    fn visits(&self) -> u64 {
        self.0.visits
    }

    #[getter]
    fn value(&self) -> f64 {
        self.0.value
    }

    #[getter]
    fn line(&self) -> Vec<u32> {
        self.0.line.clone()
    }

    #[getter]
    fn line_notations(&self) -> Vec<String> {
        self.0.line_notations.clone()
    }
}
