"""The games for Gymnasium: one seat against bots, as one environment or as many stepped at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from tablestate._content import Options, game_options
from tablestate._packing import OVER, REFUSED
from tablestate.rl.batches import Batch, Bytes, OpenBatch, facts, fresh_seed, legal_of


class _Tables:
    """Opens batches in which one seat plays against bots, and knows their spaces."""

    def __init__(
        self,
        open_batch: OpenBatch,
        game: str,
        options: Options,
        seat: int,
        opponents: str | Sequence[str],
    ) -> None:
        self._open, self._game, self.seat = open_batch, game_options(game, options), seat
        seats, actions, width = facts(open_batch, self._game)
        if not 0 <= seat < seats:
            raise ValueError(f"seat: {seat}; expected a seat below {seats}")
        named = [opponents] * (seats - 1) if isinstance(opponents, str) else list(opponents)
        if len(named) != seats - 1:
            raise ValueError(f"opponents: {named}; expected {seats - 1} names")
        self._bots = [*named[:seat], None, *named[seat:]]
        self.observation_space = gymnasium.spaces.Box(0, 255, (width,), np.uint8)
        self.action_space = gymnasium.spaces.Discrete(actions)

    def open(self, seeds: Sequence[int]) -> Batch:
        """Set up a game for each seed; ended games are set up again."""
        return self._open(
            self._game,
            len(seeds),
            seeds=seeds,
            auto_reset=True,
            observer=self.seat,
            parts=("flags", "returns", "masks", "observations"),
            bots=self._bots,
        )

    def last_seen(self, batch: Batch) -> tuple[npt.NDArray[np.uint32], Bytes]:
        """The slots whose game has ended in the last step, and what the seat saw last in each."""
        slots, observations = batch.ended()
        return slots, observations[:, self.seat]


class TablestateEnv(gymnasium.Env[Bytes, np.int64]):
    """One seat of a game, the others played by bots.

    An observation is the bytes of the game's `ObservationSpace`, an action an index of its
    `ActionSpace`. The info has the "action_mask" of the legal ones, as `action_space.sample`
    takes it, and whether the action was "refused": an illegal one changes nothing and earns
    nothing. The reward is the seat's return, given at the end of the game.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": []}  # type: ignore[misc]

    def __init__(
        self,
        open_batch: OpenBatch,
        game: str,
        options: Options = None,
        *,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
    ) -> None:
        """Prepare games of a name and options, which `reset` then sets up.

        `open_batch` is `tablestate_service.engine.Batch`, or the method `batch` of a client or a
        simulation. `opponents` names the bot on all other seats, or on each of them by rising
        seat. Raises NotFoundError for an unknown game, ValueError for another number of
        opponents, the errors of `open_batch` for bad options and names.
        """
        self._tables = _Tables(open_batch, game, options, seat, opponents)
        self.observation_space = self._tables.observation_space
        self.action_space = self._tables.action_space
        self._batch: Batch | None = None
        self._is_over = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Bytes, dict[str, Any]]:
        """Begin a game; the bots act until it is the seat's turn.

        All chance follows from the last seed that was given.
        """
        super().reset(seed=seed)
        # When a game has ended, the next has been set up already.
        if self._batch is None or seed is not None or not self._is_over:
            self.close()
            first = fresh_seed(self.np_random) if seed is None else seed
            self._batch = self._tables.open([first])
        self._is_over = False
        return self._batch.observations[0].copy(), self._info(self._batch)

    def step(self, action: np.int64) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        """Take an action, and let the bots act until it is the seat's turn or the game is over.

        Raises ResetNeeded before `reset` and after the end of a game.
        """
        batch = self._batch
        if batch is None or self._is_over:
            raise gymnasium.error.ResetNeeded("no game is being played: call reset")
        batch.step([int(action)])
        self._is_over = bool(batch.flags[0] & OVER)
        if not self._is_over:
            return batch.observations[0].copy(), 0.0, False, False, self._info(batch)
        _, seen = self._tables.last_seen(batch)
        reward = float(batch.returns[0, self._tables.seat])
        return seen[0].copy(), reward, True, False, _last_info(batch)

    def _info(self, batch: Batch) -> dict[str, Any]:
        refused = bool(batch.flags[0] & REFUSED)
        return {"action_mask": legal_of(batch)[0], "refused": refused}

    def close(self) -> None:
        """Let the game go."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None


class TablestateVectorEnv(
    gymnasium.vector.VectorEnv[Bytes, npt.NDArray[np.int64], npt.NDArray[Any]]
):
    """Many `TablestateEnv` stepped at once, as one batch.

    A game that ends is set up again in the same step (`AutoresetMode.SAME_STEP`); what was seen
    last is in the infos as "final_obs" and "final_info".
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(
        self,
        open_batch: OpenBatch,
        game: str,
        num_envs: int,
        options: Options = None,
        *,
        seat: int = 0,
        opponents: str | Sequence[str] = "random",
    ) -> None:
        """Prepare so many games; the other arguments are those of `TablestateEnv`."""
        self._tables = _Tables(open_batch, game, options, seat, opponents)
        self.num_envs = num_envs
        self.single_observation_space = self._tables.observation_space
        self.single_action_space = self._tables.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch: Batch | None = None

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Bytes, dict[str, Any]]:
        """Begin all games anew; environment i has seed + i, or the i-th of a list of seeds."""
        if seed is None:
            seeds = [fresh_seed(self.np_random) for _ in range(self.num_envs)]
        elif isinstance(seed, int):
            super().reset(seed=seed)
            seeds = [seed + number for number in range(self.num_envs)]
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"seed: {len(seeds)} of them; expected {self.num_envs}")
        self.close_extras()
        self._batch = self._tables.open(seeds)
        return self._batch.observations.copy(), self._infos(self._batch)

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Bytes, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]
    ]:
        """Take an action in every environment; raises ResetNeeded before the first `reset`."""
        batch = self._batch
        if batch is None:
            raise gymnasium.error.ResetNeeded("no game is being played: call reset")
        batch.step(actions)
        is_over = batch.flags & OVER != 0
        infos: dict[str, Any] = {}
        for slot, seen in zip(*self._tables.last_seen(batch), strict=True):
            final = {"final_obs": seen.copy(), "final_info": _last_info(batch)}
            infos = self._add_info(infos, final, slot)
        rewards = batch.returns[:, self._tables.seat].astype(np.float64)
        truncations = np.zeros(self.num_envs, np.bool_)
        return batch.observations.copy(), rewards, is_over, truncations, infos | self._infos(batch)

    def _infos(self, batch: Batch) -> dict[str, Any]:
        present = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": legal_of(batch),
            "_action_mask": present,
            "refused": batch.flags & REFUSED != 0,
            "_refused": present.copy(),
        }

    def close_extras(self, **kwargs: Any) -> None:
        """Let the games go."""
        if self._batch is not None:
            self._batch.close()
            self._batch = None


def _last_info(batch: Batch) -> dict[str, Any]:
    """The info at the end of a game: nothing can be done any more."""
    return {"action_mask": np.zeros(batch.action_count, np.int8), "refused": False}
