//! Writes the Rust code of the contract: `generate wire|client DESCRIPTOR_SET OUT_DIR`.
//!
//! The descriptor set is what `protoc --include_imports --include_source_info` makes. `wire` has
//! messages alone. `client` has services too, and beside the code a descriptor set without comments,
//! from which the client's JSON learns the names of fields.

use std::error::Error;
use std::path::Path;

use prost::Message;
use prost_types::FileDescriptorSet;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [kind, descriptors, out] = &arguments[..] else {
        return Err("usage: generate wire|client DESCRIPTOR_SET OUT_DIR".into());
    };
    let descriptors = FileDescriptorSet::decode(&*std::fs::read(descriptors)?)?;
    match kind.as_str() {
        "wire" => Ok(prost_build::Config::new().out_dir(out).compile_fds(descriptors)?),
        "client" => write_client(descriptors, Path::new(out)),
        other => Err(format!("{other} is neither wire nor client").into()),
    }
}

fn write_client(mut descriptors: FileDescriptorSet, out: &Path) -> Result<(), Box<dyn Error>> {
    let mut messages = prost_build::Config::new();
    // Maps in order, so that a message that is made anew for a retry has the same bytes.
    messages.btree_map(["."]).enable_type_names();
    let services = tonic_prost_build::configure().build_server(false).out_dir(out);
    services.compile_fds_with_config(descriptors.clone(), messages)?;
    for file in &mut descriptors.file {
        file.source_code_info = None;
    }
    Ok(std::fs::write(out.join("tablestate.v1.binpb"), descriptors.encode_to_vec())?)
}
