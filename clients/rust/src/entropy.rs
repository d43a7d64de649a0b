//! What seats add to the chance of their matches.

use crate::credentials::SeatCredential;
use crate::errors::Result;
use crate::methods::REVEAL_ENTROPY;
use crate::transport::Calls;
use crate::v1::{MatchUpdate, RevealEntropyRequest};

/// Reveals what a seat has promised, unless it has promised nothing or it is not due.
pub(crate) async fn reveal(calls: &Calls, credential: &SeatCredential) -> Result<()> {
    if credential.entropy().is_empty() {
        return Ok(());
    }
    let request = RevealEntropyRequest {
        match_id: credential.match_id().into(),
        seat_token: credential.token().into(),
        entropy: credential.entropy().into(),
        ..Default::default()
    };
    match calls.mutate(REVEAL_ENTROPY, request, |_, _| Ok(())).await {
        // A watch tells of what is long over, too.
        Err(error) if ["ENTROPY_NOT_DUE", "MATCH_ENDED"].contains(&error.reason()) => Ok(()),
        revealed => revealed,
    }
}

/// Reveals what a seat has promised, if an update of its match calls for it.
pub(crate) async fn reveal_if_due(
    calls: &Calls,
    credential: &SeatCredential,
    update: &MatchUpdate,
) -> Result<()> {
    let is_due = update.entropy_awaited.contains(&credential.seat());
    match is_due && update.match_id == credential.match_id() {
        true => reveal(calls, credential).await,
        false => Ok(()),
    }
}
