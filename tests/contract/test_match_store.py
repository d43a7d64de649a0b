"""What every store of matches must do, the one in memory included."""

import asyncio
from dataclasses import replace

import pytest

from support.domain import Table, make_terms, request
from support.stored import append_of, created, match_id, table, telling, turn, write
from tablestate_service.domain.audience import Audience, Visibility
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.news import News, NewsKind
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import (
    EVERYBODYS,
    MatchStore,
    RequestTakenError,
    Scope,
    StoredRequest,
    VersionConflictError,
)

ALL = list(MatchPhase)


async def test_what_was_written_is_read_back(store: MatchStore) -> None:
    played = table(1)
    played.join(0)
    played.add_bot(1)
    played.submit(0, "2")
    await write(store, played)
    log = await store.load(match_id(1))
    assert log is not None
    assert list(log.entries) == [each.entry for each in played.course]
    assert (log.head_version, log.head_hash) == (5, played.match.head_hash)


async def test_a_log_is_read_in_parts(store: MatchStore) -> None:
    played = table(1)
    played.join(0)
    played.join(1)
    await write(store, played)
    for after, limit, versions in ((0, 2, [1, 2]), (2, 9, [3, 4]), (3, None, [4]), (4, 1, [])):
        log = await store.load(match_id(1), after, limit)
        assert log is not None
        assert [entry.version for entry in log.entries] == versions
        assert (log.head_version, log.head_hash) == (4, played.match.head_hash)


async def test_an_unknown_match_has_no_log(store: MatchStore) -> None:
    assert await store.load(match_id(7)) is None


async def test_entries_of_one_append_are_written_together(store: MatchStore) -> None:
    played = table(1)
    await write(store, played)
    await store.append(append_of(*played.join(0)))
    await store.append(append_of(*played.join(1)))
    log = await store.load(match_id(1))
    assert log is not None
    assert [each.draft.change for each in log.entries][2:] == [
        MatchChange.JOINED,
        MatchChange.STARTED,
    ]


async def test_a_whole_course_in_one_append_is_stored_and_listed(store: MatchStore) -> None:
    played = table(1)
    played.join(0)
    played.join(1)
    played.submit(0, "2")
    await store.append(append_of(*played.course))
    log = await store.load(match_id(1))
    assert log is not None
    assert list(log.entries) == [each.entry for each in played.course]
    assert len(await store.list_matches(None, ALL, None, 10)) == 1


async def test_a_version_is_written_once(store: MatchStore) -> None:
    played = table(1)
    await write(store, played)
    joined = played.join(0)
    await store.append(append_of(*joined))
    with pytest.raises(VersionConflictError):
        await store.append(append_of(*joined))
    with pytest.raises(VersionConflictError):
        await store.append(append_of(*played.join(1)[1:]))
    log = await store.load(match_id(1))
    assert log is not None and len(log.entries) == 2


async def test_of_many_who_write_one_version_at_once_one_succeeds(store: MatchStore) -> None:
    played = table(1)
    await write(store, played)
    rivals = []
    for holder in range(8):
        rival = Table(played.match.terms)
        rivals.append(rival.join(0, holder))
    results = await asyncio.gather(
        *(store.append(append_of(*rival)) for rival in rivals), return_exceptions=True
    )
    assert [type(each) for each in results].count(VersionConflictError) == 7
    log = await store.load(match_id(1))
    assert log is not None and len(log.entries) == 2
    winner = [rival[0].entry for rival in rivals].index(log.entries[1])
    assert results[winner] is None


async def test_a_conflict_fails_no_other(store: MatchStore) -> None:
    await store.append(append_of(created(1)))
    results = await asyncio.gather(
        store.append(append_of(created(2))),
        store.append(append_of(created(1, "again"))),
        store.append(append_of(created(3))),
        return_exceptions=True,
    )
    assert [type(each) for each in results] == [type(None), VersionConflictError, type(None)]
    assert await store.load(match_id(3)) is not None


async def test_a_request_is_found_by_its_key(store: MatchStore) -> None:
    await store.append(append_of(created(1)))
    asked = request("create 1")
    assert await store.find_request(asked.key) == StoredRequest(match_id(1), 1, asked.content_hash)
    assert await store.find_request(request("create 2").key) is None


async def test_a_request_is_written_once_in_the_whole_store(store: MatchStore) -> None:
    results = await asyncio.gather(
        *(store.append(append_of(created(number, "one"))) for number in range(1, 6)),
        return_exceptions=True,
    )
    assert [type(each) for each in results].count(RequestTakenError) == 4
    assert len(await store.list_matches(None, ALL, None, 10)) == 1


async def test_a_request_taken_is_told_before_a_version_passed(store: MatchStore) -> None:
    await store.append(append_of(created(1)))
    with pytest.raises(RequestTakenError):
        await store.append(append_of(created(1)))


