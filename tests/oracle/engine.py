"""The engine as the driver wants it; what is the same for all games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from tablestate.v1 import game_pb2
from tablestate_service import _core

from .common import Outcome

SEED = bytes(32)


class Refusal(ValueError):
    """A refusal by the engine."""


def refuse(error: _core.CoreError) -> NoReturn:
    """Raise the driver's kind of error for the engine's; damage is no refusal."""
    if error.reason in ("INVALID_FIELD", "INVALID_OPTIONS", "ILLEGAL_ACTION"):
        raise Refusal(str(error)) from error
    raise error


def apply(state: _core.GameState, notation: str, ply: int = 0) -> _core.Step:
    """Apply an action by its notation, drawing from the stream of the ply."""
    choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
    try:
        return state.apply(choice, SEED, ply + 1)
    except _core.CoreError as error:
        refuse(error)


def outcome(state: _core.GameState, game: str, forfeited: Sequence[int] = ()) -> Outcome | None:
    """Read the outcome; its reason without the name of the game."""
    encoded = state.outcome(forfeited)
    if encoded is None:
        return None
    message = game_pb2.Outcome.FromString(encoded)
    reason = game_pb2.OutcomeReason.Name(message.reason)
    short = reason.removeprefix(f"OUTCOME_REASON_{game.upper()}_")
    return Outcome(tuple(message.winners), short, tuple(message.scores))
