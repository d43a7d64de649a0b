"""The service that a runner calls: its chance is that of the vectors, and it counts its calls."""

import secrets
from collections import Counter, deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tablestate_service.app import Parts, RunningService, running_service
from tablestate_service.key_file import key_digest, new_key
from tablestate_service.ports.observing import Ended, Headers
from tablestate_service.settings import Limits, Settings
from tools.parity.contract import METHODS, Vector, is_stream

CALLS_PER_SECOND = 1_000_000
"""A runner is to be as fast as it can."""


class VectorEntropy:
    """Gives the n-th match the id and the secret of the n-th vector, and all others chance."""

    def __init__(self, vectors: Sequence[Vector]) -> None:
        """Begin with the first."""
        self._given = deque(
            part for each in vectors for part in (bytes.fromhex(each.match_id), each.secret)
        )

    def token_bytes(self, size: int) -> bytes:
        """An id, whose 16 bytes nothing else has, or the secret that comes after it; or chance."""
        if self._given and len(self._given[0]) == size:
            return self._given.popleft()
        return secrets.token_bytes(size)


class CallCounter:
    """An observer that counts how often each method was answered."""

    def __init__(self) -> None:
        """Nothing was called yet."""
        self.answered: Counter[str] = Counter()

    def call(self, method: str, headers: Headers) -> Ended:
        """A call begins."""
        name = method.removeprefix("/")

        def ended(code: str) -> None:
            # Who has seen enough of a stream cancels it; what is refused ends otherwise.
            if code == "OK" or (code == "CANCELLED" and name in METHODS and is_stream(name)):
                self.answered[name] += 1

        return ended

    def stored(self, operation: str) -> Ended:
        """Count nothing of the store."""
        return lambda how: None

    def committed(self, appends: int) -> None:
        """Count nothing of the store."""


class Served(NamedTuple):
    """A service that waits for a runner."""

    running: RunningService
    key: str
    operator_key: str
    calls: CallCounter


@asynccontextmanager
async def parity_service(folder: Path, vectors: Sequence[Vector]) -> AsyncIterator[Served]:
    """Serve gRPC and, by the gateway, HTTP; with a key of a player and one of an operator."""
    key, operator_key, calls = new_key(), new_key(), CallCounter()
    settings = Settings(
        port=0,
        data_dir=folder / "data",
        gateway="127.0.0.1:0",
        keys=str(_write_keys(folder / "keys.toml", player=key, operator=operator_key)),
        limits=Limits(calls_per_key=CALLS_PER_SECOND),
    )
    parts = Parts(entropy=VectorEntropy(vectors), observers=[calls])
    async with running_service(settings, parts) as running:
        yield Served(running, key, operator_key, calls)


def _write_keys(path: Path, **keys: str) -> Path:
    """Write a file of keys, each with the scope that it is named by."""
    tables = [
        f'[[key]]\nname = "{scope}"\nscope = "{scope}"\nsha256 = "{key_digest(key).hex()}"\n'
        for scope, key in keys.items()
    ]
    path.write_text("\n".join(tables), encoding="ascii")
    return path
