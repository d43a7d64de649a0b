//! Every fault of the options of Off the Rails and of its saved states.

use tablestate_rules::games::off_the_rails::{
    Board, Colour, Jewel, Mine, OffTheRails, Options, Saved, SavedCollision, SavedDrawn,
    SavedMotion, SavedPlace, Side, Step,
};
use tablestate_rules::{Faults, Game};

use crate::off_the_rails_table::{
    at, fill, jewels, opened, restored, square, table, with_missions,
};

fn fields(faults: &Faults) -> Vec<&str> {
    faults.iter().map(|fault| fault.field.as_str()).collect()
}

#[test]
fn every_fault_of_the_options_is_listed() {
    for (seats, cards) in [(1, 12), (5, 14), (258, 256 + 17), (0, 29)] {
        let options =
            Options { seats: Some(seats), deposit_cards: Some(cards), ..Options::default() };
        let faults = OffTheRails::complete(&options).expect_err("wrong options");
        assert_eq!(fields(&faults), ["off_the_rails.seats", "off_the_rails.deposit_cards"]);
    }
}

#[test]
fn the_defaults_follow_the_seats() {
    for (seats, cards) in [(2, 17), (3, 17), (4, 21)] {
        let options = Options { seats: Some(seats), ..Options::default() };
        let complete = OffTheRails::complete(&options).expect("sound");
        let expected = Options {
            seats: Some(seats),
            board: Some(Board::Compact),
            deposit_cards: Some(cards),
            missions: Some(false),
            bumper_cars: Some(false),
            chasm_die: Some(false),
        };
        assert_eq!(complete, expected);
        assert_eq!(OffTheRails::complete(&complete), Ok(complete));
    }
}

/// Two seats on a short line, seat 0 at its actions.
fn sound() -> Saved {
    table("a1NS,a2NES,a3NS", "a2r", "a1N3kd,s/a3S2,s")
}

/// Faults of a change that leave all else as it was.
fn faults_of(mut saved: Saved, change: impl FnOnce(&mut Saved)) -> Vec<String> {
    restored(&saved);
    change(&mut saved);
    let faults = saved.restore().expect_err("a state that cannot be");
    let name = |field: &&str| field.trim_start_matches("off_the_rails.").to_owned();
    fields(&faults).iter().map(name).collect()
}

/// A sound state in which a change makes exactly these fields wrong.
fn expect_faults(change: impl FnOnce(&mut Saved), expected: &[&str]) {
    assert_eq!(faults_of(sound(), change), expected);
}

