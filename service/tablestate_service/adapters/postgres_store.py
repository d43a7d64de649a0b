"""The store on PostgreSQL, which any number of nodes share."""

import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import asyncpg

from tablestate_service.adapters.fault_points import FaultPoints
from tablestate_service.adapters.postgres_clock import PostgresClock
from tablestate_service.adapters.postgres_database import Database
from tablestate_service.adapters.postgres_heads import Heads
from tablestate_service.adapters.postgres_lists import list_statement
from tablestate_service.adapters.postgres_rows import forget_statement
from tablestate_service.adapters.postgres_writer import Writer
from tablestate_service.adapters.rows import (
    ENTRY_COLUMNS,
    NEWS_COLUMNS,
    entry_of,
    listed_of,
    told_of,
)
from tablestate_service.domain.errors import log_damaged, shutting_down, storage_unavailable
from tablestate_service.domain.match import Match
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import (
    CLAIM_SECONDS,
    EVERYBODYS,
    HOOK_SECONDS,
    Append,
    Ended,
    Listed,
    Log,
    Scope,
    StoredRequest,
    Told,
    Writing,
)

log = logging.getLogger(__name__)

T = TypeVar("T")

_OWN_FAULTS = (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError)
"""After these, what was asked was wrong, and is as wrong the next time."""
_LAST_VERSION = 2**62
_NODE_BYTES = 8

# One statement, so that head and entries are of the same moment.
_LOAD_SQL = f"""
    SELECT m.version, m.head_hash, {",".join(f"e.{column}" for column in ENTRY_COLUMNS)}
    FROM tablestate.matches AS m
    LEFT JOIN tablestate.entries AS e
        ON e.match_id = m.match_id AND e.version > $2 AND e.version <= $3
    WHERE m.match_id = $1 ORDER BY e.version"""
_FIND_SQL = "SELECT match_id, version, request_hash FROM tablestate.entries WHERE request_key = $1"
_NUMBER_OF_SQL = """
    SELECT number FROM tablestate.matches
    WHERE match_id = $1 AND ($2::text IS NULL OR tenant = $2)"""
_TENANT_SQL = "SELECT tenant FROM tablestate.matches WHERE match_id = $1"
_AUTOMATIC_SQL = """
    SELECT m.match_id FROM tablestate.matches AS m
    WHERE m.bot_to_move = 1 AND NOT EXISTS (
        SELECT FROM tablestate.turns AS t WHERE t.match_id = m.match_id
        AND t.version = m.version AND t.until > clock_timestamp())
    ORDER BY m.number"""
_CLAIM_SQL = """
    INSERT INTO tablestate.turns AS t (match_id, version, node, until)
    VALUES ($1, $2, $3, clock_timestamp() + $4 * interval '1 second')
    ON CONFLICT (match_id) DO UPDATE
    SET version = excluded.version, node = excluded.node, until = excluded.until
    WHERE t.version < excluded.version OR t.until < clock_timestamp()
        OR (t.version = excluded.version AND t.node = excluded.node)
    RETURNING true"""
# News are numbered when they are committed, by one node at a time: numbers that were given as
# they were written would become visible out of order. Two statements in one message, which is a
# transaction: the second sees what the last to hold the lock has done.
_NUMBERED_AT_ONCE = 5000
_NUMBER_SQL = f"""
    SELECT last FROM tablestate.feed FOR UPDATE;
    WITH due AS (
        SELECT id, row_number() OVER (ORDER BY id) AS place
        FROM tablestate.news WHERE number IS NULL ORDER BY id LIMIT {_NUMBERED_AT_ONCE}
    ),
    numbered AS (
        UPDATE tablestate.news AS n SET number = (SELECT last FROM tablestate.feed) + due.place
        FROM due WHERE n.id = due.id RETURNING 1
    )
    UPDATE tablestate.feed SET last = last + (SELECT count(*) FROM numbered)"""
