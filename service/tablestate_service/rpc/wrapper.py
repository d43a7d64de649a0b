"""The outermost wrapper: whatever happens inside, the caller gets one clear status.

Handlers take and return bytes, so that this also sees requests that are no protobuf.
Without it a panic of the core (no Exception) would leave the caller waiting, and the
text of any other exception would go out to it.
"""

import asyncio
import logging
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeAlias, TypeVar

import grpc
from google.protobuf.message import DecodeError, Message

from tablestate_service.domain.errors import DomainError, Reason, shutting_down
from tablestate_service.ports import Entropy
from tablestate_service.ports.observing import Observer, Observers
from tablestate_service.rpc.error_table import status_of
from tablestate_service.rpc.gate import Gate, Rule
from tablestate_service.rpc.sender import Sender

M = TypeVar("M", bound=Message)
Parse: TypeAlias = Callable[[bytes], M]
Given: TypeAlias = bytes | Callable[[], Awaitable[bytes]]
"""A request, or what makes it: JSON of a stranger is not read before the gate has let it in."""
Context: TypeAlias = "grpc.aio.ServicerContext[bytes, bytes]"
Handler: TypeAlias = "grpc.RpcMethodHandler[bytes, bytes]"
Send: TypeAlias = Callable[[bytes], Awaitable[None]]
Receive: TypeAlias = Callable[[], Awaitable[M | None]]
UnaryCall: TypeAlias = Callable[[M], Awaitable[bytes]]
StreamCall: TypeAlias = Callable[[M, Send], Awaitable[None]]

log = logging.getLogger("tablestate_service.calls")

_DETAILS_KEY = "grpc-status-details-bin"
_INCIDENT_BYTES = 8
_MATCH_ID = re.compile("[0-9a-f]{32}")
_CODE_NAMES = {code.value[0]: code.name for code in grpc.StatusCode}


class Reader(Generic[M]):
    """The requests of a stream. Called, it gives the next one, None at the end."""

    def __init__(
        self, context: Context, parse: Parse[M], check: Callable[[M], Awaitable[None]]
    ) -> None:
        """Read from the context of a call; `check` refuses what its caller may not ask for."""
        self._read = context.read
        self._parse = parse
        self._check = check

    async def __call__(self) -> M | None:
        """The next request; refuses MALFORMED_REQUEST."""
        data = await self.data()
        return None if data is None else await self.request(data)

    async def data(self) -> bytes | None:
        """The bytes of the next request, for a stream that may know them already."""
        data: Any = await self._read()
        return None if data is grpc.aio.EOF else data

    async def request(self, data: bytes) -> M:
        """The request of such bytes; refuses MALFORMED_REQUEST."""
        request = _parsed(self._parse, data)
        await self._check(request)
        return request


DialogueCall: TypeAlias = Callable[[Reader[M], Send], Awaitable[None]]


class StatusError(Exception):
    """A bare status, for services that are not Tablestate's own."""

    def __init__(self, code: grpc.StatusCode, message: str) -> None:
        """Say which."""
        super().__init__(message)
        self.code = code
        self.message = message


