from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from tablestate.rl import OpenBatch
from tablestate.rl.gymnasium import TablestateEnv, TablestateVectorEnv
from tablestate_service.engine import Batch

SHORT = {"eras": 3, "rounds": 1}
TABLES: list[tuple[str, dict[str, Any], int, Any]] = [
    ("offboard", {}, 0, "random"),
    ("offboard", {"points_to_win": 3}, 1, "greedy"),
    ("offtrack", SHORT, 1, "random"),
    ("offtrack", {**SHORT, "seats": 3}, 1, ["greedy", "random"]),
    ("eternitium", {"eras_per_seat": 3, "max_rounds": 5}, 0, "greedy"),
    ("off_the_rails", {"deposit_cards": 13}, 1, "greedy"),
]
tables = pytest.mark.parametrize(("game", "options", "seat", "opponents"), TABLES)


@tables
def test_gymnasiums_checker_accepts_it(
    open_batch: OpenBatch, game: str, options: dict[str, Any], seat: int, opponents: Any
) -> None:
    env = TablestateEnv(open_batch, game, options, seat=seat, opponents=opponents)
    env.spec = gymnasium.envs.registration.EnvSpec("Tablestate-v0", nondeterministic=False)
    check_env(env, skip_render_check=True, skip_close_check=True)


def some_actions(masks: Any, chance: np.random.Generator) -> Any:
    """Legal actions, with an illegal one now and then."""
    legal = [chance.choice(np.flatnonzero(mask)) for mask in masks]
    return np.where(chance.random(len(legal)) < 0.05, 0, legal)


@tables
def test_many_at_once_are_the_same_as_each_by_itself(
    open_batch: OpenBatch, game: str, options: dict[str, Any], seat: int, opponents: Any
) -> None:
    count, steps = 5, 250
    others: dict[str, Any] = {"options": options, "seat": seat, "opponents": opponents}
    vector = TablestateVectorEnv(open_batch, game, count, **others)
    each = SyncVectorEnv(
        [lambda: TablestateEnv(Batch, game, **others) for _ in range(count)],
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    assert vector.observation_space == each.observation_space
    assert vector.action_space == each.action_space
    assert vector.metadata["autoreset_mode"] == each.metadata["autoreset_mode"]
    observations, infos = vector.reset(seed=7)
    assert data_equivalence((observations, infos), each.reset(seed=7), exact=True)
    chance, ended, refused = np.random.default_rng(2), 0, 0
    for _ in range(steps):
        actions = some_actions(infos["action_mask"], chance)
        shown = vector.step(actions)
        assert data_equivalence(shown, each.step(actions), exact=True)
        _, _, over, _, infos = shown
        ended += over.sum()
        refused += infos["refused"].sum()
    assert ended > count
    assert refused > 0
    vector.close()


@tables
def test_a_game_ends_with_the_return_of_the_seat(
    open_batch: OpenBatch, game: str, options: dict[str, Any], seat: int, opponents: Any
) -> None:
    env = TablestateEnv(open_batch, game, options, seat=seat, opponents=opponents)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))
    observation, info = env.reset(seed=1)
    over, rewards = False, []
    while not over:
        assert observation[-1] == seat
        action = env.action_space.sample(info["action_mask"])
        observation, reward, over, truncated, info = env.step(action)
        rewards.append(reward)
        assert not truncated
    assert set(rewards[:-1]) <= {0.0}
    assert -1 <= rewards[-1] <= 1
    assert not info["action_mask"].any()
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(0))


def test_a_list_of_seeds_gives_each_environment_its_own(open_batch: OpenBatch) -> None:
    vector = TablestateVectorEnv(open_batch, "offtrack", 3)
    first, _ = vector.reset(seed=[5, 5, 6])
    assert (first[0] == first[1]).all()
    assert (first[0] != first[2]).any()
    again, _ = vector.reset(seed=5)
    assert (again[:2] == first[[0, 2]]).all()
    fresh, _ = vector.reset()
    assert (fresh != again).any()
    with pytest.raises(ValueError, match="seed: 2"):
        vector.reset(seed=[1, 2])


@pytest.mark.parametrize(
    ("given", "wrong"),
    [({"seat": 2}, "seat: 2"), ({"opponents": ["random", "random"]}, "opponents: ")],
)
def test_seats_and_opponents_that_cannot_be_are_refused(
    open_batch: OpenBatch, given: dict[str, Any], wrong: str
) -> None:
    with pytest.raises(ValueError, match=wrong):
        TablestateEnv(open_batch, "offboard", **given)
    with pytest.raises(ValueError, match=wrong):
        TablestateVectorEnv(open_batch, "offboard", 2, **given)
