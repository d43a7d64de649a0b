"""Arguments that several commands have, and how they are read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import ParseDict, ParseError

from tablestate.v1.game_pb2 import GameOptions
from tablestate_service.settings import Settings

DEFAULT_SERVER = "127.0.0.1:50051"
DEFAULT_DATA_DIR = Settings().data_dir


class CommandError(Exception):
    """A command cannot do what was asked; the text says why."""


def file_error(field: str, error: OSError, expected: str) -> CommandError:
    """The error for a file, which is named, that cannot be read or written."""
    named = f": {error.filename}" if error.filename is not None else ""
    return CommandError(f"{field}{named}: {error.strerror}; expected {expected}")


@dataclass(frozen=True)
class SeatSpec:
    """A seat for a person at this terminal, for a bot, or for whoever joins."""

    bot: str | None
    is_open: bool = False

    @property
    def is_human(self) -> bool:
        """Whether a person at this terminal plays it."""
        return self.bot is None and not self.is_open


def parse_seats(text: str) -> Sequence[SeatSpec]:
    """Read "human,bot:greedy"; raises ArgumentTypeError that says what is wrong."""
    return [_parse_seat(part.strip()) for part in text.split(",")]


def _parse_seat(text: str) -> SeatSpec:
    kind, _, bot = text.partition(":")
    if text in ("human", "open"):
        return SeatSpec(bot=None, is_open=text == "open")
    if kind == "bot" and bot:
        return SeatSpec(bot=bot)
    raise argparse.ArgumentTypeError(f"{text!r} is no seat; expected 'human', 'bot:NAME' or 'open'")


def add_server(parser: argparse.ArgumentParser) -> None:
    """Add `--server`."""
    parser.add_argument(
        "--server",
        default=DEFAULT_SERVER,
        metavar="HOST:PORT",
        help="where the service listens (default: %(default)s)",
    )


def add_data_dir(parser: argparse.ArgumentParser, default: Path | None = DEFAULT_DATA_DIR) -> None:
    """Add `--data-dir`; a `default` of None leaves the default to the settings."""
    parser.add_argument(
        "--data-dir",
        type=Path,
        default=default,
        metavar="DIR",
        help=f"where the matches are stored (default: ./{DEFAULT_DATA_DIR})",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add `--option NAME=VALUE`."""
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        dest="options",
        metavar="NAME=VALUE",
        help="an option of the game, as points_to_win=3; values with commas are lists, and with "
        "colons messages, as technology_copies=VEIL:3,COURIER:0; may be given more than once "
        "(default: the game's defaults)",
    )


def parse_options(
    game: str, assignments: Sequence[str], seats: Sequence[SeatSpec] | None = None
) -> GameOptions:
    """Return the options message of a game; raises CommandError.

    The number of `seats` given is the option of that name, if the game has it and it is not
    assigned.
    """
    games = sorted(GameOptions.DESCRIPTOR.fields_by_name)
    if game not in games:
        raise CommandError(f"game: {game!r}; expected one of {', '.join(games)}")
    known = type(getattr(GameOptions(), game)).DESCRIPTOR.fields_by_name
    options = ParseDict({game: {}}, GameOptions())
    fields: dict[str, object] = {}
    for name, value in map(_parse_assignment, assignments):
        if name not in known:
            raise CommandError(f"--option: {name!r}; expected one of {', '.join(known)} as a name")
        fields[name] = _parse_value(game, known[name], value)
    if seats and "seats" in known:
        fields.setdefault("seats", len(seats))
    return ParseDict({game: fields}, options)


def _parse_value(game: str, field: FieldDescriptor, value: str | list[str]) -> object:
    parsed = _as_json(field, value)
    try:
        ParseDict({game: {field.name: parsed}}, GameOptions())
    except ParseError:
        given = value if isinstance(value, str) else ",".join(value)
        expected = f"expected {_expected(field)}"
        raise CommandError(f"--option: {field.name}: {given!r}; {expected}") from None
    return parsed


def _expected(field: FieldDescriptor) -> str:
    """What values an option takes, in words."""
    if field.message_type is not None:
        each = ":".join(part.name for part in field.message_type.fields)
    elif field.enum_type is not None:
        prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
        each = " or ".join(value.name.removeprefix(prefix) for value in field.enum_type.values[1:])
    elif field.type == FieldDescriptor.TYPE_BOOL:
        each = "true or false"
    else:
        each = "a whole number from 0 to 4294967295"
    return f"a list with commas, each {each}" if field.is_repeated else each


def _as_json(field: FieldDescriptor, value: str | list[str]) -> object:
    """Write booleans, enum values and messages, as true, HIGH and VEIL:3, as JSON has them."""
    if field.message_type is not None:
        parts = [value] if isinstance(value, str) else value
        return [_as_message(field.message_type, part.split(":")) for part in parts]
    if field.type == FieldDescriptor.TYPE_BOOL and value in ("true", "false"):
        return value == "true"
    if field.enum_type is not None and isinstance(value, str):
        unspecified = field.enum_type.values_by_number[0].name
        full = unspecified.removesuffix("UNSPECIFIED") + value.upper()
        return full if full in field.enum_type.values_by_name else value
    return value


def _as_message(message: Descriptor, values: list[str]) -> object:
    """Give the values to the fields in order; too many or too few are no message."""
    if len(values) != len(message.fields):
        return ":".join(values)
    pairs = zip(message.fields, values, strict=True)
    return {field.name: _as_json(field, value) for field, value in pairs}


def _parse_assignment(text: str) -> tuple[str, str | list[str]]:
    name, separator, value = text.partition("=")
    if not separator:
        raise CommandError(f"--option: {text!r}; expected NAME=VALUE")
    return name, value.split(",") if "," in value else value
