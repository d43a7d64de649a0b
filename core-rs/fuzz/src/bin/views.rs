//! Views that are read back, as a search is given them.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tablestate_fuzz::views(data));
