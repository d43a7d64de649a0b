//! What Eternitium tells about itself.

use super::action::{IMPLIED, Layout, PLACES, SIDES};
use super::cards::{CARDS, SYMBOLS};
use crate::vocab::{ActionPlane, GameInfo, OptionInfo};

pub(super) const INFO: GameInfo = GameInfo {
    id: "eternitium",
    title: "Eternitium",
    summary: "Be the first to have no Era cards left.",
    rules_version: 1,
    min_seats: 2,
    max_seats: 5,
    options: OPTIONS,
    observation_version: 1,
};

const OPTIONS: &[OptionInfo] = &[
    option("seats", "2", "2 to 5", "how many play"),
    option(
        "eras_per_seat",
        "10 for 2 and 3 seats, 9 for 4, 8 for 5",
        "3 to 11",
        "Eras of each stack",
    ),
    option(
        "technology_copies",
        "4 of each Basic, 2 of each Advanced, but 3 of Omni Portal and Surge",
        "a kind other than Droid, with 0 to 10 copies; at least as many Basics as seats",
        "copies in the market; kinds left out keep their default",
    ),
    option("max_rounds", "50", "5 to 1000", "R12: after this round the match ends"),
];

const fn option(
    name: &'static str,
    default: &'static str,
    values: &'static str,
    meaning: &'static str,
) -> OptionInfo {
    OptionInfo { name, default, values, meaning }
}

pub(super) fn action_planes(seats: usize) -> Vec<ActionPlane> {
    const PLACE: &str = "place, 3 unseen";
    const KIND: &str = "kind";
    let layout = Layout::new(seats);
    let plane = |kind, offset, shape: &[usize], axes: &[&'static str]| ActionPlane {
        kind,
        offset,
        shape: shape.to_vec(),
        axes: axes.to_vec(),
    };
    let (at_seat, with_card) =
        (layout.with_card - layout.at_seat, layout.put_on_top - layout.with_card);
    vec![
        plane("TAKE_BASIC", layout.take_basic, &[PLACES], &[PLACE]),
        plane("PORTAL", layout.portal, &[SYMBOLS], &["symbol"]),
        plane("PLAY", layout.play, &[IMPLIED.cards.len()], &["kind without a target of choice"]),
        plane(
            "PLAY_AT_SEAT",
            layout.at_seat,
            &[at_seat / seats, seats],
            &["kind aimed at an opponent", "seat"],
        ),
        plane(
            "PLAY_WITH_CARD",
            layout.with_card,
            &[with_card / CARDS, CARDS],
            &["kind aimed at a card", "kind of the other card"],
        ),
        plane("PUT_ON_TOP", layout.put_on_top, &[2], &["position, 0 the old top"]),
        plane("END_PLAY", layout.end_play, &[], &[]),
        plane("REFIT", layout.refit, &[], &[]),
        plane("REMOVE", layout.remove, &[CARDS], &[KIND]),
        plane("KEEP", layout.keep, &[CARDS + 1], &["kind, 18 none"]),
        plane("BASIC", layout.basic, &[PLACES, SIDES], &[PLACE, "Era: 0 left, 1 right, 2 none"]),
        plane("ADVANCED", layout.advanced, &[PLACES], &[PLACE]),
        plane("NO_TECHNOLOGY", layout.no_technology, &[], &[]),
    ]
}
