//! Determinizations of Eternitium: nobody sees a face-down Era, not even its owner; of other seats'
//! cards it is known how many of each class they are, and the starter cards that lie nowhere open.

mod deals;
mod spread;

use std::collections::BTreeMap;

use deals::{deals, shuffle};
use spread::{Distribution, SAMPLES, chi_square, critical_value};
use tablestate_rules::chance::{Enumerating, Fast};
use tablestate_rules::games::eternitium::{
    Card, Eternitium, Options, Saved, SavedDeck, SavedSeat, SavedStack, Step, Symbol, Type,
};
use tablestate_rules::{Game, Position, Seat, SeatSet, Viewer};

/// A position of few unseen cards, and who looks at it.
struct Case {
    name: &'static str,
    saved: Saved,
    viewer: Option<usize>,
}

#[test]
fn samples_are_spread_as_the_full_enumeration_says() {
    for case in cases() {
        let expected = enumerated(&case);
        let view = restored(&case.saved).view(viewer(case.viewer));
        let (mut chance, mut seen) = (Fast::new(2), BTreeMap::new());
        for _ in 0..SAMPLES {
            let sample = Position::<Eternitium>::determinize(&view, &mut chance);
            *seen.entry(sample.state().position()).or_insert(0) += 1;
        }
        assert!(seen.keys().all(|position| expected.contains_key(position)), "{}", case.name);
        let statistic = chi_square(&expected, &seen);
        let limit = critical_value(expected.len() - 1);
        println!("{}: {} deals, {statistic:.1} of {limit:.1}", case.name, expected.len());
        assert!(statistic < limit, "{}: {statistic} is not below {limit}", case.name);
    }
}

#[test]
fn the_lines_of_chance_give_exactly_the_full_enumeration() {
    for case in cases() {
        let expected = enumerated(&case);
        let view = restored(&case.saved).view(viewer(case.viewer));
        let (mut chance, mut given) = (Enumerating::default(), Distribution::new());
        while chance.next_line() {
            let sample = Position::<Eternitium>::determinize(&view, &mut chance);
            *given.entry(sample.state().position()).or_default() += chance.probability();
        }
        assert_eq!(given.len(), expected.len(), "{}", case.name);
        for (position, probability) in &expected {
            let error = (given[position] - probability).abs();
            assert!(error < 1e-9, "{}: {position} is off by {error}", case.name);
        }
    }
}

#[test]
fn a_sample_agrees_with_the_view_and_never_depends_on_the_truth() {
    let mut pairs = 0;
    for number in 0..40 {
        let mut chance = Fast::new(number.into());
        let options = Options {
            seats: Some(2 + number % 4),
            eras_per_seat: Some(4),
            max_rounds: Some(6),
            ..Options::default()
        };
        let mut position =
            Position::<Eternitium>::new(&options, &mut chance, &mut ()).expect("options are sound");
        while let Some(action) = position.draw_action(&mut chance) {
            for seat in [None, Some(0), Some(1)] {
                pairs += u32::from(check_sample(&position, seat, &mut chance));
            }
            position.apply_unchecked(action, &mut chance, &mut ());
        }
    }
    assert!(pairs > 1_000, "only {pairs} pairs differ");
}

/// Whether there was another truth behind the same view to compare with.
fn check_sample(position: &Position<Eternitium>, seat: Option<usize>, chance: &mut Fast) -> bool {
    let view = position.view(viewer(seat));
    let sample = Position::<Eternitium>::determinize(&view, &mut Fast::new(7));
    assert_eq!(sample.view(viewer(seat)), view);
    let saved = Saved::of(&sample).restore();
    assert_eq!(saved.as_ref(), Ok(&sample), "a sample can be saved and loaded");
    let other = restored(&restacked(Saved::of(position), seat, chance));
    let again = Position::<Eternitium>::determinize(&other.view(viewer(seat)), &mut Fast::new(7));
    assert_eq!(sample, again);
    other != *position
}

