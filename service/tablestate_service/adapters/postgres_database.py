"""Connections to PostgreSQL, transactions, patience, migrations."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeVar

import asyncpg

from tablestate_service.adapters.opening import StoreUnusableError, migrations, newer_version
from tablestate_service.domain.errors import storage_unavailable
from tablestate_service.settings import shown_store

T = TypeVar("T")

log = logging.getLogger(__name__)

LOST = (
    OSError,  # and TimeoutError
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.TransactionRollbackError,
    asyncpg.TooManyConnectionsError,
    asyncpg.ReadOnlySQLTransactionError,
)
"""After these, what was asked may have been done or not: the connection or the server is gone."""

_PATIENCE_SECONDS = 5.0
_RETRY_SECONDS = 0.05
_CONNECT_SECONDS = 5.0
_COMMAND_SECONDS = 10.0
_KEPT_STATEMENTS = 64
"""More than there are: whoever keeps them plans none anew, and needs one way there less."""
_MIGRATION_LOCK = 0x7461626C65  # "table"

_HEADS_SQL = "SELECT match_id, version FROM tablestate.matches WHERE match_id = ANY($1::text[])"


class Database:
    """Some connections, any of which may lead through a pooler of transactions.

    So there are no settings of a connection: nothing of a transaction is relied on after it.
    Statements stay prepared only where no pooler is found in between.
    """

    def __init__(self, url: str, connections: int, *, kept_statements: int = 0) -> None:
        """Connect at most so often at a time, when it is needed; nothing is checked."""
        self._url = url
        self._kept_statements = kept_statements
        self._room = asyncio.Semaphore(connections)
        self._free: list[Any] = []
        self._is_lost = False

    async def send(self, sql: str) -> None:
        """Send one message, which is a transaction of its own."""
        async with self.connection() as connection:
            await connection.execute(sql)

    async def fetch(self, sql: str, *arguments: object) -> Any:
        """The rows that a statement gives, which is a transaction of its own."""
        async with self.connection() as connection:
            return await connection.fetch(sql, *arguments)

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Any, None]:
        """One of the connections, which nobody else uses meanwhile."""
        async with self._room:
            connection = await self._taken()
            try:
                yield connection
            except BaseException as error:
                if isinstance(error, asyncpg.PostgresError) and not isinstance(error, LOST):
                    self._free.append(connection)
                else:
                    # Cancelled, or the server is gone: nobody knows what state it is in.
                    connection.terminate()
                raise
            self._free.append(connection)

    async def _taken(self) -> Any:
        while self._free:
            connection = self._free.pop()
            if not connection.is_closed():
                return connection
        return await connect(self._url, self._kept_statements)

    async def head_versions(self, match_ids: Sequence[str]) -> dict[str, int]:
        """The versions of the last entries of those matches that are there."""
        return dict(await self.fetch(_HEADS_SQL, match_ids))

    async def patiently(self, work: Callable[[bool], Awaitable[T]]) -> T:
        """Do something, if the connection is lost again and again for some seconds.

        `work` is told whether this is not the first time, so that it may have been done.
        Refuses STORAGE_UNAVAILABLE.
        """
        now = asyncio.get_running_loop().time
        deadline, is_again = now() + _PATIENCE_SECONDS, False
        while True:
            try:
                done = await work(is_again)
            except LOST as error:
                self._note_lost(error)
                if now() > deadline:
                    raise storage_unavailable() from error
                is_again = True
                await asyncio.sleep(_RETRY_SECONDS)
            else:
                self._note_found()
                return done

    async def close(self) -> None:
        """Close the connections, none of which is in use any more."""
        while self._free:
            with suppress(*LOST):
                await self._free.pop().close(timeout=_CONNECT_SECONDS)

    def _note_lost(self, error: BaseException) -> None:
        # A conflict between transactions says nothing about the server.
        if not self._is_lost and not isinstance(error, asyncpg.TransactionRollbackError):
            self._is_lost = True
            log.error("store does not answer", extra={"error": type(error).__name__})

    def _note_found(self) -> None:
        if self._is_lost:
            self._is_lost = False
            log.warning("store answers again")


async def open_database(url: str, connections: int) -> Database:
    """Connect, and bring the tables up to date; raises StoreUnusableError."""
    try:
        connection = await connect(url)
        try:
            async with connection.transaction():
                await _migrate(connection)
                await _warn_of_settings(connection)
                is_direct = await _is_direct(connection)
        finally:
            await connection.close(timeout=_CONNECT_SECONDS)
    except (*LOST, asyncpg.PostgresError, ValueError) as error:
        raise StoreUnusableError(f"cannot use {shown_store(url)}: {_reason(error)}") from None
    return Database(url, connections, kept_statements=_KEPT_STATEMENTS if is_direct else 0)


async def connect(url: str, kept_statements: int = 0) -> Any:
    """A connection, which may lead through a pooler if it is to keep no prepared statements;
    raises one of LOST or PostgresError.
    """
    return await asyncpg.connect(
        url,
        statement_cache_size=kept_statements,
        timeout=_CONNECT_SECONDS,
        command_timeout=_COMMAND_SECONDS,
    )


def _reason(error: Exception) -> str:
    """What PostgreSQL or the system says; an error of another kind may quote the URL."""
    if isinstance(error, asyncpg.PostgresError | OSError) and not isinstance(
        error, asyncpg.InterfaceError
    ):
        return str(error) or type(error).__name__
    return "the URL or the answer is not what was expected"


async def _migrate(connection: Any) -> None:
    # Nodes that start at the same time do this one after the other.
    await connection.execute(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
    if await connection.fetchval("SELECT to_regnamespace('tablestate')") is None:
        # Not IF NOT EXISTS, for which one needs the right to create it though it is there.
        await connection.execute("CREATE SCHEMA tablestate")
    if await connection.fetchval("SELECT to_regclass('tablestate.schema_version')") is None:
        await connection.execute(
            "CREATE TABLE tablestate.schema_version (version integer NOT NULL);"
            "INSERT INTO tablestate.schema_version VALUES (0)"
        )
    scripts = migrations("postgres")
    done = await connection.fetchval("SELECT version FROM tablestate.schema_version")
    if done > len(scripts):
        raise StoreUnusableError(newer_version(done, len(scripts)))
    for script in scripts[done:]:
        await connection.execute(script)
    if done < len(scripts):
        await connection.execute(f"UPDATE tablestate.schema_version SET version = {len(scripts)}")


async def _is_direct(connection: Any) -> bool:
    """Whether the server at the other end is PostgreSQL itself: a pooler makes up the number of
    the process that it says it is.
    """
    told: int = connection.get_server_pid()
    return bool(await connection.fetchval("SELECT pg_backend_pid()") == told)


async def _warn_of_settings(connection: Any) -> None:
    for setting in ("fsync", "synchronous_commit"):
        if await connection.fetchval("SELECT current_setting($1)", setting) == "off":
            log.warning(
                "what is acknowledged can be lost when PostgreSQL crashes",
                extra={"setting": setting, "value": "off"},
            )
