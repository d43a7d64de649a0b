//! The worked cases of Off the Rails, and equal hashes by two routes.

use tablestate_rules::chance::{Fast, Scripted};
use tablestate_rules::games::off_the_rails::{EventOf, Mine, OffTheRails, Options, Saved, Step};
use tablestate_rules::{Game, Position, Reason, Seat, SeatSet};

use crate::battery::same_hash;
use crate::off_the_rails_table::{
    after, at, bare, carts, counts, field, fill, lay, legal, opened, play_with, refusal, restored,
    square, table, with_missions,
};

/// Straights up a file.
const FILE_A: &str = "a1NS,a2NS,a3NS,a4NS,a5NS,a6NS,a7NS,a8NS";

#[test]
fn case_1_a_cart_that_runs_out_of_track_derails() {
    let saved = table("a1NS,a2NS,a3NS", "a2g,a3d", "a1N3,s/s,s");
    let bag = saved.table.bag.clone();
    let position = after(&saved, &[".", "*g", "*d"]);
    assert_eq!(field(&position, 8), "s,s/s,s");
    let lying: u32 = position
        .state()
        .table()
        .squares()
        .map(|square| position.state().table().jewels(square).len() as u32)
        .sum();
    let total: u32 = bag.iter().sum::<u32>() + 2;
    assert_eq!(position.state().table().bag().len() as u32 + lying, total, "gold and diamond too");
    assert_eq!(field(&position, 10), "0,0,0,0,0/0,0,0,0,0");
}

#[test]
fn case_2_a_cart_banks_whatever_speed_is_left_on_any_side() {
    for (cart, tracks) in [
        ("a2S6rg", "a1NS,a2NS"),
        ("b1W6rg", "a1EW,b1EW"),
        ("a7N6rg", "a7NS,a8NS"),
        ("g1E6rg", "g1EW,h1EW"),
    ] {
        let saved = table(tracks, "", &format!("{cart},s/s,s"));
        let position = after(&saved, &["."]);
        assert_eq!(
            (field(&position, 8), field(&position, 10)),
            ("s,s/s,s".into(), "0,1,0,1,0/0,0,0,0,0".into())
        );
    }
}

#[test]
fn case_3_rocks_come_first_and_holds_are_small() {
    let passing = table(FILE_A, "a2kd", "a1N3,s/s,s");
    assert_eq!(legal(&after(&passing, &["."])), ["*k", "*"]);
    assert_eq!(refusal(&passing, &["."], "*d"), "2. Moves");
    assert_eq!(carts(&passing, &[".", "*k"]), "a4N3k,s/s,s");
    let last = table(FILE_A, "a2kkd", "a1N1,s/s,s");
    assert_eq!(legal(&after(&last, &[".", "*k"])), ["*k", "*"]);
    assert_eq!(carts(&last, &[".", "*k", "*k"]), "a2N1kk,s/s,s");
    assert_eq!(field(&after(&last, &[".", "*k"]), 3), "w01S-");
    let full = table(FILE_A, "a2rr", "a1N1kkkk,s/s,s");
    assert_eq!(carts(&full, &[".", "*r"]), "a2N1kkkkr,s/s,s");
    let none = table(FILE_A, "a2rr", "a1N1kkkkk,s/s,s");
    assert_eq!(carts(&none, &["."]), "a2N1kkkkk,s/s,s");
    assert_eq!(carts(&last, &[".", "*"]), "a2N1,s/s,s");
}

#[test]
fn a_cart_faces_an_exit_and_never_turns_back() {
    let stem = table("a1NS,a2NES", "", "a1N3,s/s,s");
    assert_eq!(legal(&after(&stem, &["."])), ["^N", "^E"]);
    assert_eq!(refusal(&stem, &["."], "^S"), "R10");
    assert_eq!(refusal(&stem, &["."], "^W"), "2. Moves");
}

#[test]
fn case_4_upgrades_keep_every_exit_and_need_an_empty_square() {
    let occupied = table("b2NS", "", "b2N3,s/s,s");
    assert_eq!(refusal(&occupied, &[], "b2+NES"), "UPGRADE");
    let free = table("b2NS", "b2r", "s,s/s,s");
    assert_eq!(field(&after(&free, &["b2+NES"]), 5), "b2NES");
    assert_eq!(refusal(&free, &[], "b2+NEW"), "UPGRADE");
    assert_eq!(refusal(&free, &[], "b2+NESW"), "UPGRADE");
    assert_eq!(field(&after(&free, &["b2+NES", "b2+NESW"]), 5), "b2NESW");
    assert_eq!(refusal(&free, &[], "c3NS"), "PLACE_TRACK");
    assert_eq!(refusal(&free, &[], "b2EW"), "PLACE_TRACK");
}

