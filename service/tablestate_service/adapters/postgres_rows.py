"""The SQL that writes to PostgreSQL, and entries and matches as the JSON that it reads."""

import json
import secrets
from collections.abc import Iterable, Sequence

from tablestate_service.adapters.rows import (
    ENTRY_COLUMNS,
    MATCH_COLUMNS,
    Row,
    entry_row,
    match_row,
)
from tablestate_service.ports import Append

_ENTRY_TYPES = (
    *("text", "bigint", "smallint", "smallint", "text", "text"),
    *("text", "bigint", "bytea", "bytea", "bytea"),
)
_MATCH_TYPES = (
    *("text", "text", "smallint", "bigint", "bytea", "bigint"),
    *("text", "text", "bytea", "bigint", "smallint"),
)
_ENTRIES = ", ".join(ENTRY_COLUMNS)
_MATCHES = ", ".join(MATCH_COLUMNS)
_AFTER = ", ".join(f"after_{column}" for column in MATCH_COLUMNS[1:])
_CHANGED = ", ".join(f"{column} = g.after_{column}" for column in MATCH_COLUMNS[2:])
_FENCE = f"$j{secrets.token_hex(8)}$"
"""Quotes what follows: nobody outside knows it, so that nothing within can end it."""


def _table(source: str, columns: str, types: Sequence[str]) -> str:
    """An array of rows in JSON as a table."""
    cells = (
        f"(r->>{place})::{kind} AS {column}"
        for place, (kind, column) in enumerate(zip(types, columns.split(", "), strict=True))
    )
    return f"SELECT {', '.join(cells)} FROM jsonb_array_elements({source}::jsonb) AS a (r)"


# The first entry of each append, and the match after all of it; then the other entries.
def _given(source: str) -> str:
    return _table(source, f"{_ENTRIES}, {_AFTER}", (*_ENTRY_TYPES, *_MATCH_TYPES[1:]))


def _rest(source: str) -> str:
    return _table(source, _ENTRIES, _ENTRY_TYPES)


# The entry before must be there. That needs no lock, since no entry ever goes away.
_FOLLOWS = """
    (g.version = 1 OR g.version - 1 = (
        SELECT e.version FROM tablestate.entries AS e
        WHERE e.match_id = g.match_id AND e.version = g.version - 1))"""
_INSERT = f"INSERT INTO tablestate.entries ({_ENTRIES})"
_CREATE = f"INSERT INTO tablestate.matches ({_MATCHES}) SELECT match_id, {_AFTER} FROM"
_CHANGE = (
    f"UPDATE tablestate.matches AS m SET {_CHANGED} FROM {{}} AS g "
    "WHERE m.match_id = g.match_id AND g.version > 1"
)

# Which appends are written is decided by the keys of `entries` alone: an entry for a place that
# is taken, or of a request that was answered, is not inserted, and nothing of its append is.
CAREFUL_SQL = f"""
    WITH given AS MATERIALIZED ({_given("$1")}),
    first AS (
        {_INSERT} SELECT {_ENTRIES} FROM given AS g WHERE {_FOLLOWS}
        ON CONFLICT DO NOTHING RETURNING match_id
    ),
    written AS (SELECT g.* FROM given AS g JOIN first AS f ON f.match_id = g.match_id),
    rest AS (
        {_INSERT} SELECT r.* FROM ({_rest("$2")}) AS r JOIN first AS f ON f.match_id = r.match_id
    ),
    created AS ({_CREATE} written WHERE version = 1),
    changed AS ({_CHANGE.format("written")})
    SELECT match_id FROM first"""

# The same for appends of which all are likely to be written: if one is not, it fails as a whole.
# An entry that follows none gets no version, which is refused.
_AT_ONCE_FIRST = f"""
    first AS ({_INSERT}
        SELECT match_id, CASE WHEN {_FOLLOWS} THEN version END, {", ".join(ENTRY_COLUMNS[2:])}
        FROM given AS g)"""
_AT_ONCE_CREATED = f"created AS ({_CREATE} given WHERE version = 1)"
_AT_ONCE_CHANGE = _CHANGE.format("given")

TAKEN_SQL = "SELECT request_key FROM tablestate.entries WHERE request_key = ANY($1::bytea[])"

PLACES_SQL = """
    SELECT e.match_id, e.hash FROM tablestate.entries AS e
    JOIN unnest($1::text[], $2::bigint[]) AS w (match_id, version)
        ON e.match_id = w.match_id AND e.version = w.version"""


def careful_parameters(group: Sequence[Append]) -> tuple[str, str]:
    """The parameters of CAREFUL_SQL; no match may come twice in the group."""
    firsts = (entry_row(each.entries[0]) + match_row(each.after)[1:] for each in group)
    return _json(firsts), _json(_others(group))


def at_once_sql(group: Sequence[Append]) -> str:
    """One message that writes all appends or, with an error, none.

    It saves round trips: a statement with parameters takes one more to be prepared, and the
    careful way two more for its transaction.
    """
    given, others = careful_parameters(group)
    parts = [f"given AS MATERIALIZED ({_given(_quoted(given))})", _AT_ONCE_FIRST]
    if others != _NONE:
        parts.append(f"rest AS ({_INSERT} {_rest(_quoted(others))})")
    if any(each.entries[0].version == 1 for each in group):
        parts.append(_AT_ONCE_CREATED)
    return f"WITH {', '.join(parts)} {_AT_ONCE_CHANGE}"


def _others(group: Sequence[Append]) -> Iterable[Row]:
    return (entry_row(entry) for append in group for entry in append.entries[1:])


def _json(rows: Iterable[Row]) -> str:
    return json.dumps([[_cell(value) for value in row] for row in rows])


_NONE = _json(())


def _cell(value: object) -> object:
    return "\\x" + value.hex() if isinstance(value, bytes) else value


def _quoted(text: str) -> str:
    return f"{_FENCE}{text}{_FENCE}"
