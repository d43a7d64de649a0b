"""Game content from what is handy in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from google.protobuf.message import Message

from tablestate.v1.game_pb2 import ActionChoice, GameAction, GameOptions, LegalAction

Action: TypeAlias = str | int | LegalAction | ActionChoice | GameAction | Message
"""A decision: its notation, its index, one of the listed legal actions, or its message
(as `OffboardAction`)."""

Options: TypeAlias = Mapping[str, Any] | Message | None
"""The options of a game: its message, the same as a mapping, or None for the defaults."""


def game_options(game: str, options: Options) -> GameOptions:
    """Return the options message of a game; raises ValueError for an unknown game."""
    field = GameOptions.DESCRIPTOR.fields_by_name.get(game)
    if field is None:
        known = ", ".join(sorted(GameOptions.DESCRIPTOR.fields_by_name))
        raise ValueError(f"game: {game!r}; this client knows {known}")
    result = GameOptions()
    content = getattr(result, game)
    content.SetInParent()  # an empty message still says which game
    if isinstance(options, Message):
        content.CopyFrom(options)
    elif options is not None:
        content.MergeFrom(type(content)(**options))
    return result


def action_choice(action: Action) -> ActionChoice:
    """Name an action in the way it was given; raises TypeError for anything else."""
    match action:
        case str():
            return ActionChoice(notation=action)
        case bool():
            raise TypeError("action: a bool; expected a notation, an index or a message")
        case int():
            return ActionChoice(index=action)
        case LegalAction():
            return ActionChoice(index=action.index)
        case ActionChoice():
            return action
        case GameAction():
            return ActionChoice(action=action)
        case Message():
            return ActionChoice(action=_game_action(action))
    raise TypeError(f"action: {type(action).__name__}; expected a notation, an index or a message")


def _game_action(action: Message) -> GameAction:
    for game in GameAction.DESCRIPTOR.fields:
        if game.message_type is action.DESCRIPTOR:
            result = GameAction()
            getattr(result, game.name).CopyFrom(action)
            return result
    name = action.DESCRIPTOR.full_name
    raise TypeError(f"action: {name}; expected the action message of a game")
