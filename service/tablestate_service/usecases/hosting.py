"""What the host of a match does: create it, add bots, start it, abort it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from tablestate_service.domain import decide, errors, fairness
from tablestate_service.domain.audience import EVERYBODY, Audience
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.entry import Request
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.domain.terms import (
    DEFAULT_ENTROPY_LIMIT,
    AbsencePolicy,
    Fork,
    Policies,
    RevealPolicy,
    Seating,
    StartPolicy,
    Terms,
    default_absence,
)
from tablestate_service.ports import Clock, Engine, Entropy
from tablestate_service.usecases.matches import Matches

_MATCH_ID_BYTES = 16


@dataclass(frozen=True, slots=True)
class NewMatch:
    """What a host asks for. A policy of None takes its default."""

    host_token: bytes
    options: bytes
    on_leave: AbsencePolicy | None
    on_timeout: AbsencePolicy | None
    reveal: RevealPolicy
    start: StartPolicy
    metadata: Mapping[str, str]
    tenant: str
    fork: Fork | None = None
    waiting_limit: int | None = None
    time_control: TimeControl | None = None
    entropy_limit: int = DEFAULT_ENTROPY_LIMIT
    audience: Audience = EVERYBODY
    seating: Seating = Seating.CHOSEN


async def create_match(
    matches: Matches,
    engine: Engine,
    clock: Clock,
    entropy: Entropy,
    request: Request,
    wanted: NewMatch,
) -> tuple[Transition, ...]:
    """Create a match; refuses INVALID_OPTIONS."""
    setup = engine.validate_options(wanted.options)
    match_id = entropy.token_bytes(_MATCH_ID_BYTES).hex()
    secret = entropy.token_bytes(fairness.SECRET_BYTES)
    absence = default_absence(setup.seats)
    terms = Terms(
        match_id=match_id,
        game=setup.game,
        rules_version=setup.rules_version,
        seats=setup.seats,
        options=setup.options,
        policies=Policies(
            wanted.on_leave or absence, wanted.on_timeout or absence, wanted.reveal, wanted.start
        ),
        metadata=wanted.metadata,
        host_token_hash=token_hash(wanted.host_token),
        secret=secret,
        commitment=fairness.commitment(match_id, secret),
        create_time=clock.now(),
        tenant=wanted.tenant,
        fork=wanted.fork,
        waiting_limit=wanted.waiting_limit,
        time_control=wanted.time_control,
        entropy_limit=wanted.entropy_limit,
        audience=wanted.audience,
        seating=wanted.seating,
    )
    return await matches.create(terms, request)


async def add_bot(
    matches: Matches,
    engine: Engine,
    request: Request,
    *,
    match_id: str,
    host_token: bytes,
    bot: str,
    seat: int | None,
) -> tuple[Transition, ...]:
    """Put a bot on a seat."""
    loaded = await matches.get(match_id)
    host_hash = token_hash(host_token)
    decide.require_host(loaded.match, host_hash)
    if loaded.match.terms.rematch_of:
        # Its seats are those of the players before; whoever came first could shut the others out.
        raise errors.wrong_invitation()
    bots = engine.bots(loaded.match.terms.game)
    if bot not in bots:
        raise errors.invalid_field("bot", bot, "one of " + ", ".join(bots))
    return await matches.change(
        match_id,
        request,
        lambda match, stamp: decide.add_bot(
            match, engine, stamp, host_hash=host_hash, bot=bot, seat=seat
        ),
    )


async def start_match(
    matches: Matches, engine: Engine, request: Request, *, match_id: str, host_token: bytes
) -> tuple[Transition, ...]:
    """Start a match that waits for its host."""
    host_hash = token_hash(host_token)
    return await matches.change(
        match_id,
        request,
        lambda match, stamp: decide.start(match, engine, stamp, host_hash=host_hash),
    )


async def abort_match(
    matches: Matches, request: Request, *, match_id: str, host_token: bytes
) -> tuple[Transition, ...]:
    """End a match without an outcome."""
    return await matches.change(
        match_id, request, partial(decide.abort, host_hash=token_hash(host_token))
    )
