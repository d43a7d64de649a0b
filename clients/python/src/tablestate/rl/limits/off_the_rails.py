"""The limits of Off the Rails."""

from __future__ import annotations

from tablestate.rl.limits import Limits
from tablestate.v1.game_pb2 import GameState

_JEWELS, _COLOURS, _TOKENS, _STEPS = 66, 4, 16, 6
_ACTIONS, _CARTS, _COLLISION = 4, 2, 5
_MOST_DEPOSITED = 3


def limits(state: GameState) -> Limits:
    """A turn turns a deposit card or draws a token, so that there are no more turns than both.

    A turn has four actions, or fewer and their end; which cart goes first; two moves; a claim; a
    token's square. A step asks for a jewel and an exit, and the sixth for a second jewel; but a
    move of five steps that collides asks for more: the odd jewel, the split, the hand, two turns.
    """
    options = state.off_the_rails.options
    move = 2 * (_STEPS - 1) + _COLLISION
    turn = _ACTIONS + 1 + _CARTS * move + 2
    set_up = _COLOURS * (1 + _MOST_DEPOSITED) + options.missions * (options.seats + 1)
    deposits = options.deposit_cards * (2 + _MOST_DEPOSITED)
    return Limits(
        decisions=turn * (options.deposit_cards + _TOKENS),
        draws=set_up + deposits + _COLOURS + _TOKENS * (1 + options.chasm_die),
        draw_values=_JEWELS,
        is_public=False,
    )
