//! What holds for the search of every game.

use std::sync::atomic::{AtomicU64, Ordering};

use tablestate_rules::chance::Fast;
use tablestate_rules::games::eternitium::Eternitium;
use tablestate_rules::games::off_the_rails::OffTheRails;
use tablestate_rules::games::offboard::Offboard;
use tablestate_rules::games::offtrack::OffTrack;
use tablestate_rules::{Game, LegalSet, Position, Seat, SeatSet, Viewer};
use tablestate_search::{Bot, Level, Report, Searched, Settings, decide};

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

/// Runs a law for every game.
macro_rules! for_every_game {
    ($($name:ident: $law:ident;)*) => {$(
        #[test]
        fn $name() {
            $law::<Offboard>();
            $law::<OffTrack>();
            $law::<Eternitium>();
            $law::<OffTheRails>();
        }
    )*};
}

for_every_game! {
    every_legal_action_is_ranked_once_with_a_value_and_a_line: reports_are_sound;
    the_report_is_the_same_for_any_number_of_threads: threads_do_not_matter;
    the_report_follows_from_the_view_alone: truth_does_not_matter;
    who_stops_a_search_gets_what_it_has: stopping_gives_a_report;
    progress_is_told_of_reports_that_grow: progress_grows;
    nothing_is_found_when_the_game_is_over: nothing_after_the_end;
    the_levels_search_more_and_more: levels_rise;
}

fn reports_are_sound<G: Searched>() {
    for position in samples::<G>(12) {
        let report = search(&position, SETTINGS);
        is_sound(&position, &report);
    }
}

/// Every legal action once, best first, with values that are returns and a line that begins with it.
fn is_sound<G: Searched>(position: &Position<G>, report: &Report) {
    let mut ranked: Vec<_> = report.actions.iter().map(|ranked| ranked.action).collect();
    ranked.sort_unstable();
    let state = position.state();
    let mut legal = Vec::new();
    state.legal().for_each(|action| legal.push(state.index(action)));
    assert_eq!(ranked, legal);
    for ranked in &report.actions {
        assert!((-1.0..=1.0).contains(&ranked.value), "{ranked:?}");
        assert_eq!(ranked.line[0], ranked.action);
        assert!(ranked.line.iter().all(|&index| state.action_at(index).is_some()), "{ranked:?}");
    }
}

