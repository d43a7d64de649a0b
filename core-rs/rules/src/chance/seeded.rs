//! The chance of matches, written down in `docs/chance.md` with test vectors.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::Chance;

/// Draws that follow from a match's seed: draw `i` of a stream is made from
/// HMAC-SHA-256(seed, domain ‖ stream ‖ counter), numbers as 8 bytes big-endian.
///
/// The first 8 bytes of the digest are a number x. If x lies in the last, incomplete run of n
/// below 2⁶⁴, it is thrown away and the next counter is taken; else the draw is x mod n. The
/// counter starts at 0 and goes up by one for every digest.
#[derive(Clone, Debug)]
pub struct Match {
    keyed: Hmac<Sha256>,
    stream: u64,
    counter: u64,
}

impl Match {
    /// The domain of the set-up and the actions of a match.
    pub const GAME: &'static [u8] = b"tablestate/chance/v1";
    /// The domain of the bots' decisions in a match.
    pub const BOT: &'static [u8] = b"tablestate/bot/v1";

    /// The chance of the set-up (stream 0) or of the action at ply p (stream p + 1).
    pub fn game(seed: &[u8; 32], stream: u64) -> Self {
        Self::new(seed, Self::GAME, stream)
    }

    /// The chance of the bot on `seat` that decides at ply `ply`.
    pub fn bot(seed: &[u8; 32], seat: usize, ply: u64) -> Self {
        let domain = [Self::BOT, b"/seat/", seat.to_string().as_bytes()].concat();
        Self::new(seed, &domain, ply)
    }

    fn new(seed: &[u8; 32], domain: &[u8], stream: u64) -> Self {
        let mut keyed = Hmac::new_from_slice(seed).expect("HMAC takes keys of any length");
        keyed.update(domain);
        Self { keyed, stream, counter: 0 }
    }

    fn next_number(&mut self) -> u64 {
        let mut mac = self.keyed.clone();
        mac.update(&self.stream.to_be_bytes());
        mac.update(&self.counter.to_be_bytes());
        self.counter += 1;
        let digest = mac.finalize().into_bytes();
        digest.iter().take(8).fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

impl Chance for Match {
    fn draw(&mut self, n: u32) -> u32 {
        let n = u64::from(n);
        // 2⁶⁴ mod n: how many numbers lie in the incomplete run.
        let incomplete = n.wrapping_neg() % n;
        loop {
            let number = self.next_number();
            if number <= u64::MAX - incomplete {
                return (number % n) as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_and_domains_are_independent_and_stable() {
        let draws = |mut chance: Match| [0; 4].map(|_: u32| chance.draw(1_000_000));
        let seed = [7; 32];
        let all = [
            draws(Match::game(&seed, 0)),
            draws(Match::game(&seed, 1)),
            draws(Match::game(&[8; 32], 0)),
            draws(Match::bot(&seed, 0, 0)),
            draws(Match::bot(&seed, 1, 0)),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
        assert_eq!(draws(Match::game(&seed, 0)), all[0]);
    }

    #[test]
    fn each_number_comes_equally_often() {
        let mut chance = Match::game(&[1; 32], 0);
        let mut seen = [0u32; 6];
        (0..12_000).for_each(|_| seen[chance.draw(6) as usize] += 1);
        assert!(seen.iter().all(|&count| (1_850..2_150).contains(&count)), "{seen:?}");
    }
}
