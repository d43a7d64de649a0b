import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from support.fake_engine import FakeCoreError, FakeEngine, FakePanicError
from support.service import CountingEntropy
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.errors import Reason, match_not_found
from tablestate_service.rpc.gate import FOR_ANYONE, Gate
from tablestate_service.rpc.pace import Pace
from tablestate_service.rpc.wrapper import Wrapper

SECRET = "a secret in the text of an exception"
REQUEST = pb.GetMatchRequest(match_id="0" * 32)


class AbortedError(Exception):
    pass


class FakeContext:
    """Notes what was sent."""

    def __init__(self) -> None:
        self.status: tuple[grpc.StatusCode, str] | None = None
        self.info = error_details_pb2.ErrorInfo()

    async def abort(self, code: grpc.StatusCode, message: str, metadata: Any = ()) -> None:
        self.status = (code, message)
        for _, details in metadata:
            status_pb2.Status.FromString(details).details[0].Unpack(self.info)
        raise AbortedError

    def code(self) -> int:
        return 0

    def cancelled(self) -> bool:
        return False


async def never(match_id: str, tenant: str) -> None:
    raise AssertionError("there are no tenants")


def wrapper() -> Wrapper:
    return Wrapper(
        refusal=FakeEngine().refusal,
        entropy=CountingEntropy(),
        gate=Gate(None, never, key_pace=Pace(1), peer_pace=Pace(1)),
        send_seconds=1,
    )


def handler(call: Callable[[Any], Awaitable[bytes]], wrapped: Wrapper | None = None) -> Any:
    made: Any = (wrapped or wrapper()).unary(
        "/Test", FOR_ANYONE, pb.GetMatchRequest.FromString, call
    )
    return made.unary_unary


async def outcome_of(error: BaseException) -> FakeContext:
    async def call(request: Any) -> bytes:
        raise error

    context = FakeContext()
    with pytest.raises(AbortedError):
        await handler(call)(REQUEST.SerializeToString(), context)
    return context


@pytest.mark.parametrize(
    "error",
    [
        ValueError(SECRET),
        FakePanicError(SECRET),
        SystemExit(SECRET),
        StopAsyncIteration(SECRET),
        asyncio.CancelledError(SECRET),
    ],
)
async def test_a_fault_becomes_internal_with_an_incident_and_no_more(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        context = await outcome_of(error)
    assert context.status is not None and context.status[0] is grpc.StatusCode.INTERNAL
    assert SECRET not in context.status[1]
    assert set(context.info.metadata) == {"incident"}
    (record,) = [each for each in caplog.records if hasattr(each, "incident")]
    assert record.incident == context.info.metadata["incident"]
    assert record.exc_info


async def test_a_refusal_keeps_its_reason() -> None:
    context = await outcome_of(match_not_found("0"))
    assert context.status is not None and context.status[0] is grpc.StatusCode.NOT_FOUND
    assert context.info.reason == "MATCH_NOT_FOUND"


async def test_a_refusal_of_the_core_keeps_its_reason() -> None:
    context = await outcome_of(FakeCoreError("ILLEGAL_ACTION"))
    assert context.info.reason == "ILLEGAL_ACTION"


async def test_bytes_that_are_no_request_are_refused_before_the_call() -> None:
    async def call(request: Any) -> bytes:
        raise AssertionError("called")

    context = FakeContext()
    with pytest.raises(AbortedError):
        await handler(call)(b"\xff\xff\xff", context)
    assert context.info.reason == Reason.MALFORMED_REQUEST.name


async def test_a_caller_that_has_gone_is_let_go() -> None:
    async def call(request: Any) -> bytes:
        await asyncio.sleep(10)
        return b""

    context = FakeContext()
    task = asyncio.ensure_future(handler(call)(REQUEST.SerializeToString(), context))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert context.status is None


async def test_a_draining_server_takes_no_calls() -> None:
    async def call(request: Any) -> bytes:
        return b"answer"

    wrapped = wrapper()
    handle = handler(call, wrapped)
    assert await handle(REQUEST.SerializeToString(), FakeContext()) == b"answer"
    wrapped.is_draining = True
    context = FakeContext()
    with pytest.raises(AbortedError):
        await handle(REQUEST.SerializeToString(), context)
    assert context.info.reason == "SHUTTING_DOWN"


async def test_the_log_names_the_call_but_not_its_content(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def call(request: Any) -> bytes:
        return b""

    request = pb.GetMatchRequest(match_id="0" * 32, host_token=b"the host's own secret")
    with caplog.at_level(logging.DEBUG, "tablestate_service.calls"):
        await handler(call)(request.SerializeToString(), FakeContext())
    (record,) = caplog.records
    assert (record.method, record.code, record.match_id) == ("/Test", "OK", "0" * 32)  # type: ignore[attr-defined]
    assert "secret" not in str(vars(record))
