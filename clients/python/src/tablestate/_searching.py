"""Searches, for either client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from tablestate._arguments import message, refusal
from tablestate._arguments import seconds as as_seconds
from tablestate._content import game_options
from tablestate.v1.game_pb2 import GameOptions, GameView
from tablestate.v1.search_pb2 import SearchRequest, SearchResponse

OnProgress: TypeAlias = Callable[[SearchResponse], object]
"""Is told what has been found so far."""

_LEAST_PROGRESS_SECONDS = 0.01
_MOST_SECONDS = 60.0
"""For which a service searches, and until it tells how far it is; see `docs/limits.md`."""


def search_request(
    game: str | GameOptions,
    view: GameView,
    seat: int,
    iterations: int | None,
    seconds: float | None,
    seed: int,
    threads: int,
    progress_seconds: float | None,
) -> SearchRequest:
    """Return the request of a search; raises InvalidArgumentError for what cannot be sent."""
    if (iterations is None) == (seconds is None):
        given = "both" if seconds is not None else "none"
        raise refusal("iterations, seconds", given, "one of them")
    fields: dict[str, Any] = {"seat": seat, "seed": seed, "threads": threads}
    if iterations is not None:
        fields["iterations"] = iterations
    if seconds is not None:
        fields["milliseconds"] = _milliseconds("seconds", seconds)
    if progress_seconds is not None:
        fields["progress_milliseconds"] = _milliseconds(
            "progress_seconds", progress_seconds, _LEAST_PROGRESS_SECONDS
        )
    options = game if isinstance(game, GameOptions) else game_options(game, None)
    return message(SearchRequest, options=options, view=view, **fields)


def before_the_answer(on_progress: OnProgress | None) -> OnProgress | None:
    """Return what is to be called with each message: the last is no progress."""
    if on_progress is None:
        return None
    return lambda response: None if response.done else on_progress(response)


def _milliseconds(field: str, value: float, least: float = 0.0) -> int:
    """Return a duration that is not 0: that would be another request."""
    if not least <= as_seconds(field, value) <= _MOST_SECONDS:
        raise refusal(field, value, f"{least:g} to {_MOST_SECONDS:g} seconds")
    return max(1, round(value * 1000))
