"""How long after an action was sent its watchers hear of it.

`watch_delays TO FROM ACTIONS_A_SECOND SECONDS`: players act on the node at one address, and
watchers listen on the node at another; it prints the delays in milliseconds.
"""

import asyncio
import json
import random
import sys
import time
from typing import Any

import grpc
import uvloop

from bench import matches
from bench.matches import Table
from tablestate.v1 import match_service_pb2 as pb
from tablestate.v1 import match_service_pb2_grpc

_MATCHES = 40
_MAX_PLIES = 400
_PATIENCE_SECONDS = 10
_LEAD_SECONDS = 1.5
_LOOK_SECONDS = 0.05

Sent = dict[tuple[str, int], float]


async def _watch(stub: Any, table: Table, heard: Sent) -> None:
    subscription = pb.WatchSubscription(
        match_id=table.match_id, after_version=matches.FIRST_VERSION
    )
    watch = stub.WatchMatches(pb.WatchMatchesRequest(subscriptions=[subscription]))
    async for response in watch:
        heard[table.match_id, response.update.version] = time.monotonic()


async def _play(
    call: Any, table: Table, course: list[tuple[int, str]], begin: float, every: float, sent: Sent
) -> None:
    requests = matches.submissions(table, course)
    for ply, request in enumerate(requests):
        await asyncio.sleep(max(0.0, begin + ply * every - time.monotonic()))
        sent[table.match_id, matches.FIRST_VERSION + ply + 1] = time.monotonic()
        await call(request)


async def _heard(to: str, listening: str, plies: int, every: float) -> tuple[Sent, Sent]:
    """When each action was sent, and when its watcher heard of it."""
    chance, sent, heard = random.Random(1), Sent(), Sent()
    with grpc.insecure_channel(to) as channel:
        tables = [matches.Api(channel).started() for _ in range(_MATCHES)]
    courses = [matches.random_course(chance, plies) for _ in tables]
    async with grpc.aio.insecure_channel(to) as there, grpc.aio.insecure_channel(listening) as here:
        stub: Any = match_service_pb2_grpc.MatchServiceStub(here)
        watching = [asyncio.ensure_future(_watch(stub, table, heard)) for table in tables]
        begin = time.monotonic() + _LEAD_SECONDS
        # They do not all act at the same moment.
        begins = [begin + every * place / _MATCHES for place in range(_MATCHES)]
        channel_to: Any = there
        call = channel_to.unary_unary(f"{matches.SERVICE}/SubmitAction")
        seats = zip(tables, courses, begins, strict=True)
        await asyncio.gather(*(_play(call, *seat, every, sent) for seat in seats))
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while len(heard) < len(sent) and time.monotonic() < deadline:
            await asyncio.sleep(_LOOK_SECONDS)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)
    return sent, heard


def main(to: str, listening: str, rate: float, seconds: float) -> None:
    """Play and watch; tell the delays."""
    every = _MATCHES / rate
    plies = min(_MAX_PLIES, max(1, int(seconds / every)))
    sent, heard = uvloop.run(_heard(to, listening, plies, every))
    print(json.dumps({"delays": sorted(1000 * (heard[key] - at) for key, at in sent.items())}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4]))
