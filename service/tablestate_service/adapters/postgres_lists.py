"""Lists of matches out of PostgreSQL."""

from collections.abc import Sequence

from tablestate_service.adapters.rows import LISTED_COLUMNS
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import Scope

# Each part is read off its index in order, however rare what is in it.
_PARTS = """
    unnest($1::smallint[]) AS p (phase) CROSS JOIN LATERAL (
        SELECT * FROM tablestate.matches AS m
        WHERE m.phase = p.phase AND m.listed = 1 AND m.number < $2 {of}
        ORDER BY m.number DESC LIMIT $3) AS m"""
_ALL_PARTS = """
    unnest($1::smallint[]) AS p (phase)
    CROSS JOIN (VALUES (0), (1)) AS l (listed) CROSS JOIN LATERAL (
        SELECT * FROM tablestate.matches AS m
        WHERE m.phase = p.phase AND m.listed = l.listed AND m.number < $2 {of}
        ORDER BY m.number DESC LIMIT $3) AS m"""
_OF_PLAYER = """
    tablestate.match_players AS p JOIN tablestate.matches AS m
        ON m.number = p.number AND m.phase = ANY($1::smallint[]) AND p.number < $2 {of}"""
_LIST_SQL = f"""
    SELECT {",".join(LISTED_COLUMNS)} FROM {{parts}}
    JOIN tablestate.entries AS e ON e.match_id = m.match_id AND e.version = 1
    ORDER BY m.number DESC LIMIT $3"""


def list_statement(
    game: str | None, phases: Sequence[MatchPhase], scope: Scope, before: int, limit: int
) -> tuple[str, Sequence[object]]:
    """A statement and its parameters: matches with numbers under `before`, the newest first."""
    parts = _ALL_PARTS if scope.are_all_shown else _PARTS
    wanted: list[tuple[str, object]] = [("m.game", game), ("m.tenant", scope.tenant)]
    if scope.player_id is not None:
        parts = _OF_PLAYER
        wanted = [("m.game", game), ("p.tenant", scope.tenant), ("p.player_id", scope.player_id)]
    given = [(column, value) for column, value in wanted if value is not None]
    of = " ".join(f"AND {column} = ${place}" for place, (column, _) in enumerate(given, 4))
    sql = _LIST_SQL.format(parts=parts.format(of=of))
    values = [value for _, value in given]
    return sql, ([int(phase) for phase in phases], before, limit, *values)
