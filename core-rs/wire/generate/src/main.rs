//! Writes the Rust code of the protobuf messages: `generate PROTO_DIR OUT_DIR`.

use std::error::Error;

/// The files that hold game content. Envelopes are made and read in Python.
const FILES: [&str; 1] = ["tablestate/v1/game.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [protos, out] = &arguments[..] else {
        return Err("usage: generate PROTO_DIR OUT_DIR".into());
    };
    let descriptors = protox::compile(FILES, [protos])?;
    prost_build::Config::new().out_dir(out).compile_fds(descriptors)?;
    Ok(())
}
