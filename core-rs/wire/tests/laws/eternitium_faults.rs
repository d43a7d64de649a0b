//! Every fault of the options of Eternitium and of its saved states.

use tablestate_rules::games::eternitium::{Card, Eternitium, Options, Saved, Step, Symbol};
use tablestate_rules::{Faults, Game};

use crate::eternitium_table::{card, cards, fill, stack, table};

fn fields(faults: &Faults) -> Vec<&str> {
    faults.iter().map(|fault| fault.field.as_str()).collect()
}

fn refused(options: &Options) -> Vec<String> {
    let faults = Eternitium::complete(options).expect_err("wrong options");
    let name = |field: &str| field.strip_prefix("eternitium.").map(str::to_owned);
    fields(&faults).into_iter().filter_map(name).collect()
}

#[test]
fn every_fault_of_the_options_is_listed() {
    let wrong = ["seats", "eras_per_seat", "max_rounds", "technology_copies[0].copies"];
    for (seats, eras, rounds, copies) in
        [(1, 2, 4, 11), (6, 12, 1_001, 4_000), (257, 256 + 3, 65_536 + 5, 256)]
    {
        let options = Options {
            seats: Some(seats),
            eras_per_seat: Some(eras),
            technology_copies: vec![(card('V'), copies)],
            max_rounds: Some(rounds),
        };
        let number = if seats == 257 { 5 } else { 4 };
        assert_eq!(refused(&options)[..4], wrong, "{seats}");
        assert_eq!(refused(&options).len(), number, "a Basic for each of so many seats");
    }
    let copies = |copies: &[(char, u32)]| Options {
        technology_copies: copies.iter().map(|&(letter, number)| (card(letter), number)).collect(),
        ..Options::default()
    };
    assert_eq!(refused(&copies(&[('D', 1)])), ["technology_copies[0].card"]);
    assert_eq!(refused(&copies(&[('c', 1)])), ["technology_copies[0].card"]);
    assert_eq!(refused(&copies(&[('V', 1), ('V', 1)])), ["technology_copies[1].card"]);
    let few = copies(&[('P', 0), ('Q', 0), ('V', 0), ('C', 0), ('X', 0), ('R', 1)]);
    assert_eq!(refused(&few), ["technology_copies"]);
}

#[test]
fn the_ends_of_the_ranges_are_taken() {
    for (seats, eras, rounds, copies) in [(2, 3, 5, 1), (5, 11, 1_000, 10)] {
        let technologies = Card::all().filter(|card| card.is_for_sale());
        let options = Options {
            seats: Some(seats),
            eras_per_seat: Some(eras),
            technology_copies: technologies.map(|card| (card, copies)).collect(),
            max_rounds: Some(rounds),
        };
        assert_eq!(Eternitium::complete(&options), Ok(options));
    }
}

#[test]
fn the_defaults_follow_the_seats() {
    for (seats, eras) in [(2, 10), (3, 10), (4, 9), (5, 8)] {
        let options = Options { seats: Some(seats), ..Options::default() };
        let complete = Eternitium::complete(&options).expect("sound");
        assert_eq!((complete.eras_per_seat, complete.max_rounds), (Some(eras), Some(50)));
        let of = |letter| complete.technology_copies.iter().find(|(kind, _)| *kind == card(letter));
        assert_eq!((of('V').map(|of| of.1), of('O').map(|of| of.1)), (Some(4), Some(3)));
        assert_eq!((complete.technology_copies.len(), of('D')), (13, None));
    }
}

fn sound() -> Saved {
    let mut saved = table(&[("^c(ss)t", "csDVC"), ("(cd)", "cstd")]);
    saved.seats[0].deck = cards("tdR");
    fill(&mut saved);
    saved
}

