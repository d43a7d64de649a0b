"""The limits of Eternitium."""

from __future__ import annotations

from tablestate.rl.limits import Limits
from tablestate.v1.game_pb2 import GameState

_SYMBOLS, _ERAS, _HAND, _MOST_DRAWN, _ROW = 4, 60, 5, 6, 3


def limits(state: GameState) -> Limits:
    """A seat plays or removes each card that it can own once a turn, and a Scanner asks once more;
    Portal, end, refit, keep and technology come besides. A row is filled with what its deck has."""
    options = state.eternitium.options
    technologies = sum(kind.copies for kind in options.technology_copies)
    owned = _SYMBOLS * (1 + 2 * options.seats) + 1 + technologies
    turns = 2 * options.seats * options.max_rounds
    decisions = options.seats + turns * (2 * owned + 5)
    filling = 2 * _ROW * technologies + _ERAS
    return Limits(
        decisions=decisions,
        draws=_MOST_DRAWN * decisions + (turns + options.seats + 1) * filling,
        draw_values=max(_ERAS, owned),
        is_public=False,
    )
