//! Options of a match: read, completed, written, and a game set up with them.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tablestate_fuzz::options(data));
