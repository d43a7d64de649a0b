"""Options of the sockets that browsers are connected to."""

import asyncio
import socket

_KEPT = 65_536
# As gRPC pings its clients (`listening.py`); not every system has all of these.
_QUIET_SECONDS, _AGAIN_SECONDS, _TIMES = 60, 20, 3
_QUESTIONS = {
    "TCP_KEEPIDLE": _QUIET_SECONDS,
    "TCP_KEEPINTVL": _AGAIN_SECONDS,
    "TCP_KEEPCNT": _TIMES,
    # What was sent and is never taken counts likewise.
    "TCP_USER_TIMEOUT": (_QUIET_SECONDS + _AGAIN_SECONDS * _TIMES) * 1000,
}


def ask_whether_it_is_there(transport: asyncio.BaseTransport) -> None:
    """Notice within two minutes a browser that vanished without a word, having lost its net."""
    connection = transport.get_extra_info("socket")
    if connection is None:
        return
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _QUESTIONS.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def keep_little(transport: asyncio.BaseTransport | None) -> None:
    """Bound what the system keeps for a reader: else it takes megabytes to notice a slow one."""
    if transport is not None and (connection := transport.get_extra_info("socket")) is not None:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _KEPT)
