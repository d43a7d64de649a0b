"""The games for OpenSpiel, with chance as nodes of the tree or sampled.

register(engine.Batch, "offtrack", {"rounds": 1})
game = pyspiel.load_game("tablestate_offtrack")
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
import pyspiel
from google.protobuf.text_format import MessageToString

from tablestate._content import Options, game_options
from tablestate._packing import NO_ACTOR
from tablestate.rl.batches import OpenBatch
from tablestate.rl.limits import limits
from tablestate.v1.game_pb2 import GameEvent, GameOptions, GameState

_SETUP = None
"""The action of setting a game up."""


class _Position(NamedTuple):
    """A full state, and what follows from it."""

    state: bytes
    actor: int
    legal: tuple[int, ...]
    returns: tuple[float, ...]


class _Done(NamedTuple):
    """An action that was taken: the position after it, and the news of each seat."""

    position: _Position
    news: tuple[str, ...]


_Attempt: TypeAlias = int | _Done
"""The number of values of the draw that is missing, or what was done."""


class _Table:
    """Plays from any state that it is given, in the one slot of a batch."""

    def __init__(self, open_batch: OpenBatch, options: GameOptions, seed: int) -> None:
        parts = ("actors", "returns", "masks", "observations")
        self._batch = open_batch(options, 1, seed=seed, parts=parts)
        self._loaded = self._batch.dump(0)
        self.limits = limits(GameState.FromString(self._loaded))
        self.seats, self.actions = self._batch.seats, self._batch.action_count
        self.observation_bytes = self._batch.observation_bytes
        self.start = self.attempt(None, _SETUP, ())
        self._chance = random.Random(seed)

    def attempt(
        self, before: _Position | None, action: int | None, draws: Sequence[int]
    ) -> _Attempt:
        """Take an action, or set a game up, with these draws, if they suffice."""
        if before is not None:
            self._load(before.state)
        played = self._batch.play(0, action, draws)
        if isinstance(played, int):
            return played
        self._loaded = self._batch.dump(0)
        position = _Position(
            self._loaded,
            int(self._batch.actors[0]),
            tuple(np.flatnonzero(self._batch.legal[0]).tolist()),
            tuple(self._batch.returns[0].tolist()),
        )
        return _Done(position, tuple(map(_news, played)))

    def sample(self, before: _Position | None, action: int | None, bound: int) -> _Done:
        """Take an action that needs draws, the first of which has so many values."""
        draws: list[int] = []
        attempt: _Attempt = bound
        while isinstance(attempt, int):
            draws.append(self._chance.randrange(attempt))
            attempt = self.attempt(before, action, draws)
        return attempt

    def observation(self, position: _Position | None, seat: int) -> bytes:
        """What a seat sees; nothing yet before a game has been set up."""
        if position is None:
            return bytes(self.observation_bytes)
        self._load(position.state)
        self._batch.look(seat)
        return bytes(self._batch.observations[0])

    def _load(self, state: bytes) -> None:
        if state != self._loaded:
            self._batch.load(0, state)
            self._loaded = state


def _news(events: Sequence[bytes]) -> str:
    texts = (MessageToString(GameEvent.FromString(e), as_one_line=True) for e in events)
    return "".join(f"{text}\n" for text in texts)


class _State(pyspiel.State):
    """A position, or the draws of an action so far. OpenSpiel copies and pickles its attributes."""

    table: ClassVar[_Table]
    is_sampled: ClassVar[bool]

    def __init__(self, game: pyspiel.Game) -> None:
        super().__init__(game)
        self._position: _Position | None = None
        self._action: int | None = _SETUP
        self._draws: tuple[int, ...] = ()
        self._bound = 0
        self._histories = ("",) * self.table.seats
        self._take(self.table.start)

    def current_player(self) -> int:
        """The seat that must decide, chance, or the end."""
        if self._bound or self._position is None:
            return int(pyspiel.PlayerId.CHANCE)
        over = self._position.actor == NO_ACTOR
        return int(pyspiel.PlayerId.TERMINAL) if over else self._position.actor

    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return bool(self.current_player() == pyspiel.PlayerId.TERMINAL)

    def returns(self) -> list[float]:
        """Each seat's return; zeros while the game goes on."""
        if self._bound or self._position is None:
            return [0.0] * self.table.seats
        return list(self._position.returns)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The values of the next draw, all equally likely; sampled: one that stands for them."""
        values = 1 if self.is_sampled else self._bound
        return [(value, 1.0 / values) for value in range(values)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._position.legal) if self._position is not None else []

    def _apply_action(self, action: int) -> None:
        if not self._bound:
            self._decide(action)
        elif self.is_sampled:
            self._take(self.table.sample(self._position, self._action, self._bound))
        else:
            self._draws = (*self._draws, action)
            self._take(self.table.attempt(self._position, self._action, self._draws))

    def _decide(self, action: int) -> None:
        position = self._position
        if position is None or action not in position.legal:
            raise ValueError(f"action: {action}; expected a legal one")
        self._action, self._draws = action, ()
        own = tuple(f"> {action}\n" if seat == position.actor else "" for seat in self._seats())
        self._tell(own)
        self._take(self.table.attempt(position, action, ()))

    def _take(self, attempt: _Attempt) -> None:
        if isinstance(attempt, int):
            self._bound = attempt
            return
        self._position, self._bound = attempt.position, 0
        self._tell(attempt.news)

    def _tell(self, news: Sequence[str]) -> None:
        self._histories = tuple(map("".join, zip(self._histories, news, strict=True)))

    def _seats(self) -> range:
        return range(self.table.seats)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"draw {action}" if player == pyspiel.PlayerId.CHANCE else f"action {action}"

    def __str__(self) -> str:
        """The full state, and the action whose draws are being made."""
        position = self._position
        state = GameState() if position is None else GameState.FromString(position.state)
        text = MessageToString(state, as_one_line=True)
        return f"{text} action {self._action} draws {list(self._draws)}" if self._bound else text

    def observation(self, seat: int) -> bytes:
        """The bytes of the game's `ObservationSpace` as a seat sees it."""
        return self.table.observation(self._position, seat)

    def own_history(self, seat: int) -> str:
        """What a seat was told and what it did ("> index"), a line each, since the beginning."""
        return self._histories[seat]


