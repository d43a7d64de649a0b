//! The worked cases of OffTrack, what is refused and why, and equal hashes by two routes.

use tablestate_rules::chance::{Fast, Scripted};
use tablestate_rules::games::offtrack::{ActionCard, EventOf, Options, Saved, Scoring};
use tablestate_rules::{Game, Reason, Seat, SeatSet, Viewer};

use crate::battery::same_hash;
use crate::offtrack_table::{
    after, cards, draw, field, fill_decks, hold, legal, lines_and_pile, play, play_with, restored,
    table,
};

fn expect(saved: &Saved, notations: &[&str], lines: &str, pile: &str) {
    let (found, scored) = lines_and_pile(&after(saved, notations));
    assert_eq!((found.as_str(), scored.as_str()), (lines, pile), "after {notations:?}");
}

/// What the score pile of seat 0 is worth.
fn score(saved: &Saved, notations: &[&str]) -> i32 {
    let position = after(saved, notations);
    let first = Seat::new(0).expect("a seat");
    position.state().view(&(), Viewer::Spectator).pile(first).value()
}

#[test]
fn case_1_an_append_collects_what_is_lower() {
    let line = table(&["a6b3c0d2"], "a1b1c1d1e3");
    expect(&line, &["e3>0"], "a6b3e3", "c0d2");
    assert_eq!(score(&line, &["e3>0"]), -2);
}

#[test]
fn case_2_a_neighbour_of_the_era_becomes_the_edge() {
    let hand = "b3c1d1e1e2";
    expect(&table(&["a7b5"], hand), &["b3>0"], "a7b5b3!1", "-");
    expect(&table(&["b5"], hand), &["b3>0"], "b5b3", "-");
    expect(&table(&["a7c2b5"], hand), &["b3>0"], "a7b5b3!1", "c2");
}

#[test]
fn case_3_a_branch_of_seven_collapses() {
    let full = table(&["e8", "a8b8c7d7e6f6"], "a6b1c1d1e1");
    let position = after(&full, &["a6>1"]);
    assert_eq!(lines_and_pile(&position), ("e8/-".into(), "a8".into()));
    assert_eq!((field(&position, 6), field(&position, 14)), ("a6b8c7d7e6f6".into(), "x".into()));
}

#[test]
fn case_4_a_collapse_scores_the_pinned_card() {
    let mut full = table(&["e8", "a8b8c7d7e6f6"], "a6b1c1d1e1");
    full.lines[1].pinned = Some(2);
    expect(&full, &["a6>1"], "e8/-", "c7");
    assert_eq!(field(&after(&full, &["a6>1"]), 6), "a6a8b8d7e6f6");
}

#[test]
fn case_5_a_shear_makes_a_branch_while_one_may_stand() {
    let mut one = table(&["a8b7c6d5", "e8"], "a1b1c1d1e1");
    hold(&mut one, 0, ActionCard::Shear);
    expect(&one, &["S0:1"], "a8b7/e8/c6d5", "-");
    let mut two = table(&["a8b7c6d5", "e8", "f8"], "a1b1c1d1e1");
    hold(&mut two, 0, ActionCard::Shear);
    expect(&two, &["S0:1"], "a8b7/e8/f8", "c6");
    assert_eq!(field(&after(&two, &["S0:1"]), 6), "d5");
}

#[test]
fn case_6_a_flipped_line_takes_cards_at_its_oldest_end() {
    let mut flipped = table(&["a2b5c8"], "a1b1c1d7e1");
    hold(&mut flipped, 0, ActionCard::ParadoxLoop);
    let mut position = after(&flipped, &["L0"]);
    let events = play(&mut position, "d7>0").expect("legal");
    assert!(events.iter().any(|event| matches!(
        event,
        EventOf::Collected { cards: collected, .. } if *collected == cards("a2b5")
    )));
    assert_eq!(lines_and_pile(&position), ("d7c8^".into(), "a2b5".into()));
    play(&mut position, "E").expect("legal");
    assert_eq!(field(&position, 3), "d7c8");
}

