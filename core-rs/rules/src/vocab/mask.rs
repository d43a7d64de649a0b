//! Sets of dense indices.

/// A set of indices below a size, as a mask: bit i = index i, least significant first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask<const WORDS: usize> {
    words: [u64; WORDS],
    /// Words that can hold indices; the others are zero.
    used: usize,
}

impl<const WORDS: usize> Mask<WORDS> {
    /// No indices, of those below `size`.
    #[inline]
    pub fn new(size: usize) -> Self {
        Self { words: [0; WORDS], used: size.div_ceil(64) }
    }

    /// Puts an index in.
    #[inline]
    pub fn set(&mut self, index: usize) {
        self.words[index / 64] |= 1 << (index % 64);
    }

    /// Puts `offset` + i in for each set bit i.
    #[inline]
    pub fn set_bits(&mut self, offset: usize, bits: u32) {
        let shifted = u64::from(bits) << (offset % 64);
        self.words[offset / 64] |= shifted;
        let carried = (u128::from(bits) << (offset % 64) >> 64) as u64;
        if carried != 0 {
            self.words[offset / 64 + 1] |= carried;
        }
    }

    /// Puts `offset` + i in for each set bit i of a word, whatever they are: without branches.
    #[inline]
    pub fn set_word(&mut self, offset: usize, bits: u64) {
        let (first, shift) = (offset / 64, offset % 64);
        self.words[first] |= bits << shift;
        if let Some(next) = self.words.get_mut(first + 1) {
            *next |= bits >> 1 >> (63 - shift);
        }
    }

    /// Puts `offset` + i in for each set bit i of a plane.
    #[inline]
    pub fn set_plane(&mut self, offset: usize, bits: u128) {
        if bits == 0 {
            return; // As most are on an empty board.
        }
        let (first, shift) = (offset / 64, offset % 64);
        let shifted = bits << shift;
        let carried = (bits >> 1 >> (127 - shift)) as u64;
        for (word, bits) in
            [shifted as u64, (shifted >> 64) as u64, carried].into_iter().enumerate()
        {
            if bits != 0 {
                self.words[first + word] |= bits;
            }
        }
    }

    /// Whether an index is in.
    pub fn contains(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// How many indices are in.
    #[inline]
    pub fn count(&self) -> usize {
        self.words[..self.used].iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The index of this rank; the rank must be below [`Mask::count`].
    #[inline]
    pub fn nth(&self, mut rank: usize) -> usize {
        for (number, &word) in self.words[..self.used].iter().enumerate() {
            let here = word.count_ones() as usize;
            if rank < here {
                return number * 64 + nth_bit(word, rank) as usize;
            }
            rank -= here;
        }
        unreachable!("the rank lies below the count")
    }

    /// The indices, rising.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words[..self.used].iter().enumerate().flat_map(|(number, &word)| {
            let rest = std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
            let rest = rest.take_while(|&rest| rest != 0);
            rest.map(move |rest| number * 64 + rest.trailing_zeros() as usize)
        })
    }

    /// Writes the indices, rising, to the beginning of the slice and returns how many. There must
    /// be eight places more than that, which may be written to in vain.
    #[inline]
    pub fn write_indices(&self, indices: &mut [u16]) -> usize {
        let mut length = 0;
        for (number, &word) in self.words[..self.used].iter().enumerate() {
            if word != 0 {
                length += write_word(word, number * 64, &mut indices[length..]);
            }
        }
        length
    }

    /// Writes the mask to bytes, which must be as many as the size needs.
    #[inline]
    pub fn write_bytes(&self, bytes: &mut [u8]) {
        let (whole, rest) = bytes.as_chunks_mut::<8>();
        for (chunk, word) in whole.iter_mut().zip(self.words) {
            *chunk = word.to_le_bytes();
        }
        if let Some(word) = self.words.get(whole.len()) {
            rest.copy_from_slice(&word.to_le_bytes()[..rest.len()]);
        }
    }
}

/// The number of the set bit of this rank, without branches: a random rank cannot be foretold.
#[inline]
pub(crate) fn nth_bit(mask: u64, rank: usize) -> u32 {
    const ONES: u64 = u64::MAX / 255;
    const TOPS: u64 = ONES << 7;
    // Byte i of `sums`: set bits in bytes 0 to i.
    let pairs = mask - ((mask >> 1) & (ONES * 0x55));
    let nibbles = (pairs & (ONES * 0x33)) + ((pairs >> 2) & (ONES * 0x33));
    let sums = ((nibbles + (nibbles >> 4)) & (ONES * 0x0F)).wrapping_mul(ONES);
    // The top bit of each byte whose sum is at most the rank.
    let passed = (((rank as u64 * ONES) | TOPS) - sums) & TOPS;
    let byte = passed.count_ones() * 8;
    let before = (sums << 8 >> byte) as usize & 0xFF;
    byte + u32::from(NTH_BIT[(mask >> byte) as usize & 0xFF][(rank - before) & 7])
}

