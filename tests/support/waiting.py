"""Waiting that ends: a test that would hang fails, and shows what it waited for."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any


async def finished(tasks: Sequence[asyncio.Task[Any]], seconds: float) -> None:
    """Wait for all tasks; raises what one has run into, or shows where they hang."""
    if tasks:
        await asyncio.wait(tasks, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
    for task in tasks:
        if task.done():
            task.result()
    hanging = [task for task in tasks if not task.done()]
    for task in hanging:
        task.cancel()
    places = "\n".join(" > ".join(_places(task.get_coro())) for task in hanging)
    assert not hanging, f"after {seconds} s these still wait:\n{places}"


def _places(awaited: object) -> Iterator[str]:
    """Where a coroutine waits, and where what it waits for does."""
    inner = awaited
    while inner is not None:
        frame = getattr(inner, "cr_frame", None) or getattr(inner, "ag_frame", None)
        if frame is not None:
            yield f"{frame.f_code.co_qualname}:{frame.f_lineno}"
        inner = getattr(inner, "cr_await", None) or getattr(inner, "ag_await", None)
