//! What each technology does, which draws it takes, and when it is refused.

use tablestate_rules::chance::{Fast, Scripted};
use tablestate_rules::games::eternitium::{Eternitium, EventOf, Options, Saved};
use tablestate_rules::{Game, Position, Seat, Viewer};

use crate::eternitium_table::{
    after, card, cards, field, fill, legal, play_with, refusal, restored, stack, table,
};

const OTHER: (&str, &str) = ("^d(ccss)t", "cstd");

/// The Era stacks after a decision with these draws, all of which it must ask for.
fn stacks(saved: &Saved, notation: &str, draws: &[u32]) -> String {
    field(&drawn(saved, notation, draws), 4)
}

fn drawn(saved: &Saved, notation: &str, draws: &[u32]) -> Position<Eternitium> {
    let mut position = restored(saved);
    let mut chance = Scripted::new(draws);
    play_with(&mut position, notation, &mut chance).expect("a legal decision");
    assert!(chance.is_spent(), "{notation} with {draws:?}");
    position
}

#[test]
fn a_droid_turns_a_face_down_era_up() {
    assert_eq!(stacks(&table(&[("(cs)t", "D"), OTHER]), "D", &[1]), "^s(c)t/^d(ccss)t");
    assert_eq!(refusal(&table(&[("^c(s)", "D"), OTHER]), &[], "D"), "Cards");
    assert_eq!(refusal(&table(&[("()", "D"), OTHER]), &[], "D"), "R5");
}

#[test]
fn a_twin_portal_that_does_not_match_only_turns_up() {
    let saved = table(&[("(cstd)", "PQ"), OTHER]);
    let missed = drawn(&saved, "P", &[2]);
    assert_eq!(field(&missed, 4), "^t(csd)/^d(ccss)t");
    assert_eq!((field(&missed, 2), field(&missed, 3)), ("0Y".into(), "--p5".into()));
    assert_eq!(stacks(&saved, "P", &[1]), "(ctd)/^d(ccss)t");
    assert_eq!(field(&after(&Saved::of(&missed), &["Q"]), 4), "(csd)/^d(ccss)t");
    let up = table(&[("^t(s)", "P"), OTHER]);
    assert_eq!(refusal(&up, &[], "P"), "R2");
    for portal in ["c", "P", "O"] {
        assert_eq!(refusal(&table(&[("()", portal), OTHER]), &[], portal), "R5", "{portal}");
    }
}

#[test]
fn a_veil_covers_and_shuffles_an_opponents_stack() {
    let saved = table(&[("(cs)", "V"), OTHER, ("()", "c")]);
    assert_eq!(stacks(&saved, "V1", &[0]), "^c(s)/(ccsstd)/()");
    assert_eq!(refusal(&saved, &[], "V0"), "b. Play");
    assert_eq!(refusal(&saved, &[], "V2"), "b. Play");
    assert_eq!(refusal(&saved, &[], "V7"), "b. Play");
}

#[test]
fn a_courier_and_a_workshop_turn_up_and_draw() {
    let mut saved = table(&[("(cs)", "CWG"), OTHER]);
    saved.seats[0].discard = cards("VV");
    saved.seats[0].deck = cards("cstdD");
    fill(&mut saved);
    let courier = drawn(&saved, "C", &[0, 4]);
    assert_eq!(
        (field(&courier, 4), field(&courier, 13)),
        ("^c(s)/^d(ccss)t".into(), "DGW/cstd".into())
    );
    assert_eq!(field(&drawn(&saved, "W", &[0, 0, 0]), 13), "csCG/cstd");
    // R9: the play area is no part of the discard pile that becomes the deck.
    let mut short = saved.clone();
    short.seats[0].deck = cards("cst");
    short.seats[0].discard = cards("dDVV");
    fill(&mut short);
    let surge = drawn(&short, "G", &[0, 0, 0, 0, 0]);
    assert_eq!((field(&surge, 13), field(&surge, 14)), ("cstdDCW/cstd".into(), "VV/DR".into()));
}

#[test]
fn an_exchange_swaps_the_tops_with_their_faces() {
    let hidden = table(&[("(ttt)", "X"), ("(ss)", "cstd")]);
    assert_eq!(stacks(&hidden, "X1", &[0, 0]), "^s(tt)/t(s)");
    let shown = table(&[("^t(tt)", "X"), OTHER]);
    assert_eq!(stacks(&shown, "X1", &[]), "^d(tt)/^t(ccss)t");
    let half = table(&[("(tt)c", "X"), OTHER]);
    assert_eq!(stacks(&half, "X1", &[1]), "^d(t)c/t(ccss)t");
    let last = table(&[("^c()", "X"), ("(s)t", "cstd")]);
    assert_eq!(stacks(&last, "X1", &[0]), "^s()/^ct()");
    assert_eq!(refusal(&table(&[("()", "X"), OTHER]), &[], "X1"), "R5");
}

