"""How large games can become, which OpenSpiel wants to know beforehand.

To add a game, add a module of the game's name here with a function `limits`.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple, cast

from tablestate.v1.game_pb2 import GameState


class Limits(NamedTuple):
    """What holds for all games of some options."""

    decisions: int
    """No game has more."""
    draws: int
    """No game has more; 0: it has no chance."""
    draw_values: int
    """No draw can have more values."""
    is_public: bool
    """Whether every seat sees everything."""


def limits(state: GameState) -> Limits:
    """Return the limits of games with the options of this state."""
    module = import_module(f"{__name__}.{state.WhichOneof('game')}")
    return cast(Limits, module.limits(state))
