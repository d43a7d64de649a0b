"""Removing matches from SQLite, on the connection that writes."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import apsw

from tablestate_service.ports import Ended

_ENDED_SQL = """
    SELECT number, match_id FROM matches WHERE phase IN (3, 4) AND number > ? AND update_time < ?
    ORDER BY number LIMIT ?"""
_REMOVE_SQL = "DELETE FROM matches WHERE match_id = ? AND phase IN (3, 4) AND update_time < ?"
_EMPTY_SQL = "DELETE FROM entries WHERE match_id = ?"
# News are in the order of their times, but for clocks: the oldest are looked at, and no more.
_FORGET_NEWS_SQL = """
    DELETE FROM news WHERE number IN (
        SELECT number FROM (SELECT number, time FROM news ORDER BY number LIMIT ?)
        WHERE time < ?)"""


def ended(connection: apsw.Connection, before: int, after: int, limit: int) -> list[Ended]:
    """See `MatchStore.ended`."""
    return [Ended(*row) for row in connection.execute(_ENDED_SQL, (after, before, limit))]


def remove(connection: apsw.Connection, match_ids: Sequence[str], before: int) -> list[str]:
    """See `MatchStore.remove`."""
    removed = []
    with overwriting(connection), transaction(connection):
        for match_id in match_ids:
            connection.execute(_REMOVE_SQL, (match_id, before))
            if connection.changes():
                connection.execute(_EMPTY_SQL, (match_id,))
                removed.append(match_id)
    return removed


def remove_news(connection: apsw.Connection, before: int, limit: int) -> int:
    """See `MatchStore.remove_news`."""
    connection.execute(_FORGET_NEWS_SQL, (limit, before))
    return connection.changes()


@contextmanager
def overwriting(connection: apsw.Connection) -> Iterator[None]:
    """What is deleted is overwritten with zeros, not only marked as free."""
    connection.pragma("secure_delete", True)
    try:
        yield
    finally:
        connection.pragma("secure_delete", False)


@contextmanager
def transaction(connection: apsw.Connection) -> Iterator[None]:
    """All or nothing, with one sync."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