/// A state that can be, and one in which a change makes exactly these fields wrong.
fn expect_faults(change: impl FnOnce(&mut Saved), expected: &[&str]) {
    let mut saved = sound();
    assert!(saved.restore().is_ok());
    change(&mut saved);
    let faults = saved.restore().expect_err("a state that cannot be");
    let expected: Vec<_> = expected.iter().map(|field| format!("eternitium.{field}")).collect();
    assert_eq!(fields(&faults), expected);
}

#[test]
fn numbers_out_of_range_are_refused() {
    expect_faults(|saved| saved.round = 0, &["round"]);
    expect_faults(|saved| saved.round = 51, &["round"]);
    expect_faults(|saved| saved.turn_of = 2, &["turn_of"]);
    expect_faults(|saved| saved.refill = 7, &["refill_size"]);
    expect_faults(|saved| saved.seats.truncate(1), &["seats"]);
    expect_faults(|saved| saved.supply[0] = 5, &["supply"]);
    expect_faults(|saved| saved.supply.truncate(3), &["supply"]);
    expect_faults(|saved| saved.gone.push(0), &["eras_gone"]);
    expect_faults(|saved| saved.pile[1] = 16, &["pile"]);
    expect_faults(|saved| saved.visible.truncate(1), &["visible_eras"]);
    expect_faults(|saved| saved.play_area = cards("VVVVV"), &["play_area"]);
    let hand_and_all = ["seats[1].hand", "seats[1].cards"];
    expect_faults(|saved| saved.seats[1].hand = cards("ccccccc"), &hand_and_all);
    // Each pile alone would be possible.
    expect_faults(
        |saved| {
            saved.seats[1].deck = cards("cccc");
            saved.seats[1].discard = cards("cccc");
        },
        &["seats[1].cards"],
    );
    expect_faults(|saved| saved.rows[0].truncate(2), &["basic_row"]);
    expect_faults(|saved| saved.rows[1][0] = Some(card('V')), &["advanced_row"]);
    expect_faults(|saved| saved.decks[0].under.push(card('D')), &["basic_deck"]);
    expect_faults(|saved| saved.decks[0].under.extend(cards("c")), &["basic_deck"]);
    expect_faults(
        |saved| saved.seats[0].stack.above = vec![Symbol::Circle; 3],
        &["seats[0].stack.above"],
    );
    expect_faults(
        |saved| saved.seats[0].stack.under = vec![Symbol::Circle; 61],
        &["seats[0].stack.under"],
    );
    expect_faults(|saved| saved.seats[0].stack.shuffled.clear(), &["seats[0].stack.shuffled"]);
    let mut wrong_options = sound();
    wrong_options.options.eras_per_seat = Some(1);
    let faults = wrong_options.restore().expect_err("out of range");
    assert_eq!(fields(&faults), ["eternitium.eras_per_seat"]);
}

#[test]
fn everything_has_one_place() {
    expect_faults(|saved| saved.pile[2] -= 1, &["eras"]);
    expect_faults(|saved| saved.gone[2] += 1, &["eras"]);
    expect_faults(|saved| saved.seats[1].stack = stack("(cs)"), &["eras", "eras"]);
    expect_faults(|saved| saved.supply[1] -= 1, &["cards"]);
    expect_faults(|saved| saved.decks[1].shuffled.truncate(12), &["cards"]);
    expect_faults(|saved| saved.seats[0].removed = cards("V"), &["cards"]);
    expect_faults(
        |saved| {
            saved.visible[0] = None;
            saved.gone[0] += 1;
        },
        &["visible_eras"],
    );
}

#[test]
fn rows_stacks_and_decks_obey_the_rules() {
    expect_faults(
        |saved| {
            saved.rows[0][1] = Some(card('V'));
            fill(saved);
        },
        &["basic_row"],
    );
    expect_faults(
        |saved| {
            saved.rows[1][2] = None;
            fill(saved);
        },
        &["advanced_row"],
    );
    expect_faults(
        |saved| {
            saved.seats[1].stack = stack("^()");
            fill(saved);
        },
        &["seats[1].stack"],
    );
    expect_faults(
        |saved| {
            let stack = &mut saved.seats[1].stack;
            stack.above = vec![Symbol::Circle];
            stack.shuffled = vec![0; 4];
            fill(saved);
        },
        &["seats[1].stack"],
    );
}

