"""What a seat sees and may do as compact text, for language models and whoever reads rather than
looks; needs the extra `tablestate[terminal]`.

Texts are made of the messages alone that they are given, so that they tell a seat what its view
tells it and no more. Actions stand in them in notation, as `SeatedPlayer.submit` takes it. The
words are those of `tablestate.boards`, without colours. To add a game, add its card to `cards/`.

    turn = player.view(include_legal_actions=True)
    print(rules_card(match.game))
    print(describe(turn.view, match.options, player.seat))
    print(describe_actions(turn.legal_actions))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from importlib import resources
from io import StringIO
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from rich.console import Console, RenderableType

from tablestate.boards import board, reason_words
from tablestate.text._grouping import grouped
from tablestate.v1.game_pb2 import GameEvent, GameOptions, GameView, LegalActions, Outcome
from tablestate.v1.match_pb2 import MatchChange, MatchUpdate

SeatNames = Callable[[int], str]
"""What seats are called."""

_CARDS = resources.files(__name__) / "cards"
_MOST_NEAR = 6
_WIDTH = 120
"""Columns of a line; no picture of a board is as wide."""


def rules_card(game: str) -> str:
    """Return a page of Markdown that suffices to play a game well, notation included.

    Raises KeyError for a game without a card.
    """
    if game not in card_games():
        raise KeyError(game)
    return (_CARDS / f"{game}.md").read_text(encoding="utf-8")


def card_games() -> list[str]:
    """Return the names of the games that have a rules card."""
    return sorted(card.name.removesuffix(".md") for card in _CARDS.iterdir())


def near_actions(notation: str, legal: LegalActions) -> list[str]:
    """Return the legal actions that are written much like `notation`, the nearest first."""
    notations = [action.notation for action in legal.actions]
    return get_close_matches(notation, notations, n=_MOST_NEAR, cutoff=0.5)


def describe(view: GameView, options: GameOptions, seat: int | None) -> str:
    """Tell what a seat sees in a match with these options, or a spectator if `seat` is None."""
    game = view.WhichOneof("game") or ""
    drawn = board(game)
    who = "You look on" if seat is None else f"You are {seat_names(game)(seat)}"
    parts = [f"{who}. Options: {describe_options(options)}.", plain(drawn.render(view))]
    return "\n\n".join([*parts, *filter(None, [drawn.listing(view)])])


def describe_actions(legal: LegalActions) -> str:
    """List legal actions by kind, in notation.

    Where many end alike, the end is written once: "_NS _EW, where _ is one of: a1 b1".
    """
    if not legal.actions:
        return "No legal actions: another seat is to decide, or the match is not running."
    drawn = board(legal.actions[0].action.WhichOneof("game") or "")
    kinds: dict[str, list[str]] = {}
    for each in legal.actions:
        kinds.setdefault(drawn.heading(each.action), []).append(each.notation)
    count = len(legal.actions)
    return "\n".join([f"{count} legal action{'s' * (count != 1)}:", *grouped(kinds)])


def describe_events(events: Iterable[GameEvent], options: GameOptions) -> str:
    """Tell events in the order in which they happened, one a line."""
    return "\n".join(_words(events, options))


def describe_update(
    update: MatchUpdate, options: GameOptions, names: SeatNames | None = None
) -> list[str]:
    """Tell what an entry of a match says, thing by thing; nothing that goes without saying."""
    if update.events:
        return _words(update.events, options)
    change = MatchChange.Name(update.change).removeprefix("MATCH_CHANGE_")
    words = change.lower().replace("_", " ")
    names = names or seat_names(options.WhichOneof("game") or "")
    return [f"{words}: {names(update.seat)}" if update.HasField("seat") else words]


def describe_outcome(game: str, outcome: Outcome, names: SeatNames | None = None) -> str:
    """Tell the result in a line."""
    winners = " and ".join(map(names or seat_names(game), outcome.winners))
    verb = "wins" if len(outcome.winners) == 1 else "win"
    verdict = f"{winners} {verb}" if winners else "a draw"
    scores = ":".join(map(str, outcome.scores))
    return f"Result: {verdict}, {scores}: {reason_words(game, outcome.reason)}"


def describe_options(options: GameOptions) -> str:
    """Return the options that are set, as "seats=2, scoring=HIGH"."""
    content: Message = getattr(options, options.WhichOneof("game") or "offboard")
    return ", ".join(
        f"{field.name}={_value(field, value)}" for field, value in content.ListFields()
    )


def seat_names(game: str) -> SeatNames:
    """Return a function that names seats by what the table calls them and by number."""
    drawn = board(game)

    def name(seat: int) -> str:
        called = drawn.seat_name(seat)
        return called if called == f"seat {seat}" else f"{called} (seat {seat})"

    return name


def plain(drawing: RenderableType) -> str:
    """Return a drawing as text without colours."""
    canvas = StringIO()
    console = Console(file=canvas, width=_WIDTH, color_system=None, force_terminal=False)
    console.print(drawing)
    lines = (line.rstrip() for line in canvas.getvalue().splitlines())
    return "\n".join(lines).strip("\n")


def _words(events: Iterable[GameEvent], options: GameOptions) -> list[str]:
    words = (board(each.WhichOneof("game") or "").describe(each, options) for each in events)
    return list(filter(None, words))


def _value(field: FieldDescriptor, value: Any) -> str:
    """Write the value of an option; enum values without what all of theirs begin with."""
    if isinstance(value, str | bool):
        return str(value).lower() if isinstance(value, bool) else value
    if isinstance(value, Message):
        parts = (_value(each, inner) for each, inner in value.ListFields())
        return ":".join(parts)
    if isinstance(value, Iterable):
        return " ".join(_value(field, each) for each in value)
    if field.enum_type is not None:
        prefix = field.enum_type.values[0].name.removesuffix("UNSPECIFIED")
        name: str = field.enum_type.values_by_number[value].name
        return name.removeprefix(prefix)
    return str(value)
