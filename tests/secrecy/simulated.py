"""The battery over `Simulate`: what a batch shows of a seat is what the seat may know."""

import random
from collections.abc import Iterator

from secrecy.battery import Battery, Truths, actions, legal_in_both
from secrecy.pairs import PairGenerator, Viewer
from secrecy.surfaces import Shown
from tablestate.v1 import engine_service_pb2 as pb
from tablestate.v1.batch_pb2 import WantedParts
from tablestate.v1.game_pb2 import GameOptions, GameState
from tablestate_service import engine
from tablestate_service.adapters.core_simulator import CoreSimulator
from tablestate_service.ports.simulator import Simulator
from tablestate_service.rpc.simulation import Simulation
from tablestate_service.usecases.batches import SlotBudget

_BATCH = 1


class SimulateBattery(Battery):
    """Compares the answers of two streams whose batches differ only in what is hidden."""

    def __init__(
        self, generator: PairGenerator, seed: int, simulator: Simulator | None = None
    ) -> None:
        """`simulator` is the core's; a test that plants a leak gives another."""
        super().__init__(generator, seed)
        self._simulator = simulator or CoreSimulator()
        self._choosing = random.Random(seed)

    def _compare_pair(self, viewer: Viewer, truths: Truths, options: bytes) -> None:
        if viewer is None:
            return  # A batch shows what seats see.
        streams = [Stream(self._simulator, truth, options, viewer) for truth in truths]
        left, right = streams
        self._compare(viewer, left.shown_now(), right.shown_now())
        states = [engine.GameState.load(truth.SerializeToString()) for truth in truths]
        both = legal_in_both(*states)
        if not both:
            return
        notations = actions(self._generator, truths, viewer, both, self._choosing)
        draws = self._generator.draws(truths, viewer, notations[0], self._choosing)
        if draws is None:
            self.report.actions["cannot show the same"] += 1
            return
        self.report.actions["compared"] += 1
        # The index of an action may depend on the hand of the seat that takes it.
        shown = (
            stream.shown_of(_index_of(state, notation), own)
            for stream, state, notation, own in zip(streams, states, notations, draws, strict=True)
        )
        self._compare(viewer, *shown)


class Stream:
    """A stream with a batch of one game that stands at a position."""

    def __init__(self, simulator: Simulator, truth: GameState, options: bytes, viewer: int) -> None:
        self._viewer = viewer
        self._simulation = Simulation(simulator, SlotBudget(1))
        opened = pb.OpenBatch(options=GameOptions.FromString(options), size=1, states=[truth])
        self._answer(pb.SimulateRequest(open=opened))

    def shown_now(self) -> Iterator[Shown]:
        """What the batch shows of the viewer's seat; the mask is its own when it must decide."""
        parts = self._answer(pb.SimulateRequest(step=pb.StepBatch())).parts
        actor = parts.actors
        yield from self._parts(parts.SerializeToString())
        if actor == bytes([self._viewer]):
            request = pb.SimulateRequest(step=pb.StepBatch(), wanted=WantedParts(masks=True))
            yield Shown("masks", self._send(request).parts.masks)

    def shown_of(self, index: int, draws: list[int]) -> Iterator[Shown]:
        """What it shows of an action."""
        played = pb.PlayDraws(action=index, draws=draws)
        answer = self._answer(pb.SimulateRequest(play=played))
        yield Shown("events", answer.played.seats[self._viewer].SerializeToString())
        yield from self._parts(answer.parts.SerializeToString())

    def _parts(self, parts: bytes) -> Iterator[Shown]:
        yield Shown("parts", parts)

    def _answer(self, request: pb.SimulateRequest) -> pb.SimulateResponse:
        request.wanted.CopyFrom(
            WantedParts(
                actors=True,
                flags=True,
                returns=True,
                observations=True,
                observer=self._viewer,
            )
        )
        return self._send(request)

    def _send(self, request: pb.SimulateRequest) -> pb.SimulateResponse:
        request.batch = _BATCH
        return pb.SimulateResponse.FromString(self._simulation.answer(request))


def _index_of(state: engine.GameState, notation: str) -> int:
    rank = state.legal_notations().index(notation)
    mask = int.from_bytes(state.legal_mask(), "little")
    legal = (index for index in range(mask.bit_length()) if mask >> index & 1)
    return next(index for place, index in enumerate(legal) if place == rank)
