"""Waiting that ends tells what failed, and what hangs."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from support.waiting import finished


async def hang() -> None:
    await asyncio.Event().wait()


async def go_nowhere() -> None:
    await hang()


async def fail() -> None:
    raise ValueError("broken")


def begun(*work: Callable[[], Coroutine[Any, Any, None]]) -> list[asyncio.Task[None]]:
    return [asyncio.ensure_future(each()) for each in work]


async def test_what_has_finished_is_no_matter() -> None:
    await finished([], 1)
    await finished(begun(lambda: asyncio.sleep(0)), 60)


async def test_what_one_ran_into_is_raised_at_once() -> None:
    tasks = begun(go_nowhere, fail)
    with pytest.raises(ValueError, match="broken"):
        await finished(tasks, 60)
    tasks[0].cancel()


async def test_what_hangs_is_shown_with_where_it_waits_and_is_ended() -> None:
    (task,) = begun(go_nowhere)
    with pytest.raises(AssertionError, match=r"go_nowhere:\d+ > hang:\d+ > Event.wait:\d+"):
        await finished([task], 0.01)
    await asyncio.wait([task])
    assert task.cancelled()
