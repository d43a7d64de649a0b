"""A store whose every operation is told to an observer."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, cast

from tablestate_service.domain.errors import DomainError
from tablestate_service.ports import Append, MatchStore, Writing
from tablestate_service.ports.observing import Observer

_UNTOLD = ("append", "close")


def observed(store: MatchStore, observer: Observer) -> MatchStore:
    """The same store, which tells how each of its operations ends and when."""
    return cast(MatchStore, _ObservedStore(store, observer))


class _ObservedStore:
    """Does what the store does; whatever the port has is told of by its name."""

    def __init__(self, store: MatchStore, observer: Observer) -> None:
        self._store = store
        self._observer = observer
        for name, declared in inspect.getmembers(MatchStore, inspect.iscoroutinefunction):
            if name not in _UNTOLD and not name.startswith("_"):
                setattr(self, name, _told(name, getattr(store, declared.__name__), observer))
        self.close = store.close

    def append(self, append: Append) -> Writing:
        """Write entries durably; see `MatchStore`."""
        ended = self._observer.stored("append")
        writing = self._store.append(append)
        writing.add_done_callback(lambda done: ended(_name_of(done.exception())))
        return writing


def _told(
    name: str, operation: Callable[..., Awaitable[Any]], observer: Observer
) -> Callable[..., Awaitable[Any]]:
    async def told(*arguments: Any, **named: Any) -> Any:
        ended = observer.stored(name)
        try:
            result = await operation(*arguments, **named)
        except BaseException as error:
            ended(_name_of(error))
            raise
        ended("OK")
        return result

    return told


def _name_of(error: BaseException | None) -> str:
    """How an operation ended: a reason, or the kind of an error, never its text."""
    if error is None:
        return "OK"
    if isinstance(error, asyncio.CancelledError):
        return "CANCELLED"
    return error.reason.name if isinstance(error, DomainError) else type(error).__name__
