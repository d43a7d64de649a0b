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
        for (number, byte) in self.take(count).iter_mut().enumerate() {
            *byte = (bits >> number & 1) as u8;
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
}
