"""Forks: a new match that begins with a position of another."""

from dataclasses import replace

from tablestate_service.domain import decide
from tablestate_service.domain.entry import Request
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.match import Transition
from tablestate_service.domain.seats import forfeited
from tablestate_service.domain.terms import Fork
from tablestate_service.ports import Clock, Engine, Entropy
from tablestate_service.usecases import spectating
from tablestate_service.usecases.hosting import NewMatch, create_match
from tablestate_service.usecases.matches import Matches


async def fork_match(
    matches: Matches,
    engine: Engine,
    clock: Clock,
    entropy: Entropy,
    request: Request,
    wanted: NewMatch,
    *,
    match_id: str,
    version: int,
) -> tuple[Transition, ...]:
    """Create a match that begins where another stood at a version; see `require_forkable`.

    Game and options are that match's, whatever `wanted` says; the secret is a fresh one.
    """
    try:
        forked = await _forked(matches, wanted, match_id, version)
    except DomainError:
        if answered := await matches.answered(request):
            return answered
        raise
    return await create_match(matches, engine, clock, entropy, request, forked)


async def _forked(matches: Matches, wanted: NewMatch, match_id: str, version: int) -> NewMatch:
    # As spectators see it, since whoever forks need not have a seat.
    source = await spectating.shown(matches, (await matches.current(match_id)).match)
    decide.require_version(source, version)
    match = await matches.at_version(match_id, version)
    state = decide.require_forkable(match, source)
    out = tuple(forfeited(match.standing.seats))
    return replace(
        wanted,
        options=source.terms.options,
        fork=Fork(match_id, version, state.dump(), out),
    )
