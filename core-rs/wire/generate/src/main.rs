//! Writes the Rust code of the protobuf messages: `generate DESCRIPTOR_SET OUT_DIR`.
//!
//! The descriptor set is what `protoc --include_imports --include_source_info` makes.

use std::error::Error;

use prost::Message;
use prost_types::FileDescriptorSet;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [descriptors, out] = &arguments[..] else {
        return Err("usage: generate DESCRIPTOR_SET OUT_DIR".into());
    };
    let descriptors = FileDescriptorSet::decode(&*std::fs::read(descriptors)?)?;
    prost_build::Config::new().out_dir(out).compile_fds(descriptors)?;
    Ok(())
}
