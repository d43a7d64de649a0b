//! Off the Rails in the middle of things: saved states of moves and collisions, who sees a split,
//! and previews.

use tablestate_rules::chance::{Fast, Scripted};
use tablestate_rules::games::off_the_rails::{
    Colour, EventOf, Mine, OffTheRails, PreviewEnd, Saved, SavedPlace, ShownEvent, Side, View,
};
use tablestate_rules::{Game, Position, Seat, Viewer};

use crate::off_the_rails_table::{after, fill, jewels, legal, opened, play_with, restored, table};

const FILE_A: &str = "a1NS,a2NS,a3NS,a4NS,a5NS,a6NS,a7NS,a8NS";

/// The fields that a change of a saved position makes wrong.
fn faults_of(saved: &Saved, change: impl FnOnce(&mut Saved)) -> Vec<String> {
    restored(saved);
    let mut changed = saved.clone();
    change(&mut changed);
    let faults = changed.restore().expect_err("a state that cannot be");
    let name = |field: &str| field.trim_start_matches("off_the_rails.table.").to_owned();
    faults.iter().map(|fault| name(&fault.field)).collect()
}

fn saved_after(saved: &Saved, notations: &[&str]) -> Saved {
    Saved::of(&after(saved, notations))
}

#[test]
fn a_move_fits_its_cart() {
    let start = table(FILE_A, "a2rr", "a1N3kk,s/s,s");
    let taking = saved_after(&start, &["."]);
    let motion = |change: fn(&mut tablestate_rules::games::off_the_rails::SavedMotion)| {
        let change = move |saved: &mut Saved| change(saved.table.motion.as_mut().expect("a move"));
        faults_of(&taking, change)
    };
    assert_eq!(motion(|motion| motion.steps_left = 3), ["move.steps_left"]);
    assert_eq!(motion(|motion| motion.takings_left = 2), ["move.takings_left"]);
    assert_eq!(motion(|motion| motion.takings_left = 0), ["move.takings_left"]);
    assert_eq!(motion(|motion| motion.entered_by = None), ["move.entered_by"]);
    assert_eq!(motion(|motion| motion.entered_by = Some(Side::East)), ["move.entered_by"]);
    assert_eq!(motion(|motion| motion.other_to_move = true), ["move.other_to_move"]);
    assert_eq!(motion(|motion| motion.taken_from = vec![8]), ["move.taken_from"]);
    let other = ["players[0].white.facing", "move.steps_left", "move.entered_by", "move.cart"];
    let is_black = motion(|motion| motion.cart = Colour::Black);
    assert_eq!(is_black[..4], other);
    let faces = |saved: &mut Saved| {
        saved.table.players[0].carts[0].facing = Some(Side::North);
    };
    assert_eq!(faults_of(&taking, faces), ["players[0].white.facing"]);
    let nothing_lies = |saved: &mut Saved| {
        saved.table.squares.retain(|square| square.jewels.is_empty());
        saved.table.squares.insert(
            1,
            tablestate_rules::games::off_the_rails::SavedSquare {
                square: 8,
                exits: vec![Side::North, Side::South],
                ..Default::default()
            },
        );
        fill(saved);
    };
    assert_eq!(faults_of(&taking, nothing_lies), ["step"]);
    let full = |saved: &mut Saved| {
        saved.table.players[0].carts[0].hold = jewels("kkeee");
        fill(saved);
    };
    assert_eq!(faults_of(&taking, full), ["step"]);
    let facing = saved_after(&table("a1NS,a2NES", "", "a1N3,s/s,s"), &["."]);
    let one_exit = |saved: &mut Saved| {
        saved.table.squares[1].exits = vec![Side::North, Side::South];
    };
    assert_eq!(faults_of(&facing, one_exit), ["step"]);
}

#[test]
fn a_collision_fits_its_carts() {
    let start = table(FILE_A, "", "a1N3r,s/a2S3reg,s");
    let odd = saved_after(&start, &["."]);
    let collision = |change: fn(&mut tablestate_rules::games::off_the_rails::SavedCollision)| {
        let change =
            move |saved: &mut Saved| change(saved.table.collision.as_mut().expect("a collision"));
        faults_of(&odd, change)
    };
    assert_eq!(collision(|hit| hit.hit_side = Side::North)[0], "collision");
    assert_eq!(collision(|hit| hit.colour = Colour::Black)[0], "collision");
    let even = |saved: &mut Saved| {
        saved.table.players[1].carts[0].hold = jewels("re");
        fill(saved);
    };
    assert_eq!(faults_of(&odd, even), ["step"]);
    let bumping = |saved: &mut Saved| saved.options.bumper_cars = Some(true);
    assert_eq!(faults_of(&odd, bumping), ["collision"]);
    let steps = |saved: &mut Saved| {
        saved.table.motion.as_mut().expect("a move").steps_left = 1;
    };
    assert_eq!(faults_of(&odd, steps), ["move.steps_left"]);
    let split = saved_after(&start, &[".", "-g"]);
    let equal = |saved: &mut Saved| {
        saved.table.players[1].carts[0].hold = jewels("rr");
        fill(saved);
    };
    assert_eq!(faults_of(&split, equal), ["step"]);
    let hand = saved_after(&start, &[".", "-g", "=e"]);
    for text in ["g", "", "re"] {
        let other = |saved: &mut Saved| saved.left_hand = jewels(text);
        assert_eq!(faults_of(&hand, other), ["off_the_rails.left_hand"]);
    }
    // The cart that came from the Surface and derailed stands nowhere.
    let surface = table("a8NS", "", "s,s/a8N3reg,s");
    let gone = saved_after(&surface, &["Na", "."]);
    assert_eq!(gone.table.players[0].carts[0].place, SavedPlace::Supply);
    let turn = saved_after(&table("a2NS,a3ESW", "", "a2N1r,s/a3S1r,s"), &["."]);
    let aside = |saved: &mut Saved| saved.table.players[1].carts[0].facing = Some(Side::East);
    assert_eq!(faults_of(&turn, aside), ["step"]);
}