_LAST_UNNUMBERED_SQL = "SELECT max(id) FROM tablestate.news WHERE number IS NULL"
_UNNUMBERED_SQL = "SELECT 1 FROM tablestate.news WHERE number IS NULL AND id <= $1 LIMIT 1"
_LAST_NEWS_SQL = "SELECT last FROM tablestate.feed"
_NEWS_SQL = f"""
    SELECT number, {",".join(NEWS_COLUMNS)} FROM tablestate.news
    WHERE tenant = $1 AND number > $2 ORDER BY number LIMIT $3"""
_CLAIM_HOOK_SQL = """
    UPDATE tablestate.hooks SET node = $2, until = clock_timestamp() + $3 * interval '1 second'
    WHERE name = $1 AND (node = $2 OR until < clock_timestamp()) RETURNING number"""
_NEW_HOOK_SQL = """
    INSERT INTO tablestate.hooks (name, number, node, until)
    SELECT $1, last, $2, clock_timestamp() + $3 * interval '1 second' FROM tablestate.feed
    ON CONFLICT DO NOTHING RETURNING number"""
_MOVE_HOOK_SQL = """
    UPDATE tablestate.hooks
    SET number = $2, until = clock_timestamp() + $4 * interval '1 second'
    WHERE name = $1 AND node = $3 RETURNING 1"""
_ENDED_SQL = """
    SELECT number, match_id FROM tablestate.matches
    WHERE phase IN (3, 4) AND update_time < $1 AND number > $2 ORDER BY number LIMIT $3"""
_REMOVE_SQL = """
    WITH gone AS (
        DELETE FROM tablestate.matches
        WHERE match_id = ANY($1::text[]) AND phase IN (3, 4) AND update_time < $2
        RETURNING match_id
    ),
    emptied AS (DELETE FROM tablestate.entries AS e USING gone AS g WHERE e.match_id = g.match_id)
    SELECT match_id FROM gone"""
# Once more: what was being written meanwhile was not to be seen.
_EMPTY_SQL = "DELETE FROM tablestate.entries WHERE match_id = ANY($1::text[])"
# News are in the order of their times, but for clocks: the oldest are looked at, and no more.
_REMOVE_NEWS_SQL = """
    DELETE FROM tablestate.news WHERE id IN (
        SELECT id FROM (SELECT id, time FROM tablestate.news ORDER BY id LIMIT $2) AS oldest
        WHERE time < $1)
    RETURNING 1"""
_JOINED_SQL = """
    SELECT DISTINCT match_id FROM tablestate.entries
    WHERE change = 2 AND strpos(coalesce(personal, payload), $1) > 0"""
_FORGET_NEWS_SQL = """
    UPDATE tablestate.news SET player_id = ''
    WHERE tenant = $1 AND player_id = $2 AND NOT match_id = ANY($3::text[])"""
# That of a standby is on, too.
_CHECK_SQL = """
    SELECT 1 FROM tablestate.schema_version
    WHERE current_setting('transaction_read_only') = 'off'"""
_DEADLINES_SQL = """
    SELECT match_id, deadline FROM tablestate.matches
    WHERE deadline IS NOT NULL ORDER BY deadline LIMIT $1"""
_FORGET_SQL = "DELETE FROM tablestate.turns WHERE until < clock_timestamp()"
_RELEASE_SQL = "DELETE FROM tablestate.turns WHERE node = $1"
_RELEASE_HOOKS_SQL = "UPDATE tablestate.hooks SET until = '-infinity' WHERE node = $1"


