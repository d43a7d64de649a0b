"""What can be read of a match, by whom."""

from collections.abc import AsyncGenerator, Sequence
from typing import NamedTuple

from tablestate_service.domain import decide
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Match, MatchPhase, Transition
from tablestate_service.ports import Listed, MatchStore
from tablestate_service.usecases.matches import Matches


class Seen(NamedTuple):
    """A match, and the seat it is seen from; None for a spectator."""

    match: Match
    viewer: int | None


class Page(NamedTuple):
    """A page of a list; `next_before` is None on the last."""

    listed: Sequence[Listed]
    next_before: int | None


class Replay(NamedTuple):
    """A match, the seat it is seen from, and whether its full record is public."""

    match: Match
    viewer: int | None
    is_revealed: bool


async def get_match(
    matches: Matches, *, match_id: str, host_token: bytes, min_version: int | None
) -> Match:
    """A match; a host token that is given (not empty) must be the match's."""
    match = (await matches.current(match_id)).match
    if host_token:
        decide.require_host(match, token_hash(host_token))
    decide.require_version(match, min_version)
    return match


async def time_shown(store: MatchStore, match: Match) -> int | None:
    """The moment at which a reader sees the clocks of a match; None if it has none."""
    return None if match.standing.clocks is None else await store.time()


async def list_matches(
    store: MatchStore,
    *,
    game: str | None,
    phases: Sequence[MatchPhase],
    before: int | None,
    page_size: int,
) -> Page:
    """A page of matches, the newest first."""
    found = await store.list_matches(game, phases, before, page_size + 1)
    if len(found) <= page_size:
        return Page(found, None)
    return Page(found[:page_size], found[page_size - 1].number)


async def get_view(
    matches: Matches,
    *,
    match_id: str,
    seat_token: bytes,
    version: int | None,
    min_version: int | None,
) -> Seen:
    """The match now or at a version, as the holder of a token may see it."""
    match = (await matches.current(match_id)).match
    viewer = _viewer(match, seat_token)
    decide.require_version(match, min_version)
    if version is not None:
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


async def get_replay(matches: Matches, *, match_id: str, seat_token: bytes) -> Replay:
    """The match as it stands, whose log `replayed` then gives."""
    match = (await matches.current(match_id)).match
    return Replay(match, _viewer(match, seat_token), decide.is_revealed(match))


async def replayed(matches: Matches, replay: Replay) -> AsyncGenerator[Transition, None]:
    """Every transition of a match up to the version that the replay shows."""
    match = replay.match
    async for batch in matches.history(match.terms.match_id, 0, match.standing.version):
        for transition in batch:
            yield transition


def _viewer(match: Match, seat_token: bytes) -> int | None:
    return decide.require_seat(match, token_hash(seat_token)) if seat_token else None
