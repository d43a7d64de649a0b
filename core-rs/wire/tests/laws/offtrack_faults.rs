//! Every fault of the options of OffTrack and of its saved states.

use tablestate_rules::games::offtrack::{ActionCard, OffTrack, Options, Saved, SavedLine, Step};
use tablestate_rules::{Faults, Game};

use crate::offtrack_table::{cards, draw, hold, table};

fn fields(faults: &Faults) -> Vec<&str> {
    faults.iter().map(|fault| fault.field.as_str()).collect()
}

#[test]
fn every_fault_of_the_options_is_listed() {
    let low = Options {
        seats: Some(1),
        scoring: None,
        decks: Some(0),
        max_branches: Some(0),
        every_turn: None,
        eras: Some(2),
        action_copies: Some(0),
        rounds: Some(0),
    };
    let high = Options {
        seats: Some(5),
        decks: Some(3),
        max_branches: Some(5),
        eras: Some(9),
        action_copies: Some(9),
        rounds: Some(10),
        ..low.clone()
    };
    for options in [low, high, Options { decks: Some(256 + 1), ..Options::default() }] {
        let faults = OffTrack::complete(&options).expect_err("out of range");
        let wrong = ["seats", "decks", "max_branches", "eras", "action_copies", "rounds"];
        let wrong = wrong.map(|name| format!("offtrack.{name}"));
        let expected = if options.seats.is_some() { &wrong[..] } else { &wrong[1..2] };
        assert_eq!(fields(&faults), expected);
    }
}

#[test]
fn the_ends_of_the_ranges_are_taken() {
    for (seats, decks, branches, eras, copies, rounds) in [(2, 1, 1, 3, 1, 1), (4, 2, 4, 8, 8, 9)] {
        let options = Options {
            seats: Some(seats),
            decks: Some(decks),
            max_branches: Some(branches),
            eras: Some(eras),
            action_copies: Some(copies),
            rounds: Some(rounds),
            ..OffTrack::complete(&Options::default()).expect("the defaults are sound")
        };
        assert_eq!(OffTrack::complete(&options), Ok(options));
    }
}

/// A state that can be, and one in which a change makes exactly these fields wrong.
fn expect_faults(change: impl FnOnce(&mut Saved), expected: &[&str]) {
    let mut saved = table(&["a6b3", "c6"], "a1b1c1d1e1");
    assert!(saved.restore().is_ok());
    change(&mut saved);
    let faults = saved.restore().expect_err("a state that cannot be");
    let expected: Vec<_> = expected.iter().map(|field| format!("offtrack.{field}")).collect();
    assert_eq!(fields(&faults), expected);
}

#[test]
fn numbers_out_of_range_are_refused() {
    expect_faults(|saved| saved.round = 0, &["round"]);
    expect_faults(
        |saved| saved.round = 4,
        &["round", "seats[0].round_scores", "seats[1].round_scores"],
    );
    expect_faults(|saved| saved.turn_of = 2, &["turn_of"]);
    expect_faults(|saved| saved.lines.clear(), &["lines"]);
    expect_faults(|saved| saved.lines.extend(vec![SavedLine::default(); 2]), &["lines"]);
    expect_faults(|saved| saved.seats.truncate(1), &["seats"]);
    expect_faults(|saved| saved.seats[1].hand.extend(cards("f5")), &["seats[1].hand"]);
    expect_faults(|saved| saved.seats[1].round_scores.push(3), &["seats[1].round_scores"]);
    expect_faults(|saved| saved.lines[1].cards = cards(&"a6".repeat(60)), &["cards_on_lines"]);
    expect_faults(|saved| saved.lines[0].pinned = Some(2), &["lines[0].pinned"]);
    expect_faults(|saved| saved.lines[0].sealed_by = Some(2), &["lines[0].sealed_by"]);
    expect_faults(|saved| saved.lines[1].waiting_for = Some(9), &["lines[1].waiting_for"]);
    let mut wrong_options = table(&["a6b3"], "a1b1c1d1e1");
    wrong_options.options.eras = Some(9);
    let faults = wrong_options.restore().expect_err("out of range");
    assert_eq!(fields(&faults), ["offtrack.eras"]);
}

