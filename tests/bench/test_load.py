"""The load generator, the echo and the count of syncs."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from bench import native
from bench.figures import Figure, at_least, at_most, table
from bench.load_run import LoadError, Shape, drive, write_bodies
from bench.servers import Server, ServerError, echo, service
from bench.sync_record import SyncRecord

METHOD = "/bench.Echo/Get"
REPLY = b"twelve bytes"
FRAME_PREFIX = 5
SYNCING = """
import os
with open("synced", "wb") as file:
    for _ in range(7):
        os.fdatasync(file.fileno())
    os.fsync(file.fileno())
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with echo({METHOD: REPLY}) as started:
        yield started


@pytest.fixture
def bodies(tmp_path: Path) -> Path:
    path = tmp_path / "bodies"
    write_bodies(path, [[b"one", b"two" * 50_000, b""] for _ in range(5)])
    return path


def test_scripts_are_played_once_each_when_told_so(server: Server, bodies: Path) -> None:
    reading = drive(server, METHOD, bodies, Shape(2, 2, once=True), 20)
    assert reading.calls == 15
    assert reading.ran_out


def test_scripts_are_played_again_and_again_otherwise(server: Server, bodies: Path) -> None:
    reading = drive(server, METHOD, bodies, Shape(1, 3), 0.4)
    assert reading.calls > 15
    assert not reading.ran_out


def test_replies_come_back_whole(server: Server, bodies: Path) -> None:
    reading = drive(server, METHOD, bodies, Shape(1, 1), 0.3)
    assert reading.reply_bytes == len(REPLY) + FRAME_PREFIX
    assert 0 < reading.p50 <= reading.p99
    assert reading.rate > 0
    assert reading.cpu > 0


def test_every_message_of_a_stream_is_answered() -> None:
    with (
        echo({METHOD: REPLY}, streams=True) as started,
        grpc.insecure_channel(started.address) as channel,
    ):
        call: Any = channel.stream_stream(METHOD)
        assert list(call(iter([b"one", b"two", b""]))) == [REPLY] * 3


def test_a_refused_call_fails_the_run(server: Server, bodies: Path) -> None:
    with pytest.raises(LoadError, match="Method not found"):
        drive(server, "/bench.Echo/Other", bodies, Shape(1, 1, once=True), 5)


def test_bodies_that_are_cut_short_are_refused(server: Server, bodies: Path) -> None:
    bodies.write_bytes(bodies.read_bytes()[:-1])
    with pytest.raises(LoadError, match="cut short"):
        drive(server, METHOD, bodies, Shape(1, 1), 1)


def test_a_server_that_does_not_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "tablestate.db").write_bytes(b"no database" * 1000)
    with pytest.raises(ServerError, match="damaged"), service(tmp_path):
        pass


def test_every_sync_is_counted_and_timed(tmp_path: Path) -> None:
    record = SyncRecord(tmp_path / "syncs")
    environment = os.environ | {"LD_PRELOAD": str(native.syncs()), "BENCH_SYNCS": str(record.path)}
    subprocess.run([sys.executable, "-c", SYNCING], cwd=tmp_path, env=environment, check=True)
    assert record.count() == 8
    assert record.median_since(0) >= 0
    assert record.median_since(8) == 0


def test_the_table_says_which_targets_are_met() -> None:
    fast = Figure("fast", [1.0, 3.0, 2.0], at_least(2), "ours")
    slow = Figure("slow", [5.0], at_most(4.5), "ours")
    lines = table([fast, slow]).splitlines()
    assert "| 2 " in lines[2]
    assert "met" in lines[2]
    assert "MISSED" in lines[3]