/// Seat 0's cart on a1 faces seat 1's on a2.
fn head_on(active: &str, opposing: &str) -> Saved {
    table(FILE_A, "", &format!("a1N3{active},s/a2S3{opposing},s"))
}

#[test]
fn case_5_head_on() {
    let one = head_on("rr", "d");
    assert_eq!(carts(&one, &["."]), "a1S3rr,s/a2N3,s");
    assert_eq!(field(&after(&one, &["."]), 6).split(',').next(), Some("a2d"));
    assert_eq!(carts(&head_on("rr", ""), &["."]), "a1S3rr,s/s,s");
    let three = head_on("", "reg");
    let odd = after(&three, &["."]);
    assert_eq!((field(&odd, 2), field(&odd, 8)), ("O".into(), "s,s/a2S3reg,s".into()));
    assert_eq!(odd.state().actor(), Seat::new(1));
    assert_eq!((legal(&odd).join(" "), field(&odd, 4)), ("-r -e -g".into(), "1wS".into()));
    let split = after(&three, &[".", "-g"]);
    assert_eq!((field(&split, 2), legal(&split).join(" ")), ("S".into(), "=r =e".into()));
    let hand = after(&three, &[".", "-g", "=e"]);
    assert_eq!((hand.state().actor(), field(&hand, 4)), (Seat::new(0), "1wS=e".into()));
    let left = after(&three, &[".", "-g", "=e", "L"]);
    assert_eq!(field(&left, 8), "s,s/a2N3r,s");
    assert!(field(&left, 6).starts_with("a2eg"), "{}", field(&left, 6));
    assert_eq!(carts(&head_on("", ""), &["."]), "s,s/s,s");
}

#[test]
fn case_6_only_who_is_hit_in_front_turns() {
    let rear = table(FILE_A, "", "a2N3r,s/a3N3rrrrr,s");
    // Equal jewels: no odd one is chosen and no split; the hand is asked all the same.
    assert_eq!(legal(&after(&rear, &["."])), ["L", "R"]);
    assert_eq!(carts(&rear, &[".", "R"]), "a2S3r,s/a3N3rr,s");
    let lying = field(&after(&rear, &[".", "R"]), 6);
    assert!(lying.starts_with("a3rrr"), "{lying}");
    let flank = table("a2NS,a3NES,b3EW", "", "a2N3r,s/a3E3d,s");
    assert_eq!(carts(&flank, &["."]), "a2S3r,s/a3E3,s");
}

#[test]
fn case_7_where_a_cart_turns_round() {
    let stem = table("a2NS,a3ESW", "", "a2N1r,s/a3S1r,s");
    let asked = after(&stem, &["."]);
    assert_eq!((field(&asked, 2), legal(&asked).join(" ")), ("V".into(), "~E ~W".into()));
    assert_eq!(asked.state().actor(), Seat::new(1));
    assert_eq!(carts(&stem, &[".", "~W"]), "a2S1r,s/a3W1,s");
    let cross = table("a2NS,a3NESW", "", "a2N1r,s/a3S1r,s");
    assert_eq!(carts(&cross, &["."]), "a2S1r,s/a3N1,s");
    let corner = table("a2NS,a3ES", "", "a2N1r,s/a3S1r,s");
    assert_eq!(carts(&corner, &["."]), "a2S1r,s/a3E1,s");
    // The active cart has not moved: it turns as the opposing one does.
    let active = table("a2NEW,a3NS", "", "a2N1r,s/a3N1r,s");
    let asked = after(&active, &["."]);
    assert_eq!((field(&asked, 2), legal(&asked).join(" ")), ("U".into(), "~E ~W".into()));
    // It has moved: it turns to where it came from.
    let moved = table("a2EW,b2NW,b3NS", "", "a2E2r,s/b3N1r,s");
    assert_eq!(carts(&moved, &["."]), "b2W2r,s/b3N1,s");
}

#[test]
fn case_8_unconnected_squares_only_turn() {
    let blocked = table("a2NS,a3EW", "", "a2N2,s/a3E1,s");
    assert_eq!(carts(&blocked, &["."]), "a2S2,s/a3E1,s");
    assert_eq!(carts(&table("a2NS,a3EW", "", "a2N2r,s/s,s"), &["."]), "s,s/s,s");
}

