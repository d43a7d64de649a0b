//! Hashing of positions.

/// A bijection of 64-bit words that spreads every bit over all (the finalizer of SplitMix64).
pub(crate) fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
    word = (word ^ word >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    word = (word ^ word >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    word ^ word >> 31
}
