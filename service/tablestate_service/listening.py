"""Where a service listens, and how gRPC treats those who connect."""

import asyncio
import socket

import grpc

from tablestate_service.settings import Limits, Settings, address_of
from tablestate_service.tls import Certificates


class ListenError(OSError):
    """The address is taken or cannot be listened on."""


def server_options(limits: Limits) -> list[tuple[str, int]]:
    """The options of a server that bears so much."""
    return [
        # Two services on one port would share its calls between them.
        ("grpc.so_reuseport", 0),
        ("grpc.max_receive_message_length", limits.max_request_bytes),
        ("grpc.max_concurrent_streams", limits.max_concurrent_streams),
        # By default gRPC cancels calls at random while more than 1000 wait to be taken, as
        # when watchers come back after a restart.
        ("grpc.server.max_pending_requests", limits.max_watches),
        ("grpc.server.max_pending_requests_hard_limit", limits.max_watches),
        # Mobile clients ping to keep a watch alive; the default server drops those that
        # ping more often than every five minutes.
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
        ("grpc.keepalive_permit_without_calls", 1),
        # And the server finds out about those that vanished.
        ("grpc.keepalive_time_ms", 60_000),
        ("grpc.keepalive_timeout_ms", 20_000),
    ]


async def listen(server: grpc.aio.Server, settings: Settings) -> int:
    """Begin to take calls; the port. Raises ListenError, and SettingsError for certificates."""
    credentials = Certificates(settings).credentials() if settings.tls_cert else None
    address = address_of(settings.host, settings.port)
    try:
        await _require_free(settings.host.strip("[]"), settings.port)
        if credentials is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    except (OSError, RuntimeError) as error:
        why = (isinstance(error, OSError) and error.strerror) or "gRPC refuses"
        raise ListenError(
            f"cannot listen on {address}: {why}; choose another port with --port or "
            "TABLESTATE_PORT, or another host with --host or TABLESTATE_HOST"
        ) from None
    await server.start()
    return port


async def _require_free(host: str, port: int) -> None:
    """Ask the system first: it says why not, where gRPC says it at length and to stderr."""
    loop = asyncio.get_running_loop()
    for family, kind, protocol, _, where in await loop.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    ):
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
