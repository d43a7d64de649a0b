"""The synchronous client as if it were the asynchronous one, so that one runner tries both."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from functools import partial
from typing import Any, Self

_END = object()


class Awaited:
    """A client, handle, play or batch whose methods can be awaited, each in a thread."""

    def __init__(self, thing: Any) -> None:
        """Stand for this."""
        self._thing = thing

    def __getattr__(self, name: str) -> Any:
        """Return a property as it is, and a method as one to be awaited or iterated."""
        value = getattr(self._thing, name)
        return partial(_Call, value) if callable(value) else value

    async def __aenter__(self) -> Self:
        """Enter it."""
        await asyncio.to_thread(self._thing.__enter__)
        return self

    async def __aexit__(self, *error: object) -> None:
        """Leave it."""
        await asyncio.to_thread(self._thing.__exit__, *error)

    def __aiter__(self) -> AsyncGenerator[Any, None]:
        """Iterate over it."""
        return _iterated(lambda: self._thing)


class _Call:
    """A call that is made when it is awaited, entered or iterated over."""

    def __init__(self, method: Callable[..., Any], *given: Any, **named: Any) -> None:
        self._call = partial(method, *given, **named)
        self._entered: Awaited | None = None

    def __await__(self) -> Generator[Any, None, Any]:
        return self._awaited().__await__()

    async def _awaited(self) -> Any:
        result = await asyncio.to_thread(self._call)
        return Awaited(result) if type(result).__module__.startswith("tablestate._sync") else result

    def __aiter__(self) -> AsyncGenerator[Any, None]:
        return _iterated(self._call)

    async def __aenter__(self) -> Awaited:
        self._entered = Awaited(self._call())
        return await self._entered.__aenter__()

    async def __aexit__(self, *error: object) -> None:
        if self._entered is not None:
            await self._entered.__aexit__(*error)


async def _iterated(made: Callable[[], Any]) -> AsyncGenerator[Any, None]:
    """Yield what an iterable yields; it is closed when this is."""
    iterator = iter(made())
    try:
        while (item := await asyncio.to_thread(next, iterator, _END)) is not _END:
            yield item
    finally:
        if hasattr(iterator, "close"):
            await asyncio.to_thread(iterator.close)
