"""The limits of Offboard."""

from __future__ import annotations

from tablestate.rl.limits import Limits
from tablestate.v1.game_pb2 import GameState

_TARGETS = 12


def limits(state: GameState) -> Limits:
    """R5 ends a game after so many turns without a score, and a target is filled once; a turn is
    one decision, or two after a declined recovery."""
    turns = (_TARGETS + 1) * state.offboard.options.quiet_limit
    return Limits(decisions=2 * turns, draws=0, draw_values=0, is_public=True)
