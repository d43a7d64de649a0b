//! Measures alpha-beta on one thread and prints one JSON line.
//!
//! `nodes SECONDS`: nodes a second of searches of Offboard, as the level `hard` does them, of
//! positions of random games.

use std::time::{Duration, Instant};

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::offboard::{Offboard, Options};
use tablestate_rules::{Game, Position, Viewer};
use tablestate_search::{Level, Searched, Settings};

/// Positions of random games, none of them over.
fn positions(count: usize) -> Vec<Position<Offboard>> {
    let mut chance = Fast::new(1);
    let start = Position::<Offboard>::new(&Options::default(), &mut chance, &mut ());
    let start = start.expect("the defaults are sound");
    let mut positions = Vec::new();
    while positions.len() < count {
        let mut position = start.clone();
        let plies = chance.draw(60) as usize;
        position.playout(plies, &mut chance);
        if position.state().actor().is_some() {
            positions.push(position);
        }
    }
    positions
}

/// Searches a position; the nodes visited.
fn search(position: &Position<Offboard>) -> u64 {
    let Some(actor) = position.state().actor() else { return 0 };
    let iterations = Offboard::iterations(Level::Hard);
    let settings = Settings { iterations, seed: 0, threads: 1 };
    let view = position.view(Viewer::Seat(actor));
    Offboard::search(&view, &settings, &mut |_| {}, &|| false).iterations
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let limit = Duration::from_secs_f64(seconds.expect("nodes SECONDS"));
    let (begun, mut nodes, mut searches) = (Instant::now(), 0u64, 0u64);
    for position in positions(64).iter().cycle() {
        nodes += search(position);
        searches += 1;
        if begun.elapsed() >= limit {
            break;
        }
    }
    let elapsed = begun.elapsed().as_secs_f64();
    let (rate, milliseconds) = (nodes as f64 / elapsed, 1e3 * elapsed / searches as f64);
    println!(
        "{{\"nodes\": {nodes}, \"searches\": {searches}, \"milliseconds\": {milliseconds:.1}, \"per_second\": {rate:.0}}}"
    );
}
