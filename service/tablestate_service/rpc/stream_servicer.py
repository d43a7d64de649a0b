"""The streams of MatchService."""

import asyncio
from contextlib import aclosing

from tablestate.v1 import match_service_pb2 as pb
from tablestate.v1.play_pb2 import PlayBegin, PlayRequest
from tablestate_service.domain.errors import invalid_field, watcher_too_slow
from tablestate_service.rpc import messages
from tablestate_service.rpc.callers import sees_all
from tablestate_service.rpc.match_servicer import World
from tablestate_service.rpc.play_stream import Acting, PlayStream
from tablestate_service.rpc.requests import Fields
from tablestate_service.rpc.sender import SlowReaderError
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.rpc.wrapper import Receive, Send
from tablestate_service.usecases import reading
from tablestate_service.usecases.watching import Cursor, cursor, watch_matches

MAX_SUBSCRIPTIONS = 256
BEGIN_SECONDS = 10.0

_WATCH_UPDATE = tag(1)
_REPLAY_MATCH = tag(1)
_REPLAY_UPDATE = tag(2)


class StreamServicer:
    """One method per streaming RPC: it sends the bytes of each response."""

    def __init__(self, world: World) -> None:
        """Work with these."""
        self._matches = world.matches
        self._engine = world.engine
        self._feed = world.feed

    async def watch_matches(self, request: pb.WatchMatchesRequest, send: Send) -> None:
        """Stream every entry of the matches after each cursor."""
        cursors = _cursors(request)
        started_at = {each.match_id: each.version for each in cursors}
        async with aclosing(watch_matches(self._matches, self._feed, cursors)) as watch:
            async for each, transition in watch:
                try:
                    await send(delimited(_WATCH_UPDATE, messages.watched_bytes(each, transition)))
                except SlowReaderError:
                    # It still arrives, before the status does.
                    each.version = transition.entry.version
                    raise watcher_too_slow(_progress(cursors, started_at)) from None

    async def play(self, receive: Receive[PlayRequest], send: Send) -> None:
        """Stream the entries of a match, and carry out what its player sends meanwhile."""
        begin = await self._begun(receive)
        after = begin.after_version
        if not begin.HasField("after_version"):
            seen = await reading.get_view(
                self._matches,
                match_id=begin.match_id,
                seat_token=begin.seat_token,
                version=None,
                min_version=None,
            )
            after = seen.match.standing.version - 1
        each = cursor(
            begin.match_id,
            begin.seat_token,
            after,
            begin.include_view,
            begin.include_legal_actions,
        )
        acting = Acting(self._matches, self._engine, begin)
        admitted = asyncio.Event()
        watch = watch_matches(self._matches, self._feed, [each], admitted)
        await PlayStream(acting, each, admitted, receive, send).run(watch)

    async def _begun(self, receive: Receive[PlayRequest]) -> PlayBegin:
        """How a stream begins; refuses SHUTTING_DOWN, INVALID_FIELD."""
        subscription = self._feed.subscribe([])
        reading = asyncio.ensure_future(receive())
        closing = asyncio.ensure_future(subscription.changed())
        try:
            # Before it has begun a stream counts as none, so there must not be many.
            await asyncio.wait(
                (reading, closing), timeout=BEGIN_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            if closing.done():
                closing.result()
            return _beginning(reading.result() if reading.done() else None)
        finally:
            reading.cancel()
            closing.cancel()
            await asyncio.gather(reading, closing, return_exceptions=True)
            subscription.close()

    async def get_replay(self, request: pb.GetReplayRequest, send: Send) -> None:
        """Stream a match from its first entry; in the end the full record, if public."""
        fields = Fields()
        match_id = fields.match_id(request.match_id)
        token = fields.optional_token("seat_token", request.seat_token)
        fields.check()
        replay = await reading.get_replay(
            self._matches, match_id=match_id, seat_token=token, sees_all=sees_all()
        )
        try:
            await self._send_replay(replay, send)
        except SlowReaderError:
            raise watcher_too_slow({}) from None

    async def _send_replay(self, replay: reading.Replay, send: Send) -> None:
        match = replay.match
        header = messages.match_bytes(match.terms, match.standing, for_host=False)
        await send(delimited(_REPLAY_MATCH, header))
        async with aclosing(reading.replayed(self._matches, replay)) as transitions:
            async for transition in transitions:
                update = messages.update_bytes(transition, replay.viewer)
                await send(delimited(_REPLAY_UPDATE, update))
        if not replay.is_revealed:
            return
        async with aclosing(reading.replayed(self._matches, replay)) as transitions:
            async for transition in transitions:
                await send(messages.recorded_bytes(transition))
        secrets = messages.replay_secrets(match)
        await send(pb.GetReplayResponse(secrets=secrets).SerializeToString())


def _progress(cursors: list[Cursor], started_at: dict[str, int]) -> dict[str, int]:
    """The last version sent of each match of which any was."""
    return {
        each.match_id: each.version for each in cursors if each.version > started_at[each.match_id]
    }


def _beginning(request: PlayRequest | None) -> PlayBegin:
    if request is None or request.WhichOneof("message") != "begin":
        expected = f"begin, once, as the first message, within {BEGIN_SECONDS:g} seconds"
        raise invalid_field("message", "", expected)
    fields = Fields()
    fields.match_id(request.begin.match_id, "begin.match_id")
    fields.token("begin.seat_token", request.begin.seat_token)
    fields.check()
    return request.begin


def _cursors(request: pb.WatchMatchesRequest) -> list[Cursor]:
    fields = Fields()
    fields.count("subscriptions", len(request.subscriptions), 1, MAX_SUBSCRIPTIONS)
    fields.check()
    seen: set[str] = set()
    for place, wanted in enumerate(request.subscriptions):
        path = f"subscriptions[{place}]"
        match_id = fields.match_id(wanted.match_id, f"{path}.match_id")
        fields.optional_token(f"{path}.seat_token", wanted.seat_token)
        if match_id in seen:
            fields.wrong(f"{path}.match_id", match_id, "each match once")
        seen.add(match_id)
    fields.check()
    return [
        cursor(
            wanted.match_id,
            wanted.seat_token,
            wanted.after_version,
            wanted.include_view,
            wanted.include_legal_actions,
            sees_all(),
        )
        for wanted in request.subscriptions
    ]
