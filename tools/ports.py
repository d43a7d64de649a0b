"""Ports for servers that are started again on the port that they had."""

import random
import socket

# Below those that systems give to whoever asks for any: one of those may go to somebody else
# before it is used, or while its server is down.
_PORTS = range(20_000, 32_000)


def free_port() -> int:
    """A TCP port on loopback that nobody listens on."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