#[test]
fn a_token_that_was_drawn_fits() {
    let saved = opened(table("h1NS,h2NS", "", "h1N1,s/h2N1r,s"));
    let mut position = restored(&saved);
    play_with(&mut position, ".", &mut Scripted::new(&[0])).expect("legal");
    let token = Saved::of(&position);
    let yellow = |saved: &mut Saved| {
        saved.table.drawn.as_mut().expect("a token").colour = Mine::Yellow;
    };
    assert_eq!(faults_of(&token, yellow), ["chasm.to_come", "chasm.to_come"]);
    let rolls = |saved: &mut Saved| saved.options.chasm_die = Some(true);
    assert_eq!(faults_of(&token, rolls), ["token.die"]);
}

fn seen_by(position: &Position<OffTheRails>, viewer: Viewer) -> View<'_> {
    position.view(viewer)
}

#[test]
fn a_split_is_its_owners_secret_until_a_hand_is_chosen() {
    let start = table(FILE_A, "", "a1N3r,s/a2S3reg,s");
    let seats = [0, 1].map(|number| Viewer::Seat(Seat::new(number).expect("a seat")));
    let mut position = after(&start, &[".", "-g"]);
    let other = after(&start, &[".", "-g", "=r"]);
    let events = play_with(&mut position, "=e", &mut Fast::new(0)).expect("legal");
    assert_ne!(position, other);
    for viewer in [seats[0], Viewer::Spectator] {
        assert_eq!(seen_by(&position, viewer), seen_by(&other, viewer));
        let shown: Vec<ShownEvent> =
            events.iter().filter_map(|event| OffTheRails::show(event, viewer)).collect();
        assert!(matches!(shown[..], [EventOf::HandsClosed { hands: None, .. }]));
    }
    let hands = seen_by(&position, seats[1]).hands().expect("its own");
    assert_eq!(hands.map(|hand| hand.to_string()), ["e", "r"]);
    assert_ne!(seen_by(&position, seats[1]), seen_by(&other, seats[1]));
    let events = play_with(&mut position, "R", &mut Fast::new(0)).expect("legal");
    let shown = events.iter().filter_map(|event| OffTheRails::show(event, Viewer::Spectator));
    let mut chosen = shown.filter_map(|event| match event {
        EventOf::HandChosen { hands, .. } => Some(hands.map(|hand| hand.to_string())),
        _ => None,
    });
    assert_eq!(chosen.next(), Some(["e".into(), "r".into()]));
    assert_eq!(seen_by(&position, seats[1]).hands(), None);
}

/// The ends of the previews, and the squares by number.
fn previews(saved: &Saved) -> Vec<(PreviewEnd, Vec<usize>, u8)> {
    let position = restored(saved);
    let previews = position.view(Viewer::Spectator).previews();
    let tell = |preview: &tablestate_rules::games::off_the_rails::Preview| {
        let squares = preview.squares.iter().map(|square| square.index()).collect();
        (preview.end, squares, preview.steps_left)
    };
    previews.iter().map(tell).collect()
}

#[test]
fn a_preview_goes_up_to_the_first_choice() {
    let one =
        |tracks: &str, cart: &str| previews(&table(tracks, "", &format!("{cart},s/s,s"))).remove(0);
    assert_eq!(one(FILE_A, "a1N2"), (PreviewEnd::SpeedUsed, vec![8, 16], 0));
    assert_eq!(one("a1NS,a2NES,b2EW", "a1N3"), (PreviewEnd::Choice, vec![8], 2));
    assert_eq!(one("a1NS,a2NS", "a2S4"), (PreviewEnd::Bank, vec![0], 3));
    assert_eq!(one("a1NS,a2NS", "a1N4"), (PreviewEnd::Derailment, vec![8], 3));
    // A loop over the own starting square.
    let ring = "a1NE,b1NW,b2SW,a2ES";
    assert_eq!(one(ring, "a1N5"), (PreviewEnd::SpeedUsed, vec![8, 9, 1, 0, 8], 0));
    let two = previews(&table(FILE_A, "", "a1N3,s/a3N1,s"));
    assert_eq!(two[0], (PreviewEnd::Collision, vec![8], 2));
    assert_eq!(two[1], (PreviewEnd::SpeedUsed, vec![24], 0));
    let placed = previews(&table("a8NS,a7NS,a6NS,a5NS", "", "NaS3,s/s,s"));
    assert_eq!(placed, [(PreviewEnd::SpeedUsed, vec![56, 48, 40], 0)]);
    // Where its own choice is asked, a cart has no facing and no preview.
    let choosing = after(&table("a1NS,a2NES", "", "a1N3,s/s,s"), &["."]);
    assert_eq!(legal(&choosing), ["^N", "^E"]);
    assert!(choosing.view(Viewer::Spectator).previews().is_empty());
}

/// What a preview promises comes true, if nothing is taken.
#[test]
fn a_preview_that_is_forced_comes_true() {
    let saved = table("a1NE,b1NW,b2SW,a2ES", "", "a1N5r,s/s,s");
    assert_eq!(crate::off_the_rails_table::carts(&saved, &["."]), "a2E5r,s/s,s");
    let position = restored(&saved);
    let preview = position.view(Viewer::Spectator).previews().remove(0);
    assert_eq!(preview.facing, Some(Side::East));
}