#[test]
fn case_7_a_mend_scores_the_edge_and_moves_the_rest() {
    let mut branch = table(&["a8", "b6c3d4"], "a1b1c1d1e1");
    hold(&mut branch, 0, ActionCard::Mend);
    expect(&branch, &["M1>0"], "a8c3d4/-", "b6");
}

#[test]
fn case_8_a_recalled_card_becomes_the_edge_and_collects() {
    let mut line = table(&["a3b5c1d6"], "a1b1d1e1e2");
    hold(&mut line, 0, ActionCard::Recall);
    expect(&line, &["R0:1"], "b5d6!0", "a3c1");
}

#[test]
fn case_9_a_quarantine_on_a_lone_prime_makes_the_others_skip() {
    let mut lone = table(&["a6b3"], "a1b1c1d1e1");
    draw(&mut lone, ActionCard::Quarantine);
    hold(&mut lone, 1, ActionCard::Mend);
    let mut position = after(&lone, &["K0"]);
    assert_eq!((field(&position, 3), legal(&position)), ("a6b3#0".into(), vec!["X".to_owned()]));
    play(&mut position, "X").expect("legal");
    assert_eq!(legal(&position), ["."]);
    play(&mut position, ".").expect("legal");
    assert_eq!((field(&position, 2), field(&position, 3)), ("0C".into(), "a6b3".into()));

    let mut with_breach = table(&["a6b3"], "a1b1c1d1e1");
    draw(&mut with_breach, ActionCard::Quarantine);
    hold(&mut with_breach, 1, ActionCard::Breach);
    let position = after(&with_breach, &["K0", "B0"]);
    assert_eq!((field(&position, 2), field(&position, 3)), ("1C".into(), "a6b3".into()));
    assert!(legal(&position).contains(&"f0>0".to_owned()));
}

#[test]
fn case_10_a_redeemed_card_is_collected_for_its_positive_value() {
    let mut line = table(&["a0b6"], "a1b1c6d1e1");
    hold(&mut line, 0, ActionCard::Redeem);
    expect(&line, &["P0", "c6>0"], "b6c6", "a0+");
    assert_eq!(score(&line, &["P0", "c6>0"]), 2);
}

/// Prime is sealed, and the only branch, which is open, waits for the other seat.
fn nothing_takes_cards() -> Saved {
    let mut saved = table(&["a6", "a8b8c8d8e8a7b7"], "a1b1c1d1e1");
    saved.lines[0].sealed_by = Some(1);
    saved.lines[1].waiting_for = Some(1);
    saved
}

#[test]
fn r11b_a_seat_that_can_neither_append_nor_cycle_skips() {
    let mut saved = nothing_takes_cards();
    let mut position = restored(&saved);
    assert_eq!(legal(&position).len(), 31);
    assert_eq!(play(&mut position, ".").expect_err("it may cycle").rule, "R11");
    saved.seats[0].cycled = true;
    let mut position = restored(&saved);
    assert_eq!(legal(&position), ["."]);
    assert_eq!(play(&mut position, "~a1").expect_err("it has cycled").rule, "R11b");
    // The skip leaves the mark, draws nothing and ends the turn; then the branch collapses.
    play_with(&mut position, ".", &mut Scripted::new(&[])).expect("legal");
    assert_eq!((field(&position, 2), field(&position, 3)), ("1C".into(), "a6/-".into()));
    assert_eq!((field(&position, 5), field(&position, 13)), ("-/a8".into(), "c-".into()));
}

#[test]
fn r17_a_second_collapse_of_a_turn_waits() {
    let mut saved = table(&["a6", "a8b8c8d8a7e8", "b7c7d7f7f6e7"], "a5b5c1d1e1");
    saved.collapsed = true;
    let mut position = after(&saved, &["a5>1"]);
    assert_eq!(field(&position, 3), "a6/a8b8c8d8a7e8a5?0/b7c7d7f7f6e7");
    play(&mut position, "E").expect("legal");
    play(&mut position, "f0>2").expect("legal");
    play(&mut position, "E").expect("legal");
    // Seat 1 had its own collapse; seat 0's turn began with the one that waited.
    assert_eq!(field(&position, 3), "a6/-/-");
    assert_eq!((field(&position, 5), field(&position, 14)), ("a8/b7".into(), "x".into()));
}

