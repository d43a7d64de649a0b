"""A tree search whose judge is the caller, over one stream."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from tablestate.v1 import evaluate_pb2 as pb
from tablestate.v1.batch_pb2 import BatchShape
from tablestate_service.domain.errors import invalid_field
from tablestate_service.ports import Workers
from tablestate_service.ports.simulator import EngineForest, ForestSettings, Simulator
from tablestate_service.rpc.requests import Fields
from tablestate_service.rpc.wire import header, tag
from tablestate_service.rpc.wrapper import Receive, Send
from tablestate_service.usecases.batches import MAX_REPLY_BYTES, SlotBudget, too_large

T = TypeVar("T")

MAX_ROOTS = 1024
MAX_SIMULATIONS = 100_000
MAX_LEAVES = 256
MAX_EXPLORATION = 1000
_DEFAULT_LEAVES = 8
_DEFAULT_EXPLORATION = 1.25

_LEAVES = tag(2)
_REPORT = tag(3)
_LINE_BYTES = 4 + 64 * 2
"""What the line of a root takes in the report, about."""


class Evaluation:
    """The search of one stream. It holds nothing once the stream has ended."""

    def __init__(self, engine: Simulator, workers: Workers, budget: SlotBudget) -> None:
        """Take what the search costs from the budget."""
        self._engine = engine
        self._workers = workers
        self._budget = budget
        self._stop = engine.stop()
        self._is_done = False

    async def run(self, receive: Receive[pb.EvaluateRequest], send: Send) -> None:
        """Hand leaves out and take answers, until the report is sent or the caller has gone."""
        request = await receive()
        if request is None:
            return
        settings = _settings(request)
        # Each simulation adds the actions of a position to the tree: about what a game takes.
        cost = len(settings.roots) * (1 + settings.simulations)
        self._budget.take(cost)
        try:
            await self._search(settings, receive, send)
        finally:
            self._budget.give_back(cost)

    async def _search(
        self, settings: ForestSettings, receive: Receive[pb.EvaluateRequest], send: Send
    ) -> None:
        forest = await self._work(partial(self._engine.forest, settings))
        _check_sizes(forest, settings.leaves)
        shape = pb.EvaluateResponse(shape=_shape(forest)).SerializeToString()
        await send(shape + await self._work(partial(self._next, forest)))
        while not self._is_done:
            answers = await _answers(receive, _answer_bytes(forest, settings.leaves))
            if answers is None:
                return
            await send(await self._work(partial(self._answered, forest, *answers)))

    async def _work(self, work: Callable[[], T]) -> T:
        """Do it on a thread. Whoever goes away stops it, and waits until that has its effect."""
        working = asyncio.ensure_future(self._workers.run(work))
        try:
            await asyncio.wait([working])
        finally:
            if not working.done():
                self._stop.set()
                await asyncio.wait([working])
        return working.result()

    def _answered(self, forest: EngineForest, priors: bytes, values: bytes) -> bytes:
        forest.answer(priors, values)
        return self._next(forest)

    def _next(self, forest: EngineForest) -> bytes:
        """The next leaves, or the report."""
        self._is_done = not forest.gather(self._stop)
        content = forest.report() if self._is_done else forest.leaves()
        return header(_REPORT if self._is_done else _LEAVES, len(content)) + content


def _check_sizes(forest: EngineForest, leaves: int) -> None:
    """Refuse INVALID_FIELD if a message could be larger than clients take."""
    report = forest.size * (8 * forest.actions + 4 * forest.seats + _LINE_BYTES)
    if report > MAX_REPLY_BYTES:
        raise too_large("open.roots", report)
    shown = forest.size * leaves * (5 + forest.mask_bytes + forest.observation_bytes)
    if shown > MAX_REPLY_BYTES:
        raise too_large("open.leaves", shown)


def _answer_bytes(forest: EngineForest, leaves: int) -> int:
    """What the answers to a message of leaves may take."""
    return 4 * forest.size * leaves * (forest.most_legal + forest.seats)


def _shape(forest: EngineForest) -> BatchShape:
    return BatchShape(
        size=forest.size,
        seats=forest.seats,
        actions=forest.actions,
        mask_bytes=forest.mask_bytes,
        observation_bytes=forest.observation_bytes,
    )


async def _answers(receive: Receive[pb.EvaluateRequest], most: int) -> tuple[bytes, bytes] | None:
    """Priors and values of as many messages as it takes; None if the caller sends no more."""
    priors, values = bytearray(), bytearray()
    while True:
        request = await receive()
        if request is None:
            return None
        if request.WhichOneof("step") != "answers":
            raise invalid_field("step", request.WhichOneof("step") or "not set", "answers")
        priors += request.answers.priors
        values += request.answers.values
        if len(priors) + len(values) > most:
            raise invalid_field("answers", f"{most + 1} bytes or more", f"at most {most} bytes")
        if not request.answers.more:
            return bytes(priors), bytes(values)


def _settings(request: pb.EvaluateRequest) -> ForestSettings:
    if request.WhichOneof("step") != "open":
        raise invalid_field("step", request.WhichOneof("step") or "not set", "open, at first")
    wanted, fields = request.open, Fields()
    leaves = wanted.leaves or _DEFAULT_LEAVES
    exploration = wanted.exploration or _DEFAULT_EXPLORATION
    for name, value, most in (
        ("simulations", wanted.simulations, MAX_SIMULATIONS),
        ("leaves", leaves, MAX_LEAVES),
    ):
        if not 1 <= value <= most:
            fields.wrong(f"open.{name}", value, f"1 to {most}")
    if not 0 < exploration <= MAX_EXPLORATION:
        fields.wrong("open.exploration", exploration, f"above 0 to {MAX_EXPLORATION}")
    roots = []
    if fields.count("open.roots", len(wanted.roots), 1, MAX_ROOTS):
        roots = [_root(place, root, fields) for place, root in enumerate(wanted.roots)]
        if any(seat is not None for seat, _ in roots) and not wanted.HasField("options"):
            fields.wrong("open.options", "not set", "the options of the match, for views")
    fields.check()
    return ForestSettings(
        options=wanted.options.SerializeToString(),
        roots=roots,
        simulations=wanted.simulations,
        leaves=leaves,
        exploration=exploration,
        seed=wanted.seed,
    )


def _root(place: int, root: pb.SearchRoot, fields: Fields) -> tuple[int | None, bytes]:
    match root.WhichOneof("root"):
        case "view":
            if not root.HasField("seat"):
                fields.wrong(f"open.roots[{place}].seat", "not set", "the seat that sees it")
            return root.seat, root.view.SerializeToString()
        case "state":
            if root.HasField("seat"):
                fields.wrong(f"open.roots[{place}].seat", root.seat, "no seat for a full state")
            return None, root.state.SerializeToString()
        case _:
            fields.wrong(f"open.roots[{place}]", "not set", "a view or a state")
            return None, b""
