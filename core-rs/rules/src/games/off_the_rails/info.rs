//! What Off the Rails tells about itself.

use super::action::{HANDS, Layout};
use super::geometry::{Geometry, SIDES};
use super::jewels::KINDS;
use super::missions::MISSIONS;
use super::track::{LARGER, PAIRS};
use crate::vocab::{ActionPlane, GameInfo, OptionInfo};

pub(super) const INFO: GameInfo = GameInfo {
    id: "off_the_rails",
    title: "Off the Rails",
    summary: "Lay track, fetch the jewels, and be gone before the Chasm takes the board.",
    rules_version: 1,
    min_seats: 2,
    max_seats: 4,
    options: OPTIONS,
    observation_version: 1,
};

const OPTIONS: &[OptionInfo] = &[
    option("seats", "2", "2 to 4", "how many play"),
    option("board", "COMPACT", "COMPACT, AISLE", "R1: the board, 8 by 8 or 9 by 9"),
    option(
        "deposit_cards",
        "17 for 2 and 3 seats, 21 for 4",
        "13, 17, 21, 25",
        "cards of the deposit deck with the Chasm Card; 13 is the quick game",
    ),
    option("missions", "false", "true, false", "whether there are missions"),
    option(
        "bumper_cars",
        "false",
        "true, false",
        "whether collisions neither drop jewels nor derail",
    ),
    option("chasm_die", "false", "true, false", "whether the Chasm die is rolled"),
];

const fn option(
    name: &'static str,
    default: &'static str,
    values: &'static str,
    meaning: &'static str,
) -> OptionInfo {
    OptionInfo { name, default, values, meaning }
}

pub(super) fn action_planes(geometry: &Geometry) -> Vec<ActionPlane> {
    const SQUARE: &str = "square";
    const CART: &str = "cart: 0 white, 1 black";
    const KIND: &str = "kind";
    const EXIT: &str = "exit";
    let layout = Layout::new(geometry.size);
    let plane = |kind, offset, shape: &[usize], axes: &[&'static str]| ActionPlane {
        kind,
        offset,
        shape: shape.to_vec(),
        axes: axes.to_vec(),
    };
    let (size, squares) = (layout.size, layout.squares);
    vec![
        plane(
            "PLACE_TRACK",
            layout.place_track,
            &[PAIRS, squares],
            &["exits: NE NS NW ES EW SW", SQUARE],
        ),
        plane(
            "UPGRADE",
            layout.upgrade,
            &[LARGER, squares],
            &["exits: NES NEW NSW ESW NESW", SQUARE],
        ),
        plane("PLACE_CART", layout.place_cart, &[size], &["file or rank on the own Surface"]),
        plane("SPEED", layout.speed, &[2, 2], &[CART, "0 faster, 1 slower"]),
        plane("END_ACTIONS", layout.end_actions, &[], &[]),
        plane("FIRST", layout.first, &[2], &[CART]),
        plane("TAKE", layout.take, &[KINDS], &[KIND]),
        plane("TAKE_NOTHING", layout.take_nothing, &[], &[]),
        plane("FACE", layout.face, &[SIDES], &[EXIT]),
        plane("ODD", layout.odd, &[KINDS], &[KIND]),
        plane("SPLIT", layout.split, &[HANDS], &["left hand: one kind, then two"]),
        plane("HAND", layout.hand, &[2], &["0 left, 1 right"]),
        plane("TURN", layout.turn, &[SIDES], &[EXIT]),
        plane("CLAIM", layout.claim, &[MISSIONS], &["mission, from 1"]),
        plane("CLAIM_NONE", layout.claim_none, &[], &[]),
        plane("TOKEN", layout.token, &[squares], &[SQUARE]),
    ]
}
