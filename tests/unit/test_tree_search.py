"""Searches in one's own process with an evaluator outside: shapes, refusals, and what is found."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tablestate_service import engine
from tablestate_service.engine import Batch, TreeSearch
from tablestate_service.engine.batch import OVER
from tablestate_service.engine.tree_search import Leaves

Floats = npt.NDArray[np.float32]


def firm(leaves: Leaves, actions: int) -> tuple[Floats, Floats]:
    """An evaluator that believes something else of every position."""
    seeds = leaves.observations.astype(np.uint64) @ np.arange(
        1, leaves.observations.shape[1] + 1, dtype=np.uint64
    )
    priors = (seeds[:, None] * np.arange(1, actions + 1, dtype=np.uint64) % 97).astype(np.float32)
    return priors, ((seeds % 201).astype(np.float32) - 100) / np.float32(100)


def grown(search: TreeSearch) -> TreeSearch:
    while (leaves := search.leaves()) is not None:
        search.answer(*firm(leaves, search.action_count))
    return search


def midway(game: str, size: int, plies: int = 20) -> Batch:
    batch, rng = Batch(game, size, seed=4), np.random.default_rng(4)
    for _ in range(plies):
        batch.step(rng.integers(2**32, size=size, dtype=np.uint32), "draw")
    return batch


@pytest.mark.parametrize("game", engine.games())
def test_every_simulation_begins_with_a_legal_action(game: str) -> None:
    batch = midway(game, 12)
    search = TreeSearch(batch, simulations=40, leaves=3, seed=1)
    first = search.leaves()
    assert first is not None and list(first.roots) == list(range(12))
    np.testing.assert_array_equal(first.actors, batch.actors)
    np.testing.assert_array_equal(first.masks, batch.masks)
    np.testing.assert_array_equal(first.observations, batch.observations)
    np.testing.assert_array_equal(first.legal, batch.legal)
    grown(search)
    assert search.leaves() is None
    assert search.visits.dtype == np.uint32 and search.values.dtype == np.float32
    assert (search.visits.sum(axis=1) == 40).all()
    assert not search.visits[~batch.legal].any()
    assert (np.abs(search.values) <= 1).all() and not search.values[search.visits == 0].any()
    assert search.returns.shape == (12, batch.seats)
    np.testing.assert_allclose(search.returns.sum(axis=1), 0, atol=1e-5)
    most = search.visits.max(axis=1)
    firsts = [line[0] for line in search.lines]
    np.testing.assert_array_equal(search.visits[np.arange(12), firsts], most)


@pytest.mark.parametrize("game", engine.games())
def test_threads_change_nothing_and_views_and_states_serve_as_well(game: str) -> None:
    batch = midway(game, 30, plies=5)
    states = [batch.dump(slot) for slot in range(30)]
    settings: dict[str, Any] = {"simulations": 25, "leaves": 4, "seed": 9}
    one = grown(TreeSearch(batch, **settings))
    for other in (
        grown(TreeSearch(batch, threads=3, **settings)),
        grown(TreeSearch.of_states(states, **settings)),
    ):
        np.testing.assert_array_equal(other.visits, one.visits)
        np.testing.assert_array_equal(other.values, one.values)
        np.testing.assert_array_equal(other.returns, one.returns)
        assert other.lines == one.lines
    seen = [
        engine.GameState.load(state).view(int(batch.actors[i])) for i, state in enumerate(states)
    ]
    viewed = grown(
        TreeSearch.of_views(game, seen, [int(each) for each in batch.actors], **settings)
    )
    np.testing.assert_array_equal(viewed.visits, one.visits)


def test_chosen_slots_and_games_that_are_over() -> None:
    batch = midway("offtrack", 4, plies=2000)
    assert (batch.flags & OVER).all()
    batch.load(2, Batch("offtrack", 1).dump(0))
    search = grown(TreeSearch(batch, [3, 2, 2], simulations=10))
    assert search.actors == [None, 0, 0]
    assert list(search.visits.sum(axis=1)) == [0, 10, 10]
    assert search.lines[0] == [] and abs(search.returns[0]).max() > 0


def test_values_are_the_actors_or_of_each_seat() -> None:
    searches = []
    for of_each in (False, True):
        search = TreeSearch(midway("offboard", 5), simulations=30, leaves=2)
        while (leaves := search.leaves()) is not None:
            priors, values = firm(leaves, search.action_count)
            both = np.stack([values, -values], axis=1)
            both[leaves.actors == 1] *= -1
            search.answer(priors, both if of_each else values)
        searches.append(search)
    np.testing.assert_array_equal(searches[0].visits, searches[1].visits)
    np.testing.assert_array_equal(searches[0].returns, searches[1].returns)


def test_no_prior_at_all_is_none_better_than_another() -> None:
    found = []
    for prior in (0.0, 3.0):
        search = TreeSearch(midway("offboard", 5), simulations=30)
        while (leaves := search.leaves()) is not None:
            size = len(leaves)
            search.answer(np.full((size, search.action_count), prior), np.zeros(size))
        found.append(search.visits)
    np.testing.assert_array_equal(found[0], found[1])


def test_what_does_not_fit_is_named_and_nothing_is_taken() -> None:
    batch = Batch("offboard", 2)
    search = TreeSearch(batch, simulations=5)
    leaves = search.leaves()
    assert leaves is not None
    actions = search.action_count
    priors, values = np.ones((2, actions), np.float32), np.zeros(2, np.float32)
    legal = int(leaves.legal[1].argmax())

    def refused(match: str, priors: Any, values: Any) -> None:
        with pytest.raises(ValueError, match=match):
            search.answer(priors, values)

    refused(
        rf"priors: shape \(2, {actions - 1}\); expected \(2, {actions}\)", priors[:, 1:], values
    )
    refused(r"values: shape \(3,\); expected \(2,\) or \(2, 2\)", priors, np.zeros(3))
    refused("priors: of type", priors.astype(str), values)
    for wrong in (np.nan, np.inf, -0.1):
        faulty = priors.copy()
        faulty[1, legal] = wrong
        refused(rf"priors\[1\]\[{legal}\]", faulty, values)
    refused(r"values\[0\]\[0\]", priors, [1.5, 0])
    refused(r"values\[1\]\[1\]", priors, [[1, 0], [0, np.nan]])
    illegal = np.where(leaves.legal, priors, np.nan)
    again = search.leaves()
    assert again is not None and len(again) == 2
    search.answer(illegal, values)
    grown(search)
    refused(r"priors: shape .*; expected \(0", priors, values)


@pytest.mark.parametrize(
    "wrong",
    [
        {"simulations": 0},
        {"simulations": 10_000_001},
        {"leaves": 0},
        {"leaves": 257},
        {"exploration": 0.0},
        {"exploration": float("nan")},
        {"seed": -1},
        {"threads": 0},
        {"slots": []},
        {"slots": [2]},
        {"slots": [-1]},
    ],
)
def test_settings_out_of_range_are_named(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        TreeSearch(Batch("offboard", 2), **{"simulations": 5, **wrong})


def test_roots_that_do_not_fit_are_named() -> None:
    batch = Batch("offtrack", 1)
    state = batch.dump(0)
    view = engine.GameState.load(state).view(0)
    other = Batch("offboard", 1).dump(0)
    with pytest.raises(ValueError, match=r"roots\[1\]"):
        TreeSearch.of_states([state, other], simulations=1)
    with pytest.raises(ValueError, match=r"roots\[0\]\.seat"):
        TreeSearch.of_views("offtrack", [view], [1], simulations=1)
    with pytest.raises(ValueError, match=r"roots\[1\]\.view\.game"):
        TreeSearch.of_views("offtrack", [view, b""], [0, 0], simulations=1)
    with pytest.raises(ValueError, match="seats"):
        TreeSearch.of_views("offtrack", [view], [], simulations=1)
    for make in (
        TreeSearch.of_states,
        lambda none, **how: TreeSearch.of_views("offtrack", none, [], **how),
    ):
        with pytest.raises(ValueError, match="none; expected one or more"):
            make([], simulations=1)
