from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.bombardment_test import bombardment_test
from pettingzoo.utils import BaseWrapper

from tablestate.rl import OpenBatch
from tablestate.rl.pettingzoo import TablestateAEC
from tablestate_service.engine import Batch

GAMES: list[tuple[str, dict[str, Any]]] = [
    ("offboard", {}),
    ("offtrack", {"eras": 3, "rounds": 1}),
    ("offtrack", {"seats": 4, "eras": 4, "rounds": 1}),
    ("eternitium", {"seats": 5, "eras_per_seat": 3, "max_rounds": 5}),
    ("off_the_rails", {"seats": 3, "deposit_cards": 13, "missions": True}),
]

pytestmark = [
    pytest.mark.parametrize(("game", "options"), GAMES, ids=lambda given: str(given)),
    # The checks know dict observations from PettingZoo's own games alone, by their names, and
    # that there is no legal action when the game is over or another agent must act.
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:Observations between agents are different classes"),
]


class Shaped(dict[str, Any]):
    """A dict observation with the shape of its array."""

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(self["observation"].shape)


class Bombarded(BaseWrapper):  # type: ignore[misc]
    """What the test of bombardment expects: observations with a shape, and a step that returns
    one, which the test of the API forbids."""

    def observe(self, agent: str) -> Shaped:
        return Shaped(super().observe(agent))

    def step(self, action: int | None) -> Shaped:
        super().step(action)
        return self.observe(self.agent_selection)


def play(env: TablestateAEC, seed: int) -> list[Any]:
    """Everything that is shown in a random game."""
    env.reset(seed=seed)
    chance, shown = np.random.default_rng(seed), []
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        shown.append((agent, observation, reward, over, info))
        env.step(None if over else chance.choice(np.flatnonzero(info["action_mask"])))
    return shown


def test_the_api_is_pettingzoos(open_batch: OpenBatch, game: str, options: dict[str, Any]) -> None:
    api_test(TablestateAEC(open_batch, game, options), num_cycles=200)


def test_equal_seeds_give_equal_games(
    open_batch: OpenBatch, game: str, options: dict[str, Any]
) -> None:
    seed_test(lambda: TablestateAEC(open_batch, game, options), num_cycles=60)


def test_it_stands_many_resets(open_batch: OpenBatch, game: str, options: dict[str, Any]) -> None:
    random.seed(1)
    bombardment_test(Bombarded(TablestateAEC(open_batch, game, options)), cycles=30)


def test_a_whole_game_ends_with_its_returns(
    open_batch: OpenBatch, game: str, options: dict[str, Any]
) -> None:
    env = TablestateAEC(open_batch, game, options)
    shown = play(env, seed=5)
    last = [(agent, reward) for agent, _, reward, over, _ in shown if over]
    assert sorted(agent for agent, _ in last) == env.possible_agents
    assert sum(reward for _, reward in last) == pytest.approx(0, abs=1e-6)
    assert all(reward == 0 for _, _, reward, over, _ in shown if not over)
    assert env.agents == []


def test_it_is_the_same_wherever_it_is_played(
    open_batch: OpenBatch, game: str, options: dict[str, Any]
) -> None:
    ours = play(TablestateAEC(Batch, game, options), seed=3)
    theirs = play(TablestateAEC(open_batch, game, options), seed=3)
    np.testing.assert_equal(theirs, ours)


def test_an_illegal_action_is_refused_and_changes_nothing(
    open_batch: OpenBatch, game: str, options: dict[str, Any]
) -> None:
    env = TablestateAEC(open_batch, game, options)
    env.reset(seed=1)
    before = env.last()
    illegal = int(np.flatnonzero(before[0]["action_mask"] == 0)[0])
    with pytest.raises(ValueError, match=f"action: {illegal}"):
        env.step(illegal)
    np.testing.assert_equal(env.last(), before)


def test_every_agent_can_be_asked_what_it_sees(
    open_batch: OpenBatch, game: str, options: dict[str, Any]
) -> None:
    env = TablestateAEC(open_batch, game, options)
    env.reset(seed=1)
    seats = [env.observe(agent)["observation"][-1] for agent in env.possible_agents]
    assert seats == list(range(len(env.possible_agents)))
    idle = env.possible_agents[-1]
    assert not env.observe(idle)["action_mask"].any()


def test_the_full_state_is_shown_as_text(
    open_batch: OpenBatch, game: str, options: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    env = TablestateAEC(open_batch, game, options, render_mode="ansi")
    env.reset(seed=1)
    text = env.render()
    assert text is not None and game in text
    loud = TablestateAEC(open_batch, game, options, render_mode="human")
    loud.reset(seed=1)
    assert loud.render() is None
    assert capsys.readouterr().out == f"{text}\n"
