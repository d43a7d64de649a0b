"""Watching matches: every entry after a cursor exactly once, in order.

A watcher holds a cursor for each match, not a queue: it is woken and reads what it
has not yet sent, so a slow one costs no memory.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from tablestate_service.domain import decide
from tablestate_service.domain.errors import version_not_reached
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.domain.seats import seat_of
from tablestate_service.ports import MatchFeed
from tablestate_service.usecases.matches import Matches


@dataclass(slots=True)
class Cursor:
    """One watched match: `version` is the last one that was sent."""

    match_id: str
    token_hash: bytes | None
    version: int
    include_view: bool
    include_legal_actions: bool

    def viewer_of(self, transition: Transition) -> int | None:
        """The seat the watcher holds after it: one that was given back shows no more."""
        if self.token_hash is None:
            return None
        return seat_of(transition.match.standing.seats, self.token_hash)


def cursor(
    match_id: str,
    seat_token: bytes,
    after_version: int,
    include_view: bool,
    include_legal_actions: bool,
) -> Cursor:
    """A subscription; an empty token is a spectator's."""
    hashed = token_hash(seat_token) if seat_token else None
    return Cursor(match_id, hashed, after_version, include_view, include_legal_actions)


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
        news = dict.fromkeys(running, 0)
        while running:
            for each in [each for each in running.values() if each.match_id in news]:
                async with aclosing(_unsent(matches, each, news[each.match_id])) as unsent:
                    async for transition in unsent:
                        yield each, transition
                        each.version = transition.entry.version
                        if transition.match.standing.has_ended:
                            del running[each.match_id]
            if running:
                news = await subscription.changed()
    finally:
        subscription.close()


async def _admit(matches: Matches, each: Cursor) -> bool:
    """Check a cursor; whether its match has ended and it is behind the last entry."""
    match = (await matches.current(each.match_id)).match
    if each.token_hash is not None:
        decide.require_seat(match, each.token_hash)
    if each.version > match.standing.version:
        raise version_not_reached(match.standing.version, each.version)
    return match.standing.has_ended and each.version == match.standing.version


async def _unsent(matches: Matches, each: Cursor, version: int) -> AsyncGenerator[Transition, None]:
    loaded = await matches.reach(each.match_id, version)
    head = loaded.match.standing.version
    recent = tuple(loaded.recent or ())
    if recent and recent[0].entry.version <= each.version + 1:
        for transition in recent:
            if transition.entry.version > each.version:
                yield transition
    elif each.version < head:
        async for batch in matches.history(each.match_id, each.version, head):
            for transition in batch:
                yield transition
