"""EngineService: batches on a stream, playouts, counts and searches."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from tablestate.v1 import engine_service_pb2 as pb
from tablestate.v1 import evaluate_pb2, search_pb2
from tablestate_service.domain.errors import (
    invalid_field,
    limit_reached,
    shutting_down,
    watcher_too_slow,
)
from tablestate_service.ports import Workers
from tablestate_service.ports.simulator import Beginning, PlayoutSettings, SearchSettings, Simulator
from tablestate_service.rpc.dialogue import Dialogue
from tablestate_service.rpc.evaluation import Evaluation
from tablestate_service.rpc.requests import Fields
from tablestate_service.rpc.sender import SlowReaderError
from tablestate_service.rpc.simulation import Simulation
from tablestate_service.rpc.wrapper import Reader, Receive, Send
from tablestate_service.usecases.batches import SlotBudget
from tablestate_service.usecases.counting import Counting

MAX_GAMES = 10_000_000
MAX_DEPTH = 64
MAX_ITERATIONS = 10_000_000
MAX_MILLISECONDS = 60_000
MIN_PROGRESS_MILLISECONDS = 10
_DEFAULT_PLAYER = "random"
_DEFAULT_PLIES = 100_000


class EngineServicer:
    """One method per RPC."""

    def __init__(
        self,
        engine: Simulator,
        workers: Workers,
        counting: Counting,
        *,
        max_simulations: int,
        max_slots: int,
    ) -> None:
        """Work with these, for so many streams with so many slots."""
        self._engine = engine
        self._workers = workers
        self._counting = counting
        self._max_simulations = max_simulations
        self._budget = SlotBudget(max_slots)
        self._simulations = 0
        self._calls: set[asyncio.Task[object]] = set()
        self._is_closed = False

    @property
    def slots(self) -> int:
        """How many games the batches of all streams hold."""
        return self._budget.taken

    @property
    def running(self) -> int:
        """How many calls of long work there are."""
        return self._counting.running

    def close(self) -> None:
        """End all calls: they change nothing that would have to be finished."""
        self._is_closed = True
        for call in self._calls:
            call.cancel()

    async def simulate(self, reader: Reader[pb.SimulateRequest], send: Send) -> None:
        """Answer each operation on a batch, in order."""
        simulation = Simulation(self._engine, self._budget)
        try:
            with self._counted(), self._ended_by_close():
                await Dialogue(simulation, self._workers, reader, send).run()
        finally:
            simulation.close()

    async def evaluate(self, receive: Receive[evaluate_pb2.EvaluateRequest], send: Send) -> None:
        """Grow trees, with the caller as judge of their leaves."""
        evaluation = Evaluation(self._engine, self._workers, self._budget)
        with self._counted(), self._ended_by_close():
            await evaluation.run(receive, send)

    async def playout(self, request: pb.PlayoutRequest) -> bytes:
        """Play games to their ends."""
        fields = Fields()
        if not 1 <= request.games <= MAX_GAMES:
            fields.wrong("games", request.games, f"1 to {MAX_GAMES}")
        fields.check()
        settings = PlayoutSettings(
            games=request.games,
            seed=request.seed,
            player=request.player or _DEFAULT_PLAYER,
            max_plies=request.max_plies or _DEFAULT_PLIES,
            threads=request.threads or 1,
        )
        with self._ended_by_close():
            tally = await self._counting.playouts(_beginning(request), settings)
        return pb.PlayoutResponse(
            finished=tally.finished,
            unfinished=tally.unfinished,
            plies=tally.plies,
            ties=tally.ties,
            wins=tally.wins,
            returns=tally.returns,
        ).SerializeToString()

    async def perft(self, request: pb.PerftRequest) -> bytes:
        """Count sequences of decisions."""
        fields = Fields()
        if request.depth > MAX_DEPTH:
            fields.wrong("depth", request.depth, f"0 to {MAX_DEPTH}")
        if request.divide and request.depth == 0:
            fields.wrong("depth", 0, "at least 1 to divide")
        fields.check()
        beginning = _beginning(request)
        with self._ended_by_close():
            if not request.divide:
                sequences = await self._counting.perft(beginning, request.depth)
                return pb.PerftResponse(sequences=sequences).SerializeToString()
            divisions = await self._counting.divide(beginning, request.depth)
        return pb.PerftResponse(
            sequences=sum(each.sequences for each in divisions),
            divisions=[
                pb.PerftDivision(
                    index=each.action, notation=each.notation, sequences=each.sequences
                )
                for each in divisions
            ],
        ).SerializeToString()

    async def search(self, request: search_pb2.SearchRequest, send: Send) -> None:
        """Send what has been found so far, and the answer."""
        settings = _search_settings(request)
        try:
            with self._ended_by_close():
                answer = await self._counting.search(settings, send)
                await send(answer)
        except SlowReaderError:
            raise watcher_too_slow({}) from None

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count a stream that holds games; refuses LIMIT_REACHED."""
        if self._simulations >= self._max_simulations:
            raise limit_reached("max_simulations", self._max_simulations)
        self._simulations += 1
        try:
            yield
        except SlowReaderError:
            raise watcher_too_slow({}) from None
        finally:
            self._simulations -= 1

    @contextmanager
    def _ended_by_close(self) -> Iterator[None]:
        """Turn the cancellation by `close` into the refusal that it stands for."""
        task = asyncio.current_task()
        assert task is not None, "a handler runs in a task"
        self._calls.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if not self._is_closed:
                raise
            task.uncancel()
            raise shutting_down() from None
        finally:
            self._calls.discard(task)


