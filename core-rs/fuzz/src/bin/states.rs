//! Full states that are loaded, and games that go on from them.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tablestate_fuzz::states(data));
