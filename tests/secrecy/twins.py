"""A twin course played through a service of its own, and what one viewer gets of it."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from secrecy.courses import Course
from secrecy.pairs import Viewer
from secrecy.proxies import EngineProxy, StateProxy, StepProxy
from secrecy.tape import LogTape, Tape, Taped
from support.service import CountingEntropy, FixedClock, service, token
from tablestate.v1 import game_pb2, match_pb2, play_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service import engine
from tablestate_service.app import Parts

HOST = token(1000)
STRANGER = token(2000)


class TwinsDifferError(AssertionError):
    """A viewer can tell the two twins from each other."""

    def __init__(self, left: Taped, right: Taped) -> None:
        super().__init__(f"{left.surface}: {left.content!r} or {right.surface}: {right.content!r}")
        self.surface = left.surface


class Heard(NamedTuple):
    """All that a viewer got, in the order of its calls, and what was logged."""

    entries: Sequence[Taped]
    logged: Sequence[bytes]


class ScriptedState(StateProxy):
    """Chance gives what the course says, whatever the seed is."""

    script: Sequence[Sequence[int]]

    def apply(self, choice: bytes, seed: bytes, stream: int) -> StepProxy:
        return self.replay(self.truth.check(choice), self.script[stream])


class ScriptedEngine(EngineProxy):
    """The core's games, with the chance of a course, from where it begins."""

    def __init__(self, script: Sequence[Sequence[int]], begin: game_pb2.GameState | None) -> None:
        self._script = script
        self._begin = begin
        # A kind of states of its own, so that each knows the script.
        super().__init__(type("StateOfCourse", (ScriptedState,), {"script": script}))

    def start(self, options: bytes, seed: bytes) -> StepProxy:
        return self.replay_start(options, self._script[0])

    def replay_start(self, options: bytes, draws: Sequence[int]) -> StepProxy:
        step = super().replay_start(options, draws)
        if self._begin is not None:
            begin = engine.GameState.load(self._begin.SerializeToString())
            step.state = type(step.state)(begin)
        return step


async def heard(course: Course, side: int, directory: Path) -> Heard:
    """Play one side of a course, and tape what its viewer gets.

    Ids, times and the match's secret are the same for both sides.
    """
    script = course.draws(side)
    parts = Parts(
        engine=lambda: ScriptedEngine(script, course.begin),
        clock=FixedClock(),
        entropy=CountingEntropy(),
    )
    with LogTape() as logged:
        async with service(directory, parts) as (_, client):
            game = TwinGame(course, side, Tape(client.channel), Tape(client.channel))
            await game.play()
    entries = [*game.tape.entries, *game.watching.entries, *game.playing.entries]
    return Heard(entries, sorted(logged.timeless))


