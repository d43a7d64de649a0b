//! The messages of the recorded games, and some made by hand, as this language prints them.

use std::fs;
use std::path::Path;

use prost::{Message, Name};
use serde_json::Value;
use tablestate::json;
use tablestate::v1::{
    ActionChoice, CreateMatchRequest, GameEvent, GameOptions, GameView, LegalAction, MatchUpdate,
    Outcome, PlayoutRequest, SearchResponse,
};

use crate::checks::{Check, Fault};
use crate::vectors::{Vector, items, message};

/// Writes a file of lines for every game, and one for what was made by hand.
pub(crate) fn write(folder: &Path, vectors: &[Vector], edges: &Path) -> Check {
    fs::create_dir(folder)?;
    let edges = fs::read_to_string(edges)?;
    let edges = edges.lines().map(edge).collect::<Check<Vec<_>>>()?;
    fs::write(folder.join("edges.jsonl"), edges.join("\n") + "\n")?;
    for vector in vectors {
        let path = folder.join(format!("{}.jsonl", vector.name));
        fs::write(path, lines(&vector.content)?.join("\n") + "\n")?;
    }
    Ok(())
}

fn lines(content: &Value) -> Check<Vec<String>> {
    let mut lines = vec![
        line::<GameOptions>(&content["options"])?,
        line::<GameOptions>(&content["complete_options"])?,
        line::<Outcome>(&content["outcome"])?,
    ];
    for step in items(&content["steps"]) {
        if let Some(action) = step.get("action") {
            lines.push(line::<LegalAction>(action)?);
        }
        for event in items(&step["events"]).flat_map(|item| items(&item["events"])) {
            lines.push(line::<GameEvent>(event)?);
        }
        for item in items(&step["views"]) {
            lines.push(line::<GameView>(&item["view"])?);
        }
    }
    Ok(lines)
}

/// The line of a message that names its type.
fn edge(text: &str) -> Check<String> {
    let edge: Value = serde_json::from_str(text)?;
    let content = &edge["json"];
    match edge["type"].as_str().unwrap_or_default().trim_start_matches("tablestate.v1.") {
        "ActionChoice" => line::<ActionChoice>(content),
        "CreateMatchRequest" => line::<CreateMatchRequest>(content),
        "MatchUpdate" => line::<MatchUpdate>(content),
        "Outcome" => line::<Outcome>(content),
        "PlayoutRequest" => line::<PlayoutRequest>(content),
        "SearchResponse" => line::<SearchResponse>(content),
        other => Err(Fault::from(format!("a message of the type {other}"))),
    }
}

/// A message that was read, encoded, decoded and printed.
fn line<M: Message + Name + Default>(content: &Value) -> Check<String> {
    let encoded = message::<M>(content)?.encode_to_vec();
    Ok(json::to_string(&M::decode(&*encoded)?))
}
