//! Actions by message, notation and index, and stored actions with their draws.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tablestate_fuzz::choices(data));
