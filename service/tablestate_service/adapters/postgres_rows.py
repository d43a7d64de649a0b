"""The SQL that writes to PostgreSQL, and entries and matches as the JSON that it reads."""

import json
from collections.abc import Iterable, Sequence

from tablestate_service.adapters.rows import (
    ENTRY_COLUMNS,
    MATCH_COLUMNS,
    NEWS_COLUMNS,
    Row,
    entry_row,
    match_row,
    news_row,
)
from tablestate_service.domain.match import Match
from tablestate_service.ports import Append

_ENTRY_TYPES = (
    *("text", "bigint", "smallint", "smallint", "text", "text"),
    *("text", "bigint", "bytea", "bytea", "bytea", "text"),
)
_MATCH_TYPES = (
    *("text", "text", "smallint", "bigint", "bytea", "bigint"),
    *("text", "text", "bytea", "bigint", "smallint", "bigint"),
    *("text", "smallint", "text"),
)
_NEWS_TYPES = (
    *("smallint", "text", "text", "text"),
    *("bigint", "bigint", "smallint", "text", "bytea"),
)
_ENTRIES = ", ".join(ENTRY_COLUMNS)
_MATCHES = ", ".join(MATCH_COLUMNS)
_AFTER = ", ".join(f"after_{column}" for column in MATCH_COLUMNS[1:])
_CHANGED = ", ".join(f"{column} = g.after_{column}" for column in MATCH_COLUMNS[2:])


def _table(source: str, columns: str, types: Sequence[str]) -> str:
    """An array of rows in JSON as a table."""
    cells = (
        f"(r->>{place})::{kind} AS {column}"
        for place, (kind, column) in enumerate(zip(types, columns.split(", "), strict=True))
    )
    return f"SELECT {', '.join(cells)} FROM jsonb_array_elements({source}::jsonb) AS a (r)"


_GIVEN = _table("$1", f"{_ENTRIES}, {_AFTER}", (*_ENTRY_TYPES, *_MATCH_TYPES[1:]))
"""The first entry of each append, and the match after all of it."""
_REST = _table("$2", _ENTRIES, _ENTRY_TYPES)
"""The other entries."""

_NEWS = ", ".join(NEWS_COLUMNS)
_INSERT = f"INSERT INTO tablestate.entries ({_ENTRIES})"

# Which appends are written is decided by the keys of `entries` alone: an entry for a place that
# is taken, or of a request that was answered, is not inserted, and nothing of its append is.
# That the entry before is there needs no lock: entries go away only with the whole of a match
# that has ended long ago, and what is written behind it in that moment is removed, too.
_FIRST = f"""
    WITH given AS MATERIALIZED ({_GIVEN}),
    first AS (
        {_INSERT} SELECT {_ENTRIES} FROM given AS g
        WHERE g.version = 1 OR g.version - 1 = (
            SELECT e.version FROM tablestate.entries AS e
            WHERE e.match_id = g.match_id AND e.version = g.version - 1)
        ON CONFLICT DO NOTHING RETURNING match_id
    )"""


def _told(source: str) -> str:
    """The news of what was written."""
    return f"""
    told AS (
        INSERT INTO tablestate.news ({_NEWS})
        SELECT n.* FROM ({_table(source, _NEWS, _NEWS_TYPES)}) AS n
        JOIN first AS f ON f.match_id = n.match_id
    )"""


_CHANGE = f"""
    UPDATE tablestate.matches AS m SET {_CHANGED}
    FROM given AS g JOIN first AS f ON f.match_id = g.match_id
    WHERE m.match_id = g.match_id AND g.version > 1"""
_APPEND_SQL = f"""{_FIRST},
    rest AS (
        {_INSERT} SELECT r.* FROM ({_REST}) AS r JOIN first AS f ON f.match_id = r.match_id
    ),
    {_told("$3")},
    created AS (
        INSERT INTO tablestate.matches ({_MATCHES})
        SELECT g.match_id, {_AFTER} FROM given AS g JOIN first AS f ON f.match_id = g.match_id
        WHERE g.version = 1
    ),
    changed AS ({_CHANGE})
    SELECT match_id FROM first"""
# What most groups are, at two thirds of the cost.
_FOLLOW_SQL = f"{_FIRST} {_CHANGE} RETURNING m.match_id"
_FOLLOW_AND_TELL_SQL = f"{_FIRST}, {_told('$2')} {_CHANGE} RETURNING m.match_id"

TAKEN_SQL = "SELECT request_key FROM tablestate.entries WHERE request_key = ANY($1::bytea[])"

PLACES_SQL = """
    SELECT e.match_id, e.hash FROM tablestate.entries AS e
    JOIN unnest($1::text[], $2::bigint[]) AS w (match_id, version)
        ON e.match_id = w.match_id AND e.version = w.version"""


_FORGET_SQL = f"""
    WITH given AS ({_table("$1", _MATCHES, _MATCH_TYPES)}),
    erased AS (
        UPDATE tablestate.entries AS e SET personal = NULL FROM given AS g
        WHERE e.match_id = g.match_id AND e.version = ANY($2::bigint[])
    )
    UPDATE tablestate.matches AS m
    SET {", ".join(f"{column} = g.{column}" for column in MATCH_COLUMNS[1:])}
    FROM given AS g WHERE m.match_id = g.match_id"""


def append_statement(group: Sequence[Append]) -> tuple[str, ...]:
    """A statement and its parameters, which writes what the keys let through and tells of which
    matches that was; no match may come twice in the group.
    """
    given = _json(entry_row(each.entries[0]) + match_row(each.after)[1:] for each in group)
    news = [news_row(told) for each in group for told in each.news]
    if all(len(each.entries) == 1 and each.entries[0].version > 1 for each in group):
        return (_FOLLOW_AND_TELL_SQL, given, _json(news)) if news else (_FOLLOW_SQL, given)
    rest = _json(entry_row(entry) for each in group for entry in each.entries[1:])
    return _APPEND_SQL, given, rest, _json(news)


def forget_statement(match: Match, versions: Sequence[int]) -> tuple[str, str, list[int]]:
    """A statement and its parameters, which takes persons from entries and writes the match's row
    anew.
    """
    return _FORGET_SQL, _json([match_row(match)]), list(versions)


def _json(rows: Iterable[Row]) -> str:
    return json.dumps([[_cell(value) for value in row] for row in rows])


def _cell(value: object) -> object:
    return "\\x" + value.hex() if isinstance(value, bytes) else value
