//! Determinizations of Off the Rails: only a split is hidden, and every split that its owner could
//! have decided on has equal chance.

mod spread;

use std::collections::{BTreeMap, BTreeSet};

use spread::{Distribution, SAMPLES, chi_square, critical_value};
use tablestate_rules::chance::{Enumerating, Fast};
use tablestate_rules::games::off_the_rails::{
    Jewel, OffTheRails, Options, Saved, SavedPlace, Step,
};
use tablestate_rules::{Chance, Game, LegalSet, Position, Seat, SeatSet, Viewer};

/// Positions in which a hand is to be chosen, found by play on boards full of crosses.
fn with_closed_hands(wanted: usize) -> Vec<Position<OffTheRails>> {
    let mut found = Vec::new();
    for seed in 0.. {
        let mut chance = Fast::new(seed);
        let mut position = overgrown(seed, &mut chance);
        while let Some(action) = position.draw_action(&mut chance) {
            position.apply_unchecked(action, &mut chance, &mut ());
            if position.state().table().step() == Step::Hand {
                found.push(position.clone());
            }
        }
        if found.len() >= wanted {
            return found;
        }
    }
    unreachable!("seeds do not end")
}

/// A start with a cross on every square that takes track, and loaded carts.
fn overgrown(seed: u64, chance: &mut Fast) -> Position<OffTheRails> {
    let options = Options { seats: Some(2 + seed as u32 % 3), ..Options::default() };
    let start = Position::<OffTheRails>::new(&options, chance, &mut ()).expect("sound options");
    let mut saved = Saved::of(&start);
    let centres = [18, 21, 42, 45];
    let all = tablestate_rules::games::off_the_rails::Side::ALL;
    let lying = saved.table.squares.clone();
    saved.table.squares = (0..64u32)
        .filter(|square| !centres.contains(square))
        .map(|square| {
            let there = lying.iter().find(|other| other.square == square).cloned();
            let mut there = there.unwrap_or_default();
            (there.square, there.exits) = (square, all.to_vec());
            there
        })
        .collect();
    let mut free: Vec<u32> = saved.table.squares.iter().map(|square| square.square).collect();
    for player in &mut saved.table.players {
        for cart in &mut player.carts {
            let place = free.swap_remove(chance.draw(free.len() as u32) as usize);
            cart.place = SavedPlace::Underground(place);
            cart.facing = Some(all[chance.draw(4) as usize]);
            cart.speed = 1 + chance.draw(6);
            for _ in 0..chance.draw(6) {
                let jewel = Jewel::ALL[chance.draw(5) as usize];
                if saved.table.bag[jewel as usize] > 0 {
                    saved.table.bag[jewel as usize] -= 1;
                    cart.hold.push(jewel);
                }
            }
            cart.hold.sort_unstable();
        }
    }
    saved.restore().unwrap_or_else(|faults| panic!("a start that can be: {faults}"))
}

/// Everybody who looks.
fn viewers(position: &Position<OffTheRails>) -> impl Iterator<Item = Viewer> + use<> {
    let seats = SeatSet::first(position.state().seats()).iter().map(Viewer::Seat);
    seats.chain([Viewer::Spectator])
}

/// The owner of the cart whose hold was split.
fn owner(position: &Position<OffTheRails>) -> Seat {
    let collision = Saved::of(position).table.collision.expect("a collision");
    Seat::new(collision.seat as usize).expect("a seat")
}

/// Every split of the hold in two halves, counted out, with equal chance.
fn counted_out(position: &Position<OffTheRails>) -> Distribution {
    let saved = Saved::of(position);
    let collision = saved.table.collision.as_ref().expect("a collision");
    let cart = &saved.table.players[collision.seat as usize].carts[collision.colour as usize];
    let half = cart.hold.len() / 2;
    let mut lefts = BTreeSet::new();
    for chosen in 0u32..1 << cart.hold.len() {
        if chosen.count_ones() as usize == half {
            let is_left = |place: &usize| chosen >> place & 1 == 1;
            let left = (0..cart.hold.len()).filter(is_left).map(|place| cart.hold[place]);
            lefts.insert(left.collect::<Vec<Jewel>>());
        }
    }
    let likely = 1.0 / lefts.len() as f64;
    let position_of = |left_hand: Vec<Jewel>| {
        let other = Saved { left_hand, ..saved.clone() }.restore().expect("half of the hold");
        other.state().position()
    };
    lefts.into_iter().map(|left| (position_of(left), likely)).collect()
}

