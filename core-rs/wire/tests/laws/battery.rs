//! One battery for all games. A game brings its starts, a bias and its own conservation law.

use std::collections::HashMap;
use std::fmt::Debug;

use prost::Message;
use tablestate_rules::chance::{Chance, Fast, Recording, Scripted};
use tablestate_rules::{AnyPosition, Game, LIST_MARGIN, LegalSet, Position, Seat, SeatSet, Viewer};
use tablestate_wire::{self as wire, WireGame, v1};

/// What a game brings to the battery.
pub(crate) trait Subject {
    type Game: WireGame;

    /// Options of many kinds of games; `number` says which.
    fn options(number: u64) -> <Self::Game as Game>::Options;

    /// How likely an action is taken in biased play; uniform play hardly reaches rare rules.
    fn weight(state: &Self::Game, action: <Self::Game as Game>::Action) -> u32;

    /// What stays the same, or only ever grows or shrinks, from state to state.
    fn conserved(before: &Self::Game, after: &Self::Game);

    /// A number of plies by which every game is over.
    const LONGEST: usize;

    /// The position inside one of any game.
    fn known(any: AnyPosition) -> Position<Self::Game>;
}

/// Plays games and checks every law at every ply.
pub(crate) fn check_laws<S: Subject>(games: u64) {
    for number in 0..games {
        let mut chance = Fast::new(number);
        let options = S::options(number);
        let position =
            Position::<S::Game>::new(&options, &mut chance, &mut ()).expect("options are sound");
        check_bound(&position);
        check_laws_from::<S>(position, number % 2 == 0, &mut chance);
    }
}

/// Plays a game from a position to its end and checks every law at every ply.
pub(crate) fn check_laws_from<S: Subject>(
    mut position: Position<S::Game>,
    biased: bool,
    chance: &mut Fast,
) {
    let mut twin = position.clone();
    let mut plies = 0;
    while position.state().actor().is_some() {
        assert!(plies < S::LONGEST, "a game does not end");
        check_position::<S>(&position);
        let action = choose::<S>(&position, biased, chance);
        let before = position.clone();
        let (events, draws) = apply_recorded(&mut position, action, chance);
        check_replay::<S>(&mut twin, action, &draws, &events, &position);
        S::conserved(before.state(), position.state());
        plies += 1;
    }
    check_end::<S>(&position);
}

/// The twin is loaded from what was saved before every ply, and still walks along.
fn check_replay<S: Subject>(
    twin: &mut Position<S::Game>,
    action: <S::Game as Game>::Action,
    draws: &[u32],
    events: &[<S::Game as Game>::Event],
    expected: &Position<S::Game>,
) {
    let bytes = wire::save(&S::Game::any(twin.clone())).encode_to_vec();
    *twin = S::known(wire::load(&bytes).expect("what was saved can be loaded"));
    let mut chance = Scripted::new(draws);
    let mut again = Vec::new();
    twin.apply(action, &mut chance, &mut again).expect("a legal action");
    assert!(chance.is_spent());
    assert_eq!((&*twin, &again[..]), (expected, events));
    assert_eq!(twin.state().hash(), expected.state().hash());
}

fn apply_recorded<G: Game>(
    position: &mut Position<G>,
    action: G::Action,
    chance: &mut Fast,
) -> (Vec<G::Event>, Vec<u32>) {
    let (mut recording, mut events) = (Recording::new(chance), Vec::new());
    position.apply(action, &mut recording, &mut events).expect("a legal action");
    (events, recording.into_draws().0)
}

/// An action at random, in biased play by weight.
pub(crate) fn choose<S: Subject>(
    position: &Position<S::Game>,
    biased: bool,
    chance: &mut Fast,
) -> <S::Game as Game>::Action {
    let legal = position.state().legal();
    if !biased {
        return legal.nth(chance.draw(legal.count() as u32) as usize);
    }
    let mut weighted = Vec::new();
    legal.for_each(|action| weighted.push((action, S::weight(position.state(), action))));
    let total = weighted.iter().map(|(_, weight)| weight).sum();
    let mut place = chance.draw(total);
    for (action, weight) in weighted {
        match place.checked_sub(weight) {
            Some(rest) => place = rest,
            None => return action,
        }
    }
    unreachable!("a place lies below the sum of the weights")
}

fn check_position<S: Subject>(position: &Position<S::Game>) {
    check_legality(position);
    check_names(position.state());
    check_saving::<S>(position);
    check_views(position);
}

