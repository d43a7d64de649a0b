//! Long work: how it is stopped, and how it lets others pass.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How long work keeps its processor. The scheduler may leave a thread that wakes up to answer a
/// call behind one that works at the lowest priority, until a tick of some milliseconds.
const TURN: Duration = Duration::from_micros(100);

/// A flag that another thread sets to stop long work.
#[pyclass(frozen, module = "tablestate_service._core")]
#[derive(Default)]
pub(crate) struct Stop(AtomicBool);

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    #[getter]
    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Stop {
    /// What long work asks again and again: whether to leave off. Now and then others pass.
    pub(crate) fn ask(&self) -> impl Fn() -> bool {
        let begun = Cell::new(Instant::now());
        move || {
            if begun.get().elapsed() >= TURN {
                thread::yield_now();
                begun.set(Instant::now());
            }
            self.is_set()
        }
    }
}