#[test]
fn case_9_a_cart_that_was_just_placed() {
    let empty = table("", "", "s,s/s,s");
    assert_eq!(carts(&empty, &["Na", "."]), "s,s/s,s");
    let connected = table("a8NS,a7NS", "", "s,s/a8S3r,s");
    let placed = after(&connected, &["Na", "."]);
    assert_eq!(field(&placed, 8), "s,s/a8S3,s", "hit in the rear it does not turn");
    let unconnected = table("a8EW", "", "s,s/a8E3r,s");
    let mut position = after(&unconnected, &["Na"]);
    let events = play_with(&mut position, ".", &mut Fast::new(0)).expect("legal");
    assert!(events.iter().any(|event| matches!(event, EventOf::Returned { .. })));
    assert!(!events.iter().any(|event| matches!(event, EventOf::Derailed { .. })));
    assert_eq!(field(&position, 8), "s,s/a8E3r,s");
}

/// At which card the Chasm Card comes.
fn chasm_card(seed: u64, seats: u32, deposit_cards: u32) -> usize {
    let options =
        Options { seats: Some(seats), deposit_cards: Some(deposit_cards), ..Options::default() };
    let mut chance = Fast::new(seed);
    let mut position = Position::<OffTheRails>::new(&options, &mut chance, &mut ()).expect("sound");
    for number in 1.. {
        let events = play_with(&mut position, ".", &mut chance).expect("legal");
        if events.iter().any(|event| matches!(event, EventOf::ChasmCard { .. })) {
            return number;
        }
    }
    unreachable!("the deck ends")
}

#[test]
fn case_10_where_the_chasm_card_lies() {
    for (deposit_cards, first) in [(21, 13), (17, 9), (13, 5), (25, 17)] {
        let places: Vec<usize> = (0..60).map(|seed| chasm_card(seed, 4, deposit_cards)).collect();
        let expected: Vec<usize> = (first..=first + 4).collect();
        let mut seen = places.clone();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, expected, "of {deposit_cards}");
    }
    // Card 17 with four seats: the last four cards are just enough.
    let seed = (0..).find(|&seed| chasm_card(seed, 4, 21) == 17).expect("one of five");
    let mut chance = Fast::new(seed);
    let options = Options { seats: Some(4), ..Options::default() };
    let mut position = Position::<OffTheRails>::new(&options, &mut chance, &mut ()).expect("sound");
    for _ in 0..21 {
        play_with(&mut position, ".", &mut chance).expect("legal");
    }
    assert_eq!((field(&position, 13), field(&position, 1)), ("0".into(), "-".into()));
}

#[test]
fn case_11_a_token_lies_next_to_its_colour() {
    let mut saved = opened(table("h1NS,h2NS", "", "h1N1,s/h2N1r,s"));
    // Red tokens on a5 and c5 beside the one of its card.
    for text in ["a5", "c5"] {
        at(&mut saved, text).token = Some(Mine::Red);
    }
    saved.table.to_come = vec![2, 4, 4, 4];
    let mut position = restored(&saved);
    // The first of the fourteen tokens is red.
    let mut chance = Scripted::new(&[0]);
    play_with(&mut position, ".", &mut chance).expect("legal");
    assert!(chance.is_spent());
    assert_eq!(field(&position, 2), "Kr");
    let squares = "!a4 !c4 !b5 !d5 !a6 !b6 !c6 !a7 !c7 !b8";
    assert_eq!(legal(&position).join(" "), squares);
    assert_eq!(refusal_here(&position, "!d6"), "The Chasm");
    play_with(&mut position, "!c6", &mut Fast::new(0)).expect("a mine centre too");
    assert!(field(&position, 7).contains("c6r"));
}

fn refusal_here(position: &Position<OffTheRails>, notation: &str) -> &'static str {
    play_with(&mut position.clone(), notation, &mut Fast::new(0)).expect_err("illegal").rule
}

#[test]
fn case_12_the_last_cart_banks_while_the_chasm_is_open() {
    let saved = opened(table("a1NS", "", "a1S1g,s/s,s"));
    let mut position = restored(&saved);
    play_with(&mut position, ".", &mut Scripted::new(&[0])).expect("legal");
    assert_eq!((field(&position, 2), position.outcome(SeatSet::EMPTY)), ("Kr".into(), None));
    play_with(&mut position, "!a7", &mut Fast::new(0)).expect("legal");
    let outcome = position.outcome(SeatSet::EMPTY).expect("over");
    assert_eq!(outcome.reason, Reason::OffTheRailsNoCartOnBoard);
    assert_eq!(&outcome.scores[..], [9, 6]);
    assert_eq!(field(&position, 2), "-");
}

