//! Positions to try actions on, and what must go well from any position that was accepted.

use std::sync::LazyLock;

use tablestate_rules::chance::{Chance, Fast};
use tablestate_rules::{AnyPosition, Game, Position, Seat, SeatSet, Viewer, for_any};
use tablestate_wire::{self as wire, Message, v1};

/// Positions of each game.
const POSITIONS: usize = 16;
/// Actions between two of them.
const APART: usize = 5;

/// Positions out of one game each.
pub(crate) fn games() -> &'static [AnyPosition] {
    static GAMES: LazyLock<Vec<AnyPosition>> = LazyLock::new(|| {
        crate::defaults()
            .flat_map(|options| {
                let step =
                    wire::start(&options, Fast::new(1)).expect("default options can be played");
                let next = |position: &AnyPosition| {
                    (0..APART)
                        .try_fold(position.clone(), |position, _| act(&position, &mut Fast::new(1)))
                };
                std::iter::successors(Some(step.position), next).take(POSITIONS).collect::<Vec<_>>()
            })
            .collect()
    });
    &GAMES
}

/// Shows the position to everybody, and plays on for some plies.
pub(crate) fn go_on(mut position: AnyPosition, plies: usize) {
    let mut chance = Fast::new(2);
    show(&position);
    for _ in 0..plies {
        let Some(next) = act(&position, &mut chance) else { break };
        position = next;
    }
    show(&position);
}

/// A position after an action that is drawn; none when the game is over.
fn act(position: &AnyPosition, chance: &mut Fast) -> Option<AnyPosition> {
    let legal = wire::legal_actions(position).actions;
    let count = u32::try_from(legal.len()).ok().filter(|&count| count > 0)?;
    let index = legal[chance.draw(count) as usize].index;
    let choice = v1::ActionChoice { choice: Some(v1::action_choice::Choice::Index(index)) };
    let step = wire::apply(position, &choice.encode_to_vec(), chance).expect("a legal action");
    Some(step.position)
}

fn show(position: &AnyPosition) {
    let seats = for_any!(position, position => position.state().seats());
    let seats = (0..seats).filter_map(Seat::new).map(Viewer::Seat);
    for viewer in seats.chain([Viewer::Spectator]) {
        wire::view(position, viewer).encode_to_vec();
        wire::observation(position, viewer);
        for_any!(position, position => imagine(position, viewer));
    }
    wire::outcome(position, SeatSet::default());
    for_any!(position, position => position.state().position());
}

fn imagine<G: Game>(position: &Position<G>, viewer: Viewer) {
    let imagined = Position::<G>::determinize(&position.view(viewer), &mut Fast::new(3));
    assert!(imagined.view(viewer) == position.view(viewer), "it agrees with the view");
}
