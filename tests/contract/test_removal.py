"""What every store must do when matches are removed from it."""

from collections.abc import Sequence
from dataclasses import replace

from support.domain import HOST_HASH, Table, stamp
from support.stored import append_of, created, match_id, table, telling, write
from tablestate_service.domain import decide
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import MatchStore

ALL = list(MatchPhase)


async def told(store: MatchStore, after: int = 0) -> Sequence[int]:
    """The numbers of the news that are there."""
    return [each.number for each in await store.news("", after, 1000)]


async def test_a_store_that_works_says_so(store: MatchStore) -> None:
    await store.check()
    await store.append(append_of(created(1)))
    await store.check()


async def test_only_matches_that_ended_before_a_time_are_told_and_removed(
    store: MatchStore,
) -> None:
    over, waits = table(1), table(3)
    late = Table(replace(waits.match.terms, match_id=match_id(2), create_time=5_000))
    over.abort()
    late.join(0)
    late.abort()
    for each in (over, late, waits):
        await write(store, each)
    end = over.match.standing.time
    assert await store.ended(end, 0, 10) == []
    assert await store.ended(2**62, 0, 10) == [(1, match_id(1)), (2, match_id(2))]
    assert await store.ended(2**62, 1, 10) == [(2, match_id(2))]
    assert await store.ended(2**62, 0, 1) == [(1, match_id(1))]
    every = [match_id(number) for number in range(1, 5)]
    assert await store.remove(every, end) == []
    assert await store.remove(every, end + 1) == [match_id(1)]
    assert await store.remove(every, end + 1) == []
    assert await store.load(match_id(1)) is None
    assert [each.terms.match_id for each in await store.list_matches(None, ALL, None, 9)] == [
        match_id(3),
        match_id(2),
    ]
    log = await store.load(match_id(2))
    assert log is not None and len(log.entries) == log.head_version == 3


async def test_the_requests_of_a_match_go_with_it(store: MatchStore) -> None:
    first, second = created(1), created(2)
    (over,) = decide.abort(second.match, stamp(), host_hash=HOST_HASH)
    for each in (first, second, over):
        await store.append(append_of(each))
    kept, gone = first.entry.stamp.request, second.entry.stamp.request
    assert kept and gone
    assert await store.find_request(gone.key) is not None
    await store.remove([match_id(1), match_id(2)], 2**62)
    assert await store.find_request(gone.key) is None
    assert await store.find_request(kept.key) is not None
    await store.append(append_of(second))  # A match of the same entries is new.


async def test_old_news_are_removed_and_later_ones_keep_their_numbers(store: MatchStore) -> None:
    for number in range(1, 4):
        await store.append(telling(created(number)))
    before = await told(store)
    assert await store.remove_news(2_000, 10) == 0  # That is when they are from.
    assert await store.remove_news(2_001, 2) == 2
    assert await told(store) == before[2:]
    await store.append(telling(created(4)))
    last = before[2]
    assert await told(store, after=last) == [last + 1]
    assert await store.remove_news(9_000, 10) == 2
    assert await store.last_news() == last + 1
