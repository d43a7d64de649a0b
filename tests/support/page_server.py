"""A service as `tablestate serve` starts it, with its page, to be killed and started again."""

import contextlib
import re
import signal
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

from support import command
from tools.ports import free_port


class PageServer:
    """A process of its own, on the same ports whenever it is started."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._ports = free_port(), free_port()
        self._process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self._ports[1]}"

    @property
    def grpc(self) -> str:
        """Where the service is, for clients of gRPC."""
        return f"127.0.0.1:{self._ports[0]}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    def start(self) -> None:
        """Start it; returns when it takes calls."""
        port, gateway = self._ports
        where = ("--port", str(port), "--gateway", f"127.0.0.1:{gateway}")
        self._process = command.start(
            "serve", *where, "--data-dir", str(self._data), "--log-level", "error"
        )
        assert self._process.stdout is not None
        lines = [self._process.stdout.readline() for _ in range(2)]
        assert re.search(r"page is at", "".join(lines)), lines

    def kill(self) -> None:
        """End it at once, as a power cut would."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGKILL)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.communicate(timeout=10)
        self._process = None