/// A tree search visits an action in each iteration, and the best most often.
fn visits_add_up<G: Searched>() {
    for position in samples::<G>(6) {
        let report = search(&position, SETTINGS);
        let visits: Vec<_> = report.actions.iter().map(|ranked| ranked.visits).collect();
        assert_eq!(report.iterations, SETTINGS.iterations);
        assert_eq!(visits.iter().sum::<u64>(), report.iterations);
        assert!(visits.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn the_visits_of_a_tree_search_add_up_to_its_iterations() {
    visits_add_up::<OffTrack>();
    visits_add_up::<Eternitium>();
    visits_add_up::<OffTheRails>();
}

fn threads_do_not_matter<G: Searched>() {
    for position in samples::<G>(3) {
        let report = search(&position, SETTINGS);
        for threads in [2, 3, 8] {
            assert_eq!(search(&position, Settings { threads, ..SETTINGS }), report);
        }
    }
}

/// So many that there are several trees to share even where small ones are left out.
#[test]
fn threads_share_the_trees_of_a_large_search() {
    let position = &samples::<OffTheRails>(2)[1];
    let large = Settings { iterations: 1_600, ..SETTINGS };
    assert_eq!(search(position, Settings { threads: 3, ..large }), search(position, large));
}

/// Whatever lies where the actor cannot see it, the same is found.
fn truth_does_not_matter<G: Searched>() {
    for position in samples::<G>(4) {
        let actor = position.state().actor().expect("the game goes on");
        let report = search(&position, SETTINGS);
        for seed in 0..4 {
            let view = position.view(Viewer::Seat(actor));
            let other = Position::<G>::determinize(&view, &mut Fast::new(seed));
            assert_eq!(search(&other, SETTINGS), report);
        }
    }
}

fn seeds_matter<G: Searched>() {
    let other = Settings { seed: 8, ..SETTINGS };
    let differs = |position| search(&position, SETTINGS) != search(&position, other);
    assert!(samples::<G>(4).into_iter().any(differs));
}

#[test]
fn a_tree_search_depends_on_its_seed() {
    seeds_matter::<OffTrack>();
    seeds_matter::<Eternitium>();
    seeds_matter::<OffTheRails>();
}

fn stopping_gives_a_report<G: Searched>() {
    let forever = Settings { iterations: u64::MAX, threads: 2, ..SETTINGS };
    for position in samples::<G>(3) {
        let actor = position.state().actor().expect("the game goes on");
        let view = position.view(Viewer::Seat(actor));
        for most in [0, 1, 60] {
            let asked = AtomicU64::new(0);
            let stop = || asked.fetch_add(1, Ordering::Relaxed) >= most;
            let report = G::search(&view, &forever, &mut |_| (), &stop);
            is_sound(&position, &report);
        }
    }
}

fn progress_grows<G: Searched>() {
    let settings = Settings { iterations: 1_500, ..SETTINGS };
    let position = &samples::<G>(2)[1];
    let actor = position.state().actor().expect("the game goes on");
    let mut told = Vec::new();
    let mut note = |report: &Report| {
        is_sound(position, report);
        told.push(report.iterations);
    };
    let report = G::search(&position.view(Viewer::Seat(actor)), &settings, &mut note, &|| false);
    told.push(report.iterations);
    assert!(told.len() > 1 && told.is_sorted(), "{told:?}");
}

fn nothing_after_the_end<G: Searched>() {
    let mut chance = Fast::new(5);
    let mut position = Position::<G>::new(&G::Options::default(), &mut chance, &mut ())
        .expect("the defaults are sound");
    position.playout(usize::MAX, &mut chance);
    let seat = Seat::new(0).expect("a seat");
    let view = position.view(Viewer::Seat(seat));
    assert_eq!(G::search(&view, &SETTINGS, &mut |_| (), &|| false), Report::default());
}

fn levels_rise<G: Searched>() {
    let [easy, normal, hard] = [Level::Easy, Level::Normal, Level::Hard].map(G::iterations);
    assert!(easy < normal && normal < hard);
}

/// Where one action wins at once and others do not, a win is found.
fn wins_in_one_are_found<G: Searched>() {
    let mut found = 0;
    let mut chance = Fast::new(11);
    while found < 3 {
        let mut position = Position::<G>::new(&G::Options::default(), &mut chance, &mut ())
            .expect("the defaults are sound");
        let mut before = position.clone();
        while position.state().actor().is_some() {
            before = position.clone();
            position.playout(1, &mut chance);
        }
        let wins = wins_in_one(&before);
        if wins.contains(&true) && wins.contains(&false) {
            let report = search(&before, Settings { iterations: 800, ..SETTINGS });
            let legal: Vec<_> = sorted(report.actions.iter().map(|ranked| ranked.action));
            let rank = legal.iter().position(|&index| index == report.actions[0].action);
            assert!(wins[rank.expect("a legal action")], "{}", before.state().position());
            found += 1;
        }
    }
}

fn sorted(indices: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut indices: Vec<_> = indices.collect();
    indices.sort_unstable();
    indices
}

/// For each legal action, whether it ends the game with the actor as the only winner, whatever
/// chance does in eight tries.
fn wins_in_one<G: Searched>(position: &Position<G>) -> Vec<bool> {
    let actor = position.state().actor().expect("the game goes on");
    let mut wins = Vec::new();
    position.state().legal().for_each(|action| {
        wins.push((0..8).all(|seed| {
            let mut next = position.clone();
            next.apply_unchecked(action, &mut Fast::new(seed), &mut ());
            let outcome = next.outcome(SeatSet::EMPTY);
            outcome.is_some_and(|end| end.winners == SeatSet::EMPTY.with(actor))
        }));
    });
    wins
}

#[test]
fn a_win_in_one_is_found() {
    wins_in_one_are_found::<OffTrack>();
}

/// In how many of 200 positions that have a choice a bot decides without a search.
fn unsearched<G: Searched>(bot: Bot) -> usize {
    let mut chance = Fast::new(13);
    let mut positions = samples::<G>(400);
    positions.retain(|position| position.state().legal().count() > 1);
    let decisions = positions.iter().take(200).filter_map(|each| decide(bot, each, &mut chance));
    decisions.filter(|decision| decision.report.is_none()).count()
}

#[test]
fn easy_errs_at_off_the_rails_and_as_often_as_it_should() {
    assert!((25..=55).contains(&unsearched::<OffTheRails>(Bot::Easy)));
    assert_eq!(unsearched::<Eternitium>(Bot::Easy), 0);
}

/// Where there is one action only it is ranked, with what is to be expected of it.
#[test]
fn a_forced_action_is_searched_too() {
    let forced = |position: &Position<OffTrack>| position.state().legal().count() == 1;
    let position = samples::<OffTrack>(400).into_iter().find(forced).expect("a forced action");
    let report = search(&position, SETTINGS);
    assert_eq!((report.actions.len(), report.actions[0].visits), (1, SETTINGS.iterations));
}