#[test]
fn every_fault_of_a_saved_state_is_listed() {
    expect_faults(
        |saved| {
            saved.round = 9;
            saved.turn_of = 7;
            saved.lines[1].pinned = Some(1);
            saved.lines[1].sealed_by = Some(2);
        },
        &[
            "round",
            "turn_of",
            "seats[0].round_scores",
            "seats[1].round_scores",
            "lines[1].pinned",
            "lines[1].sealed_by",
        ],
    );
    expect_faults(
        |saved| {
            saved.deck.pop();
            saved.action_deck.pop();
            saved.drawn = Some(ActionCard::Mend);
            saved.lines[0].waiting_for = Some(0);
        },
        &["cards", "actions", "drawn", "lines"],
    );
}

#[test]
fn every_card_has_one_place() {
    expect_faults(|saved| saved.deck.truncate(1), &["cards"]);
    expect_faults(|saved| saved.boxed = cards("a6"), &["cards"]);
    expect_faults(|saved| saved.deck = vec![saved.deck[0]; saved.deck.len()], &["cards"]);
    expect_faults(|saved| saved.deck.extend(cards("g0")), &["cards"]);
    expect_faults(|saved| saved.action_deck.truncate(1), &["actions"]);
    expect_faults(|saved| saved.action_discard.push(ActionCard::Shear), &["actions"]);
    expect_faults(|saved| saved.seats[1].held = Some(ActionCard::Shear), &["actions"]);
}

#[test]
fn a_redeemed_card_is_in_no_hand_deck_or_discard() {
    expect_faults(|saved| saved.seats[0].hand[0] = cards("a1+")[0], &["cards"]);
    expect_faults(|saved| saved.deck[0] = saved.deck[0].redeemed(), &["cards"]);
    expect_faults(
        |saved| {
            let card = saved.deck.remove(0);
            saved.discard.push(card.redeemed());
        },
        &["cards"],
    );
    let mut allowed = table(&["a6b3", "c6"], "a1b1c1d1e1");
    let card = allowed.deck.remove(0);
    allowed.boxed.push(card.redeemed());
    assert!(allowed.restore().is_ok());
}

#[test]
fn a_state_fits_the_course_of_a_turn() {
    expect_faults(|saved| saved.step = Step::Held, &["step"]);
    expect_faults(|saved| saved.step = Step::Drawn, &["drawn"]);
    expect_faults(
        |saved| {
            draw(saved, ActionCard::Mend);
            saved.step = Step::Offer;
        },
        &["drawn"],
    );
    expect_faults(
        |saved| {
            hold(saved, 1, ActionCard::Mend);
            saved.step = Step::Held;
        },
        &["step"],
    );
    expect_faults(|saved| saved.lines[0].waiting_for = Some(0), &["lines"]);
    expect_faults(|saved| saved.lines[1].waiting_for = Some(0), &["lines"]);
    expect_faults(
        |saved| {
            let rest = saved.deck.split_off(6);
            let moved = std::mem::replace(&mut saved.deck, rest);
            saved.lines[1].cards.extend(moved);
        },
        &["lines"],
    );
    expect_faults(
        |saved| {
            saved.step = Step::Over;
            saved.seats.iter_mut().for_each(|seat| seat.round_scores.push(0));
        },
        &["round"],
    );
}

#[test]
fn a_state_that_no_turn_leads_to_is_refused() {
    expect_faults(|saved| saved.lines[1].cards.clear(), &["cards"]);
    expect_faults(
        |saved| {
            let emptied = std::mem::take(&mut saved.lines[1].cards);
            saved.deck.extend(emptied);
            saved.lines[1].pinned = Some(0);
        },
        &["lines[1].pinned"],
    );
    for step in [Step::Main, Step::Offer] {
        expect_faults(
            |saved| {
                hold(saved, 0, ActionCard::Mend);
                saved.step = step;
            },
            &["step"],
        );
    }
    expect_faults(
        |saved| {
            saved.step = Step::Offer;
            saved.action_discard = std::mem::take(&mut saved.action_deck);
        },
        &["step"],
    );
    expect_faults(
        |saved| {
            saved.options.every_turn = Some(true);
            hold(saved, 1, ActionCard::Mend);
        },
        &["held"],
    );
}
