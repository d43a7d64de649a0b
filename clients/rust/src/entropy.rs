//! What seats add to the chance of their matches.

use sha2::{Digest, Sha256};

use crate::credentials::SeatCredential;
use crate::errors::Result;
use crate::methods::REVEAL_ENTROPY;
use crate::transport::Calls;
use crate::v1::{MatchUpdate, RevealEntropyRequest};

/// The hash by which a seat promises its entropy; see `docs/chance.md`.
pub(crate) fn entropy_hash(match_id: &str, entropy: &[u8]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for field in [b"tablestate/entropy/v1", match_id.as_bytes(), entropy] {
        let length = u32::try_from(field.len()).expect("fields are short");
        hash.update(length.to_be_bytes());
        hash.update(field);
    }
    hash.finalize().to_vec()
}

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

#[cfg(test)]
mod tests {
    use super::entropy_hash;

    #[test]
    fn the_fields_of_a_promise_are_framed() {
        let digits: String =
            entropy_hash("m", &[1; 32]).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(digits, "08614911f3a20612b262d99cbfd6e6c978c572aeff7f1be9696635854f98b221");
    }
}