#[test]
fn a_recycler_removes_another_card_and_draws() {
    let mut saved = table(&[("(cs)", "RRc"), OTHER]);
    saved.seats[0].deck = cards("cstdD");
    fill(&mut saved);
    let used = drawn(&saved, "Rc", &[1, 0]);
    assert_eq!((field(&used, 13), field(&used, 17)), ("cR/cstd".into(), "c/-".into()));
    assert_eq!(field(&drawn(&saved, "RR", &[0, 0]), 17), "R/-");
    assert_eq!(refusal(&saved, &[], "RD"), "b. Play");
    let mut alone = saved.clone();
    alone.seats[0].hand = cards("Rc");
    fill(&mut alone);
    assert_eq!(refusal(&alone, &[], "RR"), "R17");
    alone.seats[0].deck = cards("stdD");
    fill(&mut alone);
    assert_eq!(refusal(&alone, &[], "Rc"), "Cards");
}

#[test]
fn a_time_loop_gives_one_whole_extra_turn() {
    let saved = table(&[("(cstd)", "LLCC"), OTHER]);
    assert_eq!(refusal(&saved, &["L"], "L"), "Cards");
    let extra = after(&saved, &["L", ".", "n"]);
    assert_eq!((field(&extra, 2), field(&extra, 3)), ("0P".into(), "x--5".into()));
    let ended = after(&saved, &["L", ".", "n", "@c", ".", "n"]);
    assert_eq!((field(&ended, 2), field(&ended, 3)), ("1P".into(), "---5".into()));
    let mut again = Saved::of(&extra);
    again.seats[0].hand = cards("cL");
    again.seats[0].deck = cards("cstdDLCC");
    again.seats[0].discard.clear();
    fill(&mut again);
    assert_eq!(refusal(&again, &["@s"], "L"), "Cards");
}

#[test]
fn an_extra_turn_comes_after_a_lost_gamble_and_without_eras() {
    let saved = table(&[("(ss)", "Lc"), OTHER]);
    let lost = after(&saved, &["L", "c", "n"]);
    assert_eq!((field(&lost, 3), field(&lost, 2)), ("x--5".into(), "0P".into()));
    let saved = table(&[("^s()", "Ls"), OTHER]);
    let done = after(&saved, &["L", "s", ".", "n"]);
    assert_eq!((field(&done, 4), field(&done, 2)), ("()/^d(ccss)t".into(), "0P".into()));
}

#[test]
fn a_scanner_shows_two_eras_to_its_owner_alone() {
    let saved = table(&[("(cs)t", "N"), OTHER]);
    let scanning = drawn(&saved, "N", &[1, 0]);
    // The last shuffled Era has a place now, so all have.
    assert_eq!((field(&scanning, 4), field(&scanning, 2)), ("sct()/^d(ccss)t".into(), "0S".into()));
    assert_eq!(legal(&scanning), ["^0", "^1"]);
    let seen = |viewer| scanning.view(viewer).own.map_or(0, |own| own.scanned.len());
    let seats = [0, 1].map(|number| Viewer::Seat(Seat::new(number).expect("a seat")));
    assert_eq!([seen(seats[0]), seen(seats[1]), seen(Viewer::Spectator)], [2, 0, 0]);
    let saved = Saved::of(&scanning);
    assert_eq!(field(&after(&saved, &["^0"]), 4), "^sct()/^d(ccss)t");
    let chosen = after(&saved, &["^1"]);
    assert_eq!((field(&chosen, 4), field(&chosen, 2)), ("^cst()/^d(ccss)t".into(), "0Y".into()));
    assert!(chosen.view(seats[0]).own.is_some_and(|own| own.scanned.is_empty()));
    let one = table(&[("^c()", "N"), OTHER]);
    assert_eq!(legal(&drawn(&one, "N", &[])), ["^0"]);
    assert_eq!(refusal(&table(&[("()", "N"), OTHER]), &[], "N"), "R5");
}

#[test]
fn a_storm_covers_every_opponent() {
    let saved = table(&[("(c)s", "M"), OTHER, ("ts()", "c"), ("()", "c")]);
    let storm = drawn(&saved, "M", &[0, 2]);
    assert_eq!(field(&storm, 4), "^cs()/(ccsstd)/(st)/()");
    assert_eq!(field(&storm, 13), "t/cstd/c/c");
    let mut events = Vec::new();
    let mut position = restored(&saved);
    let action = position.state().parse("M").expect("a notation");
    position.apply(action, &mut Fast::new(0), &mut events).expect("legal");
    let shuffled = |event: &&_| matches!(event, EventOf::StackShuffled { .. });
    assert_eq!(events.iter().filter(shuffled).count(), 2, "an empty stack is not shuffled");
}

