"""Who calls: hosts, players with one device or two, readers, watchers."""

import asyncio
from datetime import timedelta
from typing import Any

from simulation.caller import Caller
from simulation.node import Cluster, Ended, Stream
from support.service import token
from tablestate.v1 import game_pb2, match_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain import fairness
from tablestate_service.domain.errors import DomainError, Reason

_ENDED = (match_pb2.MATCH_PHASE_OVER, match_pb2.MATCH_PHASE_ABORTED)
_TURN = (0.01, 0.4)
_LOOK = (0.05, 1.0)
_BETWEEN_LOOKS = 5.0
_PROPOSED = (1, 2, 2, 2, 3)
"""Undo more often than draws, which end matches, and pauses."""
_STUCK_SECONDS = 60.0
_NO_FORK = (
    Reason.MATCH_NOT_STARTED,
    Reason.MATCH_ENDED,
    Reason.POSITION_HIDDEN,
    Reason.VERSION_NOT_REACHED,
)
_TRANSIENT = (Reason.STORAGE_UNAVAILABLE, Reason.SHUTTING_DOWN)


class Host(Caller):
    """Creates a match, fills its seats with bots in part, and sees to it that it ends."""

    def __init__(self, cluster: Cluster, number: int) -> None:
        super().__init__(cluster, f"host{number}")
        self.host_token = token(1000 + number)

    async def create(self) -> str:
        """Create a match; its id."""
        goal = self.chooser.randint(4, 14)
        options = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=goal))
        created = await self.change(
            pb.CreateMatchRequest,
            self.host_token,
            host_token=self.host_token,
            options=options,
            on_leave=self.chooser.randint(0, 3),
            on_timeout=self.chooser.randint(0, 3),
            start_policy=self.chooser.randint(0, 2),
            metadata={"shelf": "3"},
            seating=self.chooser.choice((1, 1, 2)),
            **self._time(),
        )
        match_id: str = created.match.match_id
        return match_id

    def _time(self) -> dict[str, Any]:
        """Time limits, for some matches."""
        given: dict[str, Any] = {}
        if self.chooser.random() < 0.5:
            spans: dict[str, Any] = {
                "turn_limit": timedelta(seconds=self.chooser.randint(1, 4)),
                "bank": timedelta(seconds=self.chooser.randint(0, 5)),
            }
            given["time_control"] = match_pb2.TimeControl(**spans)
        if self.chooser.random() < 0.1:
            given["waiting_limit"] = timedelta(seconds=2)
        return given

    async def add_bots(self, match_id: str) -> None:
        """Put bots on some seats, in time or too late, and start or abort the match."""
        for seat in range(self.cluster.engine.seats):
            if self.chooser.random() < 0.4:
                await self.weather.pause(0.0, 0.5)
                await self._do(pb.AddBotRequest, match_id, bot="random", seat=seat)
        await self.weather.pause(0.0, 2.0)
        await self._do(pb.StartMatchRequest, match_id)
        if self.chooser.random() < 0.1:
            await self.weather.pause(0.0, 3.0)
            await self._do(pb.AbortMatchRequest, match_id)

    async def fork(self, match_id: str) -> None:
        """Begin another match where this one stood, or may have stood, and see to its end."""
        await self.weather.pause(0.0, 10.0)
        source = match_pb2.MatchVersion(match_id=match_id, version=self.chooser.randint(3, 12))
        settings = pb.CreateMatchRequest(request_id=self.next_id(), host_token=self.host_token)
        call = pb.ForkMatchRequest(source=source, match=settings)
        forked = await self.carry(call, self.host_token)
        if isinstance(forked, DomainError):
            self.ledger.require(forked.reason in _NO_FORK, f"a fork is refused: {forked.message}")
        else:
            await self.see_to_the_end(forked.match.match_id)

    async def see_to_the_end(self, match_id: str) -> None:
        """Fill seats that stay open, and wait for the end."""
        version, since = 0, 0.0
        while True:
            match = (await self.read(pb.GetMatchRequest, match_id=match_id)).match
            now = asyncio.get_running_loop().time()
            if match.phase in _ENDED:
                return
            if match.version != version:
                version, since = match.version, now
            elif match.phase == match_pb2.MATCH_PHASE_WAITING:
                await self._do(pb.AddBotRequest, match_id, bot="random")
                await self._do(pb.StartMatchRequest, match_id)
            elif now - since > _STUCK_SECONDS:
                await self._give_up(match)
            await asyncio.sleep(_BETWEEN_LOOKS)

    async def _give_up(self, match: Any) -> None:
        """A match has stood still: that may be a player's doing, never the server's."""
        (actor,) = match.actors
        self.ledger.require(
            match.seats[actor].occupant == match_pb2.SEAT_OCCUPANT_PLAYER,
            f"nobody plays for seat {actor}, which has no player",
        )
        self.ledger.require(
            not match.HasField("time_control"), f"seat {actor} is out of time, and nobody says so"
        )
        await self._do(pb.AbortMatchRequest, match.match_id)

    async def _do(self, kind: Any, match_id: str, /, **fields: Any) -> Any:
        return await self.change(
            kind, self.host_token, match_id=match_id, host_token=self.host_token, **fields
        )


