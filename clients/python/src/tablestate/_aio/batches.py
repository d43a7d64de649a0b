"""Batches of games on the server, over one stream."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Self

import numpy as np
import numpy.typing as npt

from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message, refusal
from tablestate._content import PARTS, Options, game_options
from tablestate._methods import SIMULATE
from tablestate._packing import Form, arrays, game_state, pack, wanted
from tablestate.errors import BatchClosedError
from tablestate.v1.batch_pb2 import WantedParts
from tablestate.v1.engine_service_pb2 import (
    CloseBatch,
    CopyBatch,
    DumpStates,
    LoadStates,
    OpenBatch,
    PlayDraws,
    SimulateRequest,
    SimulateResponse,
    StepBatch,
)
from tablestate.v1.game_pb2 import GameOptions


class AsyncSimulation:
    """A stream on which batches of games live; they are gone when it ends.

    Use it as a context, or `close` it. Two batches on one stream can be stepped at the same
    time: `begin` both, then `finish` both.
    """

    def __init__(self, transport: AsyncTransport) -> None:
        """Open the stream."""
        self._dialogue = transport.dialogue(SIMULATE.path)
        self._opened = 0
        self._awaited: deque[AsyncBatch] = deque()

    async def __aenter__(self) -> Self:
        """Return the simulation itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the stream."""
        await self.close()

    async def close(self) -> None:
        """End the stream, and with it all its batches."""
        await self._dialogue.close()

    async def batch(
        self,
        game: str | GameOptions,
        size: int,
        *,
        options: Options = None,
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        auto_reset: bool = False,
        observer: int | None = None,
        parts: Sequence[str] = PARTS,
        bots: Sequence[str | None] = (),
    ) -> AsyncBatch:
        """Set up new games; see `AsyncBatch`.

        `game` is a name, with `options` as for matches, or a message of options. All chance
        follows from `seed`, or from one of `seeds` for each slot. With `auto_reset` a game that
        ends is set up again in the same step: see `ended`. `bots` names for each seat the bot
        that plays it, or None: bots act at once, in new games too, so that only the other seats
        ever have to decide. Raises InvalidRequestError for what is not acceptable,
        ResourceExhaustedError if the server has no more room.
        """
        chosen = game if isinstance(game, GameOptions) else game_options(game, options)
        opened = message(
            OpenBatch,
            options=chosen,
            size=size,
            seed=seed,
            seeds=() if seeds is None else list(seeds),
            auto_reset=auto_reset,
            bots=[bot or "" for bot in bots],
        )
        batch = AsyncBatch(self, self._number(), tuple(parts), observer, auto_reset)
        await batch._ask(SimulateRequest(open=opened))
        return batch

    def _number(self) -> int:
        self._opened += 1
        return self._opened

    async def _send(self, batch: AsyncBatch, request: SimulateRequest) -> None:
        await self._dialogue.send(request.SerializeToString())
        self._awaited.append(batch)

    async def _receive_for(self, batch: AsyncBatch) -> None:
        """Give each batch its answers, in their order, until this one has all of its."""
        while batch in self._awaited:
            answer = SimulateResponse.FromString(await self._dialogue.receive())
            self._awaited.popleft()._take(answer)


class AsyncBatch:
    """Games of one kind and one set of options, one in each slot.

    Every step makes new arrays, which cannot be written to. Parts that were not asked for are
    None.

    `actors`        (size,) uint8: the seat that must decide now, `NO_ACTOR` when over
    `flags`         (size,) uint8: bits `OVER`, `REFUSED`, `RESET`
    `actions`       (size,) uint16: the index of the action taken, or `NO_ACTION`
    `returns`       (size, seats) float32: the returns of ended games, else 0
    `masks`         (size, mask_bytes) uint8: bit i = index i, least significant first
    `observations`  (size, observation_bytes) uint8: of `observer`, or of each game's actor;
                    zeros when the game is over and there is no observer
    """

    actors: npt.NDArray[np.uint8]
    flags: npt.NDArray[np.uint8]
    actions: npt.NDArray[np.uint16]
    returns: npt.NDArray[np.float32]
    masks: npt.NDArray[np.uint8]
    observations: npt.NDArray[np.uint8]

    def __init__(
        self,
        simulation: AsyncSimulation,
        number: int,
        parts: tuple[str, ...],
        observer: int | None,
        auto_reset: bool,
    ) -> None:
        """Made by `AsyncSimulation.batch` and `copy`."""
        self._simulation, self._number, self._names = simulation, number, parts
        self._observer, self._auto_reset = observer, auto_reset
        self._wanted = wanted(parts, observer, auto_reset)
        self._answer = SimulateResponse()
        self._is_closed = False
        self.owns_stream = False
        """Whether closing the batch ends the stream."""

    @property
    def size(self) -> int:
        """Slots."""
        return self._shape.size

    @property
    def seats(self) -> int:
        """Seats of each game."""
        return self._shape.seats

    @property
    def action_count(self) -> int:
        """Indices of actions."""
        return self._shape.actions

    @property
    def mask_bytes(self) -> int:
        """Bytes of a mask."""
        return self._shape.mask_bytes

    @property
    def observation_bytes(self) -> int:
        """Bytes of an observation."""
        return self._shape.observation_bytes

    @property
    def legal(self) -> npt.NDArray[np.bool_]:
        """The masks as (size, action_count) of bool: a copy."""
        bits = np.unpackbits(self.masks, axis=1, count=self.action_count, bitorder="little")
        return bits.view(np.bool_)

    async def step(self, actions: npt.ArrayLike, form: Form = "index") -> None:
        """Take an action in every slot and renew the arrays.

        `actions` has one number a slot, named as `form` says. An action that is not legal
        changes nothing and sets `REFUSED`. Raises InvalidArgumentError for another number of
        actions or numbers that do not fit.
        """
        await self.begin(actions, form)
        await self.finish()

    async def begin(self, actions: npt.ArrayLike, form: Form = "index") -> None:
        """Send a step without waiting for its answer; `finish` waits for it."""
        number, packed = pack(actions, form, self.size)
        await self._begin(SimulateRequest(step=StepBatch(form=number, actions=packed)))

    async def finish(self) -> None:
        """Wait for the answers to everything that was begun."""
        await self._simulation._receive_for(self)

    async def look(self, observer: int | None = None) -> None:
        """Renew the arrays without taking actions; as this seat sees it, if one is named."""
        await self._ask(SimulateRequest(step=StepBatch()), observer)

    def ended(self) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8]]:
        """The slots whose game the last step ended and set up again, and what was last seen.

        The slots rise; the second array, (slots, seats, observation_bytes), has every seat's
        observation of the end of the game.
        """
        parts = self._answer.parts
        slots = np.array(parts.ended_slots, np.uint32)
        shape = (len(slots), self.seats, self.observation_bytes)
        return slots, np.frombuffer(parts.last_observations, np.uint8).reshape(shape)

    async def copy(
        self, slots: Sequence[int] | None = None, *, seed: int | None = None
    ) -> AsyncBatch:
        """The chosen slots, each as often as it is named, as a batch of their own; None: all.

        With a seed the copies go on with fresh chance, without with the same as the originals.
        """
        chosen = [] if slots is None else list(slots)
        if slots is not None and not chosen:
            raise refusal("slots", chosen, "one or more, or None for all")
        copied = message(CopyBatch, source=self._number, slots=chosen, seed=seed)
        number = self._simulation._number()
        twin = AsyncBatch(self._simulation, number, self._names, self._observer, self._auto_reset)
        await twin._ask(SimulateRequest(copy=copied))
        return twin

    async def dump(self, slot: int) -> bytes:
        """The full state of a slot, a `GameState` message."""
        await self._ask(SimulateRequest(dump=message(DumpStates, slots=[slot])))
        return self._answer.states[0].SerializeToString()

    async def load(self, slot: int, state: bytes) -> None:
        """Put a full state into a slot and renew the arrays.

        Raises InvalidRequestError if it is none or does not fit the batch's options; the stream
        has ended then.
        """
        loaded = message(LoadStates, slots=[slot], states=[game_state(state)])
        await self._ask(SimulateRequest(load=loaded))

    async def play(
        self, slot: int, action: int | None, draws: Sequence[int]
    ) -> int | list[list[bytes]]:
        """Take an action, or set up a new game for None, with given draws.

        If the draws do not suffice nothing is done; the answer is the number of values that the
        next draw can have, all equally likely. Else the arrays are renewed and the answer is
        each seat's `GameEvent` messages. Raises IllegalActionError or InvalidRequestError; the
        stream has ended then.
        """
        given = message(PlayDraws, slot=slot, action=action, draws=draws)
        await self._ask(SimulateRequest(play=given))
        played = self._answer.played
        if played.next_draw:
            return played.next_draw
        return [[event.SerializeToString() for event in seat.events] for seat in played.seats]

    async def close(self) -> None:
        """Forget the batch on the server."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.owns_stream:
            await self._simulation.close()
        else:
            await self._ask(SimulateRequest(close=CloseBatch()))

    async def __aenter__(self) -> Self:
        """Return the batch itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close it."""
        await self.close()

    async def _ask(self, request: SimulateRequest, observer: int | None = None) -> None:
        await self._begin(request, observer)
        await self.finish()

    async def _begin(self, request: SimulateRequest, observer: int | None = None) -> None:
        if self._is_closed and not request.HasField("close"):
            raise BatchClosedError
        request.batch = self._number
        request.wanted.CopyFrom(self._wanted)
        if observer is not None:
            request.wanted.MergeFrom(message(WantedParts, observer=observer))
        await self._simulation._send(self, request)

    def _take(self, answer: SimulateResponse) -> None:
        self._answer = answer
        if answer.HasField("shape"):
            self._shape = answer.shape
        if answer.HasField("parts"):
            vars(self).update(arrays(answer.parts, self._shape, self._names))
