"""The engine of a game of chance as a `ChanceEngine`; what is the same for all of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, TypeVar

from tablestate.v1 import game_pb2
from tablestate_service import _core

from .chance import Draw
from .chance_driver import Played
from .common import Event, Outcome
from .engine import outcome, refuse

Viewer = int | None
Options = TypeVar("Options")


def viewers(state: _core.GameState) -> list[Viewer]:
    """List the seats and, as None, the spectator."""
    return [*range(state.seats), None]


class CoreEngine(ABC, Generic[Options]):
    """A game as the Rust core plays it, one match after another."""

    def __init__(self) -> None:
        """Begin with any seed; each match has its own."""
        self.seed = bytes(32)
        self.stream = 0

    @property
    @abstractmethod
    def reading(self) -> Reading:
        """Give what answers about the engine's states."""

    @abstractmethod
    def message(self, options: Options) -> game_pb2.GameOptions:
        """Write options."""

    @abstractmethod
    def state_bytes(self, options: Options, position: str) -> bytes:
        """Write the state that a position stands for."""

    @abstractmethod
    def read_event(self, event: game_pb2.GameEvent) -> Event:
        """Read an event as the oracle's tuple."""

    @abstractmethod
    def told_to(self, event: Event) -> int | None:
        """Give the seat that alone is told all of an event."""

    def begin(self, options: Options, seed: int) -> None:
        """Take note of the match that is played from here on."""
        self.seed, self.stream = seed.to_bytes(32, "big"), 0

    def start(self, options: Options, seed: int) -> Played[_core.GameState]:
        """Start a match; raises ValueError for a set-up that is refused."""
        self.begin(options, seed)
        encoded = self.message(options).SerializeToString()
        try:
            return self._played(_core.GameState.start(encoded, self.seed))
        except _core.CoreError as error:
            refuse(error)

    def load(self, options: Options, position: str, seed: int) -> _core.GameState:
        """Go on from a position; damage raises an error that is no refusal."""
        self.begin(options, seed)
        return _core.GameState.load(self.state_bytes(options, position))

    def apply(self, state: _core.GameState, notation: str) -> Played[_core.GameState]:
        """Do an action; raises ValueError when it is not legal."""
        choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
        try:
            step = state.apply(choice, self.seed, self.stream + 1)
        except _core.CoreError as error:
            refuse(error)
        self.stream += 1
        return self._played(step)

    def _played(self, step: _core.Step) -> Played[_core.GameState]:
        """Put together what a step gave; the truth of an event is what its seat is told."""
        told = {viewer: self._events(step.events(viewer)) for viewer in viewers(step.state)}
        draws = [Draw(*pair) for pair in zip(step.draw_bounds, step.draws, strict=True)]
        truth = [told[self.told_to(event)][place] for place, event in enumerate(told[None])]
        return Played(step.state, truth, told, draws)

    def _events(self, encoded: list[bytes]) -> list[Event]:
        return [self.read_event(game_pb2.GameEvent.FromString(event)) for event in encoded]


class Reading(ABC):
    """What the engine answers about the states of a game."""

    game: str

    @abstractmethod
    def read_view(self, state: _core.GameState, viewer: Viewer) -> dict[str, object]:
        """Read a view as the oracle's dict."""

    def forfeited(self, state: _core.GameState) -> Sequence[int]:
        """List the seats that are marked as out, where the game itself marks them."""
        return ()

    def choices(self, state: _core.GameState) -> list[tuple[int, str]]:
        """List the legal actions as index and notation."""
        legal = game_pb2.LegalActions.FromString(state.legal_actions())
        return [(action.index, action.notation) for action in legal.actions]

    def position(self, state: _core.GameState) -> str:
        """Write the position."""
        return state.position

    def actor(self, state: _core.GameState) -> int | None:
        """Give the seat that must decide."""
        return state.actor

    def outcome(self, state: _core.GameState) -> Outcome | None:
        """Give the outcome."""
        return outcome(state, self.game, self.forfeited(state))

    def returns(self, state: _core.GameState) -> tuple[Fraction, ...] | None:
        """Give the returns, whose denominators are small."""
        encoded = state.outcome(self.forfeited(state))
        if encoded is None:
            return None
        message = game_pb2.Outcome.FromString(encoded)
        return tuple(Fraction(value).limit_denominator(100) for value in message.returns)

    def default_action(self, state: _core.GameState) -> str:
        """Give the default action."""
        return state.default_action()

    def views(self, state: _core.GameState) -> dict[Viewer, dict[str, object]]:
        """Give all that each viewer may know."""
        return {viewer: self.read_view(state, viewer) for viewer in viewers(state)}
