"""States of the core behind a front of Python, so that a test can come between."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from tablestate_service import engine
from tablestate_service.adapters.core_engine import CoreEngine


class StateProxy:
    """A state of the core; a step leads to another proxy of the same kind."""

    def __init__(self, state: engine.GameState) -> None:
        self.truth = state

    def follow(self, step: engine.Step) -> "StepProxy":
        """The proxy of a step from here."""
        return StepProxy(step, type(self)(step.state))

    @property
    def seats(self) -> int:
        return self.truth.seats

    @property
    def actor(self) -> int | None:
        return self.truth.actor

    @property
    def hides_nothing(self) -> bool:
        return self.truth.hides_nothing

    def dump(self) -> bytes:
        return self.truth.dump()

    def legal_notations(self) -> list[str]:
        return self.truth.legal_notations()

    def apply(self, choice: bytes, seed: bytes, stream: int) -> "StepProxy":
        return self.follow(self.truth.apply(choice, seed, stream))

    def replay(self, notation: str, draws: Sequence[int]) -> "StepProxy":
        return self.follow(self.truth.replay(notation, draws))

    def forfeit(self, seat: int) -> "StateProxy":
        return type(self)(self.truth.forfeit(seat))

    def outcome(self, forfeited: Sequence[int] = ()) -> bytes | None:
        return self.truth.outcome(forfeited)

    def agreed_draw(self, forfeited: Sequence[int]) -> bytes:
        return self.truth.agreed_draw(forfeited)

    def legal_actions(self) -> bytes:
        return self.truth.legal_actions()

    def view(self, viewer: int | None) -> bytes:
        return self.truth.view(viewer)

    def observation(self, viewer: int | None) -> bytes:
        return self.truth.observation(viewer)

    def default_action(self) -> str:
        return self.truth.default_action()

    def choose(self, bot: str, seed: bytes, ply: int) -> str:
        return self.truth.choose(bot, seed, ply)


class StepProxy:
    """A step of the core that leads to a proxy."""

    def __init__(self, step: engine.Step, state: StateProxy) -> None:
        self.truth = step
        self.state = state

    @property
    def notation(self) -> str:
        return self.truth.notation

    @property
    def draws(self) -> list[int]:
        return self.truth.draws

    @property
    def draw_bounds(self) -> list[int]:
        return self.truth.draw_bounds

    def events(self, viewer: int | None) -> list[bytes]:
        return self.truth.events(viewer)


MakeState: TypeAlias = Callable[[engine.GameState], StateProxy]


class EngineProxy(CoreEngine):
    """The core's games with states of another kind."""

    def __init__(self, make_state: MakeState) -> None:
        super().__init__()
        self._make_state = make_state

    def start(self, options: bytes, seed: bytes) -> StepProxy:
        step = engine.GameState.start(options, seed)
        return self._make_state(step.state).follow(step)

    def replay_start(self, options: bytes, draws: Sequence[int]) -> StepProxy:
        step = engine.GameState.replay_start(options, draws)
        return self._make_state(step.state).follow(step)

    def restore(self, state: bytes) -> StateProxy:
        return self._make_state(engine.GameState.load(state))
