import asyncio
from contextlib import aclosing

import pytest

from support.domain import BOT, Bench, Table, choice, make_terms, running, stamp, waiting
from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.match import Transition
from tablestate_service.domain.news import NewsKind, news_of
from tablestate_service.usecases import news as usecases_news
from tablestate_service.usecases.news import watch_news


def news(table: Table, transitions: tuple[Transition, ...]) -> list[tuple[str, int | None]]:
    """What is told of the last that was done at a table: kinds and seats."""
    before = table.course[-1 - len(transitions)].match
    return [(each.kind.name, each.seat) for each in news_of(before, transitions)]


def test_a_match_is_told_of_when_it_is_created() -> None:
    table = waiting()
    (told,) = news_of(None, table.course)
    assert (told.kind, told.match_id, told.version) == (
        NewsKind.CREATED,
        table.match.terms.match_id,
        1,
    )


def test_whose_turn_it_is_is_told_with_the_operators_id() -> None:
    table = waiting()
    assert news(table, table.join(0)) == []
    joined = table.join(1)
    assert news(table, joined) == [("TURN", 0)]
    (told,) = news_of(table.course[-3].match, joined)
    assert (told.version, told.player_id) == (4, "id 0")
    assert news(table, table.submit(0, "1")) == [("TURN", 1)]


def test_entropies_that_are_due_are_told_of_once() -> None:
    table = waiting()
    assert news(table, table.join(0, entropy=b"1" * 32)) == []
    assert news(table, table.join(1, entropy=b"2" * 32)) == [("ENTROPY_DUE", None)]
    assert news(table, table.reveal(0, b"1" * 32)) == []
    assert news(table, table.reveal(1, b"2" * 32)) == [("TURN", 0)]


def test_a_bot_is_not_told_of() -> None:
    table = waiting()
    table.add_bot(0)
    assert news(table, table.join(1)) == []


def test_who_had_to_decide_already_is_not_told_again() -> None:
    table = running(3, BOT)
    assert news(table, table.leave(2)) == []
    assert news(table, table.resign(1)) == []


def test_a_turn_that_the_server_takes_is_told_of_when_it_has_passed() -> None:
    table = running(3)
    assert news(table, table.resign(0)) == []
    version = table.match.standing.version
    acted = table.do(
        decide.act_for_absent(table.match, stamp(), choice=choice("1"), version=version)
    )
    assert news(table, acted) == [("TURN", 1)]


def test_an_end_is_told_and_no_turn_with_it() -> None:
    table = running()
    ended = table.resign(0)
    (told,) = news_of(table.course[-2].match, ended)
    assert told.kind is NewsKind.OVER
    assert told.outcome == table.match.standing.outcome is not None
    other = running()
    assert news(other, other.abort()) == [("ABORTED", None)]


def test_news_belong_to_the_tenant_of_the_match() -> None:
    table = Table(make_terms(tenant="shop"))
    assert [each.tenant for each in news_of(None, table.course)] == ["shop"]


async def test_news_come_as_they_happen_and_end_with_the_feed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # They are told, and not found by a look now and then.
    monkeypatch.setattr(usecases_news, "_POLL_SECONDS", 600.0)
    bench = Bench()
    seen: list[int] = []
    async with aclosing(watch_news(bench.store, bench.feed, "", 0)) as watch:
        match_id = await bench.started()
        seen += [(await anext(watch)).news.version for _ in range(2)]
        following = asyncio.ensure_future(anext(watch))
        await asyncio.sleep(0.01)
        await bench.submit(match_id, 0, "1")
        async with asyncio.timeout(60):
            seen.append((await following).news.version)
        following = asyncio.ensure_future(anext(watch))
        await asyncio.sleep(0.05)
        bench.feed.close()
        with pytest.raises(DomainError) as refused:
            await following
    assert seen == [1, 4, 5]
    assert refused.value.reason is Reason.SHUTTING_DOWN
