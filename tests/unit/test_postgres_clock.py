"""The clock that nodes share: it goes evenly while that of the database is set."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import pytest

from tablestate_service.adapters.postgres_clock import PostgresClock

T = TypeVar("T")

SECOND = 1_000_000_000
HOUR = 3600 * SECOND


class World:
    """A database's clock, which can be set, and the time that truly passes."""

    def __init__(self) -> None:
        self.passed = 0
        self.is_set_to = 1_700_000_000 * SECOND
        self.correction = 0
        self.way = 0
        self.corrections = 0
        self.losses = 0

    async def fetch(self, sql: str, *arguments: int) -> Any:
        self.passed += self.way
        if self.losses:
            self.losses -= 1
            raise ConnectionError
        if "UPDATE" not in sql:
            shown = self.is_set_to + self.passed
            self.passed += self.way
            return [(shown, self.correction)]
        change, expected = arguments
        if self.correction == expected:
            self.correction += change
            self.corrections += 1
        return []


class Node:
    """A node whose own clock is somewhere else, and may have slept."""

    def __init__(self, world: World, own: int) -> None:
        self.world = world
        self.own = own
        self.clock = PostgresClock(world.fetch, patiently, lambda: self.own + world.passed)


async def patiently(work: Callable[[bool], Awaitable[T]]) -> T:
    """Three times, as long as the connection is lost."""
    for _ in range(2):
        with suppress(ConnectionError):
            return await work(False)
    return await work(True)


async def passed_since(node: Node, start: int) -> int:
    return await node.clock.now() - start


@pytest.mark.parametrize("jump", [HOUR, -HOUR, 5 * SECOND])
async def test_a_jump_of_the_database_is_taken_back(jump: int) -> None:
    world = World()
    nodes = [Node(world, own) for own in (5, 10**15)]
    starts = [await each.clock.now() for each in nodes]
    assert starts[0] == starts[1]
    for _ in range(3):
        world.is_set_to += jump
        world.passed += 2 * SECOND
        first, second = [await passed_since(*each) for each in zip(nodes, starts, strict=True)]
        assert first == second == world.passed
    assert world.corrections == 3
    assert await passed_since(Node(world, 77), starts[0]) == world.passed, "a new node agrees"


async def test_nodes_do_not_quarrel_over_one_that_has_slept() -> None:
    world = World()
    awake, slept = Node(world, 5), Node(world, 9)
    start = await awake.clock.now()
    await slept.clock.now()
    world.passed += HOUR
    slept.own -= HOUR
    for round_ in range(1, 5):
        world.passed += 2 * SECOND
        times = [await passed_since(each, start) for each in (awake, slept, awake)]
        assert times[1:] == [round_ * 2 * SECOND] * 2 or round_ == 1
    assert world.corrections == 1


async def test_a_small_difference_is_gone_along_with() -> None:
    world = World()
    node = Node(world, 0)
    start = await node.clock.now()
    world.is_set_to += SECOND // 2
    world.passed += 2 * SECOND
    assert await passed_since(node, start) == 2 * SECOND + SECOND // 2
    world.is_set_to -= SECOND
    world.passed += 2 * SECOND
    assert await passed_since(node, start) == 4 * SECOND - SECOND // 2
    assert world.corrections == 0


async def test_a_slow_answer_is_no_jump() -> None:
    world = World()
    node = Node(world, 0)
    start = await node.clock.now()
    world.way = 4 * SECOND
    world.passed += 2 * SECOND
    assert world.passed - world.way <= await passed_since(node, start) <= world.passed
    assert world.corrections == 0


async def test_time_in_which_the_database_was_away_is_not_counted_twice() -> None:
    world = World()
    node = Node(world, 0)
    start = await node.clock.now()
    world.way, world.losses = 2 * SECOND, 2
    world.passed += 2 * SECOND
    shown = await passed_since(node, start)
    assert world.losses == 0 and world.passed == 10 * SECOND
    assert world.passed - world.way <= shown <= world.passed
    world.way = 0
    world.passed += 2 * SECOND
    assert await passed_since(node, start) == world.passed
    assert world.corrections == 0


async def test_it_never_runs_backwards() -> None:
    world = World()
    node = Node(world, 0)
    start = await node.clock.now()
    world.is_set_to -= SECOND // 2
    world.passed += SECOND // 10
    assert await passed_since(node, start) == SECOND // 10
    world.passed += SECOND // 1000
    assert await passed_since(node, start) >= SECOND // 10
