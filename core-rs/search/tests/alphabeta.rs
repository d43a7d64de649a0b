//! What the search of Offboard finds, and what it reports.

use std::cell::Cell;

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::games::offboard::{Action, Offboard, Options};
use tablestate_rules::{Game, LegalSet, Outcome, Position, SeatSet, Viewer};
use tablestate_search::{Ranked, Report, Searched, Settings};

const SETTINGS: Settings = Settings { iterations: 30_000, seed: 1, threads: 1 };

fn start(options: &Options) -> Position<Offboard> {
    Position::new(options, &mut Fast::new(0), &mut ()).expect("sound options")
}

fn at(position: &str) -> Options {
    Options { position: Some(position.to_owned()), ..Options::default() }
}

fn search_until(
    position: &Position<Offboard>,
    settings: Settings,
    stop: &(dyn Fn() -> bool + Sync),
) -> Report {
    let actor = position.state().actor().expect("the game goes on");
    Offboard::search(&position.view(Viewer::Seat(actor)), &settings, &mut |_| (), stop)
}

fn search(position: &Position<Offboard>, settings: Settings) -> Report {
    search_until(position, settings, &|| false)
}

fn action(position: &Position<Offboard>, ranked: &Ranked) -> Action {
    position.state().action_at(ranked.action).expect("an index of an action")
}

fn play(position: &mut Position<Offboard>, moves: &[&str]) {
    for notation in moves {
        let action = position.state().parse(notation).expect("a move");
        position.apply(action, &mut Fast::new(0), &mut ()).expect("a legal move");
    }
}

/// Plays a line; every action of it must be legal.
fn outcome_of_line(position: &Position<Offboard>, line: &[usize]) -> Option<Outcome> {
    let mut end = position.clone();
    for &index in line {
        let action = end.state().action_at(index).expect("an index of an action");
        end.apply(action, &mut Fast::new(0), &mut ()).expect("a legal action");
    }
    end.outcome(SeatSet::EMPTY)
}

/// Every legal action once, the best first, lines that can be played, and sums that agree.
fn assert_sound(position: &Position<Offboard>, report: &Report) {
    let mut ranked: Vec<_> = report.actions.iter().map(|ranked| ranked.action).collect();
    ranked.sort_unstable();
    let mut legal = Vec::new();
    position.state().legal().for_each(|action| legal.push(action.index()));
    assert_eq!(ranked, legal);
    assert!(report.actions.is_sorted_by(|a, b| a.value >= b.value));
    assert_eq!(report.actions.iter().map(|ranked| ranked.visits).sum::<u64>(), report.iterations);
    for ranked in &report.actions {
        assert!((-1.0..=1.0).contains(&ranked.value));
        assert_eq!(ranked.line[0], ranked.action);
        outcome_of_line(position, &ranked.line);
    }
}

/// Options of all kinds, drawn at random.
fn some_options(chance: &mut Fast) -> Options {
    let positions = [
        None,
        Some("Y4/1R4/2R4/8/RRY3Y2/8/7/1YY3/R4 y RRRYYRRR..RR 3-2 y 0 7"),
        Some("Y1R1Y/1RYR2/Y2R2Y/R2Y3R/YR1YRR1RY/1R4Y1/2Y1R2/R3Y1/1Y1R1 r RYRYRYRYRYR. 3-4 - 3 30"),
        Some("YYYYY/YRRRRY/YRYYYRY/YR4RY/YR2Y2RY/YR4RY/YR3RY/YRRRRY/5 r ............ 0-0 - 0 1"),
    ];
    Options {
        points_to_win: Some(5 + chance.draw(2)),
        quiet_limit: Some(10 + chance.draw(90)),
        position: positions[chance.draw(4) as usize].map(str::to_owned),
        target_values: (0..12).map(|_| 2 + chance.draw(2)).collect(),
    }
}

