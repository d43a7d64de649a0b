import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from support.domain import BOT, HOST_HASH, Bench, InlineWorkers, make_terms, request
from support.memory_store import MemoryStore
from support.service import token
from tablestate_service.domain import decide
from tablestate_service.domain.errors import log_damaged
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.usecases.bots import BotRunner

BOTS = 20


@asynccontextmanager
async def bots(
    bench: Bench, lanes: int = 3, look_seconds: float | None = None
) -> AsyncIterator[BotRunner]:
    runner = BotRunner(
        bench.matches, bench.engine, bench.store, InlineWorkers(), lanes, look_seconds
    )
    await runner.start()
    yield runner
    await runner.stop()


async def add_bot(bench: Bench, match_id: str, seat: int) -> None:
    await bench.matches.change(
        match_id,
        request(f"bot {match_id} {seat}"),
        lambda match, stamp: decide.add_bot(
            match, bench.engine, stamp, host_hash=HOST_HASH, bot="random", seat=seat
        ),
    )


async def until_over(bench: Bench, match_id: str) -> list[str]:
    """Wait for the end of a match; the actions taken in it."""
    async with asyncio.timeout(60):
        while (await bench.matches.get(match_id)).match.standing.phase is not MatchPhase.OVER:
            await asyncio.sleep(0.001)
    return [each.draft.notation for each in bench.store.logs[match_id] if each.draft.notation]


async def test_bots_play_a_match_to_its_end() -> None:
    bench = Bench()
    async with bots(bench):
        match_id = await bench.create()
        await add_bot(bench, match_id, 0)
        await add_bot(bench, match_id, 1)
        assert await until_over(bench, match_id) == ["2", "2", "2"]


async def test_many_matches_are_played_at_once_and_nothing_twice() -> None:
    bench = Bench()
    async with bots(bench) as runner:
        ids = [f"{number:032x}" for number in range(1, BOTS + 1)]
        for match_id in ids:
            await bench.create(make_terms(match_id=match_id), match_id)
            await add_bot(bench, match_id, 0)
            await add_bot(bench, match_id, 1)
            runner.wake(match_id)
        for match_id in ids:
            assert await until_over(bench, match_id) == ["2", "2", "2"]


async def test_a_bot_waits_for_the_player() -> None:
    bench = Bench()
    async with bots(bench):
        match_id = await bench.create()
        await add_bot(bench, match_id, 1)
        await bench.join(match_id, 0)
        await bench.submit(match_id, 0, "1")
        await asyncio.sleep(0.01)
        await bench.submit(match_id, 0, "1")
        assert await until_over(bench, match_id) == ["1", "2", "1", "2"]


async def test_bots_go_on_after_a_restart() -> None:
    bench = Bench()
    match_id = await bench.create()
    await add_bot(bench, match_id, 0)
    await add_bot(bench, match_id, 1)
    restarted = Bench(bench.store)
    async with bots(restarted):
        assert await until_over(restarted, match_id) == ["2", "2", "2"]


async def leave(bench: Bench, match_id: str, seat: int) -> None:
    await bench.matches.change(
        match_id,
        request(f"leave {seat}"),
        lambda match, stamp: decide.leave(match, stamp, token_hash=token_hash(token(seat))),
    )


async def test_a_player_who_left_is_played_by_the_default_action() -> None:
    bench = Bench(seats=3)
    async with bots(bench):
        match_id = await bench.started()
        await leave(bench, match_id, 1)
        await bench.submit(match_id, 0, "2")
        await asyncio.sleep(0.01)
        await bench.submit(match_id, 2, "3")
        assert await until_over(bench, match_id) == ["2", "1", "3"]


async def test_a_player_who_left_is_played_by_a_bot_if_so_agreed() -> None:
    bench = Bench()
    async with bots(bench):
        match_id = await bench.started(make_terms(on_leave=BOT))
        await leave(bench, match_id, 0)
        await asyncio.sleep(0.01)
        await bench.submit(match_id, 1, "3")
        assert await until_over(bench, match_id) == ["2", "3", "2"]


async def test_a_damaged_store_does_not_keep_the_runner_from_starting() -> None:
    class DamagedStore(MemoryStore):
        async def automatic_matches(self) -> Sequence[str]:
            raise log_damaged()

    bench = Bench(DamagedStore())
    async with bots(bench):
        match_id = await bench.create()
        for seat in (0, 1):
            await add_bot(bench, match_id, seat)
        assert await until_over(bench, match_id)


async def waiting_for_a_bot(bench: Bench) -> str:
    """A match of bots that no runner has heard of."""
    match_id = await bench.create()
    for seat in (0, 1):
        await add_bot(bench, match_id, seat)
    return match_id


async def test_a_turn_that_another_node_has_claimed_is_left_to_it() -> None:
    bench = Bench()
    async with bots(bench, look_seconds=0.005):
        match_id = "00000000000000000000000000000001"
        bench.store.database.claim(match_id, 4, "another node")
        await waiting_for_a_bot(bench)
        await asyncio.sleep(0.1)
        assert len(bench.store.logs[match_id]) == 4
        del bench.store.database.turns[match_id]
        assert await until_over(bench, match_id) == ["2", "2", "2"]


async def test_a_turn_that_another_node_has_left_lying_is_found() -> None:
    other = Bench()
    bench = Bench(other.store)
    async with bots(bench, look_seconds=0.005):
        match_id = await waiting_for_a_bot(other)
        assert await until_over(bench, match_id) == ["2", "2", "2"]


async def test_a_look_that_fails_is_not_the_last() -> None:
    class Moody(MemoryStore):
        looks = 0

        async def automatic_matches(self) -> Sequence[str]:
            self.looks += 1
            if self.looks in (2, 3):
                raise RuntimeError("unforeseen")
            return await super().automatic_matches()

    other = Bench(store := Moody())
    bench = Bench(store)
    async with bots(bench, look_seconds=0.005):
        match_id = await waiting_for_a_bot(other)
        assert await until_over(bench, match_id) == ["2", "2", "2"]
    assert store.looks > 3


async def test_a_match_whose_bot_fails_is_not_tried_at_every_look() -> None:
    class Forgetful(MemoryStore):
        claimed = 0

        async def claim_turn(self, match_id: str, version: int) -> bool:
            self.claimed += 1
            raise RuntimeError("unforeseen")

    store = Forgetful()
    async with bots(Bench(store), look_seconds=0.002):
        await waiting_for_a_bot(Bench(store))
        await asyncio.sleep(0.08)
    assert 1 <= store.claimed <= 3
