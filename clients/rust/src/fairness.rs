//! How chance follows from a match's secret, so that anybody can compute it again: see
//! `docs/chance.md` of Tablestate.

use std::collections::BTreeMap;
use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::replay::Replay;
use crate::v1::{MatchChange, RecordedEntry};

const CHANCE: &[u8] = b"tablestate/chance/v1";
const SEATING: &[u8] = b"tablestate/seating/v1";

/// The hash by which a seat promises its entropy.
pub fn entropy_hash(match_id: &str, entropy: &[u8]) -> Vec<u8> {
    framed_hash([b"tablestate/entropy/v1", match_id.as_bytes(), entropy])
}

/// What a match publishes of its secret before anybody joins.
pub fn commitment(match_id: &str, secret: &[u8]) -> Vec<u8> {
    framed_hash([b"tablestate/commitment/v1", match_id.as_bytes(), secret])
}

/// What all draws of a match follow from; one entropy a seat, empty for none.
pub fn derive_seed<'a>(
    match_id: &'a str,
    secret: &'a [u8],
    entropies: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<u8> {
    let fields = [&b"tablestate/seed/v1"[..], match_id.as_bytes(), secret];
    framed_hash(fields.into_iter().chain(entropies))
}

/// The draws of a stream of a seed, each a number from 0 to its size - 1; none for a size of 0.
pub fn draw(seed: &[u8], stream: u64, sizes: &[u32]) -> Vec<u32> {
    draw_in(CHANCE, seed, stream, sizes)
}

/// Chance that does not follow from what was promised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnfairError(String);

impl fmt::Display for UnfairError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

impl std::error::Error for UnfairError {}

impl Replay {
    /// Checks that all chance of a replay with the full record follows from the secret that the
    /// match has committed to: `promised` is what `Match.commitment` was before anybody joined.
    ///
    /// It has no rules: from how many possibilities each draw was made it takes from the record.
    pub fn check_chance(&self, promised: &[u8]) -> Result<(), UnfairError> {
        let match_id = &self.r#match.match_id;
        let Some(secrets) = &self.secrets else {
            return unfair(format!("match {match_id} has no full record"));
        };
        if commitment(match_id, &secrets.secret) != promised {
            return unfair(format!("the secret of match {match_id} is not what was committed to"));
        }
        if secrets.seed.is_empty() {
            return Ok(()); // it has never started
        }
        let entropies = self.entropies()?;
        let seed = derive_seed(match_id, &secrets.secret, entropies);
        if seed != secrets.seed {
            return unfair(format!("the seed of match {match_id} does not follow from its secret"));
        }
        self.check_draws(&seed)
    }

    /// What each seat has revealed, empty for nothing; an error if it is not what was promised.
    fn entropies(&self) -> Result<Vec<&[u8]>, UnfairError> {
        let mut entropies = vec![&[][..]; self.r#match.seats.len()];
        let mut promised = BTreeMap::new();
        for entry in &self.entries {
            let seat = entry.seat();
            match entry.change() {
                MatchChange::Joined => drop(promised.insert(seat, &entry.entropy_hash)),
                MatchChange::EntropyRevealed => {
                    let hash = entropy_hash(&self.r#match.match_id, &entry.entropy);
                    let place = entropies.get_mut(seat as usize);
                    let Some(place) = place.filter(|_| promised.get(&seat) == Some(&&hash)) else {
                        return unfair(format!("entry {}: it was not promised", entry.version));
                    };
                    *place = &entry.entropy;
                }
                _ => (),
            }
        }
        Ok(entropies)
    }

    fn check_draws(&self, seed: &[u8]) -> Result<(), UnfairError> {
        let plies: BTreeMap<_, _> =
            self.updates.iter().map(|update| (update.version, update.ply)).collect();
        for RecordedEntry { version, draws, draw_sizes, change, .. } in &self.entries {
            let (domain, stream) = match MatchChange::try_from(*change) {
                Ok(MatchChange::Seated) => (SEATING, 0),
                _ => (CHANCE, plies.get(version).copied().unwrap_or_default()),
            };
            if draw_in(domain, seed, stream.into(), draw_sizes) != *draws {
                return unfair(format!("entry {version}: its draws do not follow from the seed"));
            }
        }
        Ok(())
    }
}

fn unfair<T>(why: String) -> Result<T, UnfairError> {
    Err(UnfairError(why))
}

/// The hash of fields, each behind its length, so that they cannot run into one another.
fn framed_hash<'a>(fields: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut hash = Sha256::new();
    for field in fields {
        let length = u32::try_from(field.len()).expect("fields are short");
        hash.update(length.to_be_bytes());
        hash.update(field);
    }
    hash.finalize().to_vec()
}

fn draw_in(domain: &[u8], seed: &[u8], stream: u64, sizes: &[u32]) -> Vec<u32> {
    let mut numbers = (0..).map(|counter| number(domain, seed, stream, counter));
    let mut drawn = Vec::new();
    for size in sizes.iter().copied().map(u64::from) {
        // Numbers of the last, incomplete run are thrown away: all draws are equally likely.
        let Some(rest) = size.wrapping_neg().checked_rem(size) else { return Vec::new() };
        let number = numbers.find(|number| *number <= u64::MAX - rest).expect("they never end");
        drawn.push(u32::try_from(number % size).expect("it is less than the size"));
    }
    drawn
}

fn number(domain: &[u8], seed: &[u8], stream: u64, counter: u64) -> u64 {
    let mut code = Hmac::<Sha256>::new_from_slice(seed).expect("keys may have any length");
    code.update(domain);
    code.update(&stream.to_be_bytes());
    code.update(&counter.to_be_bytes());
    let bytes = code.finalize().into_bytes();
    u64::from_be_bytes(bytes[..8].try_into().expect("a hash is longer"))
}
