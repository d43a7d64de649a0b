//! What every viewer is shown in some games, against what was shown when the oracles had seen it.
//!
//! The recorded games in `tests/data/vectors` tell what differs; this tells at once, and in many
//! more positions, that something does. Written anew by
//! `RECORD=1 cargo test --package tablestate-wire recorded`.

use std::fs;
use std::path::PathBuf;

use prost::Message;
use sha2::{Digest, Sha256};
use tablestate_rules::chance::Fast;
use tablestate_rules::{Game, Position, Seat, Viewer};
use tablestate_wire::WireGame;

use crate::battery::{Subject, choose};

const GAMES: u64 = 80;

/// Holds a game's lines of `recorded/` to what is shown now.
pub(crate) fn check_recorded<S: Subject>() {
    let (id, shown) = (S::Game::INFO.id, (0..GAMES).map(line::<S>).collect::<String>());
    let file = format!("{}/tests/laws/recorded/{id}.txt", env!("CARGO_MANIFEST_DIR"));
    let file = PathBuf::from(file);
    if std::env::var_os("RECORD").is_some() {
        fs::write(&file, &shown).expect("the tree can be written to");
    }
    assert_eq!(fs::read_to_string(&file).expect("a game is recorded"), shown);
}

/// One game: its number, its plies, and a hash over all that anybody is shown of it.
fn line<S: Subject>(number: u64) -> String {
    let (options, mut chance) = (S::options(number), Fast::new(number));
    let complete = S::Game::complete(&options).expect("options are sound");
    let mut shown = Sha256::new();
    let fields = S::Game::observation_fields(&complete);
    shown.update(format!("{fields:?}{:?}", S::Game::action_planes(&complete)));
    let mut position =
        Position::<S::Game>::new(&options, &mut chance, &mut ()).expect("options are sound");
    let mut plies = 0;
    show(&position, &mut shown);
    while position.state().actor().is_some() {
        let action = choose::<S>(&position, number.is_multiple_of(2), &mut chance);
        position.apply(action, &mut chance, &mut ()).expect("a legal action");
        show(&position, &mut shown);
        plies += 1;
    }
    let hash = shown.finalize();
    format!(
        "{number} {plies} {}\n",
        hash.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
    )
}

fn show<G: WireGame>(position: &Position<G>, shown: &mut Sha256) {
    let seats = (0..position.state().seats()).filter_map(Seat::new).map(Viewer::Seat);
    for viewer in seats.chain([Viewer::Spectator]) {
        shown.update(G::write_view(&position.view(viewer)).encode_to_vec());
        let mut observation = vec![0; position.state().observation_bytes()];
        position.observe(viewer, &mut observation);
        shown.update(&observation);
    }
}
