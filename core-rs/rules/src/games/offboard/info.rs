//! What Offboard tells about itself.

use super::action::{DECLINE_INDEX, PLACE_OFFSET};
use super::geometry::{CELLS, DIRECTIONS, TARGETS};
use crate::vocab::{ActionPlane, GameInfo, ObservationField, OptionInfo};

pub(super) const INFO: GameInfo = GameInfo {
    id: "offboard",
    title: "Offboard",
    summary: "Push the other colour's marbles off the board and onto the targets.",
    rules_version: 1,
    min_seats: 2,
    max_seats: 2,
    options: OPTIONS,
    observation_version: 1,
};

const OPTIONS: &[OptionInfo] = &[
    OptionInfo {
        name: "points_to_win",
        default: "6",
        values: "1 to 24, not above the sum of target_values",
        meaning: "a seat with this many points wins at once",
    },
    OptionInfo {
        name: "quiet_limit",
        default: "100",
        values: "10 to 1000",
        meaning: "R5: this many turns in a row without a score end the game in a draw",
    },
    OptionInfo {
        name: "position",
        default: super::notation::START,
        values: "a position in the notation of the rules",
        meaning: "the start",
    },
    OptionInfo {
        name: "target_values",
        default: "1 1 2 3 1 3 2 2 3 1 3 2",
        values: "12 values, each 1 to 3",
        meaning: "what each target is worth",
    },
];

pub(super) fn action_planes() -> Vec<ActionPlane> {
    vec![
        ActionPlane {
            kind: "MOVE",
            offset: 0,
            shape: vec![DIRECTIONS, CELLS],
            axes: vec!["direction: E, NE, NW, W, SW, SE", "tail cell: a1, a2 … i9"],
        },
        ActionPlane {
            kind: "PLACE",
            offset: PLACE_OFFSET,
            shape: vec![CELLS],
            axes: vec!["cell: a1, a2 … i9"],
        },
        ActionPlane { kind: "DECLINE", offset: DECLINE_INDEX, shape: vec![], axes: vec![] },
    ]
}

pub(super) const OBSERVATION: [ObservationField; 13] = [
    field("own_marbles", CELLS, "1 where a marble of the viewer stands; by cell"),
    field("opposing_marbles", CELLS, "1 where a marble of the other seat stands; by cell"),
    field("own_in_targets", TARGETS, "1 where a marble of the viewer lies; by target"),
    field("opposing_in_targets", TARGETS, "1 where a marble of the other seat lies; by target"),
    field("target_values", TARGETS, "what each target is worth"),
    field("scores", 2, "points of the viewer and of the other seat"),
    field("points_to_win", 1, "points that win"),
    field("recovering", 2, "1 if the viewer, 1 if the other seat has a recovery to choose"),
    field("quiet_turns", 2, "R5: quiet turns, least significant byte first"),
    field("quiet_limit", 2, "R5: the limit, least significant byte first"),
    field("repetitions", 1, "R4: how often the position has stood after a turn, at most 3"),
    field("to_act", 1, "1 if the viewer is the seat to act"),
    field("seat", 1, "the viewer's seat; a spectator sees as seat 0"),
];

const fn field(name: &'static str, size: usize, meaning: &'static str) -> ObservationField {
    ObservationField { name, size, meaning }
}
