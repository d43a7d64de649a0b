//! What streams of batches and trees are sent: actions, wanted parts, answers.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tablestate_fuzz::batches(data));