/// The same for the viewer, with other Eras in the pile and face down, hands and decks mixed.
fn restacked(mut saved: Saved, seat: Option<usize>, chance: &mut Fast) -> Saved {
    let mut eras: Vec<Symbol> = listed(&saved.pile);
    saved.seats.iter().for_each(|seat| eras.extend(listed(&seat.stack.shuffled)));
    shuffle(&mut eras, chance);
    saved.pile = counted(&eras.split_off(eras.len() - saved.pile.iter().sum::<u32>() as usize));
    for (number, other) in saved.seats.iter_mut().enumerate() {
        let size = other.stack.shuffled.iter().sum::<u32>() as usize;
        other.stack.shuffled = counted(&eras.split_off(eras.len() - size));
        if seat != Some(number) {
            let mut cards = [other.hand.clone(), other.deck.clone()].concat();
            shuffle(&mut cards, chance);
            other.deck = cards.split_off(other.hand.len());
            other.hand = cards;
            other.deck.sort_unstable();
            other.hand.sort_unstable();
        }
    }
    saved
}

fn listed(counts: &[u32]) -> Vec<Symbol> {
    let eras = Symbol::ALL.into_iter().zip(counts);
    eras.flat_map(|(era, &count)| std::iter::repeat_n(era, count as usize)).collect()
}

fn counted(eras: &[Symbol]) -> Vec<u32> {
    let count = |symbol| eras.iter().filter(|&&era| era == symbol).count() as u32;
    Symbol::ALL.map(count).to_vec()
}

fn viewer(seat: Option<usize>) -> Viewer {
    seat.map_or(Viewer::Spectator, |seat| Viewer::Seat(Seat::new(seat).expect("a seat")))
}

fn restored(saved: &Saved) -> Position<Eternitium> {
    saved.restore().expect("a sound position")
}

/// A way to fill the hidden places, and how likely it is.
type Ways = Vec<(Saved, f64)>;

/// Every deal of the unseen Eras, and of the unseen cards of each class, to the hidden places.
fn enumerated(case: &Case) -> Distribution {
    let mut ways: Ways = vec![(case.saved.clone(), 1.0)];
    ways = spread(ways, |saved| deal_eras(saved, case.viewer));
    for class in [None, Some(Type::Basic), Some(Type::Advanced)] {
        ways = spread(ways, |saved| deal_class(saved, case.viewer, class));
    }
    let others = (0..case.saved.seats.len()).filter(|&seat| Some(seat) != case.viewer);
    for seat in others {
        ways = spread(ways, |saved| split_hand(saved, seat));
    }
    let mut distribution = Distribution::new();
    for (saved, probability) in ways {
        let position = restored(&saved).state().position();
        *distribution.entry(position).or_default() += probability;
    }
    distribution
}

fn spread(ways: Ways, split: impl Fn(&Saved) -> Ways) -> Ways {
    let further = |(saved, before): (Saved, f64)| {
        split(&saved).into_iter().map(move |(saved, probability)| (saved, before * probability))
    };
    ways.into_iter().flat_map(further).collect()
}

/// Stacks that a Scanner looks into are not among the cases of other viewers.
fn deal_eras(saved: &Saved, _viewer: Option<usize>) -> Ways {
    let hidden = |seat: &SavedSeat| seat.stack.shuffled.iter().sum::<u32>() as usize;
    let sizes: Vec<usize> = saved.seats.iter().map(hidden).collect();
    let piles = saved.seats.iter().map(|seat| &seat.stack.shuffled).chain([&saved.pile]);
    let eras: Vec<Symbol> = piles.flat_map(|pile| listed(pile)).collect();
    let filled = |(order, probability): (Vec<Symbol>, f64)| {
        let (mut saved, mut rest) = (saved.clone(), &order[..]);
        for (seat, &size) in saved.seats.iter_mut().zip(&sizes) {
            let (here, behind) = rest.split_at(size);
            seat.stack.shuffled = counted(here);
            rest = behind;
        }
        saved.pile = counted(rest);
        (saved, probability)
    };
    deals(&eras, &sizes).into_iter().map(filled).collect()
}

