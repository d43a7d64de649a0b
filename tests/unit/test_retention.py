"""What is removed of a store, and what is archived before."""

import asyncio
from dataclasses import replace

import pytest

from support.memory_store import MemoryStore
from support.stored import match_id, table, write
from tablestate_service.domain.entry import Entry
from tablestate_service.ports import Log
from tablestate_service.usecases.retention import Retention, Swept, is_whole

EVER = 2**62


class Kept:
    """An archive that notes what it is given, and may be full."""

    def __init__(self) -> None:
        self.logs: list[Log] = []
        self.is_full = False

    async def keep(self, log: Log) -> None:
        if self.is_full:
            raise OSError(28, "No space left on device")
        self.logs.append(log)


async def over(store: MemoryStore, *numbers: int) -> None:
    for number in numbers:
        played = table(number)
        played.abort()
        await write(store, played)


async def test_what_is_removed_was_archived_and_is_told() -> None:
    store, archive, gone = MemoryStore(), Kept(), list[str]()
    await over(store, *range(1, 41))
    await write(store, table(50))
    swept = await Retention(store, archive, gone.append).sweep(EVER)
    assert swept == Swept(archived=40, removed=40, left=0)
    assert gone == [match_id(number) for number in range(1, 41)]
    assert [each.entries[-1].match_id for each in archive.logs] == gone
    assert all(map(is_whole, archive.logs))
    assert list(store.heads) == [match_id(50)]


async def test_without_an_archive_matches_are_just_removed() -> None:
    store = MemoryStore()
    await over(store, 1, 2)
    assert await Retention(store).sweep(EVER) == Swept(archived=0, removed=2, left=0)


async def test_nothing_is_removed_that_could_not_be_archived() -> None:
    store, archive = MemoryStore(), Kept()
    await over(store, 1)
    archive.is_full = True
    with pytest.raises(OSError):
        await Retention(store, archive).sweep(EVER)
    assert match_id(1) in store.heads


def without_last(entries: list[Entry]) -> list[Entry]:
    return entries[:-1]


def altered(entries: list[Entry]) -> list[Entry]:
    first = entries[0]
    return [replace(first, draft=replace(first.draft, payload="{}")), *entries[1:]]


def swapped(entries: list[Entry]) -> list[Entry]:
    return entries[::-1]


@pytest.mark.parametrize("damage", [without_last, altered, swapped])
async def test_a_damaged_match_is_left_where_it_is(damage: object) -> None:
    assert callable(damage)
    store, archive = MemoryStore(), Kept()
    await over(store, 1, 2)
    store.logs[match_id(1)] = damage(store.logs[match_id(1)])
    assert await Retention(store, archive).sweep(EVER) == Swept(archived=1, removed=1, left=1)
    assert list(store.heads) == [match_id(1)]


async def test_two_nodes_that_sweep_together_remove_each_match_once() -> None:
    store, gone = MemoryStore(), list[str]()
    await over(store, *range(1, 20))
    nodes = [Retention(store, Kept(), gone.append) for _ in range(2)]
    await asyncio.gather(*(each.sweep(EVER) for each in nodes))
    assert sorted(gone) == [match_id(number) for number in range(1, 20)]
