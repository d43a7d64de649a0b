//! The recorded games.

use std::collections::BTreeMap;
use std::path::Path;

use prost::{Message, Name};
use serde_json::Value;
use tablestate::json;
use tablestate::v1::{GameEvent, GameOptions, GameView, LegalAction, Outcome};

use crate::checks::{Check, Fault};

/// A seat, or a spectator, who has none.
pub(crate) type Viewer = Option<u32>;

/// A game from its set-up to its end.
pub(crate) struct Vector {
    pub(crate) name: String,
    pub(crate) match_id: String,
    pub(crate) seats: u32,
    pub(crate) options: GameOptions,
    pub(crate) outcome: Outcome,
    pub(crate) steps: Vec<Step>,
    /// All of it, as it was read.
    pub(crate) content: Value,
}

/// The set-up or an action, and what everybody learns of it.
pub(crate) struct Step {
    pub(crate) ply: u32,
    /// Who took which action; nobody took the set-up.
    pub(crate) action: Option<(u32, LegalAction)>,
    pub(crate) actors: Vec<u32>,
    pub(crate) legal_mask: Vec<u8>,
    pub(crate) views: BTreeMap<Viewer, GameView>,
    pub(crate) events: BTreeMap<Viewer, Vec<GameEvent>>,
}

/// The games of a folder, in the order of their names.
pub(crate) fn read(folder: &Path) -> Check<Vec<Vector>> {
    let mut paths = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
    paths.iter().map(|path| vector(path)).collect()
}

/// A message of the contract within a game.
pub(crate) fn message<M: Message + Name + Default>(content: &Value) -> Check<M> {
    Ok(json::from_str(&content.to_string())?)
}

/// The items of a list.
pub(crate) fn items(content: &Value) -> impl Iterator<Item = &Value> {
    content.as_array().into_iter().flatten()
}

fn vector(path: &Path) -> Check<Vector> {
    let content: Value = serde_json::from_slice(&std::fs::read(path)?)?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    Ok(Vector {
        name: name.into_owned(),
        match_id: content["match_id"].as_str().ok_or("no match_id")?.into(),
        seats: number(&content["seats"])?,
        options: message(&content["options"])?,
        outcome: message(&content["outcome"])?,
        steps: items(&content["steps"]).map(step).collect::<Check<_>>()?,
        content,
    })
}

fn step(content: &Value) -> Check<Step> {
    let action = match content.get("action") {
        Some(action) => Some((number(&content["seat"])?, message(action)?)),
        None => None,
    };
    let events = |item: &Value| items(&item["events"]).map(message).collect();
    Ok(Step {
        ply: number(&content["ply"])?,
        action,
        actors: items(&content["actors"]).map(number).collect::<Check<_>>()?,
        legal_mask: bytes(content["legal_mask"].as_str().ok_or("no legal_mask")?)?,
        views: by_viewer(&content["views"], |item| message(&item["view"]))?,
        events: by_viewer(&content["events"], events)?,
    })
}

/// What each viewer is shown.
fn by_viewer<T: Clone>(
    content: &Value,
    read: impl Fn(&Value) -> Check<T>,
) -> Check<BTreeMap<Viewer, T>> {
    let mut shown = BTreeMap::new();
    for item in items(content) {
        let part = read(item)?;
        for viewer in items(&item["viewers"]) {
            let seat = viewer.as_u64().map(u32::try_from).transpose()?;
            shown.insert(seat, part.clone());
        }
    }
    Ok(shown)
}

fn number(content: &Value) -> Check<u32> {
    Ok(content.as_u64().ok_or("no number")?.try_into()?)
}

fn bytes(digits: &str) -> Check<Vec<u8>> {
    let pairs = (0..digits.len()).step_by(2).map(|at| digits.get(at..at + 2).ok_or("odd hex"));
    pairs.map(|pair| u8::from_str_radix(pair?, 16).map_err(Fault::from)).collect()
}
