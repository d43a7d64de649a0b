"""EngineService: batches on a stream, playouts and counts."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from tablestate.v1 import engine_service_pb2 as pb
from tablestate_service.domain.errors import (
    invalid_field,
    limit_reached,
    shutting_down,
    watcher_too_slow,
)
from tablestate_service.ports import Beginning, PlayoutSettings, Simulator, Workers
from tablestate_service.rpc.dialogue import Dialogue
from tablestate_service.rpc.requests import Fields
from tablestate_service.rpc.sender import SlowReaderError
from tablestate_service.rpc.simulation import Simulation
from tablestate_service.rpc.wrapper import Receive, Send
from tablestate_service.usecases.batches import SlotBudget
from tablestate_service.usecases.counting import Counting

MAX_GAMES = 10_000_000
MAX_DEPTH = 64
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

    def close(self) -> None:
        """End all calls: they change nothing that would have to be finished."""
        self._is_closed = True
        for call in self._calls:
            call.cancel()

    async def simulate(self, receive: Receive[pb.SimulateRequest], send: Send) -> None:
        """Answer each operation on a batch, in order."""
        if self._simulations >= self._max_simulations:
            raise limit_reached("max_simulations", self._max_simulations)
        simulation = Simulation(self._engine, self._budget)
        self._simulations += 1
        try:
            with self._ended_by_close():
                await Dialogue(simulation, self._workers, receive, send).run()
        except SlowReaderError:
            raise watcher_too_slow({}) from None
        finally:
            self._simulations -= 1
            simulation.close()

    async def playout(self, request: pb.PlayoutRequest, data: bytes) -> bytes:
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
        )
        with self._ended_by_close():
            tally = await self._counting.playouts(_beginning(request), settings)
        return pb.PlayoutResponse(
            finished=tally.finished,
            unfinished=tally.unfinished,
            plies=tally.plies,
            draws=tally.draws,
            wins=tally.wins,
            returns=tally.returns,
        ).SerializeToString()

    async def perft(self, request: pb.PerftRequest, data: bytes) -> bytes:
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
