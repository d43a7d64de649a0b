//! The keys to matches and seats, to be kept over a restart of the program.

use std::fmt;

use crate::errors::{Error, Result};

const TOKEN_BYTES: usize = 32;

/// A [`HostCredential`] as plain data. It holds the secret.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedHost {
    /// The match.
    pub match_id: String,
    /// The token, in hex.
    pub host_token: String,
}

/// A [`SeatCredential`] as plain data. It holds the secret.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedSeat {
    /// The match.
    pub match_id: String,
    /// The place at the table, from 0.
    pub seat: u32,
    /// The token, in hex.
    pub seat_token: String,
    /// What the seat has promised, in hex.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub entropy: Option<String>,
}

/// An [`Intent`] as plain data. It holds the secret.
#[derive(Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SavedIntent {
    /// The id of the request.
    pub request_id: String,
    /// The token, in hex.
    pub token: String,
    /// The entropy, in hex.
    pub entropy: String,
}

/// The key to a match: start it, add bots, abort it. Keep it secret.
#[derive(Clone, PartialEq, Eq)]
pub struct HostCredential {
    match_id: String,
    token: Vec<u8>,
}

impl HostCredential {
    /// `token` are the 32 bytes that the match was created with.
    pub fn new(match_id: impl Into<String>, token: impl Into<Vec<u8>>) -> Self {
        Self { match_id: match_id.into(), token: token.into() }
    }

    /// The match.
    pub fn match_id(&self) -> &str {
        &self.match_id
    }

    /// The secret itself.
    pub fn token(&self) -> &[u8] {
        &self.token
    }

    /// An argument error if there is no token: the server would answer as to everybody.
    pub(crate) fn check(&self) -> Result<()> {
        has_token("host_token", &self.token)
    }

    /// The same as plain data.
    pub fn save(&self) -> SavedHost {
        SavedHost { match_id: self.match_id.clone(), host_token: to_hex(&self.token) }
    }

    /// Reads what `save` returned; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if it is
    /// damaged.
    pub fn load(saved: &SavedHost) -> Result<Self> {
        let token = token("host_token", &saved.host_token)?;
        Ok(Self { match_id: text("match_id", &saved.match_id)?, token })
    }
}

/// The key to a seat of a match. Keep it secret.
#[derive(Clone, PartialEq, Eq)]
pub struct SeatCredential {
    match_id: String,
    seat: u32,
    token: Vec<u8>,
    entropy: Vec<u8>,
}

impl SeatCredential {
    /// `token` are the 32 bytes that the seat was taken with.
    pub fn new(match_id: impl Into<String>, seat: u32, token: impl Into<Vec<u8>>) -> Self {
        Self { match_id: match_id.into(), seat, token: token.into(), entropy: Vec::new() }
    }

    /// The match.
    pub fn match_id(&self) -> &str {
        &self.match_id
    }

    /// The place at the table, from 0.
    pub fn seat(&self) -> u32 {
        self.seat
    }

    /// The secret itself.
    pub fn token(&self) -> &[u8] {
        &self.token
    }

    /// What the seat has promised to add to the chance of the match; empty: nothing.
    pub fn entropy(&self) -> &[u8] {
        &self.entropy
    }

    /// An argument error if there is no token: the server would answer as to a spectator.
    pub(crate) fn check(&self) -> Result<()> {
        has_token("seat_token", &self.token)
    }

    /// The same key at another place of the table: seats may be drawn, and keys go with players.
    #[must_use]
    pub fn at(&self, seat: u32) -> Self {
        Self { seat, ..self.clone() }
    }

    /// The same key with a promise.
    #[must_use]
    pub(crate) fn promising(self, entropy: Vec<u8>) -> Self {
        Self { entropy, ..self }
    }

