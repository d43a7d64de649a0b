//! The worked cases of Eternitium, and equal hashes by two routes.

use tablestate_rules::chance::{Fast, Scripted};
use tablestate_rules::games::eternitium::{Eternitium, EventOf, Options, Saved, Step, Symbol};
use tablestate_rules::{Game, Outcome, Position, Reason, Seat, SeatSet};

use crate::battery::same_hash;
use crate::eternitium_table::{
    after, cards, field, fill, legal, play_with, refusal, restored, table, with_visible,
    without_pile,
};

const OTHER: (&str, &str) = ("(ccss)", "cstd");

fn seat(number: usize) -> Seat {
    Seat::new(number).expect("a seat")
}

/// The position after a decision with these draws, all of which it must ask for.
fn drawn(saved: &Saved, notation: &str, draws: &[u32]) -> Position<Eternitium> {
    let mut position = restored(saved);
    let mut chance = Scripted::new(draws);
    play_with(&mut position, notation, &mut chance).expect("a legal decision");
    assert!(chance.is_spent(), "{notation} with {draws:?}");
    position
}

#[test]
fn case_1_the_set_up_of_four() {
    let options = Options { seats: Some(4), ..Options::default() };
    let mut events = Vec::new();
    let start = Position::<Eternitium>::new(&options, &mut Fast::new(5), &mut events);
    let start = start.expect("sound options");
    let view = start.view(tablestate_rules::Viewer::Spectator);
    assert_eq!((view.supply, view.pile_size), ([8; 4], 22));
    assert!(view.players.iter().all(|player| player.eras == 9 && player.top.is_some()));
    assert_eq!(view.visible.iter().chain([&None]).flatten().count(), 2);
    assert!(view.rows.iter().flatten().all(Option::is_some));
    assert_eq!(view.deck_sizes, [24 - 3, 16 - 3]);
    let turned = events.iter().filter(|event| matches!(event, EventOf::EraTurned { .. })).count();
    assert_eq!((turned, field(&start, 2).as_str()), (4, "0B"));
    let begun = after(&Saved::of(&start), &["+0", "+?", "+1", "+2"]);
    assert_eq!(field(&begun, 2), "0P");
    let view = begun.view(tablestate_rules::Viewer::Spectator);
    assert!(view.players.iter().all(|player| (player.hand_size, player.deck_size) == (5, 1)));
    assert!(view.players.iter().all(|player| player.technologies == [2, 0]));
}

#[test]
fn case_2_a_face_up_era_takes_a_portal_that_matches() {
    let saved = table(&[("^s(cttdd)", "csPO"), OTHER]);
    let done = after(&saved, &["s"]);
    assert_eq!(field(&done, 4), "(cttdd)/(ccss)");
    assert_eq!((field(&done, 5), field(&done, 16)), ("s".into(), "s".into()));
    assert_eq!(refusal(&saved, &[], "c"), "R2");
    assert_eq!(field(&after(&saved, &["P"]), 4), "(cttdd)/(ccss)");
    let omni = after(&saved, &["O"]);
    assert_eq!((field(&omni, 5), field(&omni, 13).len()), ("s".into(), "csP/cstd".len() + 1));
}

#[test]
fn case_3_a_lost_gamble_ends_the_step() {
    let saved = table(&[("(cstd)s", "ccD"), OTHER]);
    // The draw: the second of the shuffled four, a square.
    let lost = drawn(&saved, "c", &[1]);
    assert_eq!((field(&lost, 4), field(&lost, 2)), ("(csstd)/(ccss)".into(), "0T".into()));
    assert_eq!((field(&lost, 3), field(&lost, 15)), ("--p4".into(), "ccD/-".into()));
    let next = after(&Saved::of(&lost), &["n"]);
    assert_eq!(field(&next, 13).find('/'), Some(4), "the refill is to four");
    let won = drawn(&saved, "c", &[0]);
    assert_eq!((field(&won, 4), field(&won, 2)), ("(std)s/(ccss)".into(), "0Y".into()));
    assert!(legal(&won).contains(&"c".into()));
}

#[test]
fn case_4_a_lost_gamble_with_one_era_gains_another() {
    let saved = table(&[("s()", "cD"), OTHER]);
    let lost = drawn(&saved, "c", &[0]);
    assert_eq!(field(&lost, 4), "(cs)/(ccss)");
    let lost = drawn(&without_pile(saved), "c", &[]);
    assert_eq!(field(&lost, 4), "(s)/(ccss)");
}

#[test]
fn case_5_a_refit_leaves_six_cards() {
    let mut saved = table(&[("(cstd)", "csVXRM"), OTHER]);
    saved.seats[0].deck = cards("td");
    saved.seats[0].removed = cards("D");
    fill(&mut saved);
    let removed = after(&saved, &["*", "-V", "-c"]);
    assert_eq!(refusal(&saved, &["*", "-V", "-c"], "-X"), "Refit");
    assert!(legal(&removed).iter().all(|notation| notation.starts_with('=')));
    let kept = after(&saved, &["*", "-V", "-c", "=X"]);
    assert_eq!((field(&kept, 13), field(&kept, 3)), ("X/cstd".into(), "---6".into()));
    assert_eq!(field(&kept, 17), "cDV/-");
    let next = after(&saved, &["*", "-V", "-c", "=X", "n"]);
    assert_eq!(field(&next, 13).split('/').next().map(str::len), Some(6));
}

