"""The games for PettingZoo: every seat an agent, who act one after the other."""

from __future__ import annotations

from typing import Any, ClassVar

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from tablestate._content import Options, game_options
from tablestate._packing import NO_ACTION, NO_ACTOR, REFUSED
from tablestate.rl.batches import Batch, OpenBatch, facts, fresh_seed, legal_of
from tablestate.v1.game_pb2 import GameState


class TablestateAEC(AECEnv):
    """A game as an environment of agents `player_0`, `player_1`, …, one a seat.

    An observation is a dict of "observation", the bytes of the game's `ObservationSpace`, and
    "action_mask", which is all zeros unless it is the agent's turn; the mask is in the agent's
    info too. Rewards are the returns of the game, given at its end.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "tablestate_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        open_batch: OpenBatch,
        game: str,
        options: Options = None,
        *,
        render_mode: str | None = None,
    ) -> None:
        """Prepare games of a name and options, which `reset` then sets up.

        `open_batch` is `tablestate_service.engine.Batch`, or the method `batch` of a client or a
        simulation.
        Raises NotFoundError for an unknown game and the errors of `open_batch` for bad options.
        """
        super().__init__()
        self._open, self._game = open_batch, game_options(game, options)
        self.render_mode = render_mode
        self._chance = np.random.default_rng()
        self._opened: Batch | None = None
        seats, actions, width = facts(open_batch, self._game)
        self.possible_agents = [f"player_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 255, (width,), np.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        """The space of an agent's actions, the game's dense index."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Set up a new game; equal seeds and equal actions give equal games."""
        if seed is not None:
            self._chance = np.random.default_rng(seed)
        self.close()
        self._opened = self._open(self._game, 1, seed=fresh_seed(self._chance))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._show()

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; None if the game is over.

        Raises ValueError, and changes nothing, if the action is not legal.
        """
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._batch.step([NO_ACTION if action is None else action])
        if self._batch.flags[0] & REFUSED:
            raise ValueError(f"action: {action}; expected a legal one of {agent}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._show()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    @property
    def _batch(self) -> Batch:
        if self._opened is None:
            raise RuntimeError("no game is being played: call reset")
        return self._opened

    def _show(self) -> None:
        """Take over who acts, and how the game ended."""
        self._seen: dict[str, Any] = {}
        actor = self._batch.actors[0]
        if actor == NO_ACTOR:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, self._batch.returns[0].tolist(), strict=True))
        else:
            self.agent_selection = self.possible_agents[actor]
            self._seen[self.agent_selection] = self._batch.observations[0].copy()
        self._nothing = np.zeros(self._batch.action_count, np.int8)
        self._mask = legal_of(self._batch)[0]
        self.infos = {agent: {"action_mask": self._mask_of(agent)} for agent in self.agents}

    def _mask_of(self, agent: str) -> np.ndarray[Any, np.dtype[np.int8]]:
        selected = agent == self.agent_selection
        return self._mask if selected else self._nothing

    def observe(self, agent: str) -> dict[str, np.ndarray[Any, Any]]:
        """What an agent sees, and its legal actions."""
        if agent not in self._seen:
            self._batch.look(self.possible_agents.index(agent))
            self._seen[agent] = self._batch.observations[0].copy()
        return {
            "observation": self._seen[agent].copy(),
            "action_mask": self._mask_of(agent).copy(),
        }

    def render(self) -> str | None:
        """Show the full state, hidden content too: as text ("ansi"), or printed ("human")."""
        text = str(GameState.FromString(self._batch.dump(0)))
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Let the game go; `reset` begins another."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None
