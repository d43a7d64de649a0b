//! Long work: how it is stopped, and how it lets others pass.

use std::cell::Cell;
use std::sync::Arc;
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
pub(crate) struct Stop(Arc<AtomicBool>);

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

thread_local! {
    /// Since when the thread has had its processor.
    static BEGUN: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Stop {
    /// The flag itself.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// What long work asks again and again, on however many threads: whether to leave off. Now
    /// and then others pass.
    pub(crate) fn ask(&self) -> impl Fn() -> bool + Sync {
        || {
            if BEGUN.get().is_none_or(|begun| begun.elapsed() >= TURN) {
                thread::yield_now();
                BEGUN.set(Some(Instant::now()));
            }
            self.is_set()
        }
    }
}
