"""What those see of a match who look on without a seat: all of it, later, or nothing.

A delay begins with the start: who waits for players shows itself as it is, or nobody could join.
"""

from contextlib import aclosing

from tablestate_service.domain.audience import SpectatorPolicy
from tablestate_service.domain.errors import spectators_refused
from tablestate_service.domain.match import Match
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.usecases.matches import Matches


async def shown(matches: Matches, match: Match) -> Match:
    """A match as spectators see it by now; refuses SPECTATORS_REFUSED."""
    if wait_for(matches, match) <= 0:
        return match
    seen: Match | None = None
    history = matches.history(match.terms.match_id, 0, match.standing.version)
    async with aclosing(history):
        async for batch in history:
            due = [each.match for each in batch if wait_for(matches, each.match) <= 0]
            seen = due[-1] if due else seen
            if len(due) < len(batch):
                break
    assert seen is not None, "the first entry of a match is shown to everybody"
    return seen


def wait_for(matches: Matches, match: Match) -> int:
    """In how many nanoseconds spectators see a match at its version; refuses as `shown` does."""
    audience = match.terms.audience
    if audience.is_live or match.standing.phase is MatchPhase.WAITING:
        return 0
    if audience.spectators is SpectatorPolicy.REFUSED:
        raise spectators_refused()
    return match.standing.time + audience.delay - matches.now()