#[test]
fn numbers_out_of_range_are_refused() {
    type Case = (fn(&mut Saved), &'static str);
    let cases: [Case; 23] = [
        (|s| s.table.turn_of = 2, "table.turn_of"),
        (|s| s.table.actions_taken = 4, "table.actions_taken"),
        (|s| s.table.players.truncate(1), "table.players"),
        (|s| s.table.bag.truncate(4), "table.bag"),
        (|s| s.table.bag[4] = 6, "table.bag"),
        (|s| s.table.removed[0] = 13, "table.removed"),
        (|s| s.table.cards.truncate(3), "table.cards"),
        (|s| s.table.cards[1] = vec![9], "table.cards[1].numbers"),
        (|s| s.table.deck_size = 18, "table.deck.size"),
        (|s| s.table.deck_top = vec![Mine::Red; 2], "table.deck.top"),
        (|s| s.table.opener = Some(2), "table.chasm.opener"),
        (|s| s.table.to_come[2] = 5, "table.chasm.to_come"),
        (|s| s.table.put_out.truncate(2), "table.chasm.put_out"),
        (|s| s.table.missions = vec![12], "table.missions"),
        (|s| s.table.deeds.met = vec![0], "table.deeds.met"),
        (|s| s.table.squares[0].square = 64, "table.squares"),
        (|s| s.table.squares[1].exits = vec![Side::East], "table.squares[1].exits"),
        (|s| s.table.squares[1].jewels = vec![Jewel::Ruby, Jewel::Rock], "table.squares[1].jewels"),
        (|s| s.table.players[0].carts[0].speed = 7, "table.players[0].white.speed"),
        (|s| s.table.players[1].carts[1].speed = 1, "table.players[1].black.speed"),
        (|s| s.left_hand = jewels("rrr"), "left_hand"),
        (|s| s.left_hand = jewels("r"), "left_hand"),
        (|s| s.table.squares[2].exits.clear(), "table.squares[2].square"),
    ];
    for (change, field) in cases {
        let faults = faults_of(sound(), change);
        assert!(faults.contains(&field.to_owned()), "{field}: {faults:?}");
    }
    let more = |saved: &mut Saved| {
        let player = &mut saved.table.players[0];
        player.stockpile.push(0);
        player.claimed = vec![3, 3];
        player.carts[0].hold = jewels("kkkkkk");
        player.carts[0].place = SavedPlace::Underground(64);
    };
    let names = ["white.square", "white.hold", "stockpile", "claimed"];
    assert_eq!(faults_of(sound(), more), names.map(|name| format!("table.players[0].{name}")));
    let mut wrong_options = sound();
    wrong_options.options.seats = Some(9);
    let faults = wrong_options.restore().expect_err("out of range");
    assert_eq!(fields(&faults), ["off_the_rails.seats"]);
}

#[test]
fn parts_of_a_move_out_of_range_are_refused() {
    let wrong = |saved: &mut Saved| {
        saved.table.motion = Some(SavedMotion {
            cart: Colour::White,
            steps_left: 6,
            takings_left: 3,
            entered_by: None,
            other_to_move: false,
            taken_from: vec![1, 2, 3],
        });
        saved.table.collision =
            Some(SavedCollision { seat: 2, colour: Colour::White, hit_side: Side::North });
        saved.table.drawn = Some(SavedDrawn { colour: Mine::Red, die: 1 });
    };
    let fields = [
        "table.move.steps_left",
        "table.move.takings_left",
        "table.move.taken_from",
        "table.collision.opposing.seat",
        "table.token.die",
    ];
    expect_faults(wrong, &fields);
}

#[test]
fn jewels_lie_where_they_can() {
    expect_faults(|saved| saved.table.bag[2] -= 1, &["table.jewels"]);
    expect_faults(
        |saved| {
            at(saved, "a8").jewels = jewels("e");
            fill(saved);
        },
        &["table.squares"],
    );
    expect_faults(
        |saved| at(saved, "c3").exits = vec![Side::North, Side::South],
        &["table.squares"],
    );
    let under_a_token = |saved: &mut Saved| {
        at(saved, "b7").jewels = jewels("e");
        fill(saved);
    };
    assert_eq!(faults_of(opened(sound()), under_a_token), ["table.squares"]);
    let track_under = |saved: &mut Saved| at(saved, "b7").exits = vec![Side::North, Side::East];
    assert_eq!(faults_of(opened(sound()), track_under), ["table.squares"]);
}

#[test]
fn carts_stand_where_they_can() {
    let white = |change: fn(&mut tablestate_rules::games::off_the_rails::SavedCart)| {
        move |saved: &mut Saved| change(&mut saved.table.players[0].carts[0])
    };
    let field = "table.players[0].white";
    let facing = "table.players[0].white.facing";
    expect_faults(white(|cart| cart.place = SavedPlace::Underground(40)), &[field, facing]);
    expect_faults(white(|cart| cart.facing = Some(Side::East)), &[facing]);
    expect_faults(white(|cart| cart.facing = None), &[facing]);
    expect_faults(white(|cart| cart.place = SavedPlace::Surface(0)), &[field]);
    let both = [field, "table.players[1].white"];
    expect_faults(white(|cart| cart.place = SavedPlace::Underground(16)), &both);
    let supply = |saved: &mut Saved| saved.table.players[1].carts[1].facing = Some(Side::North);
    expect_faults(supply, &["table.players[1].black"]);
    let out = |saved: &mut Saved| saved.table.players[1].carts[1].place = SavedPlace::Out;
    expect_faults(out, &["table.players[1].black"]);
    // R25: an empty one that faces in, in its own turn.
    let placed = table("a1NS", "", "NdS3,s/s,s");
    let turned = |saved: &mut Saved| saved.table.turn_of = 1;
    assert_eq!(faults_of(placed.clone(), turned), [field]);
    let two = |saved: &mut Saved| {
        saved.table.players[0].carts[1] = saved.table.players[0].carts[0].clone();
    };
    assert_eq!(faults_of(placed, two), [field, "table.players[0].black"]);
}

#[test]
fn cards_and_tokens_agree() {
    expect_faults(|saved| saved.table.deck_size = 16, &["table.deck.top"]);
    expect_faults(
        |saved| saved.table.deck_top = vec![Mine::Red],
        &["table.deck.top", "table.cards[1]", "table.cards[2]", "table.cards[3]"],
    );
    expect_faults(|saved| saved.table.chasm_card_on_top = true, &["table.deck.top"]);
    expect_faults(|saved| saved.table.cards[3].push(8), &["table.cards[3]"]);
    let opener = |saved: &mut Saved| saved.table.opener = Some(0);
    expect_faults(opener, &["table.chasm.opener", "table.chasm.opener"]);
    expect_faults(|saved| saved.table.to_come[0] = 3, &["table.chasm.to_come"]);
    expect_faults(|saved| at(saved, "h8").token = Some(Mine::Red), &["table.chasm.to_come"]);
    let open = || opened(sound());
    assert_eq!(faults_of(open(), |s| s.table.to_come[1] = 3), ["table.chasm.to_come"]);
    let elsewhere = |saved: &mut Saved| {
        saved.table.squares.retain(|other| other.square != square("b7"));
        at(saved, "h8").token = Some(Mine::Red);
    };
    assert_eq!(faults_of(open(), elsewhere), ["table.squares"]);
    let no_opener = |saved: &mut Saved| saved.table.opener = None;
    let fields = ["table.chasm.opener", "table.chasm.open"];
    assert_eq!(faults_of(open(), no_opener), fields);
}

/// The Chasm Card was turned, and two seats are yet to take their last turns.
fn after_the_chasm_card() -> Saved {
    let mut saved = sound();
    let table = &mut saved.table;
    (table.deck_size, table.opener, table.turn_of) = (8, Some(1), 0);
    table.deck_top = Mine::ALL.to_vec();
    table.cards = vec![vec![1, 2, 3]; 4];
    saved
}

#[test]
fn the_decks_suffice_until_the_chasm_opens() {
    // One of Deck 4 is gone for every turn since; more cannot have been left then.
    let all_of_deck_4 = |saved: &mut Saved| saved.table.turn_of = 1;
    assert_eq!(faults_of(after_the_chasm_card(), all_of_deck_4), ["table.chasm.opener"]);
    let mut late = after_the_chasm_card();
    late.table.deck_size = 3;
    late.table.deck_top = vec![Mine::Red, Mine::Yellow, Mine::Green];
    late.table.cards = [4, 4, 4, 5].iter().map(|&last| (1..=last).collect()).collect();
    let faults = late.restore().expect_err("too few cards");
    assert_eq!(fields(&faults), ["off_the_rails.table.chasm.opener"]);
}

#[test]
fn missions_fit_the_options() {
    let one = |saved: &mut Saved| saved.table.missions = vec![1];
    expect_faults(one, &["table.missions"]);
    expect_faults(|saved| saved.table.deeds.banked[0] = true, &["table.deeds"]);
    let with = || with_missions(sound(), [1, 6, 7]);
    assert_eq!(faults_of(with(), |s| s.table.missions = vec![1, 6]), ["table.missions"]);
    let twice = |saved: &mut Saved| saved.table.players[0].claimed = vec![1];
    assert_eq!(faults_of(with(), twice), ["table.missions"]);
    let bumping = |saved: &mut Saved| saved.options.bumper_cars = Some(true);
    assert_eq!(faults_of(with(), bumping), ["table.missions"]);
    assert_eq!(faults_of(with(), |s| s.table.deeds.met = vec![6]), ["table.deeds"]);
    let claimable = || {
        let mut saved = with();
        saved.table.step = Step::Claim;
        saved.table.deeds.met = vec![6];
        saved
    };
    for met in [vec![1, 6], vec![2, 6], vec![6, 9]] {
        assert_eq!(faults_of(claimable(), |s| s.table.deeds.met = met), ["table.deeds"]);
    }
    // A cart that has banked is in supply.
    assert_eq!(faults_of(claimable(), |s| s.table.deeds.banked[0] = true), ["table.deeds"]);
}

#[test]
fn a_step_has_what_belongs_to_it() {
    let at_step = |step: Step| move |saved: &mut Saved| saved.table.step = step;
    expect_faults(at_step(Step::First), &["table.step"]);
    expect_faults(at_step(Step::Take), &["table.move", "table.step"]);
    expect_faults(at_step(Step::Odd), &["table.move", "table.collision", "table.step"]);
    expect_faults(at_step(Step::Claim), &["table.step"]);
    expect_faults(at_step(Step::Token), &["table.token", "table.step", "table.step"]);
    expect_faults(at_step(Step::Over), &["table.step"]);
    let open = || opened(sound());
    assert_eq!(faults_of(open(), at_step(Step::Over)), ["table.step"]);
    let no_token = |saved: &mut Saved| {
        saved.table.to_come = vec![0; 4];
        saved.table.put_out = vec![4; 4];
    };
    assert_eq!(faults_of(open(), no_token), ["table.step"]);
    let no_cart = |saved: &mut Saved| {
        for player in &mut saved.table.players {
            let supply = player.carts[1].clone();
            player.carts[0] = supply;
        }
        fill(saved);
    };
    assert_eq!(faults_of(open(), no_cart), ["table.step"]);
}
