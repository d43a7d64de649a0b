"""What the gateway costs: a call by Connect beside the same by gRPC, and many open watches."""

import contextlib
import socket
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench import matches
from bench.figures import Figure, at_most
from bench.load_run import LoadError, Shape, drive, write_bodies
from bench.machine import resident_bytes, wait_for_quiet
from bench.servers import Server, service
from bench.settings import Settings
from tablestate.v1 import match_service_pb2 as pb

CASES = ("gateway", "browser-watches")
WATCHES = 500

_ALONE = Shape(connections=1, streams=1)
_GET_VIEW = f"{matches.SERVICE}/GetView"
_WATCH = f"{matches.SERVICE}/WatchMatches"
_END_OF_HEADERS = b"\r\n\r\n"
_MOST = 65_536
_MIB = 1 << 20
_WARM_UP = 50
"""Calls before the first that counts, and watches before memory is looked at first."""


def measure(names: tuple[str, ...], settings: Settings) -> list[Figure]:
    """Measure the cases of these names; raises LoadError, ServerError."""
    figures = []
    if "gateway" in names:
        figures.append(_calls(settings))
    if "browser-watches" in names:
        figures.append(_watches(settings))
    return figures


def _calls(settings: Settings) -> Figure:
    """One call at a time: half of the calls take no longer than so much more."""
    direct, through = [], []
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: gateway")
        with _served() as server:
            table = _started(server)
            wait_for_quiet(settings.wait_seconds)
            direct.append(_by_grpc(server, table, settings.seconds))
            through.append(_by_connect(server, table, settings.seconds))
    added = [ours - peer for ours, peer in zip(through, direct, strict=True)]
    return Figure(
        "GetView by the gateway less by gRPC, one at a time: p50, ms",
        added,
        at_most(2),
        f"p50 {median(through):.3f} ms",
        f"p50 {median(direct):.3f} ms",
    )


def _watches(settings: Settings) -> Figure:
    """One round is enough: memory does not depend on what else the machine does."""
    settings.tell(f"opening {WATCHES} watches")
    with _served() as server, contextlib.ExitStack() as stack:
        table = _started(server)
        for _ in range(_WARM_UP):
            stack.enter_context(_watching(server, table))
        before = resident_bytes(server.pid)
        for _ in range(WATCHES):
            stack.enter_context(_watching(server, table))
        grown = resident_bytes(server.pid) - before
    return Figure(
        f"RSS growth over {WATCHES} watches of browsers: MiB",
        [grown / _MIB],
        at_most(100),
        f"{before / _MIB:.0f} MiB before, {grown / WATCHES / 1024:.1f} KiB a watch",
    )


@contextlib.contextmanager
def _served() -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as data, service(Path(data), has_gateway=True) as server:
        yield server


def _started(server: Server) -> matches.Table:
    with matches.api(server) as api:
        return api.started()


def _by_grpc(server: Server, table: matches.Table, seconds: float) -> float:
    """The median of a call in milliseconds."""
    with tempfile.NamedTemporaryFile() as file:
        write_bodies(Path(file.name), [[matches.get_view(table)]])
        return drive(server, _GET_VIEW, Path(file.name), _ALONE, seconds).p50 / 1000


def _by_connect(server: Server, table: matches.Table, seconds: float) -> float:
    """The same; the client writes and reads a socket, which costs next to nothing."""
    request = _request(_GET_VIEW, "application/proto", matches.get_view(table))
    taken: list[float] = []
    with _connected(server) as connection:
        until = time.perf_counter() + seconds
        while (begun := time.perf_counter()) < until or len(taken) <= _WARM_UP:
            connection.sendall(request)
            _read(connection)
            taken.append(time.perf_counter() - begun)
    return median(taken[_WARM_UP:]) * 1000


@contextlib.contextmanager
def _watching(server: Server, table: matches.Table) -> Iterator[None]:
    """A watch that has told its first news."""
    subscription = pb.WatchSubscription(match_id=table.match_id, seat_token=table.tokens[0])
    message = pb.WatchMatchesRequest(subscriptions=[subscription]).SerializeToString()
    body = bytes(1) + len(message).to_bytes(4, "big") + message
    with _connected(server) as connection:
        connection.sendall(_request(_WATCH, "application/connect+proto", body))
        _read(connection)
        yield


def _connected(server: Server) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", server.gateway_port), timeout=30)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _request(path: str, kind: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: {kind}\r\n"
    return f"{head}content-length: {len(body)}\r\n\r\n".encode() + body


def _read(connection: socket.socket) -> None:
    """Read the headers and the first that follows them; raises LoadError."""
    answer = b""
    while not answer.partition(_END_OF_HEADERS)[2]:
        read = connection.recv(_MOST)
        answer += read
        if not read or not answer.startswith(b"HTTP/1.1 200 "):
            raise LoadError(f"the gateway answered {answer[:80]!r}")