async def test_a_caller_who_goes_does_not_take_its_entry_along(store: MatchStore) -> None:
    async def call() -> None:
        await store.append(append_of(created(1)))

    caller = asyncio.ensure_future(call())
    await asyncio.sleep(0)
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await store.load(match_id(1)) is not None


async def test_many_appends_at_once_are_all_written(store: MatchStore) -> None:
    await asyncio.gather(*(store.append(append_of(created(n))) for n in range(1, 501)))
    listed = await store.list_matches(None, ALL, None, 1000)
    assert len(listed) == 500


async def fill(store: MatchStore) -> None:
    """Five matches: 1 waits, 2 runs, 3 is over, 4 is aborted, 5 waits."""
    tables = [table(number) for number in range(1, 6)]
    for seat in (0, 1):
        tables[1].join(seat)
        tables[2].join(seat)
    tables[2].resign(0)
    tables[3].abort()
    for each in tables:
        await write(store, each)


@pytest.mark.parametrize(
    ("phases", "expected"),
    [
        (ALL, [5, 4, 3, 2, 1]),
        ([MatchPhase.WAITING], [5, 1]),
        ([MatchPhase.RUNNING, MatchPhase.OVER], [3, 2]),
        ([MatchPhase.ABORTED], [4]),
    ],
)
async def test_matches_are_listed_the_newest_first(
    store: MatchStore, phases: list[MatchPhase], expected: list[int]
) -> None:
    await fill(store)
    listed = await store.list_matches(None, phases, None, 10)
    assert [each.terms.match_id for each in listed] == [match_id(number) for number in expected]
    assert await store.list_matches("offboard", phases, None, 10) == listed
    assert await store.list_matches("othergame", phases, None, 10) == []


async def test_a_list_is_of_those_whose_matches_are_asked_for(store: MatchStore) -> None:
    for number, tenant in ((1, "shop"), (2, "shop"), (3, "")):
        terms = make_terms(match_id=match_id(number), tenant=tenant)
        if number == 2:
            terms = replace(terms, audience=Audience(Visibility.UNLISTED))
        seated = Table(terms)
        seated.join(0)
        await write(store, seated)
    changing = Table(make_terms(match_id=match_id(4), tenant="shop"))
    changing.join(1)
    changing.leave(1)
    await write(store, changing)
    for scope, expected in (
        (EVERYBODYS, [4, 3, 1]),
        (Scope("shop"), [4, 1]),
        (Scope("shop", are_all_shown=True), [4, 2, 1]),
        (Scope("shop", "id 0"), [2, 1]),
        (Scope("shop", "id 1"), []),
        (Scope("", "id 0"), [3]),
    ):
        for game in (None, "offboard"):
            listed = await store.list_matches(game, ALL, None, 10, scope)
            assert [each.terms.match_id for each in listed] == [match_id(n) for n in expected]
    assert [await store.tenant_of(match_id(n)) for n in (2, 3, 5)] == ["shop", "", None]
    numbers = [await store.number_of(match_id(n), None) for n in (1, 2, 3, 4, 5)]
    assert numbers[-1] is None
    (first, *_, last) = await store.list_matches(
        None, ALL, None, 10, Scope(None, are_all_shown=True)
    )
    assert (first.number, last.number) == (numbers[3], numbers[0])
    assert await store.number_of(match_id(2), "shop") == numbers[1]
    assert await store.number_of(match_id(2), "") is None


async def test_a_list_goes_on_page_by_page(store: MatchStore) -> None:
    await fill(store)
    seen: list[str] = []
    before: int | None = None
    while page := await store.list_matches(None, ALL, before, 2):
        seen += [each.terms.match_id for each in page]
        before = page[-1].number
    assert seen == [match_id(number) for number in (5, 4, 3, 2, 1)]


async def test_a_list_shows_terms_and_standing_without_secrets_of_players(
    store: MatchStore,
) -> None:
    played = table(1)
    played.join(0)
    played.join(1)
    played.submit(0, "3")
    played.submit(1, "3")
    await write(store, played)
    (listed,) = await store.list_matches(None, ALL, None, 10)
    assert listed.terms == played.match.terms
    shown = [replace(seat, player_id="", token_hash=None) for seat in listed.standing.seats]
    expected = [
        replace(seat, player_id="", token_hash=None) for seat in played.match.standing.seats
    ]
    assert shown == expected
    # Lists need not tell since when a decision is due.
    told, known = (
        replace(standing, seats=(), decided_on=0)
        for standing in (listed.standing, played.match.standing)
    )
    assert told == known


async def test_matches_whose_actor_has_no_player_are_found(store: MatchStore) -> None:
    waits, plays, over = table(1), table(2), table(3)
    for each, bot_seat in ((waits, 1), (plays, 0), (over, 0)):
        each.join(1 - bot_seat)
        each.add_bot(bot_seat)
    over.abort()
    for each in (waits, plays, over):
        await write(store, each)
    assert await store.automatic_matches() == [match_id(2)]


