//! Determinizations of OffTrack: drawn from what a view tells and from nothing else, every deal of
//! the unseen cards with equal chance.

mod deals;
mod spread;

use std::collections::BTreeMap;

use deals::{deals, shuffle};
use spread::{Distribution, SAMPLES, chi_square, critical_value};
use tablestate_rules::chance::{Chance, Enumerating, Fast};
use tablestate_rules::games::offtrack::{
    ActionCard, Card, OffTrack, Options, Saved, SavedLine, SavedSeat, Step,
};
use tablestate_rules::{Game, Position, Seat, SeatSet, Viewer};

/// A position of few unseen cards, and who looks at it.
struct Case {
    name: &'static str,
    saved: Saved,
    viewer: Viewer,
}

#[test]
fn samples_are_spread_as_the_full_enumeration_says() {
    for case in cases() {
        let expected = enumerated(&case);
        let view = restored(&case.saved).view(case.viewer);
        let mut chance = Fast::new(2);
        let mut seen = BTreeMap::new();
        for _ in 0..SAMPLES {
            let sample = Position::<OffTrack>::determinize(&view, &mut chance);
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
        let view = restored(&case.saved).view(case.viewer);
        let (mut chance, mut given) = (Enumerating::default(), Distribution::new());
        while chance.next_line() {
            let sample = Position::<OffTrack>::determinize(&view, &mut chance);
            *given.entry(sample.state().position()).or_default() += chance.probability();
        }
        assert_eq!(given.len(), expected.len(), "{}", case.name);
        for (position, probability) in &expected {
            let error = (given[position] - probability).abs();
            assert!(error < 1e-9, "{}: {position} is off by {error}", case.name);
        }
    }
}

/// The test above would be worth little if a wrong spread passed it.
#[test]
fn a_skewed_spread_is_found() {
    let case = &cases()[0];
    let expected = enumerated(case);
    let view = restored(&case.saved).view(case.viewer);
    let mut seen = BTreeMap::new();
    for seed in 0..SAMPLES {
        // The first draw prefers low cards a little.
        let mut chance = Skewed { source: Fast::new(seed.into()), draws: 0 };
        let sample = Position::<OffTrack>::determinize(&view, &mut chance);
        *seen.entry(sample.state().position()).or_insert(0) += 1;
    }
    assert!(chi_square(&expected, &seen) > critical_value(expected.len() - 1));
}

struct Skewed {
    source: Fast,
    draws: u32,
}

impl Chance for Skewed {
    fn draw(&mut self, n: u32) -> u32 {
        self.draws += 1;
        let value = self.source.draw(n);
        if self.draws == 1 && self.source.draw(10) == 0 { 0 } else { value }
    }
}

#[test]
fn a_sample_agrees_with_the_view_and_never_depends_on_the_truth() {
    let mut pairs = 0;
    for number in 0..60 {
        let mut chance = Fast::new(number);
        let mut position = Position::<OffTrack>::new(&options(number), &mut chance, &mut ())
            .expect("options are sound");
        while let Some(action) = position.draw_action(&mut chance) {
            for viewer in viewers(&position) {
                pairs += u32::from(check_sample(&position, viewer, &mut chance));
            }
            position.apply_unchecked(action, &mut chance, &mut ());
        }
    }
    assert!(pairs > 1_000, "only {pairs} pairs differ");
}

/// Whether there was another truth behind the same view to compare with.
fn check_sample(position: &Position<OffTrack>, viewer: Viewer, chance: &mut Fast) -> bool {
    let view = position.view(viewer);
    let seed = u64::from(chance.draw(u32::MAX));
    let sample = Position::<OffTrack>::determinize(&view, &mut Fast::new(seed));
    assert_eq!(sample.view(viewer), view);
    let other = restored(&redealt(Saved::of(position), viewer, chance));
    let again = Position::<OffTrack>::determinize(&other.view(viewer), &mut Fast::new(seed));
    assert_eq!(sample, again);
    let saved = Saved::of(&sample).restore();
    assert_eq!(saved.as_ref(), Ok(&sample), "a sample can be saved and loaded");
    other != *position
}

fn viewers(position: &Position<OffTrack>) -> impl Iterator<Item = Viewer> + use<> {
    let seats = SeatSet::first(position.state().seats()).iter().map(Viewer::Seat);
    seats.chain([Viewer::Spectator])
}

fn options(number: u64) -> Options {
    let number = number as u32;
    Options {
        seats: Some(2 + number % 3),
        decks: Some(1 + number % 2),
        every_turn: Some(number.is_multiple_of(5)),
        eras: Some(3),
        rounds: Some(1),
        ..Options::default()
    }
}

fn restored(saved: &Saved) -> Position<OffTrack> {
    saved.restore().expect("a sound position")
}

/// The same for the viewer, with other cards in all places that it does not see.
fn redealt(mut saved: Saved, viewer: Viewer, chance: &mut Fast) -> Saved {
    let hidden = Hidden::of(&saved, viewer);
    let mut cards = hidden.cards(&saved);
    let mut actions = hidden.actions(&saved);
    shuffle(&mut cards, chance);
    shuffle(&mut actions, chance);
    hidden.deal(&mut saved, &cards, &actions);
    saved
}

/// The places that a viewer does not see into ("Who sees what").
struct Hidden {
    hands: Vec<usize>,
    holders: Vec<usize>,
    is_drawn: bool,
}

impl Hidden {
    fn of(saved: &Saved, viewer: Viewer) -> Self {
        let own = |seat: usize| Seat::new(seat).map(Viewer::Seat) == Some(viewer);
        let others = (0..saved.seats.len()).filter(|&seat| !own(seat));
        let holds = |&seat: &usize| saved.seats[seat].held.is_some();
        Self {
            hands: others.clone().collect(),
            holders: others.filter(holds).collect(),
            is_drawn: saved.drawn.is_some() && !own(saved.turn_of as usize),
        }
    }

    /// The cards in hidden hands, then those of the deck.
    fn cards(&self, saved: &Saved) -> Vec<Card> {
        let hands = self.hands.iter().flat_map(|&seat| saved.seats[seat].hand.clone());
        hands.chain(saved.deck.clone()).collect()
    }

    /// The hidden held actions, the hidden drawn one, then those of the deck.
    fn actions(&self, saved: &Saved) -> Vec<ActionCard> {
        let held = self.holders.iter().filter_map(|&seat| saved.seats[seat].held);
        let drawn = saved.drawn.filter(|_| self.is_drawn);
        held.chain(drawn).chain(saved.action_deck.clone()).collect()
    }

    fn deal(&self, saved: &mut Saved, cards: &[Card], actions: &[ActionCard]) {
        let (mut cards, mut actions) = (cards.to_vec(), actions.to_vec());
        for &seat in &self.hands {
            let hand = &mut saved.seats[seat].hand;
            *hand = cards.drain(..hand.len()).collect();
        }
        saved.deck = cards;
        for &seat in &self.holders {
            saved.seats[seat].held = Some(actions.remove(0));
        }
        if self.is_drawn {
            saved.drawn = Some(actions.remove(0));
        }
        saved.action_deck = actions;
    }
}

/// Every order of the unseen cards, dealt to the places that the viewer does not see.
fn enumerated(case: &Case) -> Distribution {
    let hidden = Hidden::of(&case.saved, case.viewer);
    let hand_sizes = hidden.hands.iter().map(|&seat| case.saved.seats[seat].hand.len());
    let single = hidden.holders.len() + usize::from(hidden.is_drawn);
    let card_deals = deals(&hidden.cards(&case.saved), &hand_sizes.collect::<Vec<_>>());
    let action_deals = deals(&hidden.actions(&case.saved), &vec![1; single]);
    let mut distribution = Distribution::new();
    for (cards, of_cards) in &card_deals {
        for (actions, of_actions) in &action_deals {
            let mut saved = case.saved.clone();
            hidden.deal(&mut saved, cards, actions);
            let position = restored(&saved).state().position();
            *distribution.entry(position).or_default() += of_cards * of_actions;
        }
    }
    distribution
}

fn cases() -> [Case; 4] {
    [
        Case {
            name: "a hand of three and a held action of the other seat",
            saved: position(&[2, 3], 1, 3, Step::Main, 0),
            viewer: seat(0),
        },
        Case {
            name: "two decks, three seats, two hands that a third seat does not see",
            saved: position(&[2, 1, 2], 2, 3, Step::Main, 1),
            viewer: seat(1),
        },
        Case {
            name: "another seat looks at an action, and the viewer holds one",
            saved: position(&[1, 2], 1, 2, Step::Drawn, 0),
            viewer: seat(1),
        },
        Case {
            name: "a spectator sees no hand and no drawn action",
            saved: position(&[2, 2], 2, 2, Step::Drawn, 0),
            viewer: Viewer::Spectator,
        },
    ]
}

fn seat(number: usize) -> Viewer {
    Viewer::Seat(Seat::new(number).expect("a seat"))
}

/// A position with hands of these sizes and this many cards in the deck; all else is boxed. The
/// last seat holds an action, of which there is another; two lie in the action deck.
fn position(hands: &[usize], decks: u32, deck: usize, step: Step, turn_of: u32) -> Saved {
    let options = Options {
        seats: Some(hands.len() as u32),
        decks: Some(decks),
        eras: Some(3),
        action_copies: Some(2),
        rounds: Some(1),
        ..Options::default()
    };
    // The two copies of a type follow each other, so that some go to different places.
    let kinds = (0..27).flat_map(|kind| std::iter::repeat_n(kind, decks as usize));
    let mut cards: Vec<Card> = kinds.filter_map(Card::new).collect();
    let mut actions: Vec<ActionCard> =
        ActionCard::ALL.into_iter().flat_map(|action| [action, action]).collect();
    let mut seats: Vec<SavedSeat> =
        hands.iter().map(|&size| saved_seat(cards.drain(..size).collect())).collect();
    if let Some(last) = seats.last_mut() {
        last.held = Some(actions.remove(0));
    }
    let drawn = (step == Step::Drawn).then(|| actions.remove(0));
    let deck = cards.drain(..deck).collect();
    let prime = cards.drain(..4).collect();
    Saved {
        options,
        round: 1,
        turn_of,
        step,
        lines: vec![SavedLine { cards: prime, ..SavedLine::default() }],
        seats,
        boxed: cards,
        deck,
        discard: Vec::new(),
        action_deck: actions.drain(..2).collect(),
        action_discard: actions,
        drawn,
        collapsed: false,
        called: false,
    }
}

fn saved_seat(hand: Vec<Card>) -> SavedSeat {
    SavedSeat { hand, pile: Vec::new(), held: None, cycled: false, round_scores: Vec::new() }
}