#[test]
fn case_13_a_cart_under_one_of_the_first_tokens_is_out_of_the_game() {
    let mut saved = table("b7NS,h1NS,h2NS,h3NS", "b7r", "h1N1,s/b7N1dd,s");
    let whole = saved.table.bag.clone();
    // The opener's last turn: cards 2 of each colour were seen, the deck holds what is left.
    saved.table.turn_of = 0;
    saved.table.opener = Some(0);
    saved.table.deck_size = 4;
    saved.table.deck_top = Mine::ALL.to_vec();
    saved.table.cards = vec![vec![2, 3, 4, 5]; 4];
    let mut position = restored(&saved);
    // Its card: blue, of 1 6 7 8 the second, with three Rocks; then the first unseen of each.
    let mut chance = Scripted::new(&[3, 1, 0, 0, 0, 0, 0, 0, 0]);
    let events = play_with(&mut position, ".", &mut chance).expect("legal");
    assert!(chance.is_spent());
    assert!(events.iter().any(|event| matches!(event, EventOf::Derailed { is_out: true, .. })));
    assert_eq!(field(&position, 8), "h2N1,s/o,s");
    assert_eq!(field(&position, 14), "0!");
    let bag = position.state().table().bag();
    assert_eq!(bag.counts()[4] as u32, whole[4] + 2, "its hold is back in the bag");
    assert_eq!(field(&position, 11), "0,1,0,0,0");
    assert_eq!(position.state().scores().to_vec(), [3, 3]);
}

#[test]
fn the_own_other_cart_may_be_hit() {
    let saved = table(FILE_A, "", "a1N3r,a2S3reg/s,s");
    let position = after(&saved, &[".", "w"]);
    assert_eq!((field(&position, 2), position.state().actor()), ("O".into(), Seat::new(0)));
    assert_eq!(field(&position, 3), "w00-+");
    // It turns, and then moves in its new facing.
    let moved = after(&saved, &[".", "w", "-r", "=e", "R"]);
    assert_eq!(field(&moved, 8), "a1S3r,a5N3e/s,s");
    let gone = table(FILE_A, "", "a1N3r,a2S3/s,s");
    assert_eq!(carts(&gone, &[".", "w"]), "a1S3r,s/s,s");
}

#[test]
fn bumper_cars_only_turn() {
    let options = Options { bumper_cars: Some(true), ..Options::default() };
    let saved = lay(bare(options), FILE_A, "", "a1N3,s/a2S3reg,s");
    assert_eq!(carts(&saved, &["."]), "a1S3,s/a2N3reg,s");
}

#[test]
fn missions_are_claimed_once_they_are_met() {
    let saved = with_missions(table("a1NS", "", "a1S6rrrrr,s/s,s"), [1, 3, 5]);
    let met = after(&saved, &["."]);
    assert_eq!((field(&met, 2), field(&met, 18)), ("M".into(), "w,1,3,5".into()));
    assert_eq!(legal(&met), ["#1", "#3", "#5", "#"]);
    let claimed = after(&saved, &[".", "#3"]);
    assert_eq!((field(&claimed, 16), field(&claimed, 17)), ("1,5".into(), "3/-".into()));
    assert_eq!((field(&claimed, 18), field(&claimed, 2)), ("-".into(), "A0".into()));
    assert_eq!(field(&after(&saved, &[".", "#"]), 16), "1,3,5");
    let shaken = with_missions(head_on("r", "reg"), [6, 7, 8]);
    assert_eq!(field(&after(&shaken, &["."]), 18), ",6");
    assert_eq!(field(&after(&shaken, &[".", "-r", "=e", "L"]), 2), "M");
    let wrecked = with_missions(head_on("", ""), [6, 7, 8]);
    assert_eq!(legal(&after(&wrecked, &["."])), ["#7", "#"]);
    let piled = |pile: &str| {
        let mut saved = with_missions(table("", "", "s,s/s,s"), [2, 8, 9]);
        saved.table.players[0].stockpile = counts(pile);
        fill(&mut saved);
        field(&after(&saved, &["."]), 2)
    };
    assert_eq!([piled("regd"), piled("kkk"), piled("regkk")], ["M", "M", "A0"]);
    let tour = with_missions(table(FILE_A, "a2r,a3r,a4r", "a1N6,s/s,s"), [2, 10, 11]);
    let toured = after(&tour, &[".", "*r", "*r"]);
    assert_eq!(field(&toured, 3), "w31S-a2a3");
    let toured = after(&tour, &[".", "*r", "*r", "*r"]);
    assert_eq!((field(&toured, 2), field(&toured, 18)), ("M".into(), ",10,11".into()));
}