/// Hands and decks of other seats are filled together, hidden starter cards staying where they
/// are; all goes to the deck first, and hands are split off later.
fn deal_class(saved: &Saved, viewer: Option<usize>, class: Option<Type>) -> Ways {
    let is_open = |seat: usize, card: Card| {
        let SavedSeat { discard, removed, .. } = &saved.seats[seat];
        discard.contains(&card) || removed.contains(&card)
    };
    let others: Vec<usize> = (0..saved.seats.len()).filter(|&s| Some(s) != viewer).collect();
    let (mut sizes, mut unseen, mut known) = (Vec::new(), Vec::new(), Vec::new());
    for &seat in &others {
        let SavedSeat { hand, deck, .. } = &saved.seats[seat];
        let mut mine: Vec<Card> = hand.iter().chain(deck).copied().collect();
        mine.retain(|card| card.type_of() == class);
        let mut kept = Vec::new();
        for card in Card::all().filter(|card| card.number() <= 4 && card.type_of() == class) {
            if !is_open(seat, card) {
                let place = mine.iter().position(|&other| other == card).expect("a starter card");
                kept.push(mine.remove(place));
            }
        }
        sizes.push(mine.len());
        unseen.extend(mine);
        known.push(kept);
    }
    let deck = class.map(|of| saved.decks[of as usize].shuffled.clone()).unwrap_or_default();
    unseen.extend(&deck);
    let fits = |order: &[Card]| {
        let rest = &order[order.len() - deck.len()..];
        let row = class.map(|of| &saved.rows[of as usize]);
        row.is_none_or(|row| !row.contains(&None) || rest.iter().all(|&c| row.contains(&Some(c))))
    };
    let possible: Vec<_> =
        deals(&unseen, &sizes).into_iter().filter(|(order, _)| fits(order)).collect();
    let total: f64 = possible.iter().map(|(_, probability)| probability).sum();
    let filled = |(order, probability): (Vec<Card>, f64)| {
        let (mut saved, mut rest) = (saved.clone(), &order[..]);
        for ((&seat, &size), kept) in others.iter().zip(&sizes).zip(&known) {
            let (here, behind) = rest.split_at(size);
            let SavedSeat { hand, deck, .. } = &mut saved.seats[seat];
            let places = hand.iter_mut().chain(deck).filter(|card| card.type_of() == class);
            places.zip(here.iter().chain(kept)).for_each(|(place, &card)| *place = card);
            rest = behind;
        }
        if let Some(of) = class {
            saved.decks[of as usize].shuffled = rest.to_vec();
        }
        (saved, probability / total)
    };
    possible.into_iter().map(filled).collect()
}

/// Each hand out of a seat's hidden cards is equally likely.
fn split_hand(saved: &Saved, seat: usize) -> Ways {
    let SavedSeat { hand, deck, .. } = &saved.seats[seat];
    let size = hand.len();
    let cards = [hand.clone(), deck.clone()].concat();
    let filled = |(mut order, probability): (Vec<Card>, f64)| {
        let mut saved = saved.clone();
        saved.seats[seat].deck = order.split_off(size);
        saved.seats[seat].hand = order;
        (saved, probability)
    };
    deals(&cards, &[size]).into_iter().map(filled).collect()
}

fn cases() -> [Case; 4] {
    let mut looking = position(&["cstdD|VR", "cstD|dR"], "cs", "VR-", "VVVRRR");
    looking.step = Step::PutOnTop;
    (looking.played, looking.play_area) = (true, cards("N"));
    let stack = &mut looking.seats[0].stack;
    (stack.above, stack.shuffled) = (vec![Symbol::Circle, Symbol::Square], vec![0, 0, 1, 0]);
    fill(&mut looking);
    let mut open = position(&["cstdD|R", "cCD|Vs"], "cs", "VR-", "VVVRRRC");
    open.seats[1].discard = cards("std");
    fill(&mut open);
    [
        Case {
            name: "the other seat's hand, and face-down Eras of both, by an owner of one",
            saved: position(&["cstdD|V", "cstD|dR"], "css", "VRC", "VVVRRRCC"),
            viewer: Some(0),
        },
        Case { name: "a row with a gap tells of the deck", saved: open, viewer: Some(0) },
        Case {
            name: "what a Scanner shows is known to its owner",
            saved: looking,
            viewer: Some(0),
        },
        Case {
            name: "a spectator sees no hand",
            saved: position(&["c|stdDV", "|cstdDR"], "", "VRC", "VVRRC"),
            viewer: None,
        },
    ]
}

