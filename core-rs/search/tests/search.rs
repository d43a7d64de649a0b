//! What holds for the search of every game.

use tablestate_rules::chance::Fast;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{LegalSet, Position, Viewer};
use tablestate_search::{Report, Searched, Settings};

const SETTINGS: Settings = Settings { iterations: 100, seed: 7, threads: 1 };

fn search<G: Searched>(position: &Position<G>, settings: Settings) -> Report {
    let actor = position.state().actor().expect("the game goes on");
    G::search(&position.view(Viewer::Seat(actor)), &settings, &mut |_| (), &|| false)
}

/// Positions along games at random, some actions apart.
fn samples<G: Searched>(count: usize) -> Vec<Position<G>> {
    let mut chance = Fast::new(3);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::<G>::new(&G::Options::default(), &mut chance, &mut ())
            .expect("the defaults are sound");
        while position.state().actor().is_some() && found.len() < count {
            found.push(position.clone());
            position.playout(17, &mut chance);
        }
    }
    found
}

fn every_legal_action_is_ranked_once<G: Searched>() {
    for position in samples::<G>(12) {
        let report = search(&position, SETTINGS);
        let mut ranked: Vec<_> = report.actions.iter().map(|ranked| ranked.action).collect();
        ranked.sort_unstable();
        let state = position.state();
        let mut legal = Vec::new();
        state.legal().for_each(|action| legal.push(state.index(action)));
        assert_eq!(ranked, legal);
    }
}

#[test]
fn every_legal_action_is_ranked_once_in_every_game() {
    every_legal_action_is_ranked_once::<Offboard>();
    every_legal_action_is_ranked_once::<OffTrack>();
    every_legal_action_is_ranked_once::<Eternitium>();
    every_legal_action_is_ranked_once::<OffTheRails>();
}

fn threads_do_not_matter<G: Searched>() {
    for position in samples::<G>(3) {
        let report = search(&position, SETTINGS);
        for threads in [2, 3, 8] {
            assert_eq!(search(&position, Settings { threads, ..SETTINGS }), report);
        }
    }
}

#[test]
fn the_report_is_the_same_for_any_number_of_threads() {
    threads_do_not_matter::<Offboard>();
    threads_do_not_matter::<OffTrack>();
    threads_do_not_matter::<Eternitium>();
    threads_do_not_matter::<OffTheRails>();
}
