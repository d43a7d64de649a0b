"""The limits of OffTrack."""

from __future__ import annotations

from tablestate.rl.limits import Limits
from tablestate.v1.game_pb2 import GameState

_FIGURES, _HAND, _PRIME, _ACTIONS = 9, 5, 4, 8


def limits(state: GameState) -> Limits:
    """A seat cycles at most every other time, and an append takes a card out of the hand for the
    round. A turn without either needs a Quarantine, which lasts for one turn of each seat. A turn
    has at most four decisions, and none draws more than a hand and an action."""
    options = state.offtrack.options
    cards, seats = _FIGURES * options.eras * options.decks, options.seats
    turns = 2 * cards + seats * (options.action_copies + 3)
    decisions = 4 * turns * options.rounds
    return Limits(
        decisions=decisions,
        draws=(_HAND + 1) * decisions + options.rounds * (_PRIME + _HAND * seats),
        draw_values=max(cards, _ACTIONS * options.action_copies),
        is_public=False,
    )