class Player(Caller):
    """Joins a match and plays it."""

    def __init__(self, cluster: Cluster, name: str, number: int) -> None:
        super().__init__(cluster, name)
        self.number = number
        self.seat_token = token(number)
        self._entropy = token(5000 + number)

    async def join_and_play(self, match_id: str) -> None:
        """Take any seat, or one that somebody else may want too; give it back at times."""
        await self.weather.pause(0.0, 1.0)
        if self.chooser.random() < 0.15:
            await self._do(pb.JoinMatchRequest, match_id, display_name="early")
            await self._do(pb.LeaveSeatRequest, match_id)
        wanted = {"seat": self.number % self.cluster.engine.seats}
        fields: dict[str, Any] = dict(wanted) if self.chooser.random() < 0.5 else {}
        if self.chooser.random() < 0.4:
            fields["entropy_hash"] = fairness.entropy_hash(match_id, self._entropy)
        await self._do(pb.JoinMatchRequest, match_id, **fields)
        await self.play(match_id)

    async def play(self, match_id: str) -> None:
        """Act whenever it is our turn, until the match is over or the seat is not ours."""
        while True:
            await self.weather.pause(*_TURN)
            view = await self.read(pb.GetViewRequest, match_id=match_id, seat_token=self.seat_token)
            if isinstance(view, DomainError) or view.phase in _ENDED:
                return
            if await self._mind_manners(match_id, view):
                continue
            if view.seat in view.actors:
                await self._act(match_id, view.version)
            elif view.phase == match_pb2.MATCH_PHASE_WAITING and self.chooser.random() < 0.2:
                # Too early, in time or too late, and whether it was promised or not.
                await self._do(pb.RevealEntropyRequest, match_id, entropy=self._entropy)
            elif self.chooser.random() < 0.01:
                await self._do(pb.ResignRequest, match_id)

    async def _mind_manners(self, match_id: str, view: Any) -> bool:
        """Propose something, answer what others propose, or end a pause; whether that was done."""
        whim = self.chooser.random()
        if view.paused:
            await self._do(pb.ResumeMatchRequest, match_id)
        elif view.HasField("proposal") and view.proposal.seat != view.seat:
            answer = {"proposal_version": view.proposal.version, "accept": whim < 0.7}
            await self._do(pb.RespondRequest, match_id, **answer)
        elif view.actors and whim < 0.05:
            await self._do(pb.ProposeRequest, match_id, kind=self.chooser.choice(_PROPOSED))
        else:
            return False
        return True

    async def _act(self, match_id: str, version: int) -> None:
        whim = self.chooser.random()
        if whim < 0.04:
            await self._do(pb.LeaveSeatRequest, match_id)
            return
        notation = "9" if whim < 0.08 else self.chooser.choice("123")
        fields = {"expected_version": version} if self.chooser.random() < 0.8 else {}
        await self._do(
            pb.SubmitActionRequest,
            match_id,
            choice=game_pb2.ActionChoice(notation=notation),
            include_view=True,
            include_legal_actions=True,
            **fields,
        )

    async def _do(self, kind: Any, match_id: str, /, **fields: Any) -> Any:
        return await self.change(
            kind, self.seat_token, match_id=match_id, seat_token=self.seat_token, **fields
        )


class Reader(Caller):
    """Looks at a match, now and as it was."""

    async def read_to_the_end(self, match_id: str) -> None:
        """Read until the match has ended."""
        while True:
            await self.weather.pause(*_LOOK)
            match = (await self.read(pb.GetMatchRequest, match_id=match_id)).match
            version = self.chooser.randint(1, match.version)
            view = await self.read(pb.GetViewRequest, match_id=match_id, version=version)
            self.ledger.shown("a view", match_id, version, view.SerializeToString())
            if match.phase in _ENDED:
                return


class Watcher(Caller):
    """Watches a match, and resumes on any node when the watch breaks."""

    async def watch_to_the_end(self, match_id: str) -> None:
        """Watch until the match has ended."""
        await self.weather.pause(0.0, 2.0)
        cursor = self.chooser.randint(0, min(3, self.ledger.floor(match_id)))
        while True:
            stream = (await self.any_node()).watch(_subscription(match_id, cursor))
            cursor, has_ended = await self._follow(stream, match_id, cursor)
            if has_ended:
                last = len(self.cluster.database.logs[match_id])
                self.ledger.require(cursor == last, f"a watch ends with {cursor}, not {last}")
                return
            stream.cancel()
            await self.weather.pause(0.0, 1.0)

    async def _follow(self, stream: Stream, match_id: str, cursor: int) -> tuple[int, bool]:
        """Read a watch till it breaks or ends; the last version, and whether it ended."""
        while not self.weather.happens("watch cut"):
            message = await stream.get()
            if isinstance(message, Ended):
                return cursor, True
            if not isinstance(message, bytes):
                self._require_break(message)
                return cursor, False
            update = pb.WatchMatchesResponse.FromString(message).update
            self.ledger.require(
                update.version == cursor + 1,
                f"a watcher is sent version {update.version} after {cursor}",
            )
            self.ledger.shown("an update", match_id, update.version, message)
            self.ledger.learn(match_id, update.version)
            cursor = update.version
            await self.weather.pause(*_TURN)
        return cursor, False

    def _require_break(self, message: DomainError | None) -> None:
        self.ledger.note(f"{self.name}: watch breaks: {message and message.reason.name}")
        if message is not None and message.reason not in _TRANSIENT:
            self.ledger.violate(f"a watch is refused: {message.message}")


def _subscription(match_id: str, after: int) -> pb.WatchMatchesRequest:
    wanted = pb.WatchSubscription(match_id=match_id, after_version=after, include_view=True)
    return pb.WatchMatchesRequest(subscriptions=[wanted])
