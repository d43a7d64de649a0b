"""Forgetting players in SQLite, on the connection that writes."""

from collections.abc import Sequence

import apsw

from tablestate_service.adapters.rows import MATCH_COLUMNS, match_row
from tablestate_service.adapters.sqlite_removal import overwriting, transaction
from tablestate_service.domain.match import Match

_JOINED_SQL = """
    SELECT DISTINCT match_id FROM entries
    WHERE change = 2 AND instr(coalesce(personal, payload), ?) > 0"""
_ERASE_SQL = "UPDATE entries SET personal = NULL WHERE match_id = ? AND version = ?"
_REWRITE_SQL = (
    f"UPDATE matches SET {','.join(f'{column} = ?' for column in MATCH_COLUMNS[1:])} "
    "WHERE match_id = ?"
)
_NEWS_SQL = """
    UPDATE news SET player_id = ''
    WHERE tenant = ? AND player_id = ? AND match_id NOT IN ({})"""


def joined_matches(connection: apsw.Connection, text: str) -> list[str]:
    """See `MatchStore.joined_matches`."""
    return [match_id for (match_id,) in connection.execute(_JOINED_SQL, (text,))]


def forget(connection: apsw.Connection, match: Match, versions: Sequence[int]) -> None:
    """See `MatchStore.forget`."""
    match_id, *values = match_row(match)
    with overwriting(connection), transaction(connection):
        connection.execute(_REWRITE_SQL, (*values, match_id))
        for version in versions:
            connection.execute(_ERASE_SQL, (match_id, version))


def forget_in_news(
    connection: apsw.Connection, tenant: str, player_id: str, but_for: Sequence[str]
) -> None:
    """See `MatchStore.forget_in_news`."""
    with overwriting(connection), transaction(connection):
        places = ",".join("?" * len(but_for))
        connection.execute(_NEWS_SQL.format(places), (tenant, player_id, *but_for))
    # What rows held before they changed is still in the file, where pages have room.
    connection.execute("VACUUM")
