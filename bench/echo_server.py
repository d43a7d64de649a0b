"""A no-op echo: what gRPC for Python costs on this machine before a handler does anything.

It is served like the service: one process, grpc.aio on uvloop, generic handlers, bytes passed
through as they are. Each argument `/package.Service/Method=FILE` adds a method that answers
with the bytes of the file; if the file's name ends in `.stream`, it answers every message of a
stream so.
"""

import asyncio
import signal
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import uvloop


def _handler(reply: bytes) -> "grpc.RpcMethodHandler[bytes, bytes]":
    async def answer(_request: bytes, _context: Any) -> bytes:
        return reply

    return grpc.unary_unary_rpc_method_handler(answer)


def _stream_handler(reply: bytes) -> "grpc.RpcMethodHandler[bytes, bytes]":
    async def answer(_requests: Any, context: Any) -> None:
        while await context.read() is not grpc.aio.EOF:
            await context.write(reply)

    return grpc.stream_stream_rpc_method_handler(answer)


def _handlers(arguments: Sequence[str]) -> list[grpc.GenericRpcHandler]:
    services: defaultdict[str, dict[str, Any]] = defaultdict(dict)
    for argument in arguments:
        path, file = argument.split("=", 1)
        _, service, method = path.split("/")
        make = _stream_handler if file.endswith(".stream") else _handler
        services[service][method] = make(Path(file).read_bytes())
    return [grpc.method_handlers_generic_handler(*each) for each in services.items()]


async def serve(arguments: Sequence[str]) -> None:
    """Answer until SIGTERM; the first line on stdout names the address."""
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers(_handlers(arguments))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    stopping = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopping.set)
    print(f"echo listens on 127.0.0.1:{port}", flush=True)
    await stopping.wait()
    await server.stop(0)


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(serve(sys.argv[1:]))