#[test]
fn a_recall_leaves_a_branch_of_seven_waiting() {
    let mut saved = table(&["a5", "b8c8d7e7a6b6a4"], "a1b1c1d1e1");
    saved.lines[1].waiting_for = Some(1);
    hold(&mut saved, 0, ActionCard::Recall);
    let position = after(&saved, &["R1:6"]);
    assert_eq!(field(&position, 3), "a5/a4b8c8d7e7a6b6!0?1");
    assert_eq!(restored(&Saved::of(&position)), position);
}

fn refused(saved: &Saved, refusals: &[(&str, &str)]) {
    for (notation, rule) in refusals {
        let mut position = restored(saved);
        let before = position.clone();
        assert_eq!(play(&mut position, notation).expect_err(notation).rule, *rule, "{notation}");
        assert_eq!(position, before);
    }
}

#[test]
fn what_is_refused_names_its_rule() {
    let hand = "a1b1c1d1e1";
    let mut held = table(&["a6b3"], hand);
    hold(&mut held, 0, ActionCard::Recall);
    refused(&held, &[("H", "R10"), ("a1>0", "Held action"), ("D", "Held action")]);
    refused(&held, &[("L0", "Actions"), ("R0:2", "Actions"), ("R1:0", "Actions")]);

    let mut drawn = table(&["a6b3"], hand);
    draw(&mut drawn, ActionCard::Breach);
    refused(&drawn, &[("B0", "Actions"), ("B1", "Actions"), ("E", "Held action")]);
    drawn.options.every_turn = Some(true);
    refused(&drawn, &[("H", "R13")]);

    let mut main = table(&["a6b3", "c6"], hand);
    main.lines[1].sealed_by = Some(1);
    refused(&main, &[("f0>0", "Append"), ("a1>1", "Quarantine"), ("a1>2", "Append"), (".", "R11")]);
    refused(&main, &[("~", "Cycle"), ("D", "Main step"), ("E", "Main step"), ("X", "Main step")]);
    main.seats[0].cycled = true;
    refused(&main, &[("~a1", "Cycle")]);

    let mut position = after(&main, &["a1>0"]);
    assert_eq!(legal(&position), ["D", "E"]);
    assert_eq!(play(&mut position, "b1>0").expect_err("too late").rule, "Action");
}

#[test]
fn what_an_action_cannot_aim_at_names_its_rule() {
    let lines = ["a6b3", "c6", "b8c8d7e7a7b6a4"];
    let mut saved = table(&lines, "a1b1c1d1e1");
    saved.lines[2].waiting_for = Some(1);
    hold(&mut saved, 0, ActionCard::QuantumShunt);
    refused(&saved, &[("Q0:0>2", "R5"), ("Q0:0>0", "Actions"), ("Q0:0>3", "Actions")]);
    saved.lines[1].sealed_by = Some(1);
    refused(&saved, &[("Q0:0>1", "Quarantine"), ("Q1:0>0", "Quarantine")]);

    let mut mend = table(&["a6b3", "c6"], "a1b1c1d1e1");
    hold(&mut mend, 0, ActionCard::Mend);
    refused(&mend, &[("M1>0", "R18"), ("M1>1", "R18"), ("M0", "Actions"), ("M2", "Actions")]);
    mend.lines[0].sealed_by = Some(1);
    mend.lines[1].cards = cards("c6d5");
    fill_decks(&mut mend);
    refused(&mend, &[("M1>0", "Quarantine"), ("M1", "Actions")]);

    let mut shear = table(&["a6b3", "c6d5"], "a1b1c1d1e1");
    shear.lines[1].sealed_by = Some(1);
    hold(&mut shear, 0, ActionCard::Shear);
    refused(&shear, &[("S0:1", "Actions"), ("S1:0", "Quarantine"), ("S0:2", "Actions")]);
}

