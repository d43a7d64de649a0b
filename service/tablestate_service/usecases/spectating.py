"""What those see of a match who look on without a seat: all of it, later, or nothing.

A delay begins with the start: who waits for players shows itself as it is, or nobody could join.
"""

from contextlib import aclosing

from tablestate_service.domain.audience import SpectatorPolicy
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.errors import spectators_refused
from tablestate_service.domain.match import Match, Transition
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.usecases.matches import Matches


async def shown(matches: Matches, match: Match) -> Match:
    """A match as spectators see it by now; refuses SPECTATORS_REFUSED."""
    if _wait(matches, match, has_begun=match.standing.phase is not MatchPhase.WAITING) <= 0:
        return match
    seen: Match | None = None
    history = matches.history(match.terms.match_id, 0, match.standing.version)
    async with aclosing(history):
        async for batch in history:
            due = [each.match for each in batch if wait_for(matches, each) <= 0]
            seen = due[-1] if due else seen
            if len(due) < len(batch):
                break
    assert seen is not None, "the first entry of a match is shown to everybody"
    return seen


def wait_for(matches: Matches, transition: Transition) -> int:
    """In how many nanoseconds spectators see a transition; refuses as `shown` does."""
    match = transition.match
    # Seats are drawn as a part of the start, just before the game is set up.
    is_drawn = transition.entry.draft.change is MatchChange.SEATED
    has_begun = is_drawn or match.standing.phase is not MatchPhase.WAITING
    return _wait(matches, match, has_begun=has_begun)


def _wait(matches: Matches, match: Match, *, has_begun: bool) -> int:
    audience = match.terms.audience
    if audience.is_live or not has_begun:
        return 0
    if audience.spectators is SpectatorPolicy.REFUSED:
        raise spectators_refused()
    return match.standing.time + audience.delay - matches.now()
