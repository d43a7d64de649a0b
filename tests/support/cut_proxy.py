"""A TCP proxy whose connections can be cut at any moment."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Self

_CHUNK = 1 << 16


class CutProxy:
    """Passes bytes on to a target until told to cut."""

    def __init__(self, target: str) -> None:
        """Listen on a free port for connections to "host:port"."""
        host, _, port = target.rpartition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        self.accepted = 0
        """Connections taken so far."""
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        """Begin to pass on."""
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        """Cut everything and listen no more."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def cut(self) -> None:
        """Cut every connection in both directions, in the middle of whatever goes over it."""
        with self._lock:
            cut, self._open = self._open, []
        for end in cut:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                threading.Thread(target=self._connect, args=(near,), daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        """Pass on what a connection brings; it is closed when nobody uses it any more.

        Before that its number could be given to another connection of this process.
        """
        with near, suppress(OSError), socket.create_connection(self._target) as far:
            with self._lock:
                self._open += [near, far]
                self.accepted += 1
            back = threading.Thread(target=_pass_on, args=(far, near), daemon=True)
            back.start()
            _pass_on(near, far)
            back.join()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(_CHUNK):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)
