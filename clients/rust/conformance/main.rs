//! The runner of the Rust client: replays recorded games, prints their messages, makes every call.
//!
//! `tools/parity/README.md` says what a runner is given and what it does.

mod calls;
mod checks;
mod replay;
mod roundtrip;
mod vectors;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::json;
use tablestate::Client;

use crate::checks::{Check, PASSED};

fn variable(name: &str) -> Check<String> {
    std::env::var(name).map_err(|_| format!("{name} is not set").into())
}

fn client(key: &str) -> Check<Client> {
    let builder = Client::builder(variable("TABLESTATE_TARGET")?);
    Ok(builder.api_key(&variable(key)?).build()?)
}

#[tokio::main]
async fn main() -> Check<ExitCode> {
    let folder = PathBuf::from(variable("TABLESTATE_VECTORS")?);
    let vectors = Arc::new(vectors::read(&folder)?);
    let out = PathBuf::from(variable("TABLESTATE_OUT")?);
    let (player, operator) = (client("TABLESTATE_KEY")?, client("TABLESTATE_OPERATOR_KEY")?);
    let replayed = replay::all(&player, &vectors).await?;
    let calls = calls::make_all(&player, &operator).await;
    roundtrip::write(&out.join("json"), &vectors, &folder.join("edges.jsonl"))?;
    let report = json!({
        "sdk": "rust",
        "version": env!("CARGO_PKG_VERSION"),
        "vectors": replayed,
        "calls": calls,
    });
    std::fs::write(out.join("report.json"), serde_json::to_string_pretty(&report)?)?;
    let has_passed = |results: &BTreeMap<String, String>| results.values().all(|how| how == PASSED);
    let all_passed = has_passed(&replayed) && has_passed(&calls);
    Ok(if all_passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
