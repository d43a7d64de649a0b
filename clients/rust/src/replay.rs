//! A whole match, as a viewer may know it.

use crate::errors::Result;
use crate::methods::GET_REPLAY;
use crate::transport::Calls;
use crate::v1::get_replay_response::Part;
use crate::v1::{
    GetReplayRequest, GetReplayResponse, Match, MatchUpdate, RecordedEntry, ReplaySecrets,
};

/// A match from its first entry to its last.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Replay {
    /// The match as it stands.
    pub r#match: Match,
    /// Every entry as the viewer may know it.
    pub updates: Vec<MatchUpdate>,
    /// The full record; empty unless the match has ended and its `reveal` is AT_END.
    pub entries: Vec<RecordedEntry>,
    /// What was secret while the match was running; only with a full record.
    pub secrets: Option<ReplaySecrets>,
}

impl Replay {
    pub(crate) async fn read(calls: &Calls, request: GetReplayRequest) -> Result<Self> {
        let parts = calls.collect(GET_REPLAY, &request, None, |_| ()).await?;
        Ok(parts.into_iter().fold(Self::default(), Self::with))
    }

    fn with(mut self, GetReplayResponse { part }: GetReplayResponse) -> Self {
        match part {
            Some(Part::Match(header)) => self.r#match = header,
            Some(Part::Update(update)) => self.updates.push(update),
            Some(Part::Recorded(entry)) => self.entries.push(entry),
            Some(Part::Secrets(secrets)) => self.secrets = Some(secrets),
            None => (),
        }
        self
    }
}
