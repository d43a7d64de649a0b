"""A service whose machine's time of day is off by hours: nobody is flagged or given time.

The program faketime lies to one process after the other about the time of day, while a match
goes on in the data directory that they take over. (A time of day that jumps while a service
runs: `tests/integration/test_time.py`.)
"""

import asyncio
import time
from datetime import timedelta
from pathlib import Path
from typing import Any

import grpc

from support.faults_process import ServiceProcess, start
from support.service import Client
from tablestate.v1 import match_pb2

LIMIT = 10.0
SERVED = 0.7
HOUR = 3600
OFF_BY = (HOUR, -HOUR, HOUR)
"""Seconds by which the time of day is off, one service after the other."""


async def served(directory: Path, off_by: int) -> ServiceProcess:
    # The program itself would stay in between, and take the signals.
    (library,) = Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")
    wrapper = ("env", f"LD_PRELOAD={library}", f"FAKETIME={off_by:+}s")
    return await start(directory, wrapper=wrapper)


async def left(client: Client, match_id: str) -> float:
    match = await client.match(match_id)
    assert match.phase == match_pb2.MATCH_PHASE_RUNNING
    seconds: float = match.clocks.remaining.ToTimedelta().total_seconds()
    return seconds


async def test_nobody_is_flagged_or_given_time(tmp_path: Path) -> None:
    match_id, before = "", LIMIT
    for off_by in OFF_BY:
        process = await served(tmp_path, off_by)
        async with grpc.aio.insecure_channel(process.address) as channel:
            client = Client(channel)
            created = (await client.match(await client.create())).create_time.seconds
            assert abs(created - time.time() - off_by) < 60, "the service sees the right time"
            if not match_id:
                spans: dict[str, Any] = {"turn_limit": timedelta(seconds=LIMIT)}
                match_id = await client.started(time_control=match_pb2.TimeControl(**spans))
            first, begun = await left(client, match_id), time.monotonic()
            await asyncio.sleep(SERVED)
            last, passed = await left(client, match_id), time.monotonic() - begun
            assert abs(first - last - passed) < 0.3, "time passes as it does"
            # Between two services it stands still, but for what starting and stopping take.
            assert before - 2.5 < first <= before
            before = last
        await process.stop()
    process = await served(tmp_path, -HOUR)
    try:
        async with grpc.aio.insecure_channel(process.address) as channel:
            client = Client(channel)
            remaining, begun = await left(client, match_id), time.monotonic()
            ended = await client.ended(match_id)
            assert abs(time.monotonic() - begun - remaining) < 1.5
            assert list(ended.outcome.winners) == [1]
    finally:
        await process.kill()
