"""Everything that one viewer gets of a match through the service, taped as bytes."""

import itertools
import logging
from collections.abc import Sequence
from typing import Any, NamedTuple

import grpc
from google.protobuf.json_format import MessageToJson
from google.protobuf.message import Message

from support.browser import Browser, framed
from tablestate_service.logs import JsonFormatter

SERVICE = "/tablestate.v1.MatchService/"
# What two runs can have different although nothing is told by it.
NOT_COMPARED = ("microseconds", "port", "created", "msecs")


_TURNS = (0, None, 1, None, None)
"""By which of two content types a call is made; a number of turns that no pattern of calls has."""


class Taped(NamedTuple):
    """What came back, and over which surface."""

    surface: str
    content: bytes


class Tape:
    """Calls methods and keeps the bytes of all that comes back, statuses and metadata too.

    With a browser it makes some of the calls by the gateway as well, in protobuf or in JSON.
    """

    def __init__(self, channel: grpc.aio.Channel, browser: Browser | None = None) -> None:
        self.entries: list[Taped] = []
        self.channel = channel
        self.browser = browser
        self._stubs: Any = channel
        self._turns = itertools.cycle(_TURNS)

    async def call(self, method: str, request: Message, surface: str = "") -> bytes | None:
        """A unary call: its answer, or None if it was refused."""
        surface = surface or method
        await self._by_gateway(surface, method, request, "application/proto", "application/json")
        call = self._stubs.unary_unary(SERVICE + method)(request.SerializeToString())
        try:
            answer: bytes = await call
        except grpc.aio.AioRpcError as error:
            self._keep(f"{surface} refused", _status(error))
            return None
        self._keep(surface, answer)
        self._keep(f"{surface} metadata", _metadata(await call.initial_metadata()))
        self._keep(f"{surface} metadata", _metadata(await call.trailing_metadata()))
        return answer

    async def stream(self, method: str, request: Message, surface: str = "") -> None:
        """A call that is answered many times, to its end."""
        surface = surface or method
        kinds = ("application/grpc-web+proto", "application/connect+json")
        await self._by_gateway(surface, method, request, *kinds)
        call = self._stubs.unary_stream(SERVICE + method)(request.SerializeToString())
        try:
            async for answer in call:
                self._keep(surface, answer)
        except grpc.aio.AioRpcError as error:
            self._keep(f"{surface} refused", _status(error))

    async def dialogue(self, method: str, requests: Sequence[Message], surface: str = "") -> None:
        """A stream of requests, the next sent when the one before was answered, then let go."""
        surface = surface or method
        call = self._stubs.stream_stream(SERVICE + method)()
        try:
            for request in requests:
                await call.write(request.SerializeToString())
                answer = await call.read()
                if answer is grpc.aio.EOF:
                    break
                self._keep(surface, answer)
        except grpc.aio.AioRpcError as error:
            self._keep(f"{surface} refused", _status(error))
        call.cancel()

    async def _by_gateway(self, surface: str, method: str, request: Message, *kinds: str) -> None:
        turn = next(self._turns)
        if self.browser is None or turn is None:
            return
        kind = kinds[turn]
        is_json = kind.endswith("json")
        body = MessageToJson(request).encode() if is_json else request.SerializeToString()
        if "+" in kind:
            body = framed(body)
        answer = await self.browser.send("POST", SERVICE + method, body, content_type=kind)
        headers = "\n".join(f"{name}: {value}" for name, value in answer.headers.items())
        refused = "" if answer.status == 200 else " refused"
        self._keep(f"{surface}{refused} by the gateway", headers.encode() + answer.body)

    def _keep(self, surface: str, content: bytes) -> None:
        self.entries.append(Taped(surface, content))


class LogTape(logging.Handler):
    """Keeps all lines that are logged, as they would be written."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(JsonFormatter())
        self.lines: list[bytes] = []
        self.timeless: list[bytes] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record).encode())
        fields = {key: value for key, value in vars(record).items() if key not in NOT_COMPARED}
        copy = logging.makeLogRecord({**fields, "created": 0.0, "msecs": 0.0})
        self.timeless.append(self.format(copy).encode())

    def __enter__(self) -> "LogTape":
        logger = logging.getLogger("tablestate_service")
        self._level = logger.level
        logger.setLevel(logging.DEBUG)
        logging.getLogger().addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)
        logging.getLogger("tablestate_service").setLevel(self._level)


def _status(error: grpc.aio.AioRpcError) -> bytes:
    metadata = _metadata(error.trailing_metadata())
    return f"{error.code()} {error.details()}\n".encode() + metadata


def _metadata(metadata: Any) -> bytes:
    pairs = sorted((key, _bytes(value)) for key, value in metadata or ())
    return b"\n".join(key.encode() + b": " + value for key, value in pairs)


def _bytes(value: str | bytes) -> bytes:
    return value.encode() if isinstance(value, str) else value
