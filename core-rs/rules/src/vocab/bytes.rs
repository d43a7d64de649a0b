//! Writing observations.

/// Fills a slice of bytes from its beginning; what is written must fit.
pub(crate) struct ByteWriter<'a> {
    rest: &'a mut [u8],
}

impl<'a> ByteWriter<'a> {
    pub(crate) fn new(bytes: &'a mut [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Writes one byte.
    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        self.take(1)[0] = byte;
    }

    /// Writes bytes.
    #[inline]
    pub(crate) fn extend(&mut self, bytes: impl IntoIterator<Item = u8>) {
        bytes.into_iter().for_each(|byte| self.push(byte));
    }

    /// Writes the lowest bits of a word, a byte each.
    #[inline]
    pub(crate) fn bits(&mut self, bits: u64, count: usize) {
        let (whole, rest) = self.take(count).as_chunks_mut::<8>();
        let bytes = bits.to_le_bytes();
        for (chunk, byte) in whole.iter_mut().zip(bytes) {
            *chunk = spread(byte);
        }
        if let Some(&byte) = bytes.get(whole.len()) {
            rest.copy_from_slice(&spread(byte)[..rest.len()]);
        }
    }

    /// The next bytes, for the caller to write.
    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> &'a mut [u8] {
        let (taken, rest) = std::mem::take(&mut self.rest).split_at_mut(count);
        self.rest = rest;
        taken
    }

    /// Whether every byte was written.
    pub(crate) fn is_full(&self) -> bool {
        self.rest.is_empty()
    }
}

/// The bits of a byte, a byte each, the lowest first.
#[inline]
fn spread(bits: u8) -> [u8; 8] {
    const ONES: u64 = u64::MAX / 255;
    // Bit i alone stays in byte i; adding 127 carries it to the byte's top.
    let apart = (u64::from(bits) * ONES) & 0x8040_2010_0804_0201;
    (((apart + ONES * 0x7F) >> 7) & ONES).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_follow_each_other() {
        let mut bytes = [9; 8];
        let mut writer = ByteWriter::new(&mut bytes);
        writer.push(7);
        writer.bits(0b0110, 4);
        writer.extend([2, 3]);
        assert!(!writer.is_full());
        writer.take(1)[0] = 5;
        assert!(writer.is_full());
        assert_eq!(bytes, [7, 0, 1, 1, 0, 2, 3, 5]);
    }

    #[test]
    fn bits_are_bytes_of_their_own() {
        for (bits, count) in [(0x8000_0000_0000_0001, 64), (u64::MAX, 61), (0xC3A5_5A3C, 31)] {
            let mut bytes = [9; 64];
            ByteWriter::new(&mut bytes).bits(bits, count);
            let mut written = bytes[..count].iter().enumerate();
            assert!(written.all(|(bit, &byte)| u64::from(byte) == bits >> bit & 1));
            assert!(bytes[count..].iter().all(|&byte| byte == 9));
        }
    }
}
