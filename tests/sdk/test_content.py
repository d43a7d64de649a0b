from __future__ import annotations

import pytest

from tablestate._content import Action, action_choice, game_options
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


@pytest.mark.parametrize("action", [True, 1.5, None, OffboardView()])
def test_what_is_no_action_is_refused(action: Action) -> None:
    with pytest.raises(TypeError, match="action: "):
        action_choice(action)


def test_options_may_be_a_message_a_mapping_or_left_out() -> None:
    typed = OffboardOptions(points_to_win=3)
    assert game_options("offboard", typed) == GameOptions(offboard=typed)
    assert game_options("offboard", {"points_to_win": 3}) == GameOptions(offboard=typed)
    assert game_options("offboard", None).WhichOneof("game") == "offboard"


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"'chess'; this client knows .*offboard"):
        game_options("chess", None)


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(ValueError, match="points"):
        game_options("offboard", {"points": 3})
