"""Lists of matches out of SQLite."""

import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import apsw

from tablestate_service.adapters.rows import LISTED_COLUMNS, listed_of
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.ports import Listed, Scope

log = logging.getLogger(__name__)

_LISTED_SQL = (
    f"SELECT {','.join(LISTED_COLUMNS)} FROM matches AS m "
    "JOIN entries AS e ON e.match_id = m.match_id AND e.version = 1 WHERE m.number = ?"
)


class Wanted(NamedTuple):
    """Which matches a list is of."""

    game: str | None
    phases: Sequence[MatchPhase]
    scope: Scope


def list_matches(
    connection: apsw.Connection, wanted: Wanted, before: int | None, limit: int
) -> list[Listed]:
    """Matches with numbers under `before`, the newest first."""
    found: list[Listed] = []
    below = 2**62 if before is None else before
    # Damaged matches are left out: others take their places, or a page would look like the last.
    while numbers := _newest(connection, wanted, below, limit - len(found)):
        found += [listed for each in numbers if (listed := _listed(connection, each))]
        below = numbers[-1]
    return found


def _newest(connection: apsw.Connection, wanted: Wanted, before: int, limit: int) -> list[int]:
    scope = wanted.scope
    values: dict[str, Any] = {
        "game": wanted.game,
        "tenant": scope.tenant,
        "player_id": scope.player_id,
        "before": before,
        "limit": limit,
    }
    rows = connection.execute(_newest_sql(wanted), values)
    return [number for (number,) in rows]


def _newest_sql(wanted: Wanted) -> str:
    of_game = "" if wanted.game is None else "AND m.game = :game"
    scope = wanted.scope
    if scope.player_id is not None:
        in_phase = f"m.phase IN ({','.join(str(int(phase)) for phase in wanted.phases)})"
        return (
            "SELECT p.number FROM match_players AS p JOIN matches AS m ON m.number = p.number "
            f"WHERE p.tenant = :tenant AND p.player_id = :player_id AND {in_phase} {of_game} "
            "AND p.number < :before ORDER BY p.number DESC LIMIT :limit"
        )
    of_tenant = "" if scope.tenant is None else "AND m.tenant = :tenant"
    # Each part is read off its index in order, however rare what is in it.
    parts = " UNION ALL ".join(
        f"SELECT * FROM (SELECT m.number FROM matches AS m WHERE m.phase = {int(phase)} "
        f"AND m.listed = {listed} {of_tenant} {of_game} "
        "AND m.number < :before ORDER BY m.number DESC LIMIT :limit)"
        for phase in wanted.phases
        for listed in ((1, 0) if scope.are_all_shown else (1,))
    )
    return f"{parts} ORDER BY number DESC LIMIT :limit"


def _listed(connection: apsw.Connection, number: int) -> Listed | None:
    """A match of a list; None if it is damaged, which must not hide the others."""
    try:
        (row,) = connection.execute(_LISTED_SQL, (number,))
        return listed_of(row)
    except (apsw.CorruptError, ValueError, KeyError, TypeError) as error:
        log.error("listed match is damaged", extra={"number": number}, exc_info=error)
        return None
