"""The operations of a `Simulate` stream."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from tablestate.v1 import engine_service_pb2 as pb
from tablestate.v1.batch_pb2 import BatchShape, WantedParts
from tablestate.v1.game_pb2 import GameState
from tablestate_service.domain.errors import invalid_field
from tablestate_service.ports.simulator import Beginning, EngineBatch, Simulator
from tablestate_service.rpc.requests import Fields
from tablestate_service.rpc.wire import delimited, tag
from tablestate_service.usecases.batches import (
    MAX_REPLY_BYTES,
    MAX_SIZE,
    Batches,
    SlotBudget,
    check_slots,
    too_large,
)

_STATES = tag(20)
_WIDTHS = {0: 0, 1: 2, 2: 2, 3: 4}
"""Bytes of an action, by `ActionForm`."""
_NO_ACTIONS = 0


class _KnownStep(NamedTuple):
    """A step that was found to be right: what comes before its actions, and what it asks for."""

    head: bytes
    length: int
    batch: EngineBatch
    form: int
    wanted: bytes
    envelope: bytes


class Simulation:
    """The batches of a stream. Its methods take long only if a batch is large."""

    def __init__(self, engine: Simulator, budget: SlotBudget) -> None:
        """Begin without batches."""
        self._engine = engine
        self._batches = Batches(budget)
        self._stop = engine.stop()
        self._has_bots = False
        self._known_steps: dict[int, _KnownStep] = {}
        self._operations: dict[str, Callable[[pb.SimulateRequest], bytes]] = {
            "open": self._open,
            "step": self._step,
            "copy": self._copy,
            "load": self._load,
            "dump": self._dump,
            "play": self._play,
            "close": self._close,
        }

    def answer(self, request: pb.SimulateRequest) -> bytes:
        """Do what a request asks for; the bytes of the response."""
        operation = request.WhichOneof("operation")
        if operation is None:
            raise invalid_field("operation", "not set", f"one of {', '.join(self._operations)}")
        return self._operations[operation](request)

    def answer_alike(self, data: bytes) -> bytes | None:
        """The response to a request that differs from a remembered one in its actions alone.

        None: it differs in more, and `answer` must look at it.
        """
        for known in self._known_steps.values():
            if len(data) == known.length and data.startswith(known.head):
                actions = data[len(known.head) :]
                return known.batch.reply(known.form, actions, known.wanted, known.envelope)
        return None

    def remember(self, request: pb.SimulateRequest) -> None:
        """Know steps like this one, which has been answered, by their bytes.

        Fields are written in the order of their numbers, so actions are last. Whoever writes them
        otherwise, or fields that are not known here, is answered as well, by `answer`.
        """
        request.DiscardUnknownFields()
        data, step = request.SerializeToString(), request.step
        self._known_steps[request.batch] = _KnownStep(
            head=data[: -len(step.actions)],
            length=len(data),
            batch=self._batches.get(request.batch),
            form=step.form,
            wanted=request.wanted.SerializeToString(),
            envelope=_envelope(request),
        )

    def forget_steps(self) -> None:
        """Look at what every request says again."""
        self._known_steps.clear()

    def may_be_slow(self, request: pb.SimulateRequest) -> bool:
        """Whether bots may act: nobody knows for how long."""
        self._has_bots = self._has_bots or any(request.open.bots)
        return self._has_bots

    def slots(self, request: pb.SimulateRequest) -> int:
        """How many slots a request is about, roughly: what it may cost."""
        operation = request.WhichOneof("operation")
        if operation == "open":
            return request.open.size
        if operation in (None, "close"):
            return 0
        if operation == "copy":
            return len(request.copy.slots) or self._batches.size_of(request.copy.source)
        if operation == "dump" and request.dump.slots:
            return len(request.dump.slots)
        return self._batches.size_of(request.batch)

    def stop(self) -> None:
        """End what is being done, soon: nobody waits for it. Nothing can be done afterwards."""
        self._stop.set()

    def close(self) -> None:
        """Forget all batches."""
        self.forget_steps()
        self._batches.close_all()

    def _open(self, request: pb.SimulateRequest) -> bytes:
        wanted, fields = request.open, Fields()
        if not 1 <= wanted.size <= MAX_SIZE:
            fields.wrong("open.size", wanted.size, f"1 to {MAX_SIZE}")
        for field, given in (("seeds", wanted.seeds), ("states", wanted.states)):
            if given and len(given) != wanted.size:
                fields.wrong(f"open.{field}", f"{len(given)} items", f"none or {wanted.size} items")
        fields.check()
        batch = self._batches.add(request.batch, wanted.size, lambda: self._made(wanted))
        try:
            return _reply(batch, request, _shape(batch))
        except BaseException:
            self._batches.close(request.batch)
            raise

    def _made(self, wanted: pb.OpenBatch) -> EngineBatch:
        seeds = wanted.seeds or self._engine.seeds(wanted.seed, wanted.size)
        options = wanted.options.SerializeToString()
        if wanted.bots:
            self._check_bots(options, wanted.bots)
        bots = [bot or None for bot in wanted.bots]
        batch = self._engine.start_batch(options, list(seeds), wanted.auto_reset, bots, self._stop)
        if wanted.states:
            _load(batch, "open.states", range(wanted.size), wanted.states)
        return batch

    def _check_bots(self, options: bytes, bots: Sequence[str]) -> None:
        fields, seats = Fields(), self._engine.seats(options)
        if len(bots) != seats or all(bots):
            expected = f"none or {seats} items, one of them empty"
            fields.wrong("open.bots", f"{len(bots)} items", expected)
        known = self._engine.players(Beginning(options, is_state=False))
        for seat, bot in enumerate(bots):
            if bot and bot not in known:
                fields.wrong(f"open.bots[{seat}]", bot, f"one of {', '.join(known)}")
        fields.check()

    def _step(self, request: pb.SimulateRequest) -> bytes:
        batch, step = self._batches.get(request.batch), request.step
        width = _WIDTHS.get(step.form)
        if width is None:
            raise invalid_field("step.form", step.form, "a value of ActionForm")
        if len(step.actions) != width * batch.size:
            expected = f"{width} bytes for each of {batch.size} slots"
            raise invalid_field("step.actions", f"{len(step.actions)} bytes", expected)
        return _reply(batch, request, form=step.form, actions=step.actions)

    def _copy(self, request: pb.SimulateRequest) -> bytes:
        wanted = request.copy
        original = self._batches.get(wanted.source, "copy.source")
        slots: Sequence[int] = wanted.slots or range(original.size)
        if len(slots) > MAX_SIZE:
            raise invalid_field("copy.slots", f"{len(slots)} items", f"at most {MAX_SIZE} items")
        check_slots("copy.slots", slots, original.size)
        seed = wanted.seed if wanted.HasField("seed") else None
        batch = self._batches.add(
            request.batch, len(slots), lambda: original.copy(list(slots), seed)
        )
        return _reply(batch, request, _shape(batch))

    def _load(self, request: pb.SimulateRequest) -> bytes:
        batch, wanted = self._batches.get(request.batch), request.load
        slots: Sequence[int] = wanted.slots or range(len(wanted.states))
        if len(slots) != len(wanted.states):
            expected = f"none or one for each of {len(wanted.states)} states"
            raise invalid_field("load.slots", f"{len(slots)} items", expected)
        if len(slots) > batch.size:
            expected = f"at most {batch.size} items"
            raise invalid_field("load.states", f"{len(slots)} items", expected)
        check_slots("load.slots", slots, batch.size)
        _load(batch, "load.states", slots, wanted.states)
        return _reply(batch, request)

    def _dump(self, request: pb.SimulateRequest) -> bytes:
        batch = self._batches.get(request.batch)
        slots: Sequence[int] = request.dump.slots or range(batch.size)
        if len(slots) > MAX_SIZE:
            raise invalid_field("dump.slots", f"{len(slots)} items", f"at most {MAX_SIZE} items")
        check_slots("dump.slots", slots, batch.size)
        states, size = [], 0
        for slot in slots:
            states.append(delimited(_STATES, batch.dump(slot)))
            size += len(states[-1])
            if size > MAX_REPLY_BYTES:
                raise too_large("dump.slots", size)
        return _reply(batch, request, b"".join(states))

    def _play(self, request: pb.SimulateRequest) -> bytes:
        batch, wanted = self._batches.get(request.batch), request.play
        if wanted.slot >= batch.size:
            raise invalid_field("play.slot", wanted.slot, f"a slot below {batch.size}")
        action = wanted.action if wanted.HasField("action") else None
        played = batch.play(wanted.slot, action, list(wanted.draws))
        if isinstance(played, int):
            answer = pb.PlayedDraws(next_draw=played)
            return _envelope(request) + pb.SimulateResponse(played=answer).SerializeToString()
        return _reply(batch, request, _played(played))

    def _close(self, request: pb.SimulateRequest) -> bytes:
        self._batches.close(request.batch)
        self._known_steps.pop(request.batch, None)
        return _envelope(request)


def _reply(
    batch: EngineBatch,
    request: pb.SimulateRequest,
    others: bytes = b"",
    *,
    form: int = _NO_ACTIONS,
    actions: bytes = b"",
) -> bytes:
    """The response with the parts that a request wants and with other fields, after actions."""
    _check_wanted(batch, request.wanted)
    wanted = request.wanted.SerializeToString()
    return batch.reply(form, actions, wanted, _envelope(request) + others)


def _envelope(request: pb.SimulateRequest) -> bytes:
    return pb.SimulateResponse(batch=request.batch).SerializeToString()


def _check_wanted(batch: EngineBatch, wanted: WantedParts) -> None:
    """Before anything is done, so that a refused request has no effect."""
    if wanted.HasField("observer") and wanted.observer >= batch.seats:
        raise invalid_field("wanted.observer", wanted.observer, f"a seat below {batch.seats}")
    size = _slot_bytes(batch, wanted) * batch.size
    if size > MAX_REPLY_BYTES:
        raise too_large("wanted", size)


def _slot_bytes(batch: EngineBatch, wanted: WantedParts) -> int:
    """What a slot takes in the reply at most."""
    last = 4 + batch.seats * batch.observation_bytes
    widths = (
        (wanted.actors, 1),
        (wanted.flags, 1),
        (wanted.actions, 2),
        (wanted.returns, 4 * batch.seats),
        (wanted.masks, batch.mask_bytes),
        (wanted.observations, batch.observation_bytes),
        (wanted.last_observations, last),
    )
    return sum(width for is_wanted, width in widths if is_wanted)


def _load(
    batch: EngineBatch, field: str, slots: Sequence[int], states: Sequence[GameState]
) -> None:
    misfit = batch.load(list(slots), [state.SerializeToString() for state in states])
    if misfit is not None:
        expected = "a state whose actions and observations are laid out as the batch's"
        raise invalid_field(f"{field}[{misfit}]", "", expected)


def _shape(batch: EngineBatch) -> bytes:
    shape = BatchShape(
        size=batch.size,
        seats=batch.seats,
        actions=batch.actions,
        mask_bytes=batch.mask_bytes,
        observation_bytes=batch.observation_bytes,
    )
    return pb.SimulateResponse(shape=shape).SerializeToString()


_PLAYED = tag(3)
_SEATS = tag(2)
_EVENTS = tag(1)


def _played(seats: list[list[bytes]]) -> bytes:
    shown = (b"".join(delimited(_EVENTS, event) for event in events) for events in seats)
    return delimited(_PLAYED, b"".join(delimited(_SEATS, events) for events in shown))