#[test]
fn case_6_after_a_card_there_is_no_refit() {
    let saved = table(&[("(cstd)", "CD"), OTHER]);
    assert!(legal(&restored(&saved)).contains(&"*".into()));
    assert_eq!(refusal(&saved, &["C"], "*"), "Refit");
}

#[test]
fn case_7_the_round_is_played_out() {
    let other = ("(cs)", "cstd");
    let mut saved = table(&[other, ("^s()", "s"), other, other]);
    saved.turn_of = 1;
    let emptied = after(&saved, &["s", ".", "n"]);
    assert_eq!(field(&emptied, 2), "2P");
    let over = after(&saved, &["s", ".", "n", "@c", ".", "n", "@c", ".", "n"]);
    let outcome = over.outcome(SeatSet::EMPTY).expect("the round is over");
    assert_eq!((outcome.winners, outcome.reason), (only(1), Reason::EternitiumErasGone));
    let goes_on = after(&saved, &["s", ".", "b0l", "@c", ".", "n", "@c", ".", "n"]);
    assert_eq!((field(&goes_on, 1), field(&goes_on, 2)), ("2".into(), "0P".into()));
}

fn only(number: usize) -> SeatSet {
    SeatSet::EMPTY.with(seat(number))
}

/// Both seats have no Eras and these technologies besides their Droids; seat 1 ends the round.
fn without_eras(technologies: [&str; 2]) -> Outcome {
    let mut saved = table(&[("()", ""), ("()", "")]);
    for (seat, more) in saved.seats.iter_mut().zip(technologies) {
        seat.deck = cards(&format!("cstdD{more}c"));
    }
    saved.turn_of = 1;
    fill(&mut saved);
    after(&saved, &[".", "n"]).outcome(SeatSet::EMPTY).expect("the round is over")
}

#[test]
fn case_8_points_then_advanced_then_a_shared_victory() {
    let outcome = without_eras(["VC", "E"]);
    assert_eq!((outcome.winners, &outcome.scores[..]), (only(1), &[3, 3][..]));
    assert_eq!(without_eras(["VCX", "E"]).winners, only(0));
    assert_eq!(without_eras(["V", "X"]).winners, only(0).with(seat(1)));
}

#[test]
fn case_9_what_is_not_there_is_left_out() {
    let mut saved = table(&[("(cs)", "D"), ("(cs)", "D")]);
    saved.seats[0].deck = cards(&"cstd".repeat(5));
    fill(&mut saved);
    assert_eq!(saved.supply, [0; 4]);
    assert_eq!(field(&after(&saved, &[".", "n"]), 2), "1Y");
    let one = with_visible(table(&[("(tt)", "D"), OTHER]), [None, Some(Symbol::Square)]);
    assert_eq!(refusal(&one, &["."], "b0l"), "d. Technology");
    let bought = after(&one, &[".", "a0"]);
    assert_eq!((field(&bought, 4), field(&bought, 6)), ("(tt)s/(ccss)".into(), "--".into()));
    let none = with_visible(table(&[("(tt)", "D"), OTHER]), [None, None]);
    assert_eq!(field(&after(&none, &[".", "a0"]), 4), "(tt)/(ccss)");
    assert_eq!(field(&after(&none, &[".", "b1"]), 4), "(tt)/(ccss)");
}

#[test]
fn case_10_an_exile_may_empty_the_own_stack() {
    let saved = table(&[("^t()", "E"), OTHER]);
    let exiled = after(&saved, &["E1"]);
    assert_eq!(field(&exiled, 4), "()/(ccss)t");
    let over = after(&saved, &["E1", ".", "n", "@c", ".", "n"]);
    assert_eq!(over.outcome(SeatSet::EMPTY).expect("over").winners, only(0));
}

#[test]
fn r10_a_forfeited_seat_without_eras_ends_nothing() {
    let mut saved = table(&[("()", "D"), ("(cs)", "D"), ("(cs)", "D")]);
    saved.turn_of = 2;
    saved.step = Step::Technology;
    saved.seats[2].discard = std::mem::take(&mut saved.seats[2].hand);
    fill(&mut saved);
    let mut position = restored(&saved);
    position.forfeit(seat(0));
    play_with(&mut position, "n", &mut Fast::new(0)).expect("legal");
    assert_eq!((field(&position, 2), field(&position, 18)), ("0P".into(), "f--".into()));
    assert_eq!(position.outcome(only(0)), None);
    assert_eq!(after(&saved, &["n"]).outcome(SeatSet::EMPTY).expect("over").winners, only(0));
}

#[test]
fn r12_the_fewest_eras_win_after_the_last_round() {
    let mut saved = table(&[("(css)", "D"), ("(cs)", "D")]);
    (saved.round, saved.turn_of) = (50, 1);
    let outcome = after(&saved, &[".", "n"]).outcome(SeatSet::EMPTY).expect("over");
    assert_eq!((outcome.winners, outcome.reason), (only(1), Reason::EternitiumMaxRounds));
}

#[test]
fn one_position_by_two_routes_has_one_hash() {
    let saved = table(&[("^s(cttdd)", "VVs"), ("^c(ss)t", "cstd"), ("(cd)", "cstd")]);
    let route = |notations: &[&str]| after(&saved, notations);
    same_hash(&route(&["V1", "V2"]), &route(&["V2", "V1"]));
    same_hash(&route(&["*", "="]), &after(&Saved::of(&route(&["*"])), &["="]));
    assert_ne!(route(&["V1"]).state().hash(), route(&["V2"]).state().hash());
}
