"""The limits of requests: what has the most is taken, and what has one more is refused by name."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import grpc
import pytest

from support.fake_engine import FakeEngine
from support.service import Client, Failure, request_id, service, token
from tablestate.v1 import match_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts

Call: TypeAlias = Callable[[Client, int], Awaitable[object]]
PHASES = list(match_pb2.MatchPhase.values())[1:]


class Limit(NamedTuple):
    """A limit of `docs/limits.md`: its row there, the field, and a call with so much of it."""

    row: str
    field: str
    least: int
    most: int
    call: Call


async def joined(client: Client, **fields: Any) -> object:
    return await client.join(await client.create(), 0, **fields)


def read(client: Client, length: int) -> Awaitable[object]:
    got: Awaitable[object] = client.matches.GetMatch(pb.GetMatchRequest(match_id="a" * length))
    return got


def listed(client: Client, **fields: Any) -> Awaitable[object]:
    got: Awaitable[object] = client.matches.ListMatches(pb.ListMatchesRequest(**fields))
    return got


async def watched(client: Client, matches: int) -> object:
    ids = [f"{number:032x}" for number in range(matches)]
    return await anext(aiter(client.watch(*ids)))


def waiting(client: Client, milliseconds: int) -> Awaitable[object]:
    return client.create(waiting_limit=timedelta(milliseconds=milliseconds))


def invited(client: Client, length: int) -> Awaitable[object]:
    invite = match_pb2.VISIBILITY_INVITE
    return client.create(visibility=invite, invitation_code="x" * length)


def delayed(client: Client, milliseconds: int) -> Awaitable[object]:
    return client.create(spectator_delay=timedelta(milliseconds=milliseconds))


def entropy_awaited(client: Client, milliseconds: int) -> Awaitable[object]:
    return client.create(entropy_limit=timedelta(milliseconds=milliseconds))


def revealed(client: Client, size: int) -> Awaitable[object]:
    got: Awaitable[object] = client.matches.RevealEntropy(
        pb.RevealEntropyRequest(
            request_id=request_id(), match_id="a" * 32, seat_token=token(1), entropy=bytes(size)
        )
    )
    return got


def timed(client: Client, **milliseconds: int) -> Awaitable[object]:
    times: dict[str, Any] = {
        name: timedelta(milliseconds=each) for name, each in milliseconds.items()
    }
    return client.create(time_control=match_pb2.TimeControl(**times))


SECOND, MINUTE, DAY = 1000, 60_000, 86_400_000
CLOCKS = "`time_control.turn_limit`, `time_control.bank`"
ENTROPY = "entropy and its hash"
TOKENS = "host token, seat token"
LIMITS = [
    Limit(TOKENS, "host_token", 32, 32, lambda c, n: c.create(host_token=bytes(n))),
    Limit(TOKENS, "seat_token", 32, 32, lambda c, n: joined(c, seat_token=bytes(n))),
    Limit("`request_id`", "request_id", 16, 64, lambda c, n: c.create(request_id=unique(n))),
    Limit("`match_id`", "match_id", 32, 32, read),
    Limit("`display_name`", "display_name", 0, 64, lambda c, n: joined(c, display_name="é" * n)),
    Limit("`player_id`", "player_id", 0, 128, lambda c, n: joined(c, player_id="é" * n)),
    Limit("`tenant`", "tenant", 0, 64, lambda c, n: c.create(tenant="é" * n)),
    Limit("`metadata`", "metadata", 0, 16, lambda c, n: c.create(metadata=entries(n))),
    Limit("`metadata`", "metadata", 1, 64, lambda c, n: c.create(metadata={"é" * n: "v"})),
    Limit("`metadata`", "metadata", 0, 256, lambda c, n: c.create(metadata={"k": "é" * n})),
    Limit("`page_size`", "page_size", 0, 100, lambda c, n: listed(c, page_size=n)),
    Limit(ENTROPY, "entropy_hash", 32, 32, lambda c, n: joined(c, entropy_hash=bytes(n))),
    Limit(ENTROPY, "entropy", 32, 32, revealed),
    Limit("`invitation_code`", "invitation_code", 16, 64, invited),
    Limit("`spectator_delay`", "spectator_delay", 0, 7 * DAY, delayed),
    Limit("`entropy_limit`", "entropy_limit", SECOND, 10 * MINUTE, entropy_awaited),
    Limit("`waiting_limit`", "waiting_limit", SECOND, 366 * DAY, waiting),
    Limit(CLOCKS, "time_control", SECOND, 366 * DAY, lambda c, n: timed(c, turn_limit=n)),
    Limit(CLOCKS, "time_control", SECOND, 366 * DAY, lambda c, n: timed(c, bank=n)),
    Limit(
        *("`time_control.increment`", "time_control.increment", 0, DAY),
        lambda c, n: timed(c, bank=SECOND, increment=n),
    ),
    Limit(
        *("`time_control.grace`", "time_control.grace", 0, MINUTE),
        lambda c, n: timed(c, bank=SECOND, grace=n),
    ),
    Limit("subscriptions of a watch", "subscriptions", 1, 256, watched),
    Limit("`phases` of a list", "phases", 0, 4, lambda c, n: listed(c, phases=some(n))),
]
ROWS = {each.row for each in LIMITS}


def unique(length: int) -> str:
    return request_id().rjust(16, "0")[-16:][:length].ljust(length, "x")


def entries(count: int) -> dict[str, str]:
    return {f"key {number}": "" for number in range(count)}


def some(count: int) -> Sequence[int]:
    return (PHASES * 2)[:count]


@pytest.fixture(scope="module")
async def client(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Client]:
    directory: Path = tmp_path_factory.mktemp("data")
    async with service(directory, Parts(engine=FakeEngine)) as (_, client):
        yield client


async def faults(client: Client, call: Call, amount: int) -> list[str]:
    """The fields that are wrong. What is not found was right."""
    try:
        await call(client, amount)
    except grpc.aio.AioRpcError as error:
        failure = Failure(error)
        assert failure.reason in ("INVALID_FIELD", "MATCH_NOT_FOUND")
        return list(failure.violations)
    return []


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: f"{limit.field} {limit.most}")
async def test_a_request_may_have_the_most_and_no_more(client: Client, limit: Limit) -> None:
    for amount in sorted({limit.least, max(limit.most - 1, limit.least), limit.most}):
        assert await faults(client, limit.call, amount) == [], amount
    for amount in (limit.most + 1, *([limit.least - 1] if limit.least else [])):
        wrong = await faults(client, limit.call, amount)
        assert wrong and all(each.startswith(limit.field) for each in wrong), amount
