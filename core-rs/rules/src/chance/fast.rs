//! The chance of playouts.

use super::Chance;

/// A small generator (SplitMix64) with unbiased ranges by Lemire's method. For playouts and
/// tests, never for matches: who sees some of its draws can tell the rest.
#[derive(Clone, Debug)]
pub struct Fast {
    state: u64,
}

impl Fast {
    /// A generator; equal seeds give equal draws.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    #[inline]
    fn next_word(&mut self) -> u32 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.state;
        word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (word >> 32) as u32
    }
}

impl Chance for Fast {
    #[inline]
    fn draw(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.next_word()) * u64::from(n);
        if (product as u32) < n {
            let incomplete = n.wrapping_neg() % n;
            while (product as u32) < incomplete {
                product = u64::from(self.next_word()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_comes_equally_often() {
        for n in [1, 2, 7, 54] {
            let mut chance = Fast::new(u64::from(n));
            let mut seen = vec![0u32; n as usize];
            (0..n * 2_000).for_each(|_| seen[chance.draw(n) as usize] += 1);
            assert!(seen.iter().all(|&count| (1_800..=2_200).contains(&count)), "{seen:?}");
        }
    }
}