/// Legal = checkable = listed = in the mask; what is not legal leaves all untouched.
fn check_legality<G: WireGame>(position: &Position<G>) {
    let state = position.state();
    let legal = state.legal();
    let mut listed = Vec::new();
    legal.for_each(|action| listed.push(state.index(action)));
    assert!(listed.is_sorted_by(|a, b| a < b), "the index is the order of the list");
    assert_eq!(listed.len(), legal.count());
    assert!(!listed.is_empty(), "the actor can always decide");
    for (rank, &index) in listed.iter().enumerate() {
        assert_eq!(state.index(legal.nth(rank)), index);
    }
    let mut indices = vec![0; state.most_legal() + LIST_MARGIN];
    let length = legal.write_indices(&mut indices);
    assert!(indices[..length].iter().map(|&index| usize::from(index)).eq(listed.iter().copied()));
    let mut mask = vec![0; state.actions().div_ceil(8)];
    legal.write_mask(&mut mask);
    for index in 0..mask.len() * 8 {
        let in_mask = mask[index / 8] >> (index % 8) & 1 == 1;
        assert_eq!(in_mask, listed.binary_search(&index).is_ok(), "index {index}");
        let Some(action) = state.action_at(index) else {
            assert!(!in_mask);
            continue;
        };
        assert_eq!(state.check(action).is_ok(), in_mask, "{action:?}");
        if !in_mask {
            let mut untouched = position.clone();
            untouched.apply(action, &mut Fast::new(0), &mut ()).expect_err("illegal");
            assert_eq!(&untouched, position);
        }
    }
}

/// An index that is too high is refused with the number of indices.
fn check_bound<G: WireGame>(position: &Position<G>) {
    let actions = position.state().actions();
    let index = u32::try_from(actions).expect("indices are small");
    let choice = v1::ActionChoice { choice: Some(v1::action_choice::Choice::Index(index)) };
    let refused = wire::check(&G::any(position.clone()), &choice.encode_to_vec());
    let Err(wire::Refusal::Invalid(faults)) = refused else { panic!("index {index} is taken") };
    assert!(format!("{faults:?}").contains(&format!("below {actions} ")), "{faults:?}");
}

/// Index, message and notation name the same action.
fn check_names<G: WireGame>(state: &G) {
    let mut seen = HashMap::new();
    state.legal().for_each(|action| {
        let (index, notation) = (state.index(action), state.notation(action));
        assert_eq!(state.action_at(index), Some(action));
        assert_eq!(state.parse(&notation), Ok(action));
        let message = state.write_action(action);
        let bytes = message.encode_to_vec();
        let decoded = v1::GameAction::decode(&bytes[..]).expect("a message");
        assert_eq!(state.read_action(&decoded), Ok(action));
        assert_eq!(seen.insert(notation, index), None, "a notation names one action");
    });
}

/// What is saved and loaded is the same position, and saves to the same bytes.
fn check_saving<S: Subject>(position: &Position<S::Game>) {
    let bytes = wire::save(&S::Game::any(position.clone())).encode_to_vec();
    let loaded = wire::load(&bytes).expect("what was saved can be loaded");
    assert_eq!(wire::save(&loaded).encode_to_vec(), bytes);
    assert_eq!(&S::known(loaded), position);
}

/// A position drawn from a view gives the same view, legal actions and actor.
fn check_views<G: WireGame>(position: &Position<G>) {
    let seats = (0..position.state().seats()).filter_map(Seat::new).map(Viewer::Seat);
    for viewer in seats.chain([Viewer::Spectator]) {
        let view = position.view(viewer);
        let imagined = Position::<G>::determinize(&view, &mut Fast::new(1));
        assert_eq!(imagined.view(viewer), position.view(viewer));
        assert_eq!(imagined.state().actor(), position.state().actor());
        let mut observation = vec![0; position.state().observation_bytes()];
        G::observe(&view, viewer, &mut observation);
        if viewer == position.state().actor().map_or(Viewer::Spectator, Viewer::Seat) {
            same_legal(imagined.state(), position.state());
        }
    }
}

fn same_legal<G: Game>(one: &G, other: &G) {
    let indices = |state: &G| {
        let mut list = Vec::new();
        state.legal().for_each(|action| list.push(state.index(action)));
        list
    };
    assert_eq!(indices(one), indices(other));
}

fn check_end<S: Subject>(position: &Position<S::Game>) {
    let state = position.state();
    let outcome = position.outcome(SeatSet::EMPTY).expect("a game without an actor is over");
    assert_eq!(outcome.scores.len(), state.seats());
    assert_close(outcome.shares().iter().sum(), 1.0);
    assert_close(outcome.returns().iter().sum(), 0.0);
    assert_eq!(state.legal().count(), 0);
    assert_eq!(state.default_action(), None);
    check_saving::<S>(position);
}

fn assert_close(value: f64, expected: f64) {
    assert!((value - expected).abs() < 1e-9, "{value} is not {expected}");
}

/// Games in which every decision is the default action end as well.
pub(crate) fn check_default_play<S: Subject>(games: u64) {
    for number in 0..games {
        let mut chance = Fast::new(number);
        let mut position =
            Position::<S::Game>::new(&S::options(number), &mut chance, &mut ()).expect("sound");
        for ply in 0.. {
            assert!(ply < S::LONGEST, "game {number} does not end");
            let Some(action) = position.state().default_action() else { break };
            position.apply(action, &mut chance, &mut ()).expect("the default action is legal");
        }
    }
}

/// Two routes to one position end in equal hashes.
pub(crate) fn same_hash<G: Game + Debug>(one: &Position<G>, other: &Position<G>) {
    assert_eq!(one.state().position(), other.state().position());
    assert_eq!(one.state().hash(), other.state().hash());
}