    /// The same as plain data.
    pub fn save(&self) -> SavedSeat {
        SavedSeat {
            match_id: self.match_id.clone(),
            seat: self.seat,
            seat_token: to_hex(&self.token),
            entropy: (!self.entropy.is_empty()).then(|| to_hex(&self.entropy)),
        }
    }

    /// Reads what `save` returned; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if it is
    /// damaged.
    pub fn load(saved: &SavedSeat) -> Result<Self> {
        let entropy = saved.entropy.as_ref().map(|digits| token("entropy", digits));
        Ok(Self {
            match_id: text("match_id", &saved.match_id)?,
            seat: saved.seat,
            token: token("seat_token", &saved.seat_token)?,
            entropy: entropy.transpose()?.unwrap_or_default(),
        })
    }
}

/// Something that is to happen once, however often it is asked for.
///
/// A call that is repeated with the same intent and the same arguments is the same call. Make a
/// new one for everything that is to happen, and keep it secret: `token` becomes the host's token
/// in `create_match` and the seat's in `join`, and is not used elsewhere.
#[derive(Clone, PartialEq, Eq)]
pub struct Intent {
    request_id: String,
    token: Vec<u8>,
    entropy: Vec<u8>,
}

impl Intent {
    /// A new intent, of random bytes.
    #[expect(clippy::new_without_default, reason = "no two are equal")]
    pub fn new() -> Self {
        let request_id = to_hex(&random::<16>());
        Self { request_id, token: new_token(), entropy: new_token() }
    }

    /// The id of the request: 32 hex digits, the same for all its retries.
    pub fn request_id(&self) -> &str {
        &self.request_id
    }

    /// The token that `create_match` or `join` gives to what it makes.
    pub fn token(&self) -> &[u8] {
        &self.token
    }

    /// What a seat that joins with entropy adds to the chance of the match.
    pub fn entropy(&self) -> &[u8] {
        &self.entropy
    }

    /// The same as plain data.
    pub fn save(&self) -> SavedIntent {
        let (token, entropy) = (to_hex(&self.token), to_hex(&self.entropy));
        SavedIntent { request_id: self.request_id.clone(), token, entropy }
    }

    /// Reads what `save` returned; [`InvalidArgument`](crate::ErrorKind::InvalidArgument) if it is
    /// damaged.
    pub fn load(saved: &SavedIntent) -> Result<Self> {
        let request_id = text("request_id", &saved.request_id)?;
        let entropy = token("entropy", &saved.entropy)?;
        Ok(Self { request_id, token: token("token", &saved.token)?, entropy })
    }
}

/// A host or seat token: 32 random bytes, made by the client and by nobody else.
///
/// # Panics
///
/// If the machine has no random bytes.
pub fn new_token() -> Vec<u8> {
    random::<TOKEN_BYTES>().to_vec()
}

/// The code of a match by invitation: 32 hex digits.
///
/// # Panics
///
/// If the machine has no random bytes.
pub fn new_invitation_code() -> String {
    to_hex(&random::<16>())
}

/// Shows all but the secrets.
macro_rules! show_without_secrets {
    ($type:ident, $($field:ident),+) => {
        impl fmt::Debug for $type {
            fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut shown = to.debug_struct(stringify!($type));
                $(shown.field(stringify!($field), &self.$field);)+
                shown.finish_non_exhaustive()
            }
        }
    };
}

show_without_secrets!(HostCredential, match_id);
show_without_secrets!(SeatCredential, match_id, seat);
show_without_secrets!(Intent, request_id);
show_without_secrets!(SavedHost, match_id);
show_without_secrets!(SavedSeat, match_id, seat);
show_without_secrets!(SavedIntent, request_id);

fn random<const SIZE: usize>() -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    getrandom::fill(&mut bytes).expect("the machine has random bytes");
    bytes
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads a token, whose value no error shows.
fn token(field: &str, digits: &str) -> Result<Vec<u8>> {
    let pair = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let is_hex = digits.len() == 2 * TOKEN_BYTES && digits.bytes().all(|b| b.is_ascii_hexdigit());
    let bytes = (0..digits.len()).step_by(2).map(pair).collect::<Option<Vec<u8>>>();
    bytes.filter(|_| is_hex).ok_or_else(|| Error::argument(field, "64 hex digits"))
}

