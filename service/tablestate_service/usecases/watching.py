"""Watching matches: every entry after a cursor exactly once, in order.

A watcher holds a cursor for each match, not a queue: it is woken and reads what it
has not yet sent, so a slow one costs no memory.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass

from tablestate_service.domain import decide
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.errors import (
    DomainError,
    version_not_reached,
    wrong_seat_token,
)
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.domain.seats import seat_of
from tablestate_service.ports import MatchFeed, Subscription
from tablestate_service.usecases import spectating
from tablestate_service.usecases.matches import Matches

_TOKEN_CHANGES = (MatchChange.SEAT_TOKEN_REPLACED, MatchChange.SEAT_TOKEN_REVOKED)
_NANOSECONDS = 1_000_000_000
_LEAST_PAUSE = 0.5
"""Seconds between two looks at a match that is seen later: each may be a read of its log."""


@dataclass(slots=True)
class Cursor:
    """One watched match: `version` is the last one that was sent."""

    match_id: str
    token_hash: bytes | None
    version: int
    include_view: bool
    include_legal_actions: bool
    sees_all: bool = False
    """Whether it sees without a seat what spectators do not, or not yet."""
    seat: int | None = None
    """The seat that the token held when the cursor was found to be right, at version `held_at`."""
    held_at: int = 0
    reached: int = 0
    """The latest version that was told of."""
    head: int = 0
    """The match's latest version when it was read."""
    held_until: float = 0.0
    """The time of the event loop before which spectators see nothing more."""

    def viewer_of(self, transition: Transition) -> int | None:
        """The seat the watcher holds after it: one that was given back shows no more.

        What happened before the token came to the seat is the seat's own history.
        """
        if self.token_hash is None:
            return None
        seat = seat_of(transition.match.standing.seats, self.token_hash)
        return self.seat if seat is None and transition.entry.version <= self.held_at else seat


def cursor(
    match_id: str,
    seat_token: bytes,
    after_version: int,
    include_view: bool,
    include_legal_actions: bool,
    sees_all: bool = False,
) -> Cursor:
    """A subscription; an empty token is a spectator's."""
    hashed = token_hash(seat_token) if seat_token else None
    return Cursor(match_id, hashed, after_version, include_view, include_legal_actions, sees_all)


async def watch_matches(
    matches: Matches,
    feed: MatchFeed,
    cursors: Sequence[Cursor],
    admitted: asyncio.Event | None = None,
) -> AsyncGenerator[tuple[Cursor, Transition], None]:
    """Every transition after each cursor; ends when all the matches have ended.

    Cursors are moved on before the next transition is asked for. `admitted` is set once all
    cursors were found to be right.
    """
    # Subscribed before the first read, so that nothing falls between the two.
    subscription = feed.subscribe([each.match_id for each in cursors])
    try:
        checked = [(each, await _admit(matches, each)) for each in cursors]
        if admitted is not None:
            admitted.set()
        running = {each.match_id: each for each, has_seen_all in checked if not has_seen_all}
        ready = list(running.values())
        while running:
            for each in ready:
                async with _named(each), aclosing(_unsent(matches, each)) as unsent:
                    async for transition in unsent:
                        yield each, transition
                        each.version = transition.entry.version
                        if transition.match.standing.has_ended:
                            del running[each.match_id]
            if running:
                ready = await _ready(subscription, running)
    finally:
        subscription.close()


@asynccontextmanager
async def _named(each: Cursor) -> AsyncIterator[None]:
    """Name the match in a refusal: who watches several is to know of which it speaks."""
    try:
        yield
    except DomainError as refusal:
        refusal.metadata.setdefault("match_id", each.match_id)
        raise


async def _admit(matches: Matches, each: Cursor) -> bool:
    """Check a cursor; whether its match has ended and it is behind the last entry."""
    async with _named(each):
        return await _is_at_its_end(matches, each)


async def _is_at_its_end(matches: Matches, each: Cursor) -> bool:
    match = (await matches.current(each.match_id)).match
    if each.token_hash is not None:
        each.seat = decide.require_seat(match, each.token_hash)
        each.held_at = match.standing.version
    elif not each.sees_all:
        match = await spectating.shown(matches, match)
    if each.version > match.standing.version:
        raise version_not_reached(match.standing.version, each.version)
    return match.standing.has_ended and each.version == match.standing.version


async def _ready(subscription: Subscription, running: Mapping[str, Cursor]) -> list[Cursor]:
    """Wait until there is news, or a delay is over; the cursors that may go on."""
    held = [each.held_until for each in running.values() if each.held_until]
    news: dict[str, int] = {}
    with suppress(TimeoutError):
        async with asyncio.timeout_at(min(held, default=None)):
            news = await subscription.changed()
    now = asyncio.get_running_loop().time()
    ready = []
    for match_id, each in running.items():
        each.reached = max(each.reached, news.get(match_id, 0))
        if (match_id in news or each.held_until) and each.held_until <= now:
            ready.append(each)
    return ready


async def _unsent(matches: Matches, each: Cursor) -> AsyncGenerator[Transition, None]:
    """What the watcher may see behind its cursor, as far as it may; refuses WRONG_SEAT_TOKEN,
    SPECTATORS_REFUSED.
    """
    each.held_until = 0.0
    async with aclosing(_behind(matches, each)) as transitions:
        async for transition in transitions:
            if each.token_hash is not None:
                _require_held(each, transition)
            elif not each.sees_all:
                wait = spectating.wait_for(matches, transition)
                if wait > 0:
                    pause = max(wait / _NANOSECONDS, _LEAST_PAUSE)
                    each.held_until = asyncio.get_running_loop().time() + pause
                    return
            yield transition


def _require_held(each: Cursor, transition: Transition) -> None:
    """End the stream of a token that was replaced or revoked.

    Whoever gives a seat back goes on as a spectator, where those see what happens.
    """
    if each.viewer_of(transition) is None and (
        transition.entry.draft.change in _TOKEN_CHANGES
        or not transition.match.terms.audience.is_live
    ):
        raise wrong_seat_token()


async def _behind(matches: Matches, each: Cursor) -> AsyncGenerator[Transition, None]:
    loaded = await matches.reach(each.match_id, each.reached)
    head = each.head = loaded.match.standing.version
    recent = tuple(loaded.recent or ())
    if recent and recent[0].entry.version <= each.version + 1:
        for transition in recent:
            if transition.entry.version > each.version:
                yield transition
    elif each.version < head:
        async for batch in matches.history(each.match_id, each.version, head):
            for transition in batch:
                yield transition