#[test]
fn an_exile_puts_the_own_top_under_another_stack() {
    let saved = table(&[("^c(tt)", "E"), ("s()", "cstd"), ("()", "c")]);
    assert_eq!(stacks(&saved, "E1", &[]), "(tt)/sc()/()");
    assert_eq!(refusal(&saved, &[], "E2"), "b. Play");
    assert_eq!(refusal(&table(&[("(c)", "E"), OTHER]), &[], "E1"), "Cards");
    assert_eq!(refusal(&table(&[("()", "E"), OTHER]), &[], "E1"), "R5");
}

#[test]
fn rows_are_filled_with_what_they_lack() {
    let mut saved = table(&[("(cs)", "D"), OTHER]);
    for (kind, copies) in &mut saved.options.technology_copies {
        if !"VCXRO".contains(card_letter(kind.number())) {
            *copies = 0;
        }
    }
    saved.rows[1] = vec![Some(card('O')), None, None];
    fill(&mut saved);
    // Four Vs, Cs, Xs and Rs; the row is VCX. Couriers and Exchanges turn up first, then a
    // Recycler.
    let bought = drawn(&saved, ".", &[]);
    let mut position = bought;
    let mut chance = Scripted::new(&[3, 5, 7, 0, 0, 0, 0, 0, 0]);
    play_with(&mut position, "b0l", &mut chance).expect("legal");
    assert_eq!(field(&position, 9), "RCX");
    assert!(field(&position, 10).ends_with(")CX"), "{}", field(&position, 10));
    // Of the Advanced only Omni Portals are left: a place stays empty only without them.
    assert_eq!((field(&position, 11), field(&position, 12)), ("O--".into(), "(OO)".into()));
    let omni = after(&saved, &[".", "a0"]);
    assert_eq!((field(&omni, 11), field(&omni, 12)), ("O--".into(), "(O)".into()));
    assert_eq!(refusal(&saved, &["."], "a1"), "d. Technology");
}

fn card_letter(number: usize) -> char {
    "cstdDPQVCXROLNMGWE".as_bytes()[number] as char
}

#[test]
fn a_technology_is_drawn_at_once() {
    let mut saved = table(&[("(cs)", "D"), OTHER]);
    saved.seats[0].deck = cards("cstdV");
    fill(&mut saved);
    let bought = after(&saved, &[".", "a2"]);
    assert!(field(&bought, 13).contains('N'), "R6: it lies on top of the deck");
    assert_eq!(field(&bought, 4), "(cs)cs/^d(ccss)t");
    let mut events = Vec::new();
    let mut position = after(&saved, &["."]);
    let action = position.state().parse("b?r").expect("a notation");
    position.apply(action, &mut Fast::new(3), &mut events).expect("legal");
    let taken = |viewer| {
        let shown = Eternitium::show(&events[0], viewer);
        match shown {
            Some(EventOf::TechnologyTakenUnseen { card, .. }) => card.is_some(),
            other => panic!("{other:?}"),
        }
    };
    let seats = [0, 1].map(|number| Viewer::Seat(Seat::new(number).expect("a seat")));
    assert_eq!([taken(seats[0]), taken(seats[1]), taken(Viewer::Spectator)], [true, false, false]);
}

#[test]
fn in_the_set_up_no_basic_is_taken_from_an_empty_place() {
    let copies = |card: char| (self::card(card), if card == 'V' { 3 } else { 0 });
    let options = Options {
        technology_copies: "PQVCXROLNMGWE".chars().map(copies).collect(),
        ..Options::default()
    };
    let start = Position::<Eternitium>::new(&options, &mut Fast::new(0), &mut ());
    let mut position = start.expect("sound options");
    assert_eq!(field(&position, 9), "V--");
    let refused = play_with(&mut position, "+1", &mut Fast::new(0));
    assert_eq!(refused.expect_err("an empty place").rule, "Set-up");
}

#[test]
fn decisions_out_of_their_step_are_refused() {
    let saved = table(&[("^s(cttdd)", "sN"), OTHER]);
    for (before, refused, rule) in [
        (&[][..], "@c", "b. Play"),
        (&[], "^0", "b. Play"),
        (&[], "D", "b. Play"),
        (&["."], "s", "d. Technology"),
        (&["*"], "s", "Refit"),
        (&["*"], "=t", "b. Play"),
        (&["N"], ".", "Scanner"),
        (&[".", "n"], ".", "a. Portal"),
        (&["."], "b0", "d. Technology"),
    ] {
        assert_eq!(refusal(&saved, before, refused), rule, "{refused}");
    }
    let mut last = saved.clone();
    last.seats[1].stack = stack("()");
    last.turn_of = 1;
    last.seats[1].hand = cards("");
    last.seats[1].deck = cards("cstdDC");
    fill(&mut last);
    assert_eq!(refusal(&last, &[".", "n"], "n"), "End");
}
