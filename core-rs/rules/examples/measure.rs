//! Measures the engine of a game on one thread and prints one JSON line.
//!
//! `measure perft DEPTH`: leaves of perft from the start a second.
//! `measure mask SECONDS` and `measure list SECONDS`: random plies a second, all tests of the end
//! on, choosing by rank from the set of legal actions or from the list of them.

use std::time::{Duration, Instant};

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::offboard::{Offboard, Options};
use tablestate_rules::{Game, LIST_MARGIN, LegalSet, Position};

fn start() -> Position<Offboard> {
    Position::new(&Options::default(), &mut Fast::new(0), &mut ()).expect("the start is sound")
}

fn perft(depth: u32) {
    let begun = Instant::now();
    let leaves = start().perft(depth, &mut Fast::new(0));
    let seconds = begun.elapsed().as_secs_f64();
    let rate = leaves as f64 / seconds;
    println!("{{\"leaves\": {leaves}, \"seconds\": {seconds:.4}, \"per_second\": {rate:.0}}}");
}

fn plies(seconds: f64, mut step: impl FnMut(&mut Position<Offboard>, &mut Fast)) {
    let start = start();
    let mut chance = Fast::new(1);
    let limit = Duration::from_secs_f64(seconds);
    let (begun, mut plies, mut games) = (Instant::now(), 0u64, 0u64);
    while begun.elapsed() < limit {
        let mut position = start.clone();
        while position.state().actor().is_some() {
            step(&mut position, &mut chance);
            plies += 1;
        }
        games += 1;
    }
    let rate = plies as f64 / begun.elapsed().as_secs_f64();
    println!("{{\"plies\": {plies}, \"games\": {games}, \"per_second\": {rate:.0}}}");
}

fn by_mask(position: &mut Position<Offboard>, chance: &mut Fast) {
    let legal = position.state().legal();
    let rank = chance.draw(legal.count() as u32);
    position.apply_unchecked(legal.nth(rank as usize), chance, &mut ());
}

fn by_list(position: &mut Position<Offboard>, chance: &mut Fast, list: &mut [u16]) {
    let state = position.state();
    let length = state.legal().write_indices(list);
    let index = list[chance.draw(length as u32) as usize];
    let action = state.action_at(index.into()).expect("a legal index names an action");
    position.apply_unchecked(action, chance, &mut ());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["perft", depth] => perft(depth.parse().expect("a depth")),
        ["mask", seconds] => plies(seconds.parse().expect("seconds"), by_mask),
        ["list", seconds] => {
            let mut list = vec![0; start().state().most_legal() + LIST_MARGIN];
            let step = |position: &mut _, chance: &mut _| by_list(position, chance, &mut list);
            plies(seconds.parse().expect("seconds"), step);
        }
        _ => panic!("measure perft DEPTH | mask SECONDS | list SECONDS"),
    }
}
