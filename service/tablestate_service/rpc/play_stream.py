"""A stream on which a seat is played: updates go out, actions come in and are answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, NamedTuple, TypeAlias

from tablestate.v1 import play_pb2 as pb
from tablestate.v1.error_reason_pb2 import ErrorReason
from tablestate.v1.match_service_pb2 import ResignRequest, SubmitActionRequest
from tablestate_service.domain.entry import Request
from tablestate_service.domain.errors import DomainError, invalid_field, watcher_too_slow
from tablestate_service.domain.match import Transition
from tablestate_service.ports import Engine
from tablestate_service.rpc import messages
from tablestate_service.rpc.error_table import status_of
from tablestate_service.rpc.requests import Fields, mutating_request
from tablestate_service.rpc.sender import SlowReaderError
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.rpc.wrapper import Receive, Send
from tablestate_service.usecases import playing
from tablestate_service.usecases.matches import Matches
from tablestate_service.usecases.watching import Cursor

Watch: TypeAlias = AsyncGenerator[tuple[Cursor, Transition], None]

_UPDATE = tag(1)


class _Answer(NamedTuple):
    """An answer, and the version whose update goes before it; 0: none."""

    version: int
    message: bytes


class Acting:
    """Carries out what a player asks for on a stream, and answers it."""

    def __init__(self, matches: Matches, engine: Engine, begin: pb.PlayBegin) -> None:
        """Act for the seat that the stream began with."""
        self._matches = matches
        self._engine = engine
        self._match_id = begin.match_id
        self._seat_token = begin.seat_token

    async def answer(self, request: pb.PlayRequest) -> _Answer:
        """The answer to a request; refuses INVALID_FIELD for what is none, or a second `begin`."""
        match request.WhichOneof("message"):
            case "action":
                request_id, doing = request.action.request_id, self._submit(request.action)
            case "resign":
                request_id, doing = request.resign.request_id, self._resign(request.resign)
            case _:
                raise invalid_field("message", "", "an action or a resignation")
        try:
            written = await doing
        except Exception as error:
            refusal = error if isinstance(error, DomainError) else self._engine.refusal(error)
            if refusal is None:
                raise
            answer = pb.PlayAnswer(request_id=request_id, refusal=_refused(refusal))
            return _Answer(0, pb.PlayResponse(answer=answer).SerializeToString())
        version = written[0].entry.version
        answer = pb.PlayAnswer(request_id=request_id, version=version)
        return _Answer(version, pb.PlayResponse(answer=answer).SerializeToString())

    async def _submit(self, action: pb.PlayAction) -> tuple[Transition, ...]:
        call = SubmitActionRequest(
            request_id=action.request_id,
            match_id=self._match_id,
            seat_token=self._seat_token,
            choice=action.choice,
        )
        fields = Fields()
        if action.choice.WhichOneof("choice") is None:
            fields.wrong("choice", "", "an action, a notation or an index")
        if has_version := action.HasField("expected_version"):
            call.expected_version = action.expected_version
        return await playing.submit_action(
            self._matches,
            self._request("SubmitAction", fields, call),
            match_id=self._match_id,
            seat_token=self._seat_token,
            choice=action.choice.SerializeToString(),
            expected_version=action.expected_version if has_version else None,
        )

    async def _resign(self, resign: pb.PlayResign) -> tuple[Transition, ...]:
        call = ResignRequest(
            request_id=resign.request_id, match_id=self._match_id, seat_token=self._seat_token
        )
        request = self._request("Resign", Fields(), call)
        return await playing.resign(
            self._matches, request, match_id=self._match_id, seat_token=self._seat_token
        )

    def _request(
        self, method: str, fields: Fields, call: SubmitActionRequest | ResignRequest
    ) -> Request:
        """The very request that the unary call of the same content is; refuses INVALID_FIELD.

        So what a stream has left without an answer can be asked for on either way, and never
        has a second effect.
        """
        fields.request_id(call.request_id)
        fields.check()
        return mutating_request(method, self._match_id, self._seat_token, call.request_id, call)


class PlayStream:
    """Serves one stream.

    One task sends, or an update could overtake another: it waits for the next update and for the
    next answer. A request is taken up when the one before it is answered, so that a caller who
    sends faster than its actions are stored is held back by gRPC; the first one when the cursor was
    admitted, so that nothing is done on a stream that is refused.
    """

    def __init__(
        self,
        acting: Acting,
        cursor: Cursor,
        admitted: asyncio.Event,
        receive: Receive[pb.PlayRequest],
        send: Send,
    ) -> None:
        """Take requests from `receive`, and send by `send` what lies after a cursor."""
        self._acting = acting
        self._cursor = cursor
        self._admitted = admitted
        self._receive = receive
        self._send = send
        self._started_at = self._sent = cursor.version
        self._is_taken_up = False
        """Whether a request is being carried out, or its answer waits."""

    async def run(self, watch: Watch) -> None:
        """Send what the watch of the cursor gives, and answer, until the match has ended."""
        async with aclosing(watch):
            self._updating = asyncio.ensure_future(_next_of(watch))
            self._answering = asyncio.ensure_future(self._next_answer())
            try:
                await self._serve(watch)
            except SlowReaderError:
                has_sent = self._sent > self._started_at
                sent = {self._cursor.match_id: self._sent} if has_sent else {}
                raise watcher_too_slow(sent) from None
            finally:
                # What is being written still is; a generator that runs cannot be closed.
                self._updating.cancel()
                self._answering.cancel()
                await asyncio.gather(self._updating, self._answering, return_exceptions=True)

    async def _serve(self, watch: Watch) -> None:
        while True:
            if (answer := self._due_answer()) is not None:
                await self._send_answer(answer)
                self._answering = asyncio.ensure_future(self._next_answer())
            elif not self._updating.done():
                await asyncio.wait(self._awaited(), return_when=asyncio.FIRST_COMPLETED)
            elif (transition := self._updating.result()) is not None:
                await self._send_update(transition)
                self._updating = asyncio.ensure_future(_next_of(watch))
            else:
                break
        if self._is_taken_up and (answer := await self._answering) is not None:
            await self._send_answer(answer)

    def _due_answer(self) -> _Answer | None:
        """The answer that is ready, if the update of its version was sent."""
        answer = self._answering.result() if self._answering.done() else None
        return answer if answer is not None and answer.version <= self._sent else None

    def _awaited(self) -> "list[asyncio.Future[Any]]":
        awaited: list[asyncio.Future[Any]] = [self._updating]
        return awaited if self._answering.done() else [*awaited, self._answering]

    async def _next_answer(self) -> _Answer | None:
        """Carry the next request out; None if the caller sends no more."""
        await self._admitted.wait()
        request = await self._receive()
        if request is None:
            return None
        self._is_taken_up = True
        return await self._acting.answer(request)

    async def _send_answer(self, answer: _Answer) -> None:
        await self._send(answer.message)
        self._is_taken_up = False

    async def _send_update(self, transition: Transition) -> None:
        update = messages.watched_bytes(self._cursor, transition)
        # It arrives even if it is not taken in time: before the status does.
        self._sent = transition.entry.version
        await self._send(delimited(_UPDATE, update))


async def _next_of(watch: Watch) -> Transition | None:
    """The next transition; None if the match has ended."""
    watched = await anext(watch, None)
    return watched[1] if watched else None


def _refused(refusal: DomainError) -> pb.PlayRefusal:
    status = status_of(refusal)
    code: int = status.code.value[0]
    return pb.PlayRefusal(
        code=code,
        reason=ErrorReason.Value(f"ERROR_REASON_{refusal.reason.name}"),
        message=status.message,
        status=status.details,
    )