/// A word with more bits is written eight bits at a time.
const DENSE: u32 = 12;

/// Writes `offset` + bit for each set bit, the lowest first; returns how many.
#[inline]
fn write_word(mut word: u64, offset: usize, indices: &mut [u16]) -> usize {
    let count = word.count_ones();
    if count > DENSE {
        return write_dense(word, offset, indices);
    }
    for index in &mut indices[..count as usize] {
        *index = offset as u16 + word.trailing_zeros() as u16;
        word &= word.wrapping_sub(1);
    }
    count as usize
}

/// Writes eight places for every byte, some in vain: no branch depends on the bits.
fn write_dense(word: u64, offset: usize, indices: &mut [u16]) -> usize {
    let mut length = 0;
    for (place, byte) in word.to_le_bytes().into_iter().enumerate() {
        let first = (offset + 8 * place) as u16;
        let Some(some) = indices[length..].first_chunk_mut::<8>() else { break };
        *some = NTH_BIT[usize::from(byte)].map(|bit| first + u16::from(bit));
        length += usize::from(ONES[usize::from(byte)]);
    }
    length
}

/// How many bits of a byte are set.
static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        ones[byte] = (byte as u8).count_ones() as u8;
        byte += 1;
    }
    ones
};

/// `NTH_BIT[byte][rank]`: which bit of the byte it is.
static NTH_BIT: [[u8; 8]; 256] = nth_bits();

const fn nth_bits() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut rank, mut bit) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][rank] = bit;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::{Chance, Fast};

    #[test]
    fn the_nth_bit_is_the_nth_set_bit() {
        let mut chance = Fast::new(3);
        let mut word = || u64::from(chance.draw(u32::MAX)) << 32 | u64::from(chance.draw(u32::MAX));
        for sparse in 0..2_000 {
            let bits = if sparse % 2 == 0 { word() & word() } else { word() | word() };
            let mask = Mask { words: [bits], used: 1 };
            for (rank, index) in mask.iter().enumerate() {
                assert_eq!(nth_bit(bits, rank) as usize, index, "{bits:x} {rank}");
            }
        }
    }

    #[test]
    fn ranks_bytes_and_indices_agree() {
        let mut mask = Mask::<3>::new(150);
        let indices = [0, 63, 64, 100, 149];
        mask.set_bits(60, 1 << 3 | 1 << 4);
        [0, 100, 149].iter().for_each(|&index| mask.set(index));
        assert_eq!(mask.iter().collect::<Vec<_>>(), indices);
        assert_eq!((0..mask.count()).map(|rank| mask.nth(rank)).collect::<Vec<_>>(), indices);
        let mut written = [0; 24];
        assert_eq!(mask.write_indices(&mut written), indices.len());
        assert!(written.iter().zip(indices).all(|(&index, other)| usize::from(index) == other));
        let mut bytes = [0; 19];
        mask.write_bytes(&mut bytes);
        assert!((0..150).all(|i| mask.contains(i) == (bytes[i / 8] >> (i % 8) & 1 == 1)));
    }

    #[test]
    fn a_word_lies_anywhere() {
        for (offset, bits) in [(0, 1 << 63 | 1), (1, u64::MAX), (64, 1 << 3), (128, u64::MAX)] {
            let mut mask = Mask::<3>::new(192);
            mask.set_word(offset, bits);
            let expected: Vec<usize> =
                (0..64).filter(|bit| bits >> bit & 1 == 1).map(|bit| offset + bit).collect();
            assert_eq!(mask.iter().collect::<Vec<_>>(), expected, "at {offset}");
        }
    }

    #[test]
    fn a_plane_lies_anywhere() {
        for (offset, bits) in [(0, 1 << 80 | 1), (63, 1 << 80 | 1), (64, 1), (100, u128::MAX >> 47)]
        {
            let mut mask = Mask::<3>::new(192);
            mask.set_plane(offset, bits);
            let expected: Vec<usize> =
                (0..128).filter(|bit| bits >> bit & 1 == 1).map(|bit| offset + bit).collect();
            assert_eq!(mask.iter().collect::<Vec<_>>(), expected, "at {offset}");
        }
    }
}
