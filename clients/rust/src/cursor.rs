//! Where a watch stands, so that it can go on there.

use std::collections::{BTreeMap, BTreeSet};

use tonic::Code;

use crate::credentials::{SeatCredential, has_token};
use crate::errors::{Error, Result};
use crate::v1::{MatchPhase, MatchUpdate, WatchMatchesRequest, WatchSubscription};

/// What can be watched: a match by its id as a spectator, a match from a seat, or a subscription
/// with a cursor of its own.
#[derive(Clone, PartialEq)]
pub struct Watched {
    pub(crate) subscription: WatchSubscription,
    is_from_seat: bool,
}

impl Watched {
    /// An argument error for a seat without a token: the server would answer as to a spectator.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_from_seat {
            has_token("seat_token", &self.subscription.seat_token)
        } else {
            Ok(())
        }
    }
}

impl From<&str> for Watched {
    fn from(match_id: &str) -> Self {
        WatchSubscription { match_id: match_id.into(), ..Default::default() }.into()
    }
}

impl From<String> for Watched {
    fn from(match_id: String) -> Self {
        match_id.as_str().into()
    }
}

impl From<&String> for Watched {
    fn from(match_id: &String) -> Self {
        match_id.as_str().into()
    }
}

impl From<&SeatCredential> for Watched {
    fn from(credential: &SeatCredential) -> Self {
        let subscription = WatchSubscription {
            match_id: credential.match_id().into(),
            seat_token: credential.token().into(),
            ..Default::default()
        };
        Self { subscription, is_from_seat: true }
    }
}

impl From<WatchSubscription> for Watched {
    fn from(subscription: WatchSubscription) -> Self {
        Self { subscription, is_from_seat: false }
    }
}

/// Whether a phase is a match's last.
pub fn has_ended(phase: MatchPhase) -> bool {
    matches!(phase, MatchPhase::Over | MatchPhase::Aborted)
}

/// The versions reached of all watched matches that have not ended.
#[derive(Debug)]
pub(crate) struct Cursor(BTreeMap<String, WatchSubscription>);

impl Cursor {
    /// Begins at the subscriptions' own cursors.
    pub(crate) fn new(subscriptions: impl IntoIterator<Item = WatchSubscription>) -> Self {
        let open = subscriptions.into_iter().map(|each| (each.match_id.clone(), each));
        Self(open.collect())
    }

    /// The same; an argument error for no match, and for one that is named twice.
    pub(crate) fn begin(subscriptions: Vec<WatchSubscription>) -> Result<Self> {
        if subscriptions.is_empty() {
            return Err(Error::argument("watched", "one match or more"));
        }
        let mut named = BTreeSet::new();
        for WatchSubscription { match_id, .. } in &subscriptions {
            if !named.insert(match_id) {
                return Err(Error::refused("watched", &format!("{match_id:?}"), "named once"));
            }
        }
        Ok(Self::new(subscriptions))
    }

    /// Whether every match has ended.
    pub(crate) fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    /// The request that goes on from here.
    pub(crate) fn request(&self) -> WatchMatchesRequest {
        WatchMatchesRequest { subscriptions: self.0.values().cloned().collect() }
    }

    /// Moves on over an update; false if it was seen already. An error if versions before it are
    /// missing: the stream is then as good as broken and has to be opened anew.
    pub(crate) fn accept(&mut self, update: &MatchUpdate) -> Result<bool> {
        let Some(watched) = self.0.get_mut(&update.match_id) else { return Ok(false) };
        if update.version <= watched.after_version {
            return Ok(false);
        }
        if update.version != watched.after_version + 1 {
            return Err(gap(update, watched.after_version));
        }
        watched.after_version = update.version;
        if has_ended(update.phase()) {
            self.0.remove(&update.match_id);
        }
        Ok(true)
    }
}

fn gap(update: &MatchUpdate, reached: u64) -> Error {
    let MatchUpdate { match_id, version, .. } = update;
    let message = format!("the watch of match {match_id} went from version {reached} to {version}");
    Error::own(Code::Unavailable, message)
}