class _Observer:
    """Shows a seat's observation, or with perfect recall its history."""

    def __init__(self, width: int, *, has_recall: bool) -> None:
        self._has_recall = has_recall
        self.tensor = None if has_recall else np.zeros(width, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: _State, player: int) -> None:
        """Write the tensor."""
        if self.tensor is not None:
            self.tensor[:] = np.frombuffer(state.observation(player), np.uint8)

    def string_from(self, state: _State, player: int) -> str:
        """The same as a string: of an observation its bytes in hexadecimal."""
        if self._has_recall:
            return state.own_history(player)
        return state.observation(player).hex()


def register(
    open_batch: OpenBatch,
    game: str,
    options: Options = None,
    *,
    name: str | None = None,
    sampled: bool = False,
    seed: int = 0,
) -> str:
    """Make a game with these options known to `pyspiel.load_game`; return its name there.

    `open_batch` is `tablestate_service.engine.Batch`, or the method `batch` of a client or a
    simulation, which must stay open while the game is used. Chance is in nodes of the tree, whose
    outcomes are the draws of the rules; if `sampled`, a chance node has one outcome, and what it
    brings follows from `seed`. The name is "tablestate_" and the game's, and "_sampled" if it is;
    a name can be registered once. Raises NotFoundError for an unknown game, the errors of
    `open_batch` for bad options.
    """
    short_name = name or f"tablestate_{game}{'_sampled' if sampled else ''}"
    table = _Table(open_batch, game_options(game, options), seed)
    state_type = type("State", (_State,), {"table": table, "is_sampled": sampled})
    game_type = _game_type(short_name, game, table, sampled)
    pyspiel.register_game(game_type, _game_class(game_type, table, state_type))
    return short_name


def _game_type(name: str, game: str, table: _Table, sampled: bool) -> Any:
    chance, information = pyspiel.GameType.ChanceMode, pyspiel.GameType.Information
    if table.limits.draws == 0:
        mode = chance.DETERMINISTIC
    else:
        mode = chance.SAMPLED_STOCHASTIC if sampled else chance.EXPLICIT_STOCHASTIC
    public = table.limits.is_public
    return pyspiel.GameType(
        short_name=name,
        long_name=f"Tablestate {game}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=mode,
        information=(
            information.PERFECT_INFORMATION if public else information.IMPERFECT_INFORMATION
        ),
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=table.seats,
        min_num_players=table.seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={},
    )


def _game_class(game_type: Any, table: _Table, state_type: type[_State]) -> type[pyspiel.Game]:
    is_sampled = game_type.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC
    values = table.limits.draw_values
    info = pyspiel.GameInfo(
        num_distinct_actions=table.actions,
        max_chance_outcomes=1 if is_sampled else values,
        num_players=table.seats,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=table.limits.decisions,
    )

    class Game(pyspiel.Game):
        """A game of one set of options."""

        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(game_type, info, params or {})

        def new_initial_state(self) -> _State:
            """The beginning, before anything has been drawn."""
            return state_type(self)

        def max_chance_nodes_in_history(self) -> int:
            """More than a game can have."""
            return table.limits.draws

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> _Observer:
            """What shows states to the seats."""
            has_recall = iig_obs_type is not None and iig_obs_type.perfect_recall
            return _Observer(table.observation_bytes, has_recall=has_recall)

    return Game