#[test]
fn a_seat_keeps_its_starter_cards_and_six_cards() {
    expect_faults(
        |saved| {
            saved.seats[0].hand = cards("ccDVC");
            saved.seats[1].hand = cards("csstd");
            fill(saved);
        },
        &["seats[0].deck"],
    );
    expect_faults(
        |saved| {
            saved.seats[0].hand.retain(|&card| card != Card::DROID);
            saved.seats[1].deck.push(Card::DROID);
        },
        &["seats[0].deck", "seats[1].deck"],
    );
    expect_faults(
        |saved| {
            saved.seats[1].deck = cards("D");
            fill(saved);
        },
        &["seats[1].deck"],
    );
}

/// A sound state at another step.
fn at(step: Step, change: impl FnOnce(&mut Saved)) -> impl FnOnce(&mut Saved) {
    move |saved| {
        saved.step = step;
        change(saved);
        fill(saved);
    }
}

#[test]
fn a_state_fits_the_course_of_a_turn() {
    let nothing = |_: &mut Saved| {};
    expect_faults(at(Step::TakeBasic, nothing), &["seats"]);
    expect_faults(at(Step::PutOnTop, nothing), &["step"]);
    expect_faults(at(Step::Refit, nothing), &["step"]);
    expect_faults(at(Step::Technology, nothing), &["seats.hand"]);
    expect_faults(at(Step::Over, nothing), &["step"]);
    expect_faults(at(Step::Play, |saved| saved.played = true), &["played"]);
    expect_faults(at(Step::Play, |saved| saved.play_area = cards("V")), &["played"]);
    expect_faults(at(Step::Play, |saved| saved.refill = 4), &["refill_size"]);
    expect_faults(at(Step::Play, |saved| saved.looped = true), &["time_loop"]);
    expect_faults(
        at(Step::Play, |saved| {
            (saved.played, saved.play_area) = (true, cards("L"));
        }),
        &["time_loop"],
    );
    expect_faults(at(Step::Portal, |saved| saved.refill = 6), &["step"]);
    expect_faults(at(Step::Portal, |saved| saved.play_area = cards("V")), &["play_area"]);
    let looped = |saved: &mut Saved| {
        (saved.played, saved.looped, saved.is_extra) = (true, true, true);
        saved.play_area = cards("L");
    };
    expect_faults(at(Step::Play, looped), &["time_loop"]);
    let scanning = |saved: &mut Saved| {
        (saved.played, saved.play_area) = (true, cards("N"));
    };
    expect_faults(at(Step::PutOnTop, scanning), &["step"]);
    let discarded =
        |saved: &mut Saved| saved.seats[0].discard = std::mem::take(&mut saved.seats[0].hand);
    let marked = |refill, played| {
        at(Step::Technology, move |saved: &mut Saved| {
            discarded(saved);
            (saved.refill, saved.played) = (refill, played);
        })
    };
    expect_faults(marked(4, false), &["refill_size"]);
    expect_faults(marked(6, true), &["refill_size"]);
}

#[test]
fn every_step_can_be_saved_by_hand() {
    type Change = fn(&mut Saved);
    let discard = |saved: &mut Saved| {
        saved.seats[0].discard = std::mem::take(&mut saved.seats[0].hand);
    };
    let steps: [(Step, Change); 3] = [
        (Step::Refit, |saved| saved.refill = 6),
        (Step::Technology, discard),
        (Step::Portal, |_| {}),
    ];
    for (step, change) in steps {
        let mut saved = sound();
        at(step, change)(&mut saved);
        assert!(saved.restore().is_ok());
    }
}
