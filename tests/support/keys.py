"""A service with keys, and callers that bring them."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc

from support.fake_engine import FakeEngine
from support.service import Client
from tablestate_service.app import Parts, RunningService, running_service
from tablestate_service.key_file import key_digest
from tablestate_service.settings import Settings

KEYS = {
    "player": 'scope = "player"',
    "operator": 'scope = "operator"',
    "ada": 'scope = "player"\nplayer_id = "ada"',
    "other-player": 'scope = "player"\ntenant = "other"',
    "other-operator": 'scope = "operator"\ntenant = "other"',
}
"""By name; the key itself is `key_of` its name."""


def key_of(name: str) -> str:
    """The key of a name."""
    return f"tsk_{name}-of-a-test"


def key_file(path: Path, keys: Mapping[str, str] = KEYS) -> Path:
    """Write a file of keys."""
    tables = [
        f'[[key]]\nname = "{name}"\nsha256 = "{key_digest(key_of(name)).hex()}"\n{rest}\n'
        for name, rest in keys.items()
    ]
    path.write_text("\n".join(tables))
    return path


def header(credential: str) -> tuple[tuple[str, str], ...]:
    """The header that brings a key or token; none for an empty one."""
    return (("authorization", f"Bearer {credential}"),) if credential else ()


def _with_header(details: Any, credential: str) -> grpc.aio.ClientCallDetails:
    metadata = grpc.aio.Metadata(*header(credential))
    return grpc.aio.ClientCallDetails(
        details.method, details.timeout, metadata, details.credentials, None
    )


# gRPC takes an interceptor for one kind of call, however many it knows.
class _UnaryBringing(grpc.aio.UnaryUnaryClientInterceptor):
    """Adds a header to every call with one answer."""

    def __init__(self, credential: str) -> None:
        self._credential = credential

    async def intercept_unary_unary(self, go_on: Any, details: Any, request: Any) -> Any:
        return await go_on(_with_header(details, self._credential), request)


class _StreamBringing(grpc.aio.UnaryStreamClientInterceptor):
    """Adds a header to every call with many answers."""

    def __init__(self, credential: str) -> None:
        self._credential = credential

    async def intercept_unary_stream(self, go_on: Any, details: Any, request: Any) -> Any:
        return await go_on(_with_header(details, self._credential), request)


class Guarded:
    """A service with keys."""

    def __init__(self, running: RunningService, stack: AsyncExitStack) -> None:
        self.address = running.address
        self.page = running.page
        self._stack = stack
        self._clients: dict[str, Client] = {}

    async def client(self, credential: str) -> Client:
        """A client that brings a key or token with every call."""
        if credential not in self._clients:
            bringing: Sequence[Any] = [_UnaryBringing(credential), _StreamBringing(credential)]
            channel = grpc.aio.insecure_channel(self.address, interceptors=bringing)
            await self._stack.enter_async_context(channel)
            self._clients[credential] = Client(channel, self.address)
        return self._clients[credential]

    async def known(self, name: str) -> Client:
        """A client with the key of a name."""
        return await self.client(key_of(name))


@asynccontextmanager
async def guarded(directory: Path, **settings: Any) -> AsyncIterator[Guarded]:
    """A service of the fake game on a free port that knows the keys of KEYS."""
    given = {"keys": str(key_file(directory / "keys.toml"))} | settings
    chosen = Settings(port=0, data_dir=directory / "data", **given)
    parts = Parts(engine=FakeEngine)
    async with AsyncExitStack() as stack, running_service(chosen, parts) as running:
        yield Guarded(running, stack)
