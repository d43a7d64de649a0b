"""Matches that were stored before rows told tenants and players are found by both."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import apsw
import asyncpg
import pytest

from support.domain import Table, make_terms
from support.postgres import CONNECTIONS
from support.stored import match_id, write
from tablestate_service.adapters.postgres_database import open_database
from tablestate_service.adapters.postgres_store import PostgresStore
from tablestate_service.adapters.sqlite_files import DATABASE_NAME
from tablestate_service.adapters.sqlite_store import SqliteStore
from tablestate_service.domain.audience import Audience, Visibility
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import MatchStore, Scope

ALL = list(MatchPhase)
UNDO = """
    ALTER TABLE {p}entries DROP COLUMN personal;
    {triggers};
    DROP TABLE {p}match_players;
    DROP INDEX {p}matches_by_tenant; DROP INDEX {p}matches_by_phase; DROP INDEX {p}matches_by_game;
    ALTER TABLE {p}matches DROP COLUMN tenant;
    ALTER TABLE {p}matches DROP COLUMN listed;
    ALTER TABLE {p}matches DROP COLUMN players;
    CREATE INDEX matches_by_phase ON {p}matches (phase, number);
    CREATE INDEX matches_by_game ON {p}matches (game, phase, number);"""
"""Takes back the migration and the one after it, so that there is something to bring up to date."""


async def fill(store: MatchStore) -> None:
    """1 of a tenant, both seats taken; 2 of it, a seat given back; 3 of nobody; 4 unlisted."""
    for number, tenant in ((1, "shop"), (2, "shop"), (3, ""), (4, "shop")):
        terms = make_terms(match_id=match_id(number), tenant=tenant)
        if number == 4:
            terms = replace(terms, audience=Audience(Visibility.UNLISTED))
        table = Table(terms)
        table.join(0)
        if number == 1:
            table.join(1)
        if number == 2:
            table.leave(0)
            table.join(0, 7)
        await write(store, table)


async def check(store: MatchStore) -> None:
    async def listed(scope: Scope) -> list[int]:
        found = await store.list_matches("offboard", ALL, None, 10, scope)
        assert found == await store.list_matches(None, ALL, None, 10, scope)
        return [int(each.terms.match_id, 16) for each in found]

    assert await listed(Scope("shop", are_all_shown=True)) == [4, 2, 1]
    assert await listed(Scope("")) == [3]
    assert await listed(Scope("shop", "id 0")) == [4, 1]
    assert await listed(Scope("shop", "id 7")) == [2]
    assert await listed(Scope("shop", "id 1", are_all_shown=True)) == [1]
    assert await listed(Scope("", "id 0")) == [3]
    assert await listed(Scope("", "")) == []
    tenants = [await store.tenant_of(match_id(number)) for number in range(1, 6)]
    assert tenants == ["shop", "shop", "", "shop", None]
    assert await store.list_matches(None, ALL, 2, 10, Scope("shop", "id 0")) == (
        await store.list_matches(None, ALL, None, 10, Scope("shop", "id 1"))
    )


async def run(fill_or_check: Callable[[MatchStore], Awaitable[None]], store: MatchStore) -> None:
    try:
        await fill_or_check(store)
    finally:
        await store.close()


async def test_in_sqlite(tmp_path: Path) -> None:
    await run(fill, SqliteStore(tmp_path))
    connection = apsw.Connection(str(tmp_path / DATABASE_NAME))
    triggers = "; ".join(
        f"DROP TRIGGER players_of_{which}_match" for which in ("a_new", "a_lost", "a")
    )
    connection.execute(UNDO.format(p="", triggers=triggers))
    connection.pragma("user_version", 4)
    connection.close()
    await run(check, SqliteStore(tmp_path))


@pytest.mark.postgres
async def test_in_postgres(database_url: str) -> None:
    await run(fill, PostgresStore(await open_database(database_url, CONNECTIONS)))
    connection = await asyncpg.connect(database_url)
    triggers = "DROP FUNCTION tablestate.note_players CASCADE"
    await connection.execute(UNDO.format(p="tablestate.", triggers=triggers))
    await connection.execute("UPDATE tablestate.schema_version SET version = 4")
    await connection.close()
    await run(check, PostgresStore(await open_database(database_url, CONNECTIONS)))