#[test]
fn the_die_falls_back_when_its_square_is_covered() {
    let mut saved = opened(table("h1NS,h2NS", "", "h1N1,s/h2N1r,s"));
    saved.options.chasm_die = Some(true);
    // Red, number 1: its square b7 has a token.
    let mut position = restored(&saved);
    play_with(&mut position, ".", &mut Scripted::new(&[0, 0])).expect("legal");
    assert_eq!(
        (field(&position, 2), legal(&position).join(" ")),
        ("Kr1".into(), "!b6 !a7 !c7 !b8".into())
    );
    // A free one is taken at once.
    let mut position = restored(&saved);
    let events = play_with(&mut position, ".", &mut Scripted::new(&[0, 1])).expect("legal");
    assert!(events.iter().any(|event| matches!(
        event,
        EventOf::TokenPlaced { colour: Mine::Red, square: laid, .. } if laid.index() as u32 == square("c7")
    )));
    assert_eq!(field(&position, 2), "A0");
}

#[test]
fn a_token_without_a_square_is_put_out_and_counts_as_drawn() {
    let mut saved = opened(table("h1NS,h2NS", "", "h1N1,s/h2N1r,s"));
    // The only red token, on b7, is shut in by yellow ones; the red one to come is the last.
    for text in ["a7", "c7", "b8", "b6"] {
        at(&mut saved, text).token = Some(Mine::Yellow);
    }
    saved.table.to_come = vec![1, 0, 0, 0];
    saved.table.put_out = vec![3, 0, 4, 4];
    let mut position = restored(&saved);
    let events = play_with(&mut position, ".", &mut Scripted::new(&[0])).expect("legal");
    assert!(events.iter().any(|event| matches!(event, EventOf::TokenPutOut { .. })));
    let outcome = position.outcome(SeatSet::EMPTY).expect("over");
    assert_eq!(outcome.reason, Reason::OffTheRailsLastToken);
    assert_eq!(field(&position, 8), "o,s/o,s");
    assert_eq!(field(&position, 15), "0,0,0,0/4,0,4,4");
}

#[test]
fn the_victory_goes_by_points_then_jewels_then_rocks() {
    let result = |piles: [&str; 2]| {
        let mut saved = opened(table("", "", "s,s/s,s"));
        saved.table.step = Step::Over;
        for (player, pile) in saved.table.players.iter_mut().zip(piles) {
            player.stockpile = counts(pile);
        }
        fill(&mut saved);
        let outcome = restored(&saved).outcome(SeatSet::EMPTY).expect("over");
        (outcome.winners.iter().map(Seat::index).collect::<Vec<_>>(), outcome.scores.to_vec())
    };
    assert_eq!(result(["rr", "g"]), (vec![0], vec![13, 9]));
    assert_eq!(result(["g", "rre"]), (vec![1], vec![9, 15]));
    assert_eq!(result(["ee", "d"]), (vec![0], vec![10, 10]));
    assert_eq!(result(["kd", "ee"]), (vec![1], vec![10, 10]));
    assert_eq!(result(["r", "r"]), (vec![0, 1], vec![12, 12]));
}

#[test]
fn one_position_by_two_routes_has_one_hash() {
    let saved = table("a1NS", "", "s,s/s,s");
    let route = |notations: &[&str]| after(&saved, notations);
    same_hash(&route(&["b1NE", "Na", "w+"]), &route(&["Na", "w+", "b1NE"]));
    same_hash(&route(&["b1NS", "b1+NES"]), &after(&Saved::of(&route(&["b1NE"])), &["b1+NES"]));
    assert_ne!(route(&["b1NE"]).state().hash(), route(&["b1NW"]).state().hash());
    let split = head_on("r", "reg");
    let hands = |left| after(&split, &[".", "-g", left]).state().hash();
    assert_ne!(hands("=r"), hands("=e"));
}
