//! The answer to a step of a batch, whose parts are written where they are sent from.

use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint, encoded_len_varint, key_len};

use crate::v1;

/// The number of `SimulateResponse.parts`.
const PARTS: u32 = 21;
/// No tag and length of a field are longer.
const LONGEST_HEADER: usize = 16;

/// A `SimulateResponse` in the making; it keeps its memory from one to the next.
#[derive(Default)]
pub struct Reply {
    /// Room for the header of the parts, and the parts.
    bytes: Vec<u8>,
}

impl Reply {
    /// Makes room for the first `N` fields of `BatchParts`, of so many bytes each, none for those
    /// that are left out. The caller overwrites all of it.
    pub fn begin<const N: usize>(&mut self, lengths: [usize; N]) -> [&mut [u8]; N] {
        let fields = (1..).zip(lengths).filter(|&(_, length)| length > 0);
        let size: usize = fields.map(|(number, length)| field_len(number, length)).sum();
        self.bytes.resize(LONGEST_HEADER + size, 0);
        let (mut number, mut rest) = (0, &mut self.bytes[LONGEST_HEADER..]);
        lengths.map(|length| {
            number += 1;
            if length > 0 {
                encode_key(number, WireType::LengthDelimited, &mut rest);
                encode_varint(length as u64, &mut rest);
            }
            let (field, after) = std::mem::take(&mut rest).split_at_mut(length);
            rest = after;
            field
        })
    }

    /// The whole message: what has been written, the other fields of the parts, and the other
    /// fields of the response, encoded.
    pub fn finish(&mut self, other_parts: &v1::BatchParts, others: &[u8]) -> &[u8] {
        other_parts.encode(&mut self.bytes).expect("a vector grows");
        let mut header = Vec::with_capacity(LONGEST_HEADER);
        encode_key(PARTS, WireType::LengthDelimited, &mut header);
        encode_varint((self.bytes.len() - LONGEST_HEADER) as u64, &mut header);
        let start = LONGEST_HEADER - header.len();
        self.bytes[start..LONGEST_HEADER].copy_from_slice(&header);
        self.bytes.extend_from_slice(others);
        &self.bytes[start..]
    }
}

fn field_len(number: u32, length: usize) -> usize {
    key_len(number) + encoded_len_varint(length as u64) + length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reply_is_the_message_that_it_says() {
        let mut reply = Reply::default();
        for size in [3, 200, 0, 70_000] {
            let [actors, flags, actions] = reply.begin([size, 0, 2 * size]);
            actors.fill(1);
            assert!(flags.is_empty());
            actions.fill(2);
            let ended = v1::BatchParts { ended_slots: vec![5, 300], ..Default::default() };
            let mut written = reply.finish(&ended, b"others");
            let expected =
                v1::BatchParts { actors: vec![1; size], actions: vec![2; 2 * size], ..ended };
            assert_eq!(written.split_off(..2), Some([0xAA, 0x01].as_slice()), "field 21");
            let length = prost::decode_length_delimiter(&mut written).expect("a length");
            let (parts, others) = written.split_at(length);
            assert_eq!(v1::BatchParts::decode(parts), Ok(expected), "{size}");
            assert_eq!(others, b"others");
        }
    }
}