/// Cards by their letters in notation, sorted.
fn cards(text: &str) -> Vec<Card> {
    let card = |letter| "cstdDPQVCXROLNMGWE".find(letter).and_then(Card::new);
    let mut cards: Vec<Card> = text.chars().filter_map(card).collect();
    cards.sort_unstable();
    cards
}

/// Seats with `hand|deck`, two face-down Eras each and these in the pile, seat 0 at its play step.
/// All other Eras have left the game, all other Portals lie in the supply.
///
/// The match is played with these Basics and one Scanner.
fn position(seats: &[&str], pile: &str, row: &str, basics: &str) -> Saved {
    let all = cards(&format!("{basics}N"));
    let number = |card: Card| all.iter().filter(|&&other| other == card).count() as u32;
    let copies = Card::all().filter(|card| card.is_for_sale()).map(|card| (card, number(card)));
    let options = Options {
        seats: Some(seats.len() as u32),
        technology_copies: copies.collect(),
        ..Options::default()
    };
    let start = Position::<Eternitium>::new(&options, &mut Fast::new(0), &mut ());
    let mut saved = Saved::of(&start.expect("sound options"));
    saved.step = Step::Play;
    for (seat, text) in saved.seats.iter_mut().zip(seats) {
        let (hand, deck) = text.split_once('|').expect("hand and deck");
        (seat.hand, seat.deck) = (cards(hand), cards(deck));
        let shuffled = vec![1, 1, 0, 0];
        seat.stack = SavedStack { shuffled, ..SavedStack::default() };
    }
    saved.visible = vec![Some(Symbol::Triangle), Some(Symbol::Diamond)];
    let symbols = |text: &str| -> Vec<Symbol> {
        cards(text).iter().map(|card| Symbol::ALL[card.number()]).collect()
    };
    saved.pile = counted(&symbols(pile));
    let place = |letter: char| cards(&letter.to_string()).first().copied();
    saved.rows[0] = row.chars().map(place).collect();
    fill(&mut saved);
    saved
}

/// Puts everything that is nowhere else where it does no harm.
fn fill(saved: &mut Saved) {
    let of_seats = saved.seats.iter().flat_map(|seat| {
        [&seat.hand, &seat.deck, &seat.discard, &seat.removed].into_iter().flatten()
    });
    let placed: Vec<Card> = of_seats.chain(&saved.play_area).copied().collect();
    let count = |card: Card| placed.iter().filter(|&&other| other == card).count() as u32;
    let portals = 3 * saved.seats.len() as u32;
    saved.supply = (0..4).filter_map(Card::new).map(|card| portals - count(card)).collect();
    saved.rows[1] = vec![None; 3];
    let mut decks = [SavedDeck::default(), SavedDeck::default()];
    for &(card, copies) in &saved.options.technology_copies {
        let of = card.type_of().expect("a technology") as usize;
        let in_row = saved.rows[of].iter().filter(|&&other| other == Some(card)).count() as u32;
        decks[of].shuffled.extend(vec![card; (copies - count(card) - in_row) as usize]);
    }
    // An Advanced that is left over lies in the row.
    saved.rows[1][0] = decks[1].shuffled.pop();
    saved.decks = decks;
    for symbol in 0..4 {
        let stacks: u32 = saved
            .seats
            .iter()
            .map(|seat| {
                let above = seat.stack.above.iter().filter(|&&era| era as usize == symbol).count();
                seat.stack.shuffled[symbol] + above as u32
            })
            .sum();
        let visible = saved.visible.iter().flatten().filter(|&&era| era as usize == symbol).count();
        saved.gone[symbol] = 15 - stacks - visible as u32 - saved.pile[symbol];
    }
}

#[test]
fn seats_are_those_of_the_table() {
    for case in cases() {
        let position = restored(&case.saved);
        assert_eq!(position.state().actor(), SeatSet::first(2).iter().next(), "{}", case.name);
    }
}
