//! What OffTrack tells about itself.

use super::action::Layout;
use super::options::Rules;
use super::state::ActionCard;
use crate::vocab::{ActionPlane, GameInfo, OptionInfo};

pub(super) const INFO: GameInfo = GameInfo {
    id: "offtrack",
    title: "OffTrack",
    summary: "Harvest the front of a collapsing branch.",
    rules_version: 1,
    min_seats: 2,
    max_seats: 4,
    options: OPTIONS,
    observation_version: 1,
};

const OPTIONS: &[OptionInfo] = &[
    option("seats", "2", "2 to 4", "how many play"),
    option("scoring", "HIGH", "HIGH or LOW", "which score wins each round and the match"),
    option("decks", "1", "1 or 2", "copies of the character deck shuffled together"),
    option("max_branches", "2", "1 to 4", "how many branches may stand beside Prime"),
    option("every_turn", "false", "true or false", "house rule: the action is drawn for you"),
    option("eras", "6", "3 to 8", "R1: eras of nine cards each"),
    option("action_copies", "4", "1 to 8", "R2: copies of each of the eight action cards"),
    option("rounds", "3", "1 to 9", "how many rounds are played"),
];

const fn option(
    name: &'static str,
    default: &'static str,
    values: &'static str,
    meaning: &'static str,
) -> OptionInfo {
    OptionInfo { name, default, values, meaning }
}

pub(super) fn action_planes(rules: &Rules) -> Vec<ActionPlane> {
    let layout = Layout::new(rules);
    let (types, copies, lines) = (rules.types(), rules.decks as usize, rules.lines());
    let card = ["card type", "which of that type in table order"];
    let plane = |kind, offset, shape: &[usize], axes: &[&'static str]| ActionPlane {
        kind,
        offset,
        shape: shape.to_vec(),
        axes: axes.to_vec(),
    };
    let on_line = |kind, action| plane(kind, layout.on_line(action, 0), &[lines], &["line"]);
    vec![
        plane("SHEAR", layout.shear(0, 0), &[types, copies], &card),
        plane(
            "MEND",
            layout.mend(1, 0),
            &[lines - 1, lines],
            &["branch - 1", "line, or the branch"],
        ),
        plane(
            "QUANTUM_SHUNT",
            layout.shunt(0, 0, 0),
            &[types, copies, lines],
            &[card[0], card[1], "line"],
        ),
        plane("RECALL", layout.recall(0, 0), &[types, copies], &card),
        on_line("PARADOX_LOOP", ActionCard::ParadoxLoop),
        on_line("REDEEM", ActionCard::Redeem),
        on_line("QUARANTINE", ActionCard::Quarantine),
        on_line("BREACH", ActionCard::Breach),
        plane("DISCARD", layout.discard, &[], &[]),
        plane("HOLD", layout.hold, &[], &[]),
        plane("APPEND", layout.append_plane(), &[types, lines], &["card type", "line"]),
        plane("CYCLE", layout.cycle(0), &[32], &["set of places of the sorted hand"]),
        plane("SKIP", layout.skip, &[], &[]),
        plane("DRAW", layout.draw, &[], &[]),
        plane("END", layout.end, &[], &[]),
    ]
}
