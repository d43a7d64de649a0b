"""States of Off the Rails made by hand, for tests of single rules."""

from __future__ import annotations

from collections import Counter

from .chance import Draws
from .common import Event
from .off_the_rails import RULES
from .off_the_rails_board import BOX, LETTERS
from .off_the_rails_read import read_position
from .off_the_rails_state import Options, State, with_changes

COLUMN = "a1NS,a2NS,a3NS,a4NS,a5NS,a6NS,a7NS,a8NS"
"""A straight way from south to north along the west border."""


def table(
    tracks: str = "-",
    carts: str = "s,s/s,s",
    *,
    lying: str = "-",
    at: str = "0",
    step: str = "A0",
    tokens: str = "-",
    stocks: str = "",
    cards: str = "1/1/1/1 rygb17",
    chasm: str = "-",
    to_come: str = "4,4,4,4/0,0,0,0",
    missions: str = "-",
    brought: str = "-",
    **options: object,
) -> State:
    """Make a state; all jewels that are left out lie in the bag."""
    seats = carts.count("/") + 1
    stocks = stocks or "/".join(["0,0,0,0,0"] * seats)
    held = carts.translate(str.maketrans("/so", ",  ")).split(",")
    used = Counter("".join(hold[4:] for hold in held if hold.strip()))
    used.update("".join(square[2:] for square in lying.split(",")))
    left = [box - used[letter] for box, letter in zip(BOX, LETTERS, strict=True)]
    for stock in stocks.split("/"):
        left = [bag - int(count) for bag, count in zip(left, stock.split(","), strict=True)]
    fields = (at, step, "-", "-", tracks, lying, tokens, carts, ",".join(map(str, left)), stocks)
    none = "/".join("-" * seats)
    more = ("0,0,0,0,0", cards, chasm, to_come, missions, none, brought)
    chosen = Options(seats=seats, **options)  # type: ignore[arg-type]
    return read_position(chosen, " ".join((*fields, *more)))


def do(state: State, *actions: str, draw: int = 0) -> tuple[State, list[Event]]:
    """Do some actions, drawing what lies at one place, or the last; gives all events."""
    events: list[Event] = []
    for action in actions:
        state, more = RULES.apply(state, action, Draws(lambda n: min(draw, n - 1)))
        events += more
    return state, events


def field(state: State, number: int) -> str:
    """Give a field of the position, counted from 1."""
    return RULES.position(state).split(" ")[number - 1]


def carts(state: State) -> str:
    """Write the carts."""
    return field(state, 8)


def legal(state: State) -> list[str]:
    """List what is legal."""
    return RULES.legal(state)


def named(events: list[Event], name: str) -> list[Event]:
    """List the events of a name, without it."""
    return [event[1:] for event in events if event[0] == name]


def names(events: list[Event]) -> list[str]:
    """List the names of events."""
    return [str(event[0]) for event in events]


def with_missions(state: State) -> State:
    """Turn missions on."""
    return with_changes(state, options=with_changes(state.options, missions=True))
