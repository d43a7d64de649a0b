"""What `Simulate` shows of a seat hides what the seat may not know; planted leaks are caught."""

import hashlib
from collections.abc import Sequence
from typing import Any

import pytest

from secrecy.battery import LeakError
from secrecy.games import GENERATORS
from secrecy.pairs import PairGenerator
from secrecy.simulated import SimulateBattery
from tablestate.v1.batch_pb2 import WantedParts
from tablestate.v1.engine_service_pb2 import SimulateResponse
from tablestate_service.adapters.core_simulator import CoreBatch, CoreSimulator

GAMES = 80
HIDING = [each for each in GENERATORS if each.hidden]


class Leaky(CoreSimulator):
    """Makes batches that leak in some way."""

    leak: type[CoreBatch]

    def start_batch(self, *given: Any) -> CoreBatch:
        inner = super().start_batch(*given)
        leaky = object.__new__(self.leak)
        vars(leaky).update(vars(inner))
        return leaky


class ObservationOfAnother(CoreBatch):
    """The observations are those of the next seat."""

    def reply(self, form: int, actions: bytes, wanted: bytes, others: bytes) -> bytes:
        asked = WantedParts.FromString(wanted)
        asked.observer = (asked.observer + 1) % self.seats
        return self._batch.reply(form, actions, asked.SerializeToString(), others)


class FlagsTellTheDeck(CoreBatch):
    """A flag depends on the whole state."""

    def reply(self, form: int, actions: bytes, wanted: bytes, others: bytes) -> bytes:
        shown = SimulateResponse.FromString(self._batch.reply(form, actions, wanted, others))
        odd = hashlib.sha256(self.dump(0)).digest()[0] & 1
        shown.parts.flags = bytes(flag | odd << 7 for flag in shown.parts.flags)
        return shown.SerializeToString()


class EventsOfAnother(CoreBatch):
    """Each seat is told what the next one may know."""

    def play(self, slot: int, action: int | None, draws: Sequence[int]) -> int | list[list[bytes]]:
        played = super().play(slot, action, draws)
        return played if isinstance(played, int) else [*played[1:], played[0]]


@pytest.mark.parametrize("generator", HIDING, ids=lambda each: each.game)
def test_a_batch_shows_a_seat_what_it_may_know(generator: PairGenerator) -> None:
    report = SimulateBattery(generator, 3).play_all(GAMES)
    print(f"\nSimulate, {generator.game}: {report}")
    assert report.actions["compared"] >= 100
    assert report.surfaces["masks"] >= 100
    assert report.surfaces["parts"] >= 1000


@pytest.mark.parametrize(
    ("leak", "surface"),
    [
        (ObservationOfAnother, "parts"),
        (FlagsTellTheDeck, "parts"),
        (EventsOfAnother, "events"),
    ],
    ids=lambda each: getattr(each, "__name__", each),
)
@pytest.mark.parametrize("generator", HIDING, ids=lambda each: each.game)
def test_a_leak_of_a_batch_is_caught(
    generator: PairGenerator, leak: type[CoreBatch], surface: str
) -> None:
    simulator = Leaky()
    simulator.leak = leak
    battery = SimulateBattery(generator, 3, simulator)
    with pytest.raises(LeakError) as caught:
        battery.play_all(GAMES)
    assert caught.value.surface == surface
