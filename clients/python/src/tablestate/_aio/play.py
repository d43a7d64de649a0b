"""A seat that is played over one stream."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable
from types import TracebackType
from typing import Self

import grpc

from tablestate._aio.entropy import reveal_if_due
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message, require_kind, seconds
from tablestate._content import Action, action_choice
from tablestate._cursor import Cursor, OnBreak
from tablestate._dialogue import AsyncDialogue
from tablestate._methods import PLAY, RESIGN, SUBMIT_ACTION
from tablestate._status import refusal_error
from tablestate.credentials import Intent, SeatCredential
from tablestate.errors import TablestateError
from tablestate.v1.match_pb2 import MatchUpdate
from tablestate.v1.match_service_pb2 import ResignRequest, SubmitActionRequest, WatchSubscription
from tablestate.v1.play_pb2 import (
    PlayAction,
    PlayAnswer,
    PlayBegin,
    PlayRequest,
    PlayResign,
    PlayResponse,
)


class AsyncPlay:
    """A seat that is played over one stream: its turns come in, its actions go out.

    Iterating gives the updates after which the seat must decide; `updates` gives all. A broken
    stream is opened anew where it broke, and an action that has no answer yet is sent again: it
    has one effect. Use it as a context, or `close` it. One task or thread at a time.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        credential: SeatCredential,
        begin: PlayBegin,
        on_break: OnBreak,
        timeout: float | None,
        learn: Callable[[MatchUpdate], None],
    ) -> None:
        """Made by `AsyncClient.play` and `AsyncSeatedPlayer.play`."""
        self._transport = transport
        self._credential = credential
        self._learn = learn
        self._begin = begin
        self._on_break = on_break
        self._backoff = transport.stream_backoff(timeout)
        self._stream: AsyncDialogue | None = None
        self._cursor: Cursor | None = None
        self._untold: deque[MatchUpdate] = deque()
        self._pending: PlayRequest | None = None
        self._version: int | None = None
        self._has_ended = False

    async def __aenter__(self) -> Self:
        """Return the play itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the stream."""
        await self.close()

    async def close(self) -> None:
        """End the stream; the seat stays what it is."""
        self._has_ended = True
        await self._drop()

    def __aiter__(self) -> AsyncGenerator[MatchUpdate, None]:
        """Yield the turns: the updates after which the seat must decide."""
        return self._turns()

    async def updates(self) -> AsyncGenerator[MatchUpdate, None]:
        """Yield every entry once, in order, to the end of the match."""
        while (update := await self._next_update()) is not None:
            self._version = update.version
            yield update

    async def act(
        self,
        action: Action,
        *,
        expected_version: int | None = None,
        intent: Intent | None = None,
    ) -> int:
        """Take an action, and return the version of its entry, whose update comes as well.

        It is taken at the version of the last update that was given out, or at
        `expected_version`. Raises IllegalActionError, NotTheActorError, MatchPhaseError;
        StaleVersionError if the match has moved on. The play goes on after each of these.
        """
        intent = intent or Intent()
        version = self._version if expected_version is None else expected_version
        sent = message(
            PlayAction,
            request_id=intent.request_id,
            expected_version=version,
            choice=action_choice(action),
        )
        return await self._ask(PlayRequest(action=sent), intent)

    async def resign(self, *, intent: Intent | None = None) -> int:
        """Forfeit, and return the version of the entry."""
        intent = intent or Intent()
        sent = PlayResign(request_id=intent.request_id)
        return await self._ask(PlayRequest(resign=sent), intent)

    async def _turns(self) -> AsyncGenerator[MatchUpdate, None]:
        async for update in self.updates():
            # Where seats are drawn it is another than that of the credential.
            seat = update.your_seat if update.HasField("your_seat") else self._credential.seat
            if seat in update.actors:
                yield update

    async def _next_update(self) -> MatchUpdate | None:
        while not self._untold and not self._has_ended:
            await self._take()
        if self._untold:
            update = self._untold.popleft()
            self._learn(update)
            await reveal_if_due(self._transport, self._credential, update)
            return update
        await self._drop()
        return None

    async def _ask(self, request: PlayRequest, intent: Intent) -> int:
        """Send a request, and wait for its answer, however many streams that takes."""
        self._pending = request
        try:
            if self._stream is not None:
                await self._send(request)
            answer: PlayAnswer | None = None
            while answer is None and not self._has_ended:
                answer = await self._take()
            if answer is None:
                return await self._ask_apart(request, intent)
        except TablestateError as error:
            error.intent = intent
            raise
        finally:
            self._pending = None
        if answer.HasField("refusal"):
            refused = refusal_error(answer.refusal)
            refused.intent = intent
            raise refused
        return answer.version

    async def _ask_apart(self, request: PlayRequest, intent: Intent) -> int:
        """Ask by a call of its own, since there is no stream after the match's end."""
        match_id, token = self._credential.match_id, self._credential.token
        if request.HasField("resign"):
            resign = ResignRequest(
                request_id=intent.request_id, match_id=match_id, seat_token=token
            )
            return (await self._transport.mutate(RESIGN, resign, intent, None)).update.version
        action = request.action
        submit = SubmitActionRequest(
            request_id=intent.request_id,
            match_id=match_id,
            seat_token=token,
            choice=action.choice,
        )
        if action.HasField("expected_version"):
            submit.expected_version = action.expected_version
        return (await self._transport.mutate(SUBMIT_ACTION, submit, intent, None)).update.version

    async def _take(self) -> PlayAnswer | None:
        """Take in what comes next; the answer to what is pending, if it is that."""
        try:
            stream = self._stream or await self._open()
            response = PlayResponse.FromString(await stream.receive())
            if response.HasField("update"):
                self._accept(response.update)
        except TablestateError as error:
            await self._break(error)
            return None
        except asyncio.CancelledError:
            self._transport._require_not_closed_meanwhile()
            raise
        self._backoff.reset()
        answer = response.answer
        return answer if answer.request_id and answer.request_id == self._pending_id() else None

    def _pending_id(self) -> str:
        pending = self._pending or PlayRequest()
        return pending.action.request_id or pending.resign.request_id

    def _accept(self, update: MatchUpdate) -> None:
        """Keep an update, unless it was seen; raises UnavailableError at a gap."""
        if self._cursor is None:
            before = update.version - 1
            begun = WatchSubscription(match_id=update.match_id, after_version=before)
            self._cursor = Cursor([begun])
        if self._cursor.accept(update):
            self._begin.after_version = update.version
            self._untold.append(update)
        if self._cursor.done and self._pending is None:
            self._has_ended = True

    async def _open(self) -> AsyncDialogue:
        """Open a stream where the last one broke, and send again what has no answer."""
        stream = self._transport.dialogue(PLAY.path, self._backoff.open())
        self._stream = stream
        await stream.send(_bytes(PlayRequest(begin=self._begin)))
        if self._pending is not None:
            await stream.send(_bytes(self._pending))
        return stream

    async def _send(self, request: PlayRequest) -> None:
        assert self._stream is not None
        try:
            await self._stream.send(_bytes(request))
        except TablestateError as error:
            await self._break(error)

    async def _break(self, error: TablestateError) -> None:
        """Note that the stream has ended; raises `error` if there is to be no other."""
        await self._drop()
        if error.code is grpc.StatusCode.OK:  # the server says that the match has ended
            self._has_ended = True
            return
        delay = self._backoff.delay_after(error)
        if self._on_break is not None:
            self._on_break(error)
        await asyncio.sleep(delay)

    async def _drop(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            await stream.close()


def _bytes(request: PlayRequest) -> bytes:
    # Deterministic, so that what is sent again has the same bytes.
    return request.SerializeToString(deterministic=True)


def play(
    transport: AsyncTransport,
    credential: SeatCredential,
    after_version: int | None,
    include_view: bool,
    include_legal_actions: bool,
    on_break: OnBreak,
    timeout: float | None,
    learn: Callable[[MatchUpdate], None] = lambda update: None,
) -> AsyncPlay:
    """Prepare to play a seat; the first use opens the stream. Raises InvalidArgumentError."""
    require_kind("credential", credential, SeatCredential)
    if timeout is not None:
        seconds("timeout", timeout)
    begin = message(
        PlayBegin,
        match_id=credential.match_id,
        seat_token=credential.token,
        after_version=after_version,
        include_view=include_view,
        include_legal_actions=include_legal_actions,
    )
    return AsyncPlay(transport, credential, begin, on_break, timeout, learn)
