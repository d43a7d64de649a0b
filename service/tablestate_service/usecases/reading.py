"""What can be read of a match, by whom."""

from collections.abc import AsyncGenerator, Sequence
from typing import NamedTuple

from tablestate_service.domain import decide, errors
from tablestate_service.domain.entry import GENESIS_HASH, is_intact
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, Transition
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import from_payload
from tablestate_service.ports import Listed, MatchStore, Scope
from tablestate_service.usecases import spectating
from tablestate_service.usecases.matches import Matches


class Seen(NamedTuple):
    """A match, and the seat it is seen from; None for a spectator."""

    match: Match
    viewer: int | None


class Page(NamedTuple):
    """A page of a list, and whether there is one after it."""

    listed: Sequence[Listed]
    has_next: bool


class Replay(NamedTuple):
    """A match, the seat it is seen from, and whether its full record is public."""

    match: Match
    viewer: int | None
    is_revealed: bool


async def get_match(
    matches: Matches,
    *,
    match_id: str,
    host_token: bytes,
    seat_token: bytes = b"",
    min_version: int | None,
    sees_all: bool = False,
) -> Match:
    """A match; tokens that are given (not empty) must be the match's.

    Whoever gives none sees it as spectators do, unless it `sees_all`.
    """
    match = (await matches.current(match_id)).match
    if host_token:
        decide.require_host(match, token_hash(host_token))
    seat = _viewer(match, seat_token)
    if seat is None and not host_token and not sees_all:
        match = await spectating.shown(matches, match)
    decide.require_version(match, min_version)
    return match


async def time_shown(
    store: MatchStore, match: Match, *, has_token: bool, sees_all: bool
) -> int | None:
    """The moment at which a reader sees the clocks of a match; None if it has none.

    Those who see the match later see its clocks as they were at the version that they see.
    """
    is_late = not (has_token or sees_all or match.terms.audience.is_live)
    return None if match.standing.clocks is None or is_late else await store.time()


async def list_matches(
    store: MatchStore,
    *,
    game: str | None,
    phases: Sequence[MatchPhase],
    after: str | None,
    page_size: int,
    scope: Scope,
) -> Page:
    """A page of matches, the newest first, those after the match of an id.

    Refuses INVALID_FIELD if that is not there any more.
    """
    before = None
    if after is not None and (before := await store.number_of(after, scope.tenant)) is None:
        expected = "a token whose page ends with a match that is still there: begin the list anew"
        raise errors.invalid_field("page_token", "", expected)
    found = await store.list_matches(game, phases, before, page_size + 1, scope)
    return Page(found[:page_size], len(found) > page_size)


async def get_view(
    matches: Matches,
    *,
    match_id: str,
    seat_token: bytes,
    version: int | None,
    min_version: int | None,
    sees_all: bool = False,
) -> Seen:
    """The match now or at a version, as the holder of a token may see it."""
    match, viewer = await _seen(matches, match_id, seat_token, sees_all)
    decide.require_version(match, min_version)
    if version is not None:
        decide.require_version(match, version)
        match = await matches.at_version(match_id, version)
    return Seen(match, viewer)


async def list_legal_actions(
    matches: Matches, *, match_id: str, seat_token: bytes, min_version: int | None
) -> Seen:
    """The match and the seat whose legal actions are asked for."""
    match = (await matches.current(match_id)).match
    seat = decide.require_seat(match, token_hash(seat_token))
    decide.require_version(match, min_version)
    return Seen(match, seat)


async def get_replay(
    matches: Matches, *, match_id: str, seat_token: bytes, sees_all: bool = False
) -> Replay:
    """The match as the holder of a token sees it stand, whose log `replayed` then gives."""
    match, viewer = await _seen(matches, match_id, seat_token, sees_all)
    return Replay(match, viewer, decide.is_revealed(match))


async def replayed(matches: Matches, replay: Replay) -> AsyncGenerator[Transition, None]:
    """Every transition of a match up to the version that the replay shows."""
    match = replay.match
    async for batch in matches.history(match.terms.match_id, 0, match.standing.version):
        for transition in batch:
            yield transition


async def last_seen(
    matches: Matches, store: MatchStore, *, match_id: str, seat_token: bytes, sees_all: bool
) -> int | None:
    """The last version that the holder of a token sees by now; None: all that there is.

    Of a log that cannot be folded nobody knows who its players are, nor when something was to be
    shown to others: it is shown to all if it says that all see all, and else to none.
    """
    try:
        seen = await _seen(matches, match_id, seat_token, sees_all)
    except DomainError as refusal:
        if refusal.reason not in (Reason.LOG_DAMAGED, Reason.RULES_VERSION_UNSUPPORTED):
            raise
        return None if sees_all or await _is_live(store, match_id) else 0
    return seen.match.standing.version


async def _is_live(store: MatchStore, match_id: str) -> bool:
    """Whether the first entry of a log is sound, and says that everybody sees the match."""
    try:
        log = await store.load(match_id, 0, 1)
        created = log.entries[0] if log else None
        if created is None or not is_intact(created, GENESIS_HASH):
            return False
        terms = from_payload(match_id, created.stamp.time, created.draft.payload)
    except (DomainError, IndexError, KeyError, TypeError, ValueError):
        return False
    return terms.audience.is_live


async def _seen(matches: Matches, match_id: str, seat_token: bytes, sees_all: bool) -> Seen:
    match = (await matches.current(match_id)).match
    viewer = _viewer(match, seat_token)
    if viewer is None and not sees_all:
        match = await spectating.shown(matches, match)
    return Seen(match, viewer)


def _viewer(match: Match, seat_token: bytes) -> int | None:
    return decide.require_seat(match, token_hash(seat_token)) if seat_token else None
