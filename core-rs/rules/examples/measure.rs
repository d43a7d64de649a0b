//! Measures the engine on one thread and prints one JSON line.
//!
//! `measure perft DEPTH`: leaves of Offboard's perft from the start a second.
//! `measure GAME mask SECONDS` and `measure GAME list SECONDS`: random plies a second of matches
//! with the default options, all tests of the end on, choosing by rank from the set of legal
//! actions or from the list of their indices.
//! `measure GAME first-mask SECONDS` and `measure GAME first-list SECONDS`: how often a second the
//! legal actions of the first position are found and written.

use std::time::{Duration, Instant};

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{Game, LIST_MARGIN, LegalSet, Position};

fn start<G: Game>(chance: &mut Fast) -> Position<G> {
    Position::new(&G::Options::default(), chance, &mut ()).expect("the defaults are sound")
}

fn perft(depth: u32) {
    let begun = Instant::now();
    let leaves = start::<Offboard>(&mut Fast::new(0))
        .perft(depth, &mut Fast::new(0), &|| false)
        .expect("nobody stops it");
    let seconds = begun.elapsed().as_secs_f64();
    let rate = leaves as f64 / seconds;
    println!("{{\"leaves\": {leaves}, \"seconds\": {seconds:.4}, \"per_second\": {rate:.0}}}");
}

/// A game without chance at its start is set up once and cloned, as a search would.
fn plies<G: Game>(seconds: f64, step: impl Fn(&mut Position<G>, &mut Fast, &mut [u16])) {
    let mut chance = Fast::new(1);
    let fixed = start::<G>(&mut chance);
    let is_fixed = fixed == start::<G>(&mut chance);
    let mut list = vec![0; fixed.state().most_legal() + LIST_MARGIN];
    let limit = Duration::from_secs_f64(seconds);
    let (begun, mut plies, mut games) = (Instant::now(), 0u64, 0u64);
    while begun.elapsed() < limit {
        let mut position = if is_fixed { fixed.clone() } else { start(&mut chance) };
        while position.state().actor().is_some() {
            step(&mut position, &mut chance, &mut list);
            plies += 1;
        }
        games += 1;
    }
    let rate = plies as f64 / begun.elapsed().as_secs_f64();
    println!("{{\"plies\": {plies}, \"games\": {games}, \"per_second\": {rate:.0}}}");
}

fn by_mask<G: Game>(position: &mut Position<G>, chance: &mut Fast, _: &mut [u16]) {
    if let Some(action) = position.draw_action(chance) {
        position.apply_unchecked(action, chance, &mut ());
    }
}

fn by_list<G: Game>(position: &mut Position<G>, chance: &mut Fast, list: &mut [u16]) {
    let length = position.state().legal().write_indices(list);
    let index = list[chance.draw(length as u32) as usize];
    let action = position.state().action_at(index.into()).expect("a legal index is an action");
    position.apply_unchecked(action, chance, &mut ());
}

/// Writes the legal actions of the first position over and over.
fn first<G: Game>(seconds: f64, write: impl Fn(G::Legal<'_>, &mut [u8], &mut [u16])) {
    let position = start::<G>(&mut Fast::new(1));
    let state = position.state();
    let mut mask = vec![0; state.actions().div_ceil(8)];
    let mut list = vec![0; state.most_legal() + LIST_MARGIN];
    let limit = Duration::from_secs_f64(seconds);
    let (begun, mut times) = (Instant::now(), 0u64);
    while begun.elapsed() < limit {
        for _ in 0..1_000 {
            write(std::hint::black_box(state).legal(), &mut mask, &mut list);
            std::hint::black_box((&mut mask, &mut list));
        }
        times += 1_000;
    }
    let rate = times as f64 / begun.elapsed().as_secs_f64();
    println!(
        "{{\"times\": {times}, \"nanoseconds\": {:.1}, \"per_second\": {rate:.0}}}",
        1e9 / rate
    );
}

fn random<G: Game>(choice: &str, seconds: &str) {
    let seconds = seconds.parse().expect("seconds");
    match choice {
        "mask" => plies::<G>(seconds, by_mask),
        "list" => plies::<G>(seconds, by_list),
        "first-mask" => first::<G>(seconds, |legal, mask, _| {
            mask.fill(0);
            legal.write_mask(mask);
        }),
        "first-list" => first::<G>(seconds, |legal, _, list| {
            legal.write_indices(list);
        }),
        _ => panic!("mask, list, first-mask or first-list"),
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["perft", depth] => perft(depth.parse().expect("a depth")),
        ["offboard", choice, seconds] => random::<Offboard>(choice, seconds),
        ["eternitium", choice, seconds] => random::<Eternitium>(choice, seconds),
        ["off_the_rails", choice, seconds] => random::<OffTheRails>(choice, seconds),
        ["offtrack", choice, seconds] => random::<OffTrack>(choice, seconds),
        _ => panic!("measure perft DEPTH | GAME mask SECONDS | GAME list SECONDS"),
    }
}
