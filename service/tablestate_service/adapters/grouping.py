"""Appends that are committed together."""

from asyncio import Future
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias, TypeVar

from tablestate_service.ports import Append

Settled: TypeAlias = tuple["Future[Any]", Any, "BaseException | None"]
"""A future, and what it gives or raises."""

Work = TypeVar("Work")


def rounds(
    group: Sequence[tuple[Work, "Future[Any]"]],
) -> Iterator[list[tuple[Work, "Future[Any]"]]]:
    """Split a group so that no match and no request comes twice in a transaction."""
    while group:
        seen: set[str | bytes] = set()
        ready: list[tuple[Work, Future[Any]]] = []
        later: list[tuple[Work, Future[Any]]] = []
        for job in group:
            keys = _keys(job[0])
            (later if keys & seen else ready).append(job)
            seen |= keys
        yield ready
        group = later


def settle(results: Sequence[Settled]) -> None:
    """Tell everybody who waits; call it on the event loop."""
    for future, value, error in results:
        if future.done():
            continue
        if error is None:
            future.set_result(value)
        else:
            future.set_exception(error)


def _keys(work: object) -> set[str | bytes]:
    if not isinstance(work, Append):
        return set()
    first = work.entries[0]
    request = first.stamp.request
    return {first.match_id, request.key} if request else {first.match_id}
