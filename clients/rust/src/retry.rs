//! When to try again.

use std::time::Duration;

use tokio::time::Instant;
use tonic::Code;

use crate::errors::{Error, Result};

/// A stream that stood this long was connected, even if nothing came over it.
const STANDING: Duration = Duration::from_secs(15);

/// How calls are tried again.
///
/// A call is tried until its deadline. That is safe for every call: a retry carries the same
/// request id and the same bytes, so the server does nothing twice.
#[derive(Clone, Debug, PartialEq)]
pub struct RetryPolicy {
    /// The pause after the first failure; it grows by `multiplier` with each further one.
    pub initial_delay: Duration,
    /// See `initial_delay`.
    pub multiplier: f64,
    /// The longest pause.
    pub max_delay: Duration,
    /// How long one attempt may take before another is made; searches, playouts and counts may take
    /// all the time that the call has.
    pub attempt_timeout: Duration,
    /// How long a broken watch tries to come back before it gives up.
    pub watch_patience: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            initial_delay: Duration::from_millis(50),
            multiplier: 2.0,
            max_delay: Duration::from_secs(2),
            attempt_timeout: Duration::from_secs(4),
            watch_patience: Duration::from_secs(60),
        }
    }
}

/// The pauses and the deadline of one call with all its attempts.
pub(crate) struct Backoff {
    policy: RetryPolicy,
    patience: Duration,
    deadline: Instant,
    delay: Duration,
    random: fn() -> f64,
}

impl Backoff {
    /// Starts the clock: all attempts together may take `patience`.
    pub(crate) fn new(policy: &RetryPolicy, patience: Duration) -> Self {
        let (policy, delay) = (policy.clone(), policy.initial_delay);
        Self { policy, patience, deadline: after(patience), delay, random: uniform }
    }

    /// Starts anew after progress.
    pub(crate) fn reset(&mut self) {
        self.deadline = after(self.patience);
        self.delay = self.policy.initial_delay;
    }

    /// How long the next attempt may take.
    pub(crate) fn attempt_timeout(&self) -> Duration {
        let left = self.deadline.saturating_duration_since(Instant::now());
        left.min(self.policy.attempt_timeout)
    }

    /// The pause before the next attempt; the error itself if there is to be none.
    pub(crate) fn delay_after(&mut self, error: Error) -> Result<Duration> {
        if !is_retried(&error) {
            return Err(error);
        }
        // Jitter: clients cut off together must not come back together.
        let jittered = scaled(self.delay, (1.0 + (self.random)()) / 2.0);
        let delay = jittered.saturating_add(error.retry_after().unwrap_or_default());
        if Instant::now().checked_add(delay).is_none_or(|end| end >= self.deadline) {
            return Err(error);
        }
        self.delay = scaled(self.delay, self.policy.multiplier).min(self.policy.max_delay);
        Ok(delay)
    }
}

fn is_retried(error: &Error) -> bool {
    // A server that stops cancels what arrives in its last moment. A caller who gives up drops
    // the call, and comes never here.
    let codes = [Code::Unavailable, Code::DeadlineExceeded, Code::Cancelled];
    let is_told = error.retry_after().is_some() || error.reason() == "WATCHER_TOO_SLOW";
    codes.contains(&error.code()) || is_told
}

/// The pauses of a stream that is opened anew whenever it breaks.
///
/// The patience counts from the break and not from the last message: a match may rest for days.
pub(crate) struct StreamBackoff {
    pauses: Backoff,
    opened: Instant,
}

impl StreamBackoff {
    pub(crate) fn new(policy: &RetryPolicy) -> Self {
        Self { pauses: Backoff::new(policy, policy.watch_patience), opened: Instant::now() }
    }

    /// Notes that a stream is being opened.
    pub(crate) fn open(&mut self) {
        self.opened = Instant::now();
    }

    /// Starts anew after progress.
    pub(crate) fn reset(&mut self) {
        self.pauses.reset();
    }

    /// The pause before the next stream; the error itself if there is to be none.
    pub(crate) fn delay_after(&mut self, error: Error) -> Result<Duration> {
        if self.opened.elapsed() > STANDING {
            self.reset();
        }
        self.pauses.delay_after(error)
    }
}

/// The end of a time that begins now; one without an end lasts for a century.
fn after(patience: Duration) -> Instant {
    const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);
    Instant::now() + patience.min(CENTURY)
}

/// So many times a span; the longest there is for one that is longer.
fn scaled(span: Duration, times: f64) -> Duration {
    Duration::try_from_secs_f64(span.as_secs_f64() * times).unwrap_or(Duration::MAX)
}

/// A number from 0 to 1.
fn uniform() -> f64 {
    // Without random bytes pauses are merely less spread.
    getrandom::u32().map_or(0.5, |drawn| f64::from(drawn) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn away() -> Error {
        Error::own(Code::Unavailable, "away")
    }

    /// Pauses without chance: the longest, or the shortest.
    fn backoff(patience: u64, random: fn() -> f64) -> Backoff {
        Backoff { random, ..Backoff::new(&RetryPolicy::default(), Duration::from_secs(patience)) }
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_grow_up_to_the_longest() {
        let mut backoff = backoff(60, || 1.0);
        let pauses: Vec<_> = (0..8).map(|_| backoff.delay_after(away()).unwrap()).collect();
        let expected = [50, 100, 200, 400, 800, 1600, 2000, 2000].map(Duration::from_millis);
        assert_eq!(pauses, expected);
    }

    #[tokio::test(start_paused = true)]
    async fn pauses_are_jittered_down_to_a_half() {
        assert_eq!(backoff(60, || 0.0).delay_after(away()).unwrap(), Duration::from_millis(25));
    }

    #[tokio::test(start_paused = true)]
    async fn when_the_patience_would_be_over_the_error_is_given_back() {
        let mut backoff = backoff(1, || 1.0);
        tokio::time::advance(Duration::from_millis(960)).await;
        assert_eq!(backoff.delay_after(away()).unwrap_err().message(), "away");
        assert_eq!(backoff.attempt_timeout(), Duration::from_millis(40));
    }

    #[tokio::test(start_paused = true)]
    async fn no_policy_is_too_long() {
        let longest = Duration::MAX;
        let policy = RetryPolicy {
            initial_delay: longest,
            multiplier: 1e300,
            max_delay: longest,
            ..Default::default()
        };
        let mut endless = Backoff { random: || 1.0, ..Backoff::new(&policy, longest) };
        assert!(endless.delay_after(away()).is_err());
        let short = RetryPolicy { multiplier: 1e300, ..Default::default() };
        let mut growing = Backoff { random: || 1.0, ..Backoff::new(&short, longest) };
        let pauses = [growing.delay_after(away()).unwrap(), growing.delay_after(away()).unwrap()];
        assert_eq!(pauses, [short.initial_delay, short.max_delay]);
    }

    #[tokio::test(start_paused = true)]
    async fn an_error_that_no_retry_mends_is_given_back_at_once() {
        let lost = Error::own(Code::NotFound, "no such match");
        assert!(backoff(60, || 1.0).delay_after(lost).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn the_patience_of_a_stream_counts_from_its_break_if_it_had_stood() {
        let mut stream = StreamBackoff::new(&RetryPolicy::default());
        stream.pauses.random = || 1.0;
        stream.open();
        tokio::time::advance(Duration::from_secs(86_400)).await;
        assert_eq!(stream.delay_after(away()).unwrap(), Duration::from_millis(50));
        stream.open();
        tokio::time::advance(Duration::from_secs(4)).await;
        assert_eq!(stream.delay_after(away()).unwrap(), Duration::from_millis(100));
    }
}