def _beginning(request: pb.PlayoutRequest | pb.PerftRequest) -> Beginning:
    match request.WhichOneof("start"):
        case "options":
            return Beginning(request.options.SerializeToString(), is_state=False)
        case "state":
            return Beginning(request.state.SerializeToString(), is_state=True)
        case _:
            raise invalid_field("start", "not set", "options or state")


def _search_settings(request: search_pb2.SearchRequest) -> SearchSettings:
    fields = Fields()
    for name in ("options", "view", "seat"):
        if not request.HasField(name):
            fields.wrong(name, "not set", _SEARCHED[name])
    iterations, seconds = _budget(request, fields)
    pause = request.progress_milliseconds
    if pause and not MIN_PROGRESS_MILLISECONDS <= pause <= MAX_MILLISECONDS:
        expected = f"0, or {MIN_PROGRESS_MILLISECONDS} to {MAX_MILLISECONDS}"
        fields.wrong("progress_milliseconds", pause, expected)
    fields.check()
    return SearchSettings(
        options=request.options.SerializeToString(),
        view=request.view.SerializeToString(),
        seat=request.seat,
        iterations=iterations,
        seconds=seconds,
        seed=request.seed,
        threads=request.threads or 1,
        progress_seconds=pause / 1000 if pause else None,
    )


_SEARCHED = {
    "options": "the options of the match",
    "view": "what the seat sees",
    "seat": "the seat that sees it",
}


def _budget(request: search_pb2.SearchRequest, fields: Fields) -> tuple[int | None, float | None]:
    """Iterations or seconds."""
    match request.WhichOneof("budget"):
        case "iterations":
            if not 1 <= request.iterations <= MAX_ITERATIONS:
                fields.wrong("iterations", request.iterations, f"1 to {MAX_ITERATIONS}")
            return request.iterations, None
        case "milliseconds":
            if not 1 <= request.milliseconds <= MAX_MILLISECONDS:
                fields.wrong("milliseconds", request.milliseconds, f"1 to {MAX_MILLISECONDS}")
            return None, request.milliseconds / 1000
        case _:
            fields.wrong("budget", "not set", "iterations or milliseconds")
            return None, None