async def test_the_head_is_that_of_what_was_written(store: MatchStore) -> None:
    played = table(1)
    played.join(0)
    await write(store, played)
    assert await store.head_version(match_id(1), 2) == 2
    # A store that only this process writes to asks nobody.
    assert await store.head_version(match_id(2), 7) in (0, 7)


async def test_a_turn_can_be_claimed_and_claimed_again(store: MatchStore) -> None:
    assert [await store.claim_turn(match_id(1), version) for version in (3, 3, 4)] == [True] * 3


async def test_time_goes_on(store: MatchStore) -> None:
    first = await store.time()
    await asyncio.sleep(0.02)
    second = await store.time()
    assert 15_000_000 <= second - first < 5_000_000_000
    assert second % 1_000_000 == 0, "times are public"


async def test_the_nearest_deadlines_are_found(store: MatchStore) -> None:
    tables = [
        Table(make_terms(match_id=match_id(number), waiting_limit=limit))
        for number, limit in ((1, 30), (2, 10), (3, None), (4, 20))
    ]
    for each in tables:
        await write(store, each)
    assert await store.deadlines(2) == [(match_id(2), 10), (match_id(4), 20)]
    await store.append(append_of(*tables[1].join(0)))
    await store.append(append_of(*tables[1].join(1)))
    await store.append(append_of(*tables[3].abort()))
    assert await store.deadlines(9) == [(match_id(1), 30)]


async def told(store: MatchStore, tenant: str = "", after: int = 0) -> list[tuple[int, int]]:
    """The news of a tenant, as numbers and versions of matches."""
    news = [each.news for each in await store.news(tenant, after, 1000)]
    return [(int(each.match_id, 16), each.version) for each in news]


async def test_news_are_told_in_the_order_in_which_they_were_written(store: MatchStore) -> None:
    assert await store.last_news() == 0
    played, other = table(1), table(2)
    await store.append(telling(*played.course))
    await store.append(telling(*other.course, tenant="shop"))
    await store.append(append_of(*played.join(0)))
    await store.append(telling(*played.join(1)))
    assert await told(store) == [(1, 1), (1, 4)]
    assert await told(store, "shop") == [(2, 1)]
    assert await told(store, "nobody") == []
    first, second = await store.news("", 0, 10)
    assert first.news == turn(1, 1) and second.news == turn(1, 4)
    assert await store.news("", first.number, 10) == [second]
    assert await store.news("", 0, 1) == [first]
    assert await store.news("", second.number, 10) == []
    assert await store.last_news() == second.number


async def test_of_the_end_of_a_match_its_outcome_is_told(store: MatchStore) -> None:
    over = News(NewsKind.OVER, "", "offboard", match_id(1), 1, 5, outcome=b"\x08\x03")
    await store.append(replace(append_of(created(1)), news=(over,)))
    assert [each.news for each in await store.news("", 0, 10)] == [over]


async def test_what_is_not_written_is_not_told(store: MatchStore) -> None:
    played = table(1)
    await store.append(telling(*played.course))
    results = await asyncio.gather(
        store.append(telling(created(1, "again"))),
        store.append(telling(created(2))),
        store.append(telling(*played.join(0))),
        return_exceptions=True,
    )
    assert [type(each) for each in results] == [VersionConflictError, type(None), type(None)]
    assert sorted(await told(store)) == [(1, 1), (1, 2), (2, 1)]


async def follow(store: MatchStore, count: int) -> list[int]:
    """Read news as they come; the numbers of their matches."""
    seen: list[int] = []
    after = 0
    while len(seen) < count:
        for each in await store.news("", after, 7):
            assert each.number > after
            after = each.number
            seen.append(int(each.news.match_id, 16))
        await asyncio.sleep(0)
    return seen


async def test_whoever_reads_meanwhile_misses_nothing_and_all_read_the_same(
    store: MatchStore,
) -> None:
    following = [asyncio.ensure_future(follow(store, 300)) for _ in range(3)]
    await asyncio.gather(*(store.append(telling(created(n))) for n in range(1, 301)))
    async with asyncio.timeout(60):
        first, *others = await asyncio.gather(*following)
    assert sorted(first) == list(range(1, 301))
    assert all(each == first for each in others)


async def test_a_webhook_goes_on_where_it_was(store: MatchStore) -> None:
    assert await store.claim_hook("push") == 0
    await store.append(telling(created(1)))
    await store.append(telling(created(2)))
    assert await store.claim_hook("push") == 0
    assert await store.claim_hook("other") == 2, "a new one begins with what comes now"
    assert await store.move_hook("push", 1)
    assert await store.claim_hook("push") == 1
