"""Entries and matches as rows, and back."""

import json
from functools import lru_cache
from typing import Any, TypeAlias

from tablestate_service.domain.entry import Draft, Entry, MatchChange, Request, Stamp
from tablestate_service.domain.match import Match
from tablestate_service.domain.news import News, NewsKind
from tablestate_service.domain.seats import Occupant, Seat, players_on
from tablestate_service.domain.standing import MatchPhase, Standing
from tablestate_service.domain.terms import from_payload
from tablestate_service.ports import Listed, Told

Row: TypeAlias = tuple[Any, ...]

ENTRY_COLUMNS = (
    "match_id",
    "version",
    "change",
    "seat",
    "notation",
    "draws",
    "payload",
    "time",
    "request_key",
    "request_hash",
    "hash",
    "personal",
)

MATCH_COLUMNS = (
    "match_id",
    "game",
    "phase",
    "version",
    "head_hash",
    "ply",
    "actors",
    "seats",
    "outcome",
    "update_time",
    "bot_to_move",
    "deadline",
    "tenant",
    "listed",
    "players",
)

ACTED_COLUMNS = (
    "version",
    "head_hash",
    "ply",
    "actors",
    "update_time",
    "bot_to_move",
    "deadline",
    "match_id",
)

LISTED_COLUMNS = (
    "m.number",
    "m.match_id",
    "m.phase",
    "m.version",
    "m.ply",
    "m.actors",
    "m.seats",
    "m.outcome",
    "m.update_time",
    "e.time",
    "e.payload",
)


NEWS_COLUMNS = (
    "kind",
    "tenant",
    "game",
    "match_id",
    "version",
    "time",
    "seat",
    "player_id",
    "outcome",
)


def news_row(news: News) -> Row:
    """The values of NEWS_COLUMNS."""
    return (
        int(news.kind),
        news.tenant,
        news.game,
        news.match_id,
        news.version,
        news.time,
        news.seat,
        news.player_id,
        news.outcome,
    )


def told_of(row: Row) -> Told:
    """Read a number and NEWS_COLUMNS; raises ValueError or TypeError if damaged."""
    number, kind, *rest = row
    return Told(number, News(NewsKind(kind), *rest))


def entry_row(entry: Entry) -> Row:
    """The values of ENTRY_COLUMNS."""
    draft, stamp = entry.draft, entry.stamp
    request = stamp.request
    return (
        entry.match_id,
        entry.version,
        int(draft.change),
        draft.seat,
        draft.notation,
        _numbers(draft.draws),
        draft.payload,
        stamp.time,
        request.key if request else None,
        request.content_hash if request else None,
        entry.hash,
        draft.personal or None,
    )


def entry_of(row: Row) -> Entry:
    """Read ENTRY_COLUMNS; raises ValueError or TypeError if they are damaged."""
    match_id, version, change, seat, notation, draws, payload, time, key, content, *rest = row
    drawn = tuple(json.loads(draws)) if draws != "[]" else ()
    sealed, personal = rest
    draft = Draft(MatchChange(change), seat, notation, drawn, payload, personal or "")
    request = Request(key, content) if key is not None else None
    return Entry(match_id, version, draft, Stamp(time, request), sealed)


def match_row(match: Match) -> Row:
    """The values of MATCH_COLUMNS."""
    standing = match.standing
    return (
        match.terms.match_id,
        match.terms.game,
        int(standing.phase),
        standing.version,
        match.head_hash,
        standing.ply,
        _numbers(standing.actors),
        _seats(standing.seats),
        standing.outcome,
        standing.time,
        int(standing.is_automatic),
        standing.deadline,
        match.terms.tenant,
        int(match.is_listed),
        _players(match.standing.seats),
    )


def acted_row(match: Match) -> Row:
    """The values of ACTED_COLUMNS."""
    standing = match.standing
    return (
        standing.version,
        match.head_hash,
        standing.ply,
        _numbers(standing.actors),
        standing.time,
        int(standing.is_automatic),
        standing.deadline,
        match.terms.match_id,
    )


def listed_of(row: Row) -> Listed:
    """Read LISTED_COLUMNS; raises ValueError, KeyError or TypeError if damaged."""
    number, match_id, phase, version, ply, actors, seats, outcome, time, created, payload = row
    standing = Standing(
        version=version,
        time=time,
        phase=MatchPhase(phase),
        ply=ply,
        actors=tuple(json.loads(actors)),
        seats=tuple(Seat(Occupant(occupant), name) for occupant, name in json.loads(seats)),
        outcome=outcome,
    )
    return Listed(number, from_payload(match_id, created, payload), standing)


@lru_cache(maxsize=4096)  # An action changes none.
def _seats(seats: tuple[Seat, ...]) -> str:
    return json.dumps([(seat.occupant, seat.display_name) for seat in seats])


@lru_cache(maxsize=4096)
def _players(seats: tuple[Seat, ...]) -> str:
    return json.dumps(players_on(seats))


def _numbers(numbers: tuple[int, ...]) -> str:
    """A JSON array."""
    return str(list(numbers)) if numbers else "[]"
