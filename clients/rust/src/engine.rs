//! Searches and counts on the server, apart from matches.

use std::fmt;
use std::time::Duration;

use crate::call::{Answer, Call};
use crate::client::Client;
use crate::errors::Error;
use crate::evaluate::TreeSearch;
use crate::methods;
use crate::simulation::Simulation;
use crate::transport::{Calls, whole};
use crate::v1::search_request::Budget;
use crate::v1::*;

/// Where games start.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// New games of these options.
    Options(GameOptions),
    /// This full state.
    State(Box<GameState>),
}

impl<T: Into<GameOptions>> From<T> for Start {
    fn from(options: T) -> Self {
        Self::Options(options.into())
    }
}

impl From<GameState> for Start {
    fn from(state: GameState) -> Self {
        Self::State(Box::new(state))
    }
}

impl From<Start> for playout_request::Start {
    fn from(start: Start) -> Self {
        match start {
            Start::Options(options) => Self::Options(options),
            Start::State(state) => Self::State(*state),
        }
    }
}

impl From<Start> for perft_request::Start {
    fn from(start: Start) -> Self {
        match start {
            Start::Options(options) => Self::Options(options),
            Start::State(state) => Self::State(*state),
        }
    }
}

impl Client {
    /// Searches for the best action of the seat that must decide. The server is told the options,
    /// what the seat sees, and nothing else. Whoever gives it up stops the work.
    pub fn search(&self, options: impl Into<GameOptions>, view: GameView, seat: u32) -> Search {
        let (options, view, seat) = (Some(options.into()), Some(view), Some(seat));
        let request = SearchRequest { options, view, seat, ..Default::default() };
        Search { calls: self.calls.clone(), request, patience: None, on_progress: None }
    }

    /// Plays games to their ends, and adds up the results.
    pub fn playout(
        &self,
        start: impl Into<Start>,
        games: u32,
    ) -> Call<PlayoutRequest, PlayoutResponse> {
        let start = Some(start.into().into());
        let request = PlayoutRequest { start, games, ..Default::default() };
        self.calls.read(methods::PLAYOUT, request, Ok)
    }

    /// Counts the sequences of decisions of a length.
    pub fn perft(&self, start: impl Into<Start>, depth: u32) -> Call<PerftRequest, PerftResponse> {
        let start = Some(start.into().into());
        let request = PerftRequest { start, depth, ..Default::default() };
        self.calls.read(methods::PERFT, request, Ok)
    }

    /// Opens a stream for batches of games, which live as long as it.
    pub fn simulation(&self) -> Simulation {
        Simulation::new(&self.calls)
    }

    /// Begins a tree search whose leaves the caller judges. Fails with `InvalidRequest`.
    pub async fn evaluate(&self, search: OpenEvaluate) -> crate::Result<TreeSearch> {
        TreeSearch::begin(&self.calls, search).await
    }
}

type OnProgress = Box<dyn FnMut(&SearchResponse) + Send>;

/// A search that is made when it is awaited: give it `iterations` or `time`.
#[must_use = "a search is made when it is awaited"]
pub struct Search {
    calls: Calls,
    request: SearchRequest,
    patience: Option<Duration>,
    on_progress: Option<OnProgress>,
}

impl Search {
    /// How much is searched, for an answer that is the same on any machine.
    pub fn iterations(mut self, iterations: u64) -> Self {
        self.request.budget = Some(Budget::Iterations(iterations));
        self
    }

    /// For how long is searched, on top of the client's timeout: up to a minute.
    pub fn time(mut self, time: Duration) -> Self {
        self.request.budget = Some(Budget::Milliseconds(milliseconds(time)));
        self
    }

    /// The seed of all chance.
    pub fn seed(mut self, seed: u64) -> Self {
        self.request.seed = seed;
        self
    }

    /// Threads that share the work; left out: one.
    pub fn threads(mut self, threads: u32) -> Self {
        self.request.threads = threads;
        self
    }

    /// Is told what has been found so far, with at least so much time between.
    pub fn on_progress(
        mut self,
        every: Duration,
        told: impl FnMut(&SearchResponse) + Send + 'static,
    ) -> Self {
        self.request.progress_milliseconds = milliseconds(every);
        self.on_progress = Some(Box::new(told));
        self
    }

    /// How long the call may take with all its attempts.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.patience = Some(timeout);
        self
    }

    async fn answer(self) -> crate::Result<SearchResponse> {
        let Self { calls, request, patience, mut on_progress } = self;
        let time = match request.budget {
            None => return Err(Error::argument("budget", "iterations or a time")),
            Some(Budget::Milliseconds(time)) => Duration::from_millis(time.into()),
            Some(Budget::Iterations(_)) => Duration::ZERO,
        };
        let patience = patience.unwrap_or(calls.timeout().saturating_add(time));
        let tell = |part: &SearchResponse| match &mut on_progress {
            Some(told) if !part.done => told(part),
            _ => (),
        };
        let parts = calls.collect(methods::SEARCH, &request, Some(patience), tell).await?;
        whole(parts.into_iter().next_back())
    }
}

impl IntoFuture for Search {
    type Output = crate::Result<SearchResponse>;
    type IntoFuture = Answer<SearchResponse>;

    fn into_future(self) -> Answer<SearchResponse> {
        Box::pin(self.answer())
    }
}

impl fmt::Debug for Search {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Search").field("request", &self.request).finish_non_exhaustive()
    }
}

/// A time in whole milliseconds, which is not 0: that would be another request.
fn milliseconds(time: Duration) -> u32 {
    u32::try_from(time.as_millis()).unwrap_or(u32::MAX).max(1)
}