class PostgresStore:
    """Fulfils `MatchStore`. Use it on the event loop it was made on."""

    def __init__(
        self,
        database: Database,
        *,
        faults: FaultPoints | None = None,
        committed: Callable[[int], None] | None = None,
    ) -> None:
        """Keep matches in an open database; `faults` interrupts writing, for tests.

        `committed` is told how many appends each transaction held.
        """
        self._database = database
        self._writer = Writer(database, faults, committed)
        self._heads = Heads(self._head_versions)
        self._clock = PostgresClock(self._database.fetch, self._patiently)
        self._node = secrets.token_hex(_NODE_BYTES)
        self._is_closed = False

    def append(self, append: Append) -> Writing:
        """Write entries durably; see `MatchStore`."""
        writing = Writing()
        self._writer.submit(append, writing)
        return writing

    async def load(self, match_id: str, after: int = 0, limit: int | None = None) -> Log | None:
        """The log of a match behind a version."""
        until = _LAST_VERSION if limit is None else after + limit
        rows = await self._fetch(_LOAD_SQL, match_id, after, until)
        if not rows:
            return None
        version, head_hash = rows[0][:2]
        with _Trouble():
            entries = [entry_of(tuple(row)[2:]) for row in rows if row[2] is not None]
        return Log(entries, version, head_hash)

    async def find_request(self, key: bytes) -> StoredRequest | None:
        """The entry that answered a request."""
        rows = await self._fetch(_FIND_SQL, key)
        return StoredRequest(*rows[0]) if rows else None

    async def list_matches(
        self,
        game: str | None,
        phases: Sequence[MatchPhase],
        before: int | None,
        limit: int,
        scope: Scope = EVERYBODYS,
    ) -> Sequence[Listed]:
        """Matches in some phases, the newest first."""
        found: list[Listed] = []
        below = _LAST_VERSION if before is None else before
        # Damaged matches are left out: others take their places, or a page would look like
        # the last.
        while limit > len(found):
            sql, values = list_statement(game, phases, scope, below, limit - len(found))
            if not (rows := await self._fetch(sql, *values)):
                break
            found += [listed for row in rows if (listed := _listed(row))]
            below = rows[-1][0]
        return found

    async def tenant_of(self, match_id: str) -> str | None:
        """The tenant that a match belongs to."""
        rows = await self._fetch(_TENANT_SQL, match_id)
        return rows[0][0] if rows else None

    async def number_of(self, match_id: str, tenant: str | None) -> int | None:
        """The number of a match of a tenant; see `MatchStore`."""
        rows = await self._fetch(_NUMBER_OF_SQL, match_id, tenant)
        return rows[0][0] if rows else None

    async def news(self, tenant: str, after: int, limit: int) -> Sequence[Told]:
        """News of a tenant's matches; see `MatchStore`."""
        rows = await self._fetch(_NEWS_SQL, tenant, after, limit)
        if not rows:
            await self._number_all()
            rows = await self._fetch(_NEWS_SQL, tenant, after, limit)
        with _Trouble():
            return [told_of(tuple(row)) for row in rows]

    async def last_news(self) -> int:
        """The number of the last news; see `MatchStore`."""
        ((last,),) = await self._fetch(_LAST_NEWS_SQL)
        return int(last)

    async def _number_all(self) -> None:
        """Number all that is committed, in parts: where nobody has read for long it is much."""
        ((last,),) = await self._fetch(_LAST_UNNUMBERED_SQL)
        while last is not None and await self._fetch(_UNNUMBERED_SQL, last):
            await self._patiently(lambda _: self._database.send(_NUMBER_SQL))

    async def claim_hook(self, name: str) -> int | None:
        """How far a webhook has got, if this node may deliver; see `MatchStore`."""
        arguments = name, self._node, HOOK_SECONDS
        rows = await self._fetch(_CLAIM_HOOK_SQL, *arguments)
        if not rows:
            await self._number_all()  # What has no number yet is of the past, too.
            rows = await self._fetch(_NEW_HOOK_SQL, *arguments)
        return rows[0][0] if rows else None

    async def move_hook(self, name: str, number: int) -> bool:
        """Note how far a webhook has got; see `MatchStore`."""
        return bool(await self._fetch(_MOVE_HOOK_SQL, name, number, self._node, HOOK_SECONDS))

    async def head_version(self, match_id: str, known: int) -> int:
        """The version of a match's last entry, whoever has written it."""
        self._require_open()
        return await self._heads.version(match_id) or 0

    async def automatic_matches(self) -> Sequence[str]:
        """The running matches whose actor has no player and whose turn is not claimed."""
        await self._fetch(_FORGET_SQL)
        return [match_id for (match_id,) in await self._fetch(_AUTOMATIC_SQL)]

    async def claim_turn(self, match_id: str, version: int) -> bool:
        """Whether this node may act for a match's actor; see `MatchStore`."""
        return bool(await self._fetch(_CLAIM_SQL, match_id, version, self._node, CLAIM_SECONDS))

    async def ended(self, before: int, after: int, limit: int) -> Sequence[Ended]:
        """Matches that ended long ago; see `MatchStore`."""
        return [Ended(*row) for row in await self._fetch(_ENDED_SQL, before, after, limit)]

    async def remove(self, match_ids: Sequence[str], before: int) -> Sequence[str]:
        """Remove matches that ended long ago; see `MatchStore`."""
        removed = [row[0] for row in await self._fetch(_REMOVE_SQL, match_ids, before)]
        if removed:
            await self._fetch(_EMPTY_SQL, removed)
        return removed

    async def remove_news(self, before: int, limit: int) -> int:
        """Remove old news; see `MatchStore`."""
        return len(await self._fetch(_REMOVE_NEWS_SQL, before, limit))

    async def joined_matches(self, text: str) -> Sequence[str]:
        """Matches in which somebody joined with a text; see `MatchStore`."""
        return [match_id for (match_id,) in await self._fetch(_JOINED_SQL, text)]

    async def forget(self, match: Match, versions: Sequence[int]) -> None:
        """Erase who joined; see `MatchStore`."""
        await self._fetch(*forget_statement(match, versions))

    async def forget_in_news(self, tenant: str, player_id: str, but_for: Sequence[str]) -> None:
        """Erase a player's id from news; see `MatchStore`."""
        await self._fetch(_FORGET_NEWS_SQL, tenant, player_id, but_for)

    async def check(self) -> None:
        """See whether the server answers, and takes writes."""
        if not await self._fetch(_CHECK_SQL):
            raise storage_unavailable()

    async def time(self) -> int:
        """The time of the clock that all nodes share; see `MatchStore`."""
        return await self._clock.now()

    async def deadlines(self, limit: int) -> Sequence[tuple[str, int]]:
        """The nearest deadlines; see `MatchStore`."""
        return [(match_id, due) for match_id, due in await self._fetch(_DEADLINES_SQL, limit)]

    async def close(self) -> None:
        """Write what is queued, leave turns and webhooks to others, and close the connections."""
        self._is_closed = True
        await self._writer.finish()
        try:
            await self._database.fetch(_RELEASE_SQL, self._node)
            await self._database.fetch(_RELEASE_HOOKS_SQL, self._node)
        except Exception as error:  # They expire.
            log.warning("turns were not released", extra={"error": type(error).__name__})
        await self._database.close()

    async def _head_versions(self, match_ids: Sequence[str]) -> dict[str, int]:
        return await self._patiently(lambda _: self._database.head_versions(match_ids))

    async def _fetch(self, sql: str, *arguments: object) -> Any:
        return await self._patiently(lambda _: self._database.fetch(sql, *arguments))

    async def _patiently(self, work: Callable[[bool], Awaitable[T]]) -> T:
        self._require_open()
        with _Trouble():
            return await self._database.patiently(work)

    def _require_open(self) -> None:
        if self._is_closed:
            raise shutting_down()


class _Trouble:
    """Refuses LOG_DAMAGED for what cannot be read, and STORAGE_UNAVAILABLE where PostgreSQL
    refuses what it has no reason of ours to refuse: a lock held too long, a password changed.
    """

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Translate."""
        if isinstance(error, asyncpg.InternalServerError | ValueError | KeyError | TypeError):
            log.error("stored data is damaged", exc_info=error)
            raise log_damaged() from error
        if isinstance(error, asyncpg.PostgresError) and not isinstance(error, _OWN_FAULTS):
            log.error("store refuses", extra={"error": type(error).__name__})
            raise storage_unavailable() from error


def _listed(row: Any) -> Listed | None:
    """A match of a list; None if it is damaged, which must not hide the others."""
    try:
        return listed_of(tuple(row))
    except (ValueError, KeyError, TypeError) as error:
        log.error("listed match is damaged", extra={"number": row[0]}, exc_info=error)
        return None
