"""What players do: join, act, leave, resign."""

from functools import partial

from tablestate_service.domain import decide
from tablestate_service.domain.entry import Request
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition
from tablestate_service.domain.persons import salt_of
from tablestate_service.ports import Engine
from tablestate_service.usecases.matches import Matches


async def join_match(
    matches: Matches,
    engine: Engine,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    seat: int | None,
    display_name: str,
    player_id: str,
    entropy_hash: bytes = b"",
    invitation_hash: bytes | None = None,
) -> tuple[Transition, ...]:
    """Take a seat: the lowest open one if none is named."""
    hashed, salt = token_hash(seat_token), salt_of(match_id, seat_token)
    return await matches.change(
        match_id,
        request,
        lambda match, stamp: decide.join(
            match,
            engine,
            stamp,
            token_hash=hashed,
            seat=seat,
            display_name=display_name,
            player_id=player_id,
            salt=salt,
            entropy_hash=entropy_hash,
            invitation_hash=invitation_hash,
        ),
    )


async def reveal_entropy(
    matches: Matches,
    engine: Engine,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    entropy: bytes,
) -> tuple[Transition, ...]:
    """Reveal what a seat has promised to add to the seed."""
    hashed = token_hash(seat_token)
    return await matches.change(
        match_id,
        request,
        lambda match, stamp: decide.reveal(
            match, engine, stamp, token_hash=hashed, entropy=entropy
        ),
    )


async def leave_seat(
    matches: Matches, request: Request, *, match_id: str, seat_token: bytes
) -> tuple[Transition, ...]:
    """Give a seat up."""
    return await matches.change(
        match_id, request, partial(decide.leave, token_hash=token_hash(seat_token))
    )


async def resign(
    matches: Matches, request: Request, *, match_id: str, seat_token: bytes
) -> tuple[Transition, ...]:
    """Forfeit."""
    return await matches.change(
        match_id, request, partial(decide.resign, token_hash=token_hash(seat_token))
    )


async def submit_action(
    matches: Matches,
    request: Request,
    *,
    match_id: str,
    seat_token: bytes,
    choice: bytes,
    expected_version: int | None,
) -> tuple[Transition, ...]:
    """Take a game action."""
    return await matches.change(
        match_id,
        request,
        partial(
            decide.submit,
            token_hash=token_hash(seat_token),
            choice=choice,
            expected_version=expected_version,
        ),
    )
