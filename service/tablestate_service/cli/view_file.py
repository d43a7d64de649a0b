"""Views as files: the protobuf JSON of a `GameView`."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

from google.protobuf.json_format import MessageToJson, ParseDict, ParseError

from tablestate.v1.game_pb2 import ActionChoice, GameOptions, GameView
from tablestate_service.cli.arguments import CommandError
from tablestate_service.engine import CoreError, GameState

_STDIN = Path("-")
_EXPECTED = "the JSON of a GameView, as --example writes it"
_FIELD = re.compile(r"parse (\w+) field")
_UNKNOWN_FIELD = re.compile(r'no field named "(\w+)"')
_MOST_BYTES = 1 << 20
"""No view comes near to this, as JSON with much space in it either."""


def read_view(game: str, path: Path) -> GameView:
    """Read a view of a game, from stdin if the file is called "-"; raises CommandError."""
    is_stdin = path == _STDIN
    name = "stdin" if is_stdin else str(path)
    try:
        # A copy of the descriptor, so that stdin itself is not closed.
        source = os.dup(sys.stdin.fileno()) if is_stdin else path
        with open(source, encoding="utf-8") as file:
            text = file.read(_MOST_BYTES + 1)
        if len(text) > _MOST_BYTES:
            raise CommandError(f"{name}: more than {_MOST_BYTES} characters; expected a view")
        content = json.loads(text)
        view = ParseDict(content if isinstance(content, dict) else {"": content}, GameView())
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}; expected {_EXPECTED}") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise CommandError(f"{name}: {where} is no JSON; expected {_EXPECTED}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{name}: is not in UTF-8; expected {_EXPECTED}") from None
    except (ParseError, RecursionError) as error:
        raise CommandError(f"{name}: {_fault(error)}; expected {_EXPECTED}") from None
    if view.WhichOneof("game") != game:
        found = view.WhichOneof("game") or "nothing"
        raise CommandError(f"{name}: a view of {found}; expected one of {game}")
    return view


def _fault(error: Exception) -> str:
    """What protobuf has found, without its words: which field, or that there is none."""
    if unknown := _UNKNOWN_FIELD.search(str(error)):
        return f"there is no field {unknown[1]}"
    field = ".".join(_FIELD.findall(str(error)))
    return f"{field} is of another type" if field else "is no message"


def example_view(options: GameOptions, plies: int, seed: int) -> str:
    """Return what the seat to act sees after some actions at random, as the text of a file.

    If the game is over before, it is what was seen last. Raises CommandError.
    """
    try:
        state = _played(options.SerializeToString(), plies, seed.to_bytes(32))
    except CoreError as error:
        raise CommandError(str(error)) from None
    return MessageToJson(GameView.FromString(state.view(state.actor)))


def _played(options: bytes, plies: int, seed: bytes) -> GameState:
    state = GameState.start(options, seed).state
    for ply in range(plies):
        choice = ActionChoice(notation=state.choose("random", seed, ply)).SerializeToString()
        step = state.apply(choice, seed, ply + 1)
        if step.state.actor is None:
            break
        state = step.state
    return state
