"""Recorded calls to a match of the fake game, and what they should do.

Calls and results are no tuples: those of two kinds would be equal if their numbers are.
"""

import asyncio
import math
import random
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import grpc

from support.faults_nodes import Node
from support.linearizability import UNKNOWN, Operation, is_linearizable
from support.service import Failure, request_id
from tablestate.v1 import offboard_pb2

_BREATH = 0.02
FIRST_VERSION = 4
"""Both players have joined, and the match has started."""


@dataclass(frozen=True, slots=True)
class Submit:
    """SubmitAction on an expected version; the same request, if it has a name, is one call."""

    request: str
    expected: int
    amount: int


@dataclass(frozen=True, slots=True)
class Read:
    """GetView, of which version and sum are looked at."""


@dataclass(frozen=True, slots=True)
class ReadVersion:
    """GetMatch, of which the version is looked at."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a read shows."""

    version: int
    total: int


@dataclass(frozen=True, slots=True)
class Acted:
    """The version that an action has become."""

    version: int


@dataclass(frozen=True, slots=True)
class Stale:
    """An action was refused, since the match is at this version."""

    version: int


@dataclass(frozen=True, slots=True)
class Course:
    """A match: how far it is, its sum, and the requests that got it there, where they matter."""

    version: int
    total: int
    requests: tuple[str, ...]


class MatchModel:
    """A match as the contract has it: an action counts once, on the version it expects."""

    def begin(self) -> Course:
        return Course(FIRST_VERSION, 0, ())

    def apply(self, state: Course, call: object) -> tuple[object, Course]:
        match call:
            case Read():
                return Shown(state.version, state.total), state
            case ReadVersion():
                return state.version, state
            case Submit(request, expected, amount):
                if request and request in state.requests:
                    return Acted(FIRST_VERSION + 1 + state.requests.index(request)), state
                if expected != state.version:
                    return Stale(state.version), state
                requests = (*state.requests, request)
                after = Course(state.version + 1, state.total + amount, requests)
                return Acted(after.version), after
        raise ValueError(call)


def is_possible(history: Sequence[Operation]) -> bool:
    """Whether a match can have had this history.

    Where a request was never answered, and nobody asks about it again, its name is of no
    account: it has no second effect anyhow, since the version that it expects has passed then.
    Names would only leave too many courses that the match can have taken.
    """
    answered: dict[str, float] = {}
    for each in history:
        if isinstance(each.call, Submit) and each.result is not UNKNOWN:
            answered[each.call.request] = max(each.end, answered.get(each.call.request, 0.0))
    return is_linearizable([_forgotten(each, answered) for each in history], MatchModel())


def _forgotten(each: Operation, answered: Mapping[str, float]) -> Operation:
    if not isinstance(each.call, Submit) or each.result is not UNKNOWN:
        return each
    if each.begin <= answered.get(each.call.request, -1.0):
        return each
    return replace(each, call=replace(each.call, request=""))


class Recorder:
    """Calls for one match over any node, written down with their times."""

    def __init__(self, match_id: str, nodes: list[Node], seed: int, tally: Counter[str]) -> None:
        self.history: list[Operation] = []
        self._match_id, self._nodes, self._tally = match_id, nodes, tally
        self._chooser = random.Random(seed)
        self._sent: list[Submit] = []

    async def act(self) -> None:
        """Look how far the match is, and act upon it or send an old action again."""
        shown = await self.call(Read())
        if not isinstance(shown, Shown):
            return
        if self._sent and self._chooser.random() < 0.15:
            submit = self._chooser.choice(self._sent[-10:])
            self._tally["actions sent again"] += 1
        else:
            # At times a version that is no more. One that is not there yet would leave too many
            # courses open: its call, if it was not answered, might happen much later.
            expected = shown.version - self._chooser.choice((0,) * 8 + (1,))
            submit = Submit(request_id(), expected, self._chooser.randint(1, 3))
            self._sent.append(submit)
        while await self.call(submit) is UNKNOWN and self._chooser.random() < 0.8:
            self._tally["actions repeated"] += 1
            await asyncio.sleep(_BREATH)
        if self._chooser.random() < 0.3:
            await self.call(ReadVersion())

    async def call(self, call: Submit | Read | ReadVersion) -> object:
        """Call one of the nodes; the result."""
        node = self._chooser.choice(self._nodes)
        begin = time.monotonic()
        try:
            result = await self._result(node, call)
        except grpc.aio.AioRpcError as error:
            result = _refusal(error)
        end = math.inf if result is UNKNOWN else time.monotonic()
        self.history.append(Operation(call, begin, end, result))
        self._tally[f"{type(call).__name__}: {_kind(result)}"] += 1
        return result

    async def _result(self, node: Node, call: Submit | Read | ReadVersion) -> object:
        client, match_id = node.client, self._match_id
        if isinstance(call, ReadVersion):
            return int((await client.match(match_id)).version)
        if isinstance(call, Read):
            view = await client.view(match_id, 0)
            return Shown(view.version, _total(view.view.offboard))
        update = await client.submit(
            match_id,
            call.expected % 2,
            str(call.amount),
            request_id=call.request,
            expected_version=call.expected,
        )
        return Acted(update.version)


def _total(view: offboard_pb2.OffboardView) -> int:
    """The sum, which the fake game shows as the position."""
    return int(view.position.split()[0])


def _refusal(error: grpc.aio.AioRpcError) -> object:
    failure = Failure(error)
    if failure.code is grpc.StatusCode.UNAVAILABLE:
        return UNKNOWN
    assert failure.reason.endswith("STALE_VERSION"), failure.message
    return Stale(int(failure.metadata["current_version"]))


def _kind(result: object) -> str:
    return "unknown" if result is UNKNOWN else type(result).__name__
