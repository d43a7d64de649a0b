from __future__ import annotations

import pytest

from tablestate import InvalidArgumentError, NotFoundError
from tablestate._content import Action, Options, action_choice, game_options
from tablestate.v1.game_pb2 import ActionChoice, GameAction, GameOptions, LegalAction
from tablestate.v1.offboard_pb2 import OffboardAction, OffboardOptions, OffboardView

PLACE = OffboardAction(place=7)


@pytest.mark.parametrize(
    ("action", "choice"),
    [
        ("e3e4", ActionChoice(notation="e3e4")),
        (0, ActionChoice(index=0)),
        (LegalAction(index=5, notation="e3e4"), ActionChoice(index=5)),
        (ActionChoice(index=6), ActionChoice(index=6)),
        (GameAction(offboard=PLACE), ActionChoice(action=GameAction(offboard=PLACE))),
        (PLACE, ActionChoice(action=GameAction(offboard=PLACE))),
    ],
)
def test_an_action_keeps_the_name_it_was_given_by(action: Action, choice: ActionChoice) -> None:
    assert action_choice(action) == choice
    assert action_choice(action).WhichOneof("choice") is not None


@pytest.mark.parametrize("action", [True, 1.5, None, OffboardView(), -1, 2**32])
def test_what_is_no_action_is_refused(action: Action) -> None:
    with pytest.raises(InvalidArgumentError, match=r"(action|choice.index): .*expected "):
        action_choice(action)


def test_options_may_be_a_message_a_mapping_or_left_out() -> None:
    typed = OffboardOptions(points_to_win=3)
    assert game_options("offboard", typed) == GameOptions(offboard=typed)
    assert game_options("offboard", {"points_to_win": 3}) == GameOptions(offboard=typed)
    assert game_options("offboard", None).WhichOneof("game") == "offboard"


def test_an_unknown_game_is_not_found_and_the_known_ones_are_told() -> None:
    with pytest.raises(NotFoundError, match=r"'chess'; this client knows .*offboard") as caught:
        game_options("chess", None)
    assert (caught.value.reason, caught.value.metadata) == ("GAME_NOT_FOUND", {"game": "chess"})


@pytest.mark.parametrize(
    ("options", "faults"),
    [
        ({"points": 3}, ["points: 3: expected one of points_to_win, "]),
        ({"points_to_win": "three"}, ["points_to_win: 'three': expected a whole number from 0"]),
        ({"points_to_win": -1}, ["points_to_win: -1: expected a whole number from 0"]),
        ({"target_values": 5}, ["target_values: 5: expected a list, each a whole number"]),
        (
            {"points_to_win": None, "quiet_limit": [], "draws": 1},
            ["quiet_limit: []: expected", "draws: 1: expected one of"],
        ),
    ],
)
def test_options_that_cannot_be_sent_are_all_named(
    options: dict[str, object], faults: list[str]
) -> None:
    with pytest.raises(InvalidArgumentError) as caught:
        game_options("offboard", options)
    told = [f"{each.field}: {each.description}" for each in caught.value.violations]
    assert len(told) == len(faults)
    for line, fault in zip(told, faults, strict=True):
        assert line.startswith(f"options.offboard.{fault}")
    assert caught.value.reason == "INVALID_OPTIONS"


@pytest.mark.parametrize("options", [OffboardView(), 5, ["points_to_win"]])
def test_what_are_no_options_is_refused(options: Options) -> None:
    with pytest.raises(InvalidArgumentError, match="a mapping or OffboardOptions, not "):
        game_options("offboard", options)