#[test]
fn what_may_be_right_later_is_no_fault_of_the_request() {
    let mut saved = table(&["a6b3"], "a1b1c1d1e1");
    refused(&saved, &[("~b0", "Cycle"), ("~a1a1", "Cycle"), ("~a1b1c1d1e1f1", "Cycle")]);
    let main = restored(&saved);
    for malformed in ["~b1a1", "~a1+", "~a", "~?"] {
        main.state().parse(malformed).expect_err(malformed);
    }
    hold(&mut saved, 0, ActionCard::Shear);
    let held = restored(&saved);
    for index in 0..held.state().actions() {
        let action = held.state().action_at(index).expect("every index names an action");
        let is_legal = legal(&held).contains(&held.state().notation(action));
        assert_eq!(held.state().check(action).is_ok(), is_legal, "{index}");
    }
    let nowhere = held.state().action_at(0).expect("the card is not on the table");
    assert_eq!(held.state().notation(nowhere), "S?");
}

/// The last turn of the last round: seat 0 has more, seat 1 has to end its turn.
fn last_turn() -> Saved {
    let mut saved = table(&["a6b3"], "a1b1c1d1e1");
    saved.options.rounds = Some(1);
    saved.seats[0].pile = cards("a8b8");
    saved.seats[1].pile = cards("c0");
    fill_decks(&mut saved);
    saved.boxed = std::mem::take(&mut saved.deck);
    saved.turn_of = 1;
    saved.called = true;
    draw(&mut saved, ActionCard::Mend);
    saved
}

#[test]
fn the_best_score_wins_and_the_table_stays() {
    let mut saved = last_turn();
    for (scoring, winner) in [(Scoring::High, 0), (Scoring::Low, 1)] {
        saved.options.scoring = Some(scoring);
        let mut position = after(&saved, &["X"]);
        let outcome = position.outcome(SeatSet::EMPTY).expect("over");
        assert_eq!(
            (outcome.reason, &outcome.scores[..]),
            (Reason::OffTrackRoundsPlayed, &[10, -2][..])
        );
        assert_eq!(outcome.winners.iter().map(Seat::index).collect::<Vec<_>>(), [winner]);
        assert_eq!((field(&position, 2), field(&position, 16)), ("--".into(), "10,-2".into()));
        assert_eq!(field(&position, 3), "a6b3");
        assert_eq!(play(&mut position, "E").expect_err("over").rule, "End");
    }
}

#[test]
fn a_seat_that_forfeited_cannot_win() {
    let mut position = restored(&last_turn());
    while position.state().actor().is_some() {
        let action = position.state().default_action().expect("an actor");
        position.apply(action, &mut Fast::new(0), &mut ()).expect("the default action is legal");
    }
    let won = |forfeited| position.outcome(forfeited).expect("over").winners;
    let everybody = won(SeatSet::EMPTY);
    assert!(!everybody.is_empty());
    for seat in everybody.iter() {
        let others = won(SeatSet::EMPTY.with(seat));
        assert!(!others.is_empty() && !others.contains(seat));
    }
}

#[test]
fn r7_and_r8_the_next_round_has_all_cards_and_another_starting_seat() {
    let mut saved = last_turn();
    saved.options = Options { rounds: Some(2), ..saved.options };
    let position = after(&saved, &["X"]);
    assert_eq!((field(&position, 1), field(&position, 2)), ("2".into(), "1C".into()));
    assert_eq!(field(&position, 9).len(), 32);
    assert_eq!(field(&position, 7).len(), 2 * (54 - 4 - 10));
    assert_eq!((field(&position, 5), field(&position, 16)), ("-/-".into(), "10,-2".into()));
}

#[test]
fn two_routes_to_a_position_hash_alike() {
    let start = restored(&table(&["a6", "b6", "c6"], "a5b5c1d1e1"));
    let play_all = |notations: [&str; 5]| {
        let (mut position, mut chance) = (start.clone(), Scripted::new(&[0, 0, 0]));
        for notation in notations {
            play_with(&mut position, notation, &mut chance).expect("legal");
        }
        position
    };
    same_hash(
        &play_all(["a5>1", "E", "f0>0", "E", "b5>2"]),
        &play_all(["b5>2", "E", "f0>0", "E", "a5>1"]),
    );
}