#[test]
fn every_split_has_equal_chance_for_who_does_not_know_it() {
    let mut sizes = BTreeSet::new();
    for position in with_closed_hands(150) {
        let expected = counted_out(&position);
        sizes.insert(expected.len());
        for viewer in viewers(&position).filter(|&v| v != Viewer::Seat(owner(&position))) {
            let view = position.view(viewer);
            assert_eq!(view.left_hand(), None, "{viewer:?} knows nothing");
            let (mut chance, mut given) = (Enumerating::default(), Distribution::new());
            while chance.next_line() {
                let sample = Position::<OffTheRails>::determinize(&view, &mut chance);
                *given.entry(sample.state().position()).or_default() += chance.probability();
            }
            assert!(given.keys().eq(expected.keys()));
            for (position, probability) in &expected {
                assert!((given[position] - probability).abs() < 1e-9, "{position}");
            }
        }
    }
    assert!(sizes.contains(&1) && sizes.iter().any(|&size| size >= 4), "{sizes:?}");
}

#[test]
fn samples_are_spread_as_counted_out() {
    let positions = with_closed_hands(150);
    let most = positions.iter().max_by_key(|position| counted_out(position).len());
    let position = most.expect("some were found");
    let expected = counted_out(position);
    let view = position.view(Viewer::Spectator);
    let (mut chance, mut seen) = (Fast::new(3), BTreeMap::new());
    for _ in 0..SAMPLES {
        let sample = Position::<OffTheRails>::determinize(&view, &mut chance);
        *seen.entry(sample.state().position()).or_insert(0) += 1;
    }
    assert!(seen.keys().all(|position| expected.contains_key(position)));
    assert!(chi_square(&expected, &seen) < critical_value(expected.len() - 1));
}

#[test]
fn the_owner_and_everybody_else_at_other_times_know_the_one_state() {
    for position in with_closed_hands(60) {
        let view = position.view(Viewer::Seat(owner(&position)));
        assert!(view.left_hand().is_some());
        assert_eq!(Position::<OffTheRails>::determinize(&view, &mut Fast::new(1)), position);
    }
    let mut chance = Fast::new(8);
    let mut position = overgrown(1, &mut chance);
    while position.state().actor().is_some() {
        if position.state().table().step() != Step::Hand {
            for viewer in viewers(&position) {
                let view = position.view(viewer);
                let sample = Position::<OffTheRails>::determinize(&view, &mut Fast::new(1));
                assert_eq!(sample, position);
            }
        }
        let legal = position.state().legal();
        let action = legal.nth(chance.draw(legal.count() as u32) as usize);
        position.apply_unchecked(action, &mut chance, &mut ());
    }
}

/// What differs in the split alone looks the same to all but its owner.
#[test]
fn a_sample_never_depends_on_the_truth() {
    for position in with_closed_hands(60) {
        let saved = Saved::of(&position);
        for (left_hand, _) in counted_out(&position) {
            let other = with_position(&saved, &left_hand);
            for viewer in viewers(&position).filter(|&v| v != Viewer::Seat(owner(&position))) {
                assert_eq!(other.view(viewer), position.view(viewer));
                let sample = |of: &Position<OffTheRails>| {
                    Position::<OffTheRails>::determinize(&of.view(viewer), &mut Fast::new(4))
                };
                assert_eq!(sample(&other), sample(&position));
            }
        }
    }
}

/// The position whose notation this is, among those that differ in the split.
fn with_position(saved: &Saved, notation: &str) -> Position<OffTheRails> {
    let hand = notation.split(' ').nth(3).and_then(|field| field.split('=').nth(1));
    let letters = hand.expect("a left hand");
    let jewel = |letter| Jewel::ALL.into_iter().find(|jewel| jewel.letter() == letter);
    let left_hand = letters.chars().filter_map(jewel).collect();
    Saved { left_hand, ..saved.clone() }.restore().expect("half of the hold")
}