/// An argument error for an empty token.
pub(crate) fn has_token(field: &str, token: &[u8]) -> Result<()> {
    match token {
        [] => Err(Error::argument(field, "32 bytes")),
        _ => Ok(()),
    }
}

fn text(field: &str, value: &str) -> Result<String> {
    match value {
        "" => Err(Error::argument(field, "text that is not empty")),
        _ => Ok(value.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_saved_is_loaded_the_same() {
        let host = HostCredential::new("match", new_token());
        assert_eq!(HostCredential::load(&host.save()).unwrap(), host);
        let seat = SeatCredential::new("match", 1, new_token());
        assert_eq!(SeatCredential::load(&seat.save()).unwrap(), seat);
        let promising = seat.promising(new_token());
        assert_eq!(SeatCredential::load(&promising.save()).unwrap(), promising);
        let intent = Intent::new();
        assert_eq!(Intent::load(&intent.save()).unwrap(), intent);
    }

    #[test]
    fn what_is_damaged_is_refused_and_its_value_is_not_shown() {
        let secret = "zz".repeat(32);
        let saved = SavedHost { match_id: "match".into(), host_token: secret.clone() };
        let refused = HostCredential::load(&saved).unwrap_err();
        assert_eq!(refused.violations()[0].field, "host_token");
        assert!(!format!("{refused} {refused:?}").contains(&secret));
        for damaged in [&secret[..62], &"é".repeat(32), &format!("+{}", "0".repeat(63))] {
            assert!(token("token", damaged).is_err(), "{damaged}");
        }
        let nameless = SavedHost { match_id: String::new(), host_token: "00".repeat(32) };
        assert_eq!(HostCredential::load(&nameless).unwrap_err().violations()[0].field, "match_id");
    }

    #[test]
    fn nothing_that_is_printed_holds_a_secret() {
        let (seat, intent) = (SeatCredential::new("match", 1, new_token()), Intent::new());
        let shown = format!("{seat:?} {:?} {intent:?} {:?}", seat.save(), intent.save());
        for secret in [seat.token(), intent.token(), intent.entropy()] {
            assert!(!shown.contains(&to_hex(secret)), "{shown}");
            assert!(!shown.contains(&format!("{secret:?}")), "{shown}");
        }
    }

    #[test]
    #[cfg(feature = "serde")]
    fn what_any_client_has_saved_is_read_and_saved_alike() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/saved.json");
        let all: serde_json::Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let kept = |kind: &str| all[kind].clone();
        let host = HostCredential::load(&serde_json::from_value(kept("host")).unwrap()).unwrap();
        assert_eq!(serde_json::to_value(host.save()).unwrap(), all["host"]);
        for kind in ["seat", "promised"] {
            let seat = SeatCredential::load(&serde_json::from_value(kept(kind)).unwrap()).unwrap();
            assert_eq!(serde_json::to_value(seat.save()).unwrap(), all[kind]);
        }
        let intent = Intent::load(&serde_json::from_value(kept("intent")).unwrap()).unwrap();
        assert_eq!(serde_json::to_value(intent.save()).unwrap(), all["intent"]);
    }

    #[test]
    #[cfg(feature = "serde")]
    fn what_is_saved_serialises() {
        let seat = SeatCredential::new("match", 1, [7; 32]);
        let text = serde_json::to_string(&seat.save()).unwrap();
        let token = "07".repeat(32);
        let expected = format!(r#"{{"match_id":"match","seat":1,"seat_token":"{token}"}}"#);
        assert_eq!(text, expected);
        assert_eq!(SeatCredential::load(&serde_json::from_str(&text).unwrap()).unwrap(), seat);
    }
}
