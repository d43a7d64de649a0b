//! What is fuzzed: every function of the core that reads bytes from outside. Each may refuse
//! them; none may panic, take for ever, or accept what it cannot write down again.

mod batches;
mod play;

use tablestate_rules::chance::Fast;
use tablestate_rules::{AnyOptions, AnyPosition, Seat, Viewer};
use tablestate_wire::{self as wire, Message, Refusal, v1};

pub use batches::batches;
use play::{games, go_on};

/// Bytes of [`GameOptions`](v1::GameOptions).
pub fn options(data: &[u8]) {
    let Some(options) = taken(wire::complete(data)) else { return };
    let written = wire::encode_options(&options);
    let again = wire::complete(&written).expect("completed options are complete");
    assert_eq!(again, options);
    let step = wire::start(&options, Fast::new(1)).expect("completed options can be played");
    go_on(step.position, 8);
}

/// Bytes of [`GameState`](v1::GameState).
pub fn states(data: &[u8]) {
    let Some(position) = taken(wire::load(data)) else { return };
    let written = wire::save(&position).encode_to_vec();
    let again = wire::load(&written).expect("what was saved can be loaded");
    assert_eq!(again, position);
    go_on(position, 8);
}

/// The viewer, a byte; the length of the options, two; options; bytes of a
/// [`GameView`](v1::GameView).
pub fn views(data: &[u8]) {
    let Some((&[viewer, low, high], rest)) = data.split_first_chunk() else { return };
    let length = usize::from(u16::from_le_bytes([low, high])).min(rest.len());
    let (options, view) = rest.split_at(length);
    let Some(options) = taken(wire::complete(options)) else { return };
    let viewer = Seat::new(viewer.into()).map_or(Viewer::Spectator, Viewer::Seat);
    let Some(position) = taken(wire::load_view(&options, viewer, view)) else { return };
    let said = v1::GameView::decode(view).expect("it was read");
    assert_eq!(wire::view(&position, viewer), said);
    go_on(position, 4);
}

/// The number of a position, a byte; the kind of name, a byte; then bytes of an
/// [`ActionChoice`](v1::ActionChoice), or draws of a byte each and a notation after a line end.
pub fn choices(data: &[u8]) {
    let Some((&[number, kind], rest)) = data.split_first_chunk() else { return };
    let position = &games()[usize::from(number) % games().len()];
    if kind % 2 == 0 {
        choose(position, rest);
    } else {
        replay(position, rest);
    }
}

fn choose(position: &AnyPosition, choice: &[u8]) {
    let Some(notation) = taken(wire::check(position, choice)) else { return };
    let step = wire::apply(position, choice, Fast::new(1)).expect("what was checked can be done");
    assert_eq!(step.notation, notation);
    let again = wire::replay(position, &notation, &step.draws).expect("what was done is stored");
    assert_eq!(again.position, step.position);
}

fn replay(position: &AnyPosition, stored: &[u8]) {
    let end = stored.iter().position(|&byte| byte == b'\n').unwrap_or(stored.len());
    let draws: Vec<u32> = stored[..end].iter().map(|&byte| byte.into()).collect();
    let notation = String::from_utf8_lossy(&stored[end..]);
    if let Some(step) = taken(wire::replay(position, notation.trim_start(), &draws)) {
        assert_eq!(step.draws, draws);
    }
    let index = stored.iter().map(|&byte| u32::from(byte)).sum();
    taken(wire::attempt(position, index, &draws));
}

/// What was not refused. Every refusal of fields says what was wrong.
fn taken<T>(result: Result<T, Refusal>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(Refusal::Invalid(faults) | Refusal::Options(faults)) => {
            assert!(faults.iter().count() > 0, "a refusal without a fault");
            None
        }
        Err(_) => None,
    }
}

/// The default options of every game.
fn defaults() -> impl Iterator<Item = AnyOptions> {
    let info = |game| wire::game_info(game).expect("a game of the list");
    let options = move |game| info(game).default_options.expect("its default options");
    wire::games().into_iter().map(move |game| {
        wire::complete(&options(game).encode_to_vec()).expect("default options are sound")
    })
}