#[test]
fn reports_are_sound_with_any_options_anywhere_in_a_game() {
    let mut chance = Fast::new(5);
    let mut searched = 0;
    while searched < 60 {
        let mut position = start(&some_options(&mut chance));
        let plies = chance.draw(80) as usize;
        position.playout(plies, &mut chance);
        if position.state().actor().is_some() {
            let settings = Settings { iterations: u64::from(chance.draw(4_000)), ..SETTINGS };
            assert_sound(&position, &search(&position, settings));
            searched += 1;
        }
    }
}

#[test]
fn the_report_is_the_same_every_time_and_for_any_number_of_threads() {
    let mut position = start(&Options::default());
    position.playout(20, &mut Fast::new(2));
    let report = search(&position, SETTINGS);
    assert_eq!(report.iterations, SETTINGS.iterations);
    search(&start(&Options::default()), SETTINGS);
    for threads in [1, 2, 5] {
        assert_eq!(search(&position, Settings { threads, ..SETTINGS }), report);
    }
}

#[test]
fn who_is_told_to_stop_reports_what_was_found_so_far() {
    let position = start(&Options::default());
    let settings = Settings { iterations: u64::MAX, ..SETTINGS };
    let at_once = search_until(&position, settings, &|| true);
    assert_sound(&position, &at_once);
    let asked = std::sync::atomic::AtomicU64::new(0);
    let later = search_until(&position, settings, &|| {
        asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) >= 20
    });
    assert_sound(&position, &later);
    assert!(at_once.iterations < later.iterations && later.iterations < 25_000);
}

#[test]
fn progress_is_told_of_ever_deeper_searches() {
    let position = start(&Options::default());
    let actor = position.state().actor().expect("the game goes on");
    let nodes = Cell::new(0);
    let mut told = 0;
    let mut progress = |report: &Report| {
        assert_sound(&position, report);
        assert!(report.iterations > nodes.replace(report.iterations));
        told += 1;
    };
    Offboard::search(&position.view(Viewer::Seat(actor)), &SETTINGS, &mut progress, &|| false);
    assert!(told >= 3, "{told} times");
}

fn assert_won(position: &Position<Offboard>, plies: usize) {
    let best = &search(position, SETTINGS).actions[0];
    assert_eq!((best.value, best.line.len()), (1.0, plies));
    let outcome = outcome_of_line(position, &best.line).expect("the line ends the game");
    assert!(position.state().actor().is_some_and(|actor| outcome.winners.contains(actor)));
}

#[test]
fn wins_in_one_and_in_three_are_found() {
    let points = |position: &str| Options { points_to_win: Some(1), ..at(position) };
    let none = "r ............ 0-0 - 0 1";
    let in_one = start(&points(&format!("5/6/7/8/RRRRRYYYY/8/7/6/5 {none}")));
    assert_won(&in_one, 1);
    // Yellow's marble in the corner e9 is shut in; the other one cannot help it.
    let in_three = start(&points(&format!("5/6/7/7R/5RR1Y/7R/7/6/Y4 {none}")));
    assert_won(&in_three, 3);
}

/// Red is to act, and `e1e2` would bring a position about for the third time.
fn before_the_third_time(scores: &str) -> Position<Offboard> {
    let position = format!("5/6/7/8/1R7/8/7/6/Y1Y2 y ............ {scores} - 0 1");
    let mut position = start(&at(&position));
    play(&mut position, &["a1b2", "e2e1", "b2a1", "e1e2", "a1b2", "e2e1", "b2a1"]);
    position
}

#[test]
fn who_is_behind_seeks_the_repetition_and_who_is_ahead_avoids_it() {
    let repeats = |position: &Position<Offboard>, ranked: &Ranked| {
        action(position, ranked).to_string() == "e1e2"
    };
    let behind = before_the_third_time("0-5");
    let best = &search(&behind, SETTINGS).actions[0];
    assert!(repeats(&behind, best));
    assert_eq!(best.value, 0.0);
    let ahead = before_the_third_time("5-0");
    let best = &search(&ahead, SETTINGS).actions[0];
    assert!(!repeats(&ahead, best));
    assert!(best.value > 0.0);
}
