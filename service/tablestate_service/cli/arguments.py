"""Arguments that several commands have, and how they are read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf.json_format import ParseDict, ParseError

from tablestate.v1.game_pb2 import GameOptions
from tablestate_service.settings import Settings

DEFAULT_SERVER = "127.0.0.1:50051"
DEFAULT_DATA_DIR = Settings().data_dir


class CommandError(Exception):
    """A command cannot do what was asked; the text says why."""


@dataclass(frozen=True)
class SeatSpec:
    """A seat for a person (`bot` is None) or for a bot."""

    bot: str | None


def parse_seats(text: str) -> Sequence[SeatSpec]:
    """Read "human,bot:greedy"; raises ArgumentTypeError that says what is wrong."""
    return [_parse_seat(part.strip()) for part in text.split(",")]


def _parse_seat(text: str) -> SeatSpec:
    kind, _, bot = text.partition(":")
    if text == "human":
        return SeatSpec(bot=None)
    if kind == "bot" and bot:
        return SeatSpec(bot=bot)
    raise argparse.ArgumentTypeError(f"{text!r} is no seat; expected 'human' or 'bot:NAME'")


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
        help="an option of the game, as points_to_win=3; values with commas are lists; may be "
        "given more than once (default: the game's defaults)",
    )


def parse_options(game: str, assignments: Sequence[str]) -> GameOptions:
    """Return the options message of a game; raises CommandError."""
    games = sorted(GameOptions.DESCRIPTOR.fields_by_name)
    if game not in games:
        raise CommandError(f"game: {game!r}; expected one of {', '.join(games)}")
    fields = dict(map(_parse_assignment, assignments))
    try:
        return ParseDict({game: fields}, GameOptions())
    except ParseError as error:
        raise CommandError(f"--option: {error}") from None


def _parse_assignment(text: str) -> tuple[str, str | list[str]]:
    name, separator, value = text.partition("=")
    if not separator:
        raise CommandError(f"--option: {text!r}; expected NAME=VALUE")
    return name, value.split(",") if "," in value else value