class Wrapper:
    """Makes gRPC handlers of servicers' methods."""

    def __init__(
        self,
        *,
        refusal: Callable[[BaseException], DomainError | None],
        entropy: Entropy,
        gate: Gate,
        send_seconds: float,
        observer: Observer | None = None,
    ) -> None:
        """`refusal` reads the core's errors; a stream may block for `send_seconds`.

        The gate says who calls, and the observer is told of every call.
        """
        self._gate = gate
        self._refusal = refusal
        self._entropy = entropy
        self._send_seconds = send_seconds
        self._observer = observer or Observers(())
        self.is_draining = False

    def unary(
        self,
        method: str,
        rule: Rule,
        parse: Parse[M],
        call: UnaryCall[M],
        *,
        while_draining: bool = False,
    ) -> Handler:
        """A handler that answers once."""

        async def handle(given: Given, context: Context) -> bytes:
            running = _Call(self._observer, method, context)
            request: M | None = None
            try:
                self._admit(rule, context, while_draining)
                data = await _bytes_of(given)
                request = _parsed(parse, data)
                await self._gate.require_own(rule, request)
                return await call(request)
            except BaseException as error:
                await self._fail(method, context, error)
                raise
            finally:
                running.end(request)

        return grpc.unary_unary_rpc_method_handler(handle)

    def stream(
        self,
        method: str,
        rule: Rule,
        parse: Parse[M],
        call: StreamCall[M],
        *,
        while_draining: bool = False,
    ) -> Handler:
        """A handler that answers many times."""

        async def handle(given: Given, context: Context) -> None:
            running = _Call(self._observer, method, context)
            request: M | None = None
            try:
                self._admit(rule, context, while_draining)
                data = await _bytes_of(given)
                request = _parsed(parse, data)
                await self._gate.require_own(rule, request)
                # So that the caller knows the stream is open before there is anything to send.
                await context.send_initial_metadata(())
                with self._gate.kept_open(rule, context), self._sender(context) as sender:
                    await call(request, sender.send)
            except BaseException as error:
                await self._fail(method, context, error)
                raise
            finally:
                running.end(request)

        return grpc.unary_stream_rpc_method_handler(handle)

    def dialogue(
        self,
        method: str,
        rule: Rule,
        parse: Parse[M],
        call: DialogueCall[M],
        *,
        while_draining: bool = False,
    ) -> Handler:
        """A handler that takes many requests and answers many times."""

        async def handle(_: object, context: Context) -> None:
            running = _Call(self._observer, method, context)
            reader = Reader(context, parse, lambda request: self._gate.require_own(rule, request))
            try:
                self._admit(rule, context, while_draining)
                with self._gate.kept_open(rule, context), self._sender(context) as sender:
                    await call(reader, sender.send)
            except BaseException as error:
                await self._fail(method, context, error)
                raise
            finally:
                running.end(None)

        return grpc.stream_stream_rpc_method_handler(handle)

    def _admit(self, rule: Rule, context: Context, while_draining: bool) -> None:
        if self.is_draining and not while_draining:
            raise shutting_down()
        self._gate.enter(rule, context)

    def _sender(self, context: Context) -> Sender:
        return Sender(context, self._send_seconds)

    async def _fail(self, method: str, context: Context, error: BaseException) -> None:
        """Send the status of an error; returns only if there is nobody to send it to."""
        if isinstance(error, GeneratorExit | grpc.aio.AbortError) or _is_cancellation(error):
            return  # The second was told already, by what made the request.
        if isinstance(error, StatusError):
            await context.abort(error.code, error.message)
        refusal = error if isinstance(error, DomainError) else self._refusal(error)
        status = status_of(refusal or self._incident(method, error))
        try:
            async with asyncio.timeout(self._send_seconds):
                await context.abort(status.code, status.message, ((_DETAILS_KEY, status.details),))
        except TimeoutError:
            # The status waits behind what a slow reader has not taken. It goes out when the
            # reader goes on; nobody waits for that. To gRPC the call is cancelled.
            raise asyncio.CancelledError from None

    def _incident(self, method: str, error: BaseException) -> DomainError:
        incident = self._entropy.token_bytes(_INCIDENT_BYTES).hex()
        log.error(
            "internal error",
            exc_info=error,
            extra={"incident": incident, "method": method},
        )
        return DomainError(
            Reason.INTERNAL, "internal error: quote the incident", {"incident": incident}
        )


class _Call:
    """A call that runs: its end is told to the observer, and to the log at level debug."""

    __slots__ = ("_context", "_ended", "_method", "_started")

    def __init__(self, observer: Observer, method: str, context: Context) -> None:
        self._context = context
        self._method = method
        self._started = time.perf_counter_ns()
        self._ended = observer.call(method, lambda: context.invocation_metadata() or ())

    def end(self, request: Any) -> None:
        """Tell how it has ended; `request` is None where there were many, or none was read."""
        code = _code_of(self._context)
        self._ended(code)
        if log.isEnabledFor(logging.DEBUG):
            microseconds = (time.perf_counter_ns() - self._started) // 1000
            match_id = _loggable(getattr(request, "match_id", ""))
            told = {"code": code, "microseconds": microseconds, "match_id": match_id}
            log.debug("call", extra={"method": self._method, **told})


async def _bytes_of(given: Given) -> bytes:
    return given if isinstance(given, bytes) else await given()


def _parsed(parse: Parse[M], data: bytes) -> M:
    try:
        return parse(data)
    except DecodeError:
        raise DomainError(
            Reason.MALFORMED_REQUEST, "the request is not a message of the method's type"
        ) from None


def _is_cancellation(error: BaseException) -> bool:
    """Whether the caller has gone. A CancelledError that came otherwise is a fault."""
    task = asyncio.current_task()
    return isinstance(error, asyncio.CancelledError) and (task is None or task.cancelling() > 0)


def _code_of(context: Context) -> str:
    """What a call ends with."""
    if context.cancelled():
        return "CANCELLED"
    # A number or a StatusCode, whatever the stubs say; none was set if all is well.
    code: Any = context.code()
    return "OK" if code is None else getattr(code, "name", None) or _CODE_NAMES[code]


def _loggable(match_id: str) -> str:
    """A match's id; whatever else a caller wrote in its place, a token perhaps, is not logged."""
    return match_id if _MATCH_ID.fullmatch(match_id) else ""
