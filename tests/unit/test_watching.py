import asyncio
from contextlib import aclosing

import pytest

from support.domain import Bench, make_terms, request
from support.service import token
from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.usecases.matches import _RECENT
from tablestate_service.usecases.watching import Cursor, cursor, watch_matches

IDS = [f"{number:032x}" for number in range(1, 20)]


def spectator(match_id: str, after: int = 0) -> Cursor:
    return cursor(match_id, b"", after, False, False)


async def versions(bench: Bench, *cursors: Cursor) -> list[tuple[str, int]]:
    """Everything that a watch sends until it ends."""
    async with (
        asyncio.timeout(60),
        aclosing(watch_matches(bench.matches, bench.feed, cursors)) as w,
    ):
        return [(each.match_id, transition.entry.version) async for each, transition in w]


async def finish(bench: Bench, match_id: str) -> None:
    for ply in range(6):
        await bench.submit(match_id, ply % 2, "1")


@pytest.mark.parametrize("after", [0, 1, 5, 9, 10])
async def test_a_watch_sends_what_lies_after_its_cursor_and_ends_with_the_match(
    after: int,
) -> None:
    bench = Bench()
    match_id = await bench.started()
    await finish(bench, match_id)
    seen = await versions(bench, spectator(match_id, after))
    assert [version for _, version in seen] == list(range(after + 1, 11))


async def test_a_watch_goes_on_with_the_match() -> None:
    bench = Bench()
    match_id = await bench.started()
    watch = asyncio.ensure_future(versions(bench, spectator(match_id, 2)))
    await asyncio.sleep(0.01)
    for ply in range(6):
        await bench.submit(match_id, ply % 2, "1")
        await asyncio.sleep(0.001 * (ply % 2))
    assert [version for _, version in await watch] == list(range(3, 11))


async def test_a_watcher_that_falls_behind_misses_nothing() -> None:
    bench = Bench()
    match_id = await bench.create()
    async with aclosing(watch_matches(bench.matches, bench.feed, [spectator(match_id)])) as watch:
        assert (await anext(watch))[1].entry.version == 1
        # More than is kept at hand, so that the rest must come from the store.
        for number in range(_RECENT):
            await join_and_leave(bench, match_id, number)
        seen = [(await anext(watch))[1].entry.version for _ in range(2 * _RECENT)]
    assert seen == list(range(2, 2 * _RECENT + 2))


async def join_and_leave(bench: Bench, match_id: str, number: int) -> None:
    holder = token_hash(token(number))
    await bench.matches.change(
        match_id,
        request(f"join {number}"),
        lambda match, stamp: decide.join(
            match,
            bench.engine,
            stamp,
            token_hash=holder,
            seat=0,
            display_name="",
            player_id="",
        ),
    )
    await bench.matches.change(
        match_id,
        request(f"leave {number}"),
        lambda match, stamp: decide.leave(match, stamp, token_hash=holder),
    )


async def test_one_stream_watches_many_matches() -> None:
    bench = Bench()
    ids = [await bench.started(make_terms(match_id=each)) for each in IDS[:3]]
    watch = asyncio.ensure_future(versions(bench, *(spectator(each) for each in ids)))
    for each in reversed(ids):
        await finish(bench, each)
    seen = await watch
    for each in ids:
        assert [version for match_id, version in seen if match_id == each] == list(range(1, 11))


async def test_a_seat_that_was_given_back_shows_no_more_than_a_spectator_sees() -> None:
    bench = Bench()
    match_id = await bench.create()
    await join_and_leave(bench, match_id, 3)
    each = Cursor(match_id, token_hash(token(3)), 0, False, False)
    viewers = [
        each.viewer_of(transition)
        async for batch in bench.matches.history(match_id, 0, 3)
        for transition in batch
    ]
    assert viewers == [None, 0, None]


async def test_a_wrong_token_watches_nothing() -> None:
    bench = Bench()
    match_id = await bench.started()
    with pytest.raises(DomainError) as refused:
        await versions(bench, cursor(match_id, token(9), 0, False, False))
    assert refused.value.reason is Reason.WRONG_SEAT_TOKEN
    assert not bench.feed.is_watched(match_id)


async def test_a_cursor_ahead_of_the_match_is_refused() -> None:
    bench = Bench()
    match_id = await bench.started()
    with pytest.raises(DomainError) as refused:
        await versions(bench, spectator(match_id, 5))
    assert refused.value.reason is Reason.VERSION_NOT_REACHED


async def test_closing_the_feed_ends_the_watches() -> None:
    bench = Bench()
    match_id = await bench.started()
    watch = asyncio.ensure_future(versions(bench, spectator(match_id)))
    await asyncio.sleep(0.01)
    bench.feed.close()
    with pytest.raises(DomainError) as refused:
        await watch
    assert refused.value.reason is Reason.SHUTTING_DOWN
    with pytest.raises(DomainError):
        bench.feed.subscribe([match_id])


async def test_there_is_room_for_so_many_watches_and_no_more() -> None:
    bench = Bench()
    subscriptions = [bench.feed.subscribe(IDS[:2]) for _ in range(100)]
    with pytest.raises(DomainError) as refused:
        bench.feed.subscribe(IDS[:1])
    assert refused.value.reason is Reason.LIMIT_REACHED
    assert refused.value.metadata == {"limit": "watches", "maximum": "100"}
    for each in subscriptions:
        each.close()
    assert not bench.feed.is_watched(IDS[0])
    bench.feed.subscribe(IDS[:1]).close()


async def test_a_watch_waits_only_for_the_matches_that_go_on() -> None:
    bench = Bench()
    over, going_on = [await bench.started(make_terms(match_id=each)) for each in IDS[:2]]
    await finish(bench, over)
    cursors = spectator(over, 10), spectator(going_on, 4)
    watch = asyncio.ensure_future(versions(bench, *cursors))
    await asyncio.sleep(0.01)
    await finish(bench, going_on)
    assert await watch == [(going_on, version) for version in range(5, 11)]


async def test_a_watcher_reads_what_another_node_wrote_when_it_is_told() -> None:
    other = Bench()
    match_id = await other.started()
    bench = Bench(other.store)
    watch = asyncio.ensure_future(versions(bench, spectator(match_id, 2)))
    await asyncio.sleep(0.01)
    for ply in range(6):
        await other.submit(match_id, ply % 2, "1")
        if ply % 2:  # The others were lost, the last one is told twice.
            bench.feed.publish(match_id, 5 + ply)
            await asyncio.sleep(0.005)
    bench.feed.publish(match_id, 10)
    assert [version for _, version in await watch] == list(range(3, 11))


async def test_news_that_are_old_wake_nobody() -> None:
    bench = Bench()
    with_news = bench.feed.subscribe(IDS[:2])
    for version in (3, 5, 4, 5):
        bench.feed.publish(IDS[0], version)
    assert await with_news.changed() == {IDS[0]: 5}
    bench.feed.publish(IDS[0], 5)
    bench.feed.publish(IDS[1], 1)
    assert await with_news.changed() == {IDS[1]: 1}
