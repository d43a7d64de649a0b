//! What a viewer was shown can be read back, and what it was not shown cannot.

use prost::Message;
use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::{AnyOptions, AnyPosition, Game, LegalSet, Position, Seat, Viewer};
use tablestate_wire::{self as wire, Refusal, WireGame};

use crate::battery::{Subject, choose};

/// Damaged views for each that is sound.
const DAMAGES: u32 = 6;

/// Plays games; at every ply each viewer's view is read back, whole and damaged.
pub(crate) fn check_reading<S: Subject>(games: u64) {
    let mut taken = 0;
    for number in 0..games {
        let options = completed::<S::Game>(&S::options(number));
        let mut chance = Fast::new(number);
        let mut position =
            Position::<S::Game>::new(&S::options(number), &mut chance, &mut ()).expect("sound");
        check_viewers::<S>(&options, &position);
        while position.state().actor().is_some() {
            let action = choose::<S>(&position, number % 2 == 0, &mut chance);
            position.apply_unchecked(action, &mut chance, &mut ());
            check_viewers::<S>(&options, &position);
            taken += check_damages::<S>(&options, &position, &mut chance);
        }
    }
    assert!(taken > 0, "no damaged view could be");
}

fn completed<G: WireGame>(options: &G::Options) -> AnyOptions {
    wire::complete(&G::write_options(options).encode_to_vec()).expect("sound options")
}

fn viewers<G: Game>(position: &Position<G>) -> impl Iterator<Item = Viewer> + use<G> {
    let seats = (0..position.state().seats()).filter_map(Seat::new).map(Viewer::Seat);
    seats.chain([Viewer::Spectator])
}

/// Where nothing is hidden, what a spectator was shown is the whole state.
fn check_open<S: Subject>(options: &AnyOptions, position: &Position<S::Game>) {
    if position.hides_nothing() {
        let view = S::Game::write_view(&position.view(Viewer::Spectator)).encode_to_vec();
        let read = S::known(wire::load_view(options, Viewer::Spectator, &view).expect("shown"));
        assert_eq!(read.state(), position.state());
    }
}

fn check_viewers<S: Subject>(options: &AnyOptions, position: &Position<S::Game>) {
    check_open::<S>(options, position);
    for viewer in viewers(position) {
        let view = S::Game::write_view(&position.view(viewer)).encode_to_vec();
        let read = wire::load_view(options, viewer, &view).expect("what was shown can be read");
        let read = S::known(read);
        assert_eq!(S::Game::write_view(&read.view(viewer)).encode_to_vec(), view);
        assert_eq!(imagined(&read, viewer), imagined(position, viewer));
        assert_eq!(read.state().actor(), position.state().actor());
        if position.state().actor().map(Viewer::Seat) == Some(viewer) {
            assert_eq!(legal(read.state()), legal(position.state()));
        }
    }
}

/// What is imagined with the same chance. The history of Offboard is not in its view.
fn imagined<G: Game>(position: &Position<G>, viewer: Viewer) -> G {
    Position::<G>::determinize(&position.view(viewer), &mut Fast::new(1)).state().clone()
}

fn legal<G: Game>(state: &G) -> Vec<usize> {
    let mut indices = Vec::new();
    state.legal().for_each(|action| indices.push(state.index(action)));
    indices
}

/// A damaged view is refused, or is one that could have been shown. Returns how many could.
fn check_damages<S: Subject>(
    options: &AnyOptions,
    position: &Position<S::Game>,
    chance: &mut Fast,
) -> u32 {
    let viewer = position.state().actor().map_or(Viewer::Spectator, Viewer::Seat);
    let view = S::Game::write_view(&position.view(viewer)).encode_to_vec();
    let mut taken = 0;
    for _ in 0..DAMAGES {
        let mut damaged = view.clone();
        damage(&mut damaged, chance);
        match wire::load_view(options, viewer, &damaged) {
            Ok(read) => {
                check_damaged(&read, viewer, &damaged);
                taken += u32::from(damaged != view);
            }
            Err(Refusal::Malformed) => {}
            Err(Refusal::Invalid(faults)) => {
                assert!(faults.iter().count() > 0);
                assert!(faults.iter().all(|fault| fault.field.starts_with("view.")), "{faults}");
            }
            Err(other) => panic!("{other:?}"),
        }
    }
    taken
}

fn damage(bytes: &mut Vec<u8>, chance: &mut Fast) {
    let place = chance.draw(bytes.len() as u32) as usize;
    match chance.draw(8) {
        0 => bytes.truncate(place),
        1 => drop(bytes.remove(place)),
        2 => bytes.insert(place, chance.draw(256) as u8),
        3 => bytes[place] = chance.draw(256) as u8,
        4 => bytes[place] = 0xFF,
        5 => bytes[place] = bytes[place].wrapping_add(1),
        6 => bytes[place] = bytes[place].wrapping_sub(1),
        _ => {
            let other = chance.draw(bytes.len() as u32) as usize;
            bytes.swap(place, other);
        }
    }
}

/// The position shows what the damaged bytes say.
fn check_damaged(read: &AnyPosition, viewer: Viewer, damaged: &[u8]) {
    let said = wire::v1::GameView::decode(damaged).expect("it was read");
    assert_eq!(wire::view(read, viewer), said);
    wire::save(read);
    wire::legal_actions(read);
}

#[test]
fn a_view_of_another_game_or_viewer_is_refused() {
    let options = |game| wire::v1::GameOptions { game: Some(game) }.encode_to_vec();
    let offboard = options(wire::v1::game_options::Game::Offboard(Default::default()));
    let offtrack = options(wire::v1::game_options::Game::Offtrack(Default::default()));
    let [offboard, offtrack] =
        [offboard, offtrack].map(|options| wire::complete(&options).expect("defaults"));
    let position = wire::start(&offtrack, Fast::new(1)).expect("defaults").position;
    let seat = |number| Viewer::Seat(Seat::new(number).expect("a seat"));
    let view = wire::view(&position, seat(0)).encode_to_vec();
    let refusal = |options, viewer, view: &[u8]| match wire::load_view(options, viewer, view) {
        Err(Refusal::Invalid(faults)) => faults.iter().next().expect("a fault").clone(),
        other => panic!("{other:?}"),
    };
    assert!(wire::load_view(&offtrack, seat(0), &view).is_ok());
    assert_eq!(refusal(&offboard, seat(0), &view).field, "view.game");
    assert_eq!(refusal(&offtrack, seat(2), &view).field, "seat");
    assert_eq!(refusal(&offtrack, Viewer::Spectator, &view).field, "view.offtrack.hand");
    assert_eq!(refusal(&offtrack, seat(0), &vec![0; 70_000]).field, "view");
}