class TwinGame:
    """A match of a course, and what its viewer asks for meanwhile."""

    def __init__(self, course: Course, side: int, tape: Tape, watching: Tape) -> None:
        self._course = course
        self._side = side
        self._viewer: Viewer = course.viewer
        self._token = b"" if course.viewer is None else token(course.viewer)
        self._requests = 0
        self._match_id = ""
        self._others = Tape(tape.channel)
        self.tape = tape
        self.watching = watching
        self.playing = Tape(tape.channel)

    async def play(self) -> None:
        """Create the match, take all seats, play the course; ask at every ply."""
        await self._create()
        for seat in range(self._course.seats):
            joining = pb.JoinMatchRequest(
                request_id=self._request_id(),
                match_id=self._match_id,
                seat_token=token(seat),
                seat=seat,
            )
            await self._tape_of(seat).call("JoinMatch", joining)
        watch = asyncio.ensure_future(self._watch(self.watching, "live watch"))
        for ply in self._course.plies:
            await self._ask(ply.refused)
            await self._play(ply.refused)
            await self._act(ply.seat, ply.notations[self._side])
        for seat in self._course.resigning:
            await self._ask(self._course.plies[-1].refused)
            await self._resign(seat)
        await watch
        await self._ask(self._course.plies[-1].refused)
        await self._look_back()

    async def _create(self) -> None:
        creating = pb.CreateMatchRequest(
            request_id=self._request_id(),
            host_token=HOST,
            options=self._course.options,
            reveal_policy=match_pb2.REVEAL_POLICY_NEVER,
        )
        answer = await self.tape.call("CreateMatch", creating)
        assert answer is not None
        self._match_id = pb.CreateMatchResponse.FromString(answer).match.match_id

    async def _act(self, seat: int, notation: str) -> None:
        """The action of the course; the viewer sends its own twice, as after a lost answer."""
        acting = pb.SubmitActionRequest(
            request_id=self._request_id(),
            match_id=self._match_id,
            seat_token=token(seat),
            choice=game_pb2.ActionChoice(notation=notation),
            include_view=True,
            include_legal_actions=True,
        )
        for _ in range(2):
            answer = await self._tape_of(seat).call("SubmitAction", acting)
            assert answer is not None

    async def _resign(self, seat: int) -> None:
        resigning = pb.ResignRequest(
            request_id=self._request_id(), match_id=self._match_id, seat_token=token(seat)
        )
        assert await self._tape_of(seat).call("Resign", resigning) is not None

    def _tape_of(self, seat: int) -> Tape:
        return self.tape if seat == self._viewer else self._others

    async def _ask(self, refused: bytes) -> None:
        """What a viewer may ask for at any time, with right and with wrong."""
        match_id, mine = self._match_id, self._token
        # A spectator may be the host, too.
        host_token = HOST if self._viewer is None else b""
        asking = pb.GetMatchRequest(match_id=match_id, host_token=host_token)
        await self.tape.call("GetMatch", asking)
        await self._get_view("GetView")
        if self._viewer is not None:
            listing = pb.ListLegalActionsRequest(match_id=match_id, seat_token=mine)
            await self.tape.call("ListLegalActions", listing)
        trying = pb.SubmitActionRequest(
            request_id=self._request_id(),
            match_id=match_id,
            seat_token=mine or STRANGER,
            choice=game_pb2.ActionChoice.FromString(refused),
        )
        await self.tape.call("SubmitAction", trying)

    async def _play(self, refused: bytes) -> None:
        """Play over a stream: the last entry, and a try that is refused."""
        if self._viewer is None:
            return
        beginning = play_pb2.PlayBegin(
            match_id=self._match_id,
            seat_token=self._token,
            include_view=True,
            include_legal_actions=True,
        )
        trying = play_pb2.PlayAction(
            request_id=self._request_id(),
            choice=game_pb2.ActionChoice.FromString(refused),
        )
        requests = play_pb2.PlayRequest(begin=beginning), play_pb2.PlayRequest(action=trying)
        await self.playing.dialogue("Play", requests)

    async def _look_back(self) -> None:
        """Every version as it was, a watch from the beginning, and the replay."""
        await self.tape.call("ListMatches", pb.ListMatchesRequest())
        last = self._course.steps + self._course.seats + 2
        for version in range(1, last + 2):
            await self._get_view("old view", version=version)
        await self._watch(self.tape, "watch")
        replay = pb.GetReplayRequest(match_id=self._match_id, seat_token=self._token)
        await self.tape.stream("GetReplay", replay)

    async def _get_view(self, surface: str, version: int | None = None) -> None:
        looking = pb.GetViewRequest(
            match_id=self._match_id,
            seat_token=self._token,
            include_legal_actions=True,
            include_observation=True,
            version=version,
        )
        await self.tape.call("GetView", looking, surface)

    async def _watch(self, tape: Tape, surface: str) -> None:
        subscription = pb.WatchSubscription(
            match_id=self._match_id,
            seat_token=self._token,
            include_view=True,
            include_legal_actions=True,
        )
        request = pb.WatchMatchesRequest(subscriptions=[subscription])
        await tape.stream("WatchMatches", request, surface)

    def _request_id(self) -> str:
        self._requests += 1
        return f"twin-request-{self._requests:08d}"


async def compare(course: Course, directory: Path) -> Counter[str]:
    """Play both sides; how much was compared on each surface. Raises TwinsDifferError."""
    left, right = [await heard(course, side, directory / str(side)) for side in (0, 1)]
    logged = zip(left.logged, right.logged, strict=True)
    logs = [(Taped("log", ours), Taped("log", theirs)) for ours, theirs in logged]
    compared = Counter[str]()
    for ours, theirs in [*zip(left.entries, right.entries, strict=True), *logs]:
        compared[ours.surface] += 1
        if ours != theirs:
            raise TwinsDifferError(ours, theirs)
    return compared
