"""Game content from what is handy in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import grpc
from google.protobuf.message import Message

from tablestate._arguments import cut, faults, full_names, is_text, refusal
from tablestate.errors import InvalidArgumentError, NotFoundError
from tablestate.v1.engine_service_pb2 import PerftRequest, PlayoutRequest
from tablestate.v1.game_pb2 import (
    ActionChoice,
    GameAction,
    GameOptions,
    GameState,
    LegalAction,
)

PARTS: Final = ("actors", "flags", "actions", "returns", "masks", "observations")
"""What a batch shows of each slot, by name."""

Action: TypeAlias = str | int | LegalAction | ActionChoice | GameAction | Message
"""A decision: its notation, its index, one of the listed legal actions, or its message
(as `OffboardAction`)."""

_LAST_INDEX = 2**32 - 1

Options: TypeAlias = Mapping[str, Any] | Message | None
"""The options of a game: its message, the same as a mapping, or None for the defaults."""


def game_options(game: str, options: Options) -> GameOptions:
    """Return the options message of a game.

    Raises NotFoundError for an unknown game, InvalidArgumentError for what are no options.
    """
    if game not in GameOptions.DESCRIPTOR.fields_by_name:
        raise unknown_game(game)
    result = GameOptions()
    content: Message = getattr(result, game)
    content.SetInParent()  # an empty message still says which game
    if options is not None:
        content.MergeFrom(_options(game, type(content), options))
    return result


def set_start(request: PlayoutRequest | PerftRequest, start: str | GameOptions | GameState) -> None:
    """Say where games start: at a game's name, its options or a full state."""
    if isinstance(start, GameState):
        request.state.CopyFrom(start)
    else:
        chosen = start if isinstance(start, GameOptions) else game_options(start, None)
        request.options.CopyFrom(chosen)


def unknown_game(game: str) -> NotFoundError:
    """Return the error for a game that this client does not know."""
    known = ", ".join(sorted(GameOptions.DESCRIPTOR.fields_by_name))
    return NotFoundError(
        f"no game {cut(repr(game))}; this client knows {known}",
        code=grpc.StatusCode.NOT_FOUND,
        reason="GAME_NOT_FOUND",
        metadata={"game": cut(str(game))},
    )


def _options(game: str, kind: type[Message], options: Mapping[str, Any] | Message) -> Message:
    if isinstance(options, kind):
        return options
    if not isinstance(options, Mapping):
        name = type(options).__name__
        raise refusal(f"options.{game}", None, f"a mapping or {kind.__name__}, not {name}")
    try:
        return kind(**full_names(kind.DESCRIPTOR.fields_by_name, options))
    except (TypeError, ValueError):
        found = faults(kind, options, f"options.{game}.")
    raise InvalidArgumentError(*found, reason="INVALID_OPTIONS")


def action_choice(action: Action) -> ActionChoice:
    """Name an action in the way it was given; raises InvalidArgumentError for anything else."""
    match action:
        case str():
            if not is_text(action):
                raise refusal("choice.notation", action, "text")
            return ActionChoice(notation=action)
        case int() if not isinstance(action, bool):
            if not 0 <= action <= _LAST_INDEX:
                raise refusal("choice.index", action, f"a number from 0 to {_LAST_INDEX}")
            return ActionChoice(index=action)
        case LegalAction():
            return ActionChoice(index=action.index)
        case ActionChoice():
            return action
        case GameAction():
            return ActionChoice(action=action)
        case Message():
            return ActionChoice(action=_game_action(action))
    raise refusal("action", action, "a notation, an index or a message")


def _game_action(action: Message) -> GameAction:
    for game in GameAction.DESCRIPTOR.fields:
        if game.message_type is action.DESCRIPTOR:
            result = GameAction()
            getattr(result, game.name).CopyFrom(action)
            return result
    name = action.DESCRIPTOR.full_name
    raise refusal("action", None, f"the action message of a game, not {name}")
