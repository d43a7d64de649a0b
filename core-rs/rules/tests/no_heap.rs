//! Searches clone states and apply actions: neither asks for memory.

use std::alloc::System;

use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use tablestate_rules::chance::Fast;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{Chance, Game, History, LegalSet};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// Plays games, with a look one action ahead at every ply; the number of plies.
fn search<G: Game>(starts: &[(G, G::History)], history: &mut G::History) -> usize {
    let (mut chance, mut plies) = (Fast::new(7), 0);
    for (start, _) in starts {
        let mut state = start.clone();
        let mark = history.mark();
        while state.actor().is_some() {
            let here = history.mark();
            state.legal().for_each(|action| {
                let mut next = state.clone();
                next.apply_unchecked(action, history, &mut chance, &mut ());
                std::hint::black_box(next.hash());
                history.rewind(here);
            });
            let action = {
                let legal = state.legal();
                legal.nth(chance.draw(legal.count() as u32) as usize)
            };
            state.apply_unchecked(action, history, &mut chance, &mut ());
            plies += 1;
        }
        history.rewind(mark);
    }
    plies
}

fn check<G: Game>() {
    let options = G::complete(&G::Options::default()).expect("the defaults are sound");
    let starts: Vec<_> =
        (0..30).map(|seed| G::new(&options, &mut Fast::new(seed), &mut ())).collect();
    let mut history = G::History::default();
    // What lies beside the states, the history, grows to its size once.
    let plies = search(&starts, &mut history);
    let region = Region::new(ALLOCATOR);
    assert_eq!(search(&starts, &mut history), plies);
    assert_eq!(region.change().allocations, 0, "in {plies} plies of {}", G::INFO.id);
}

// One test: others in the same process would be counted too.
#[test]
fn neither_cloning_nor_applying_asks_for_memory() {
    check::<OffTrack>();
    check::<Offboard>();
    check::<Eternitium>();
    check::<OffTheRails>();
}
