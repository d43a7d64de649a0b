from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel
import pytest

from tablestate.rl import OpenBatch
from tablestate.rl.openspiel import register
from tablestate_service.engine import Batch
from tools.transcripts import recorded, transcript

SHORT: dict[str, Any] = {"eras": 3, "rounds": 1}
Load = Callable[..., Any]
_NUMBERS = itertools.count()


@pytest.fixture
def load(open_batch: OpenBatch) -> Load:
    """Registers a game under a name of its own, since a name can be used once, and loads it."""

    def load(game: str, options: Any = None, **arguments: Any) -> Any:
        name = f"tablestate_test_{next(_NUMBERS)}"
        assert register(open_batch, game, options, name=name, **arguments) == name
        return pyspiel.load_game(name)

    return load


def play(game: Any, seed: int, most: int = 10_000) -> Any:
    """A random game, or its beginning."""
    state, chance = game.new_initial_state(), random.Random(seed)
    for _ in range(most):
        if state.is_terminal():
            break
        state.apply_action(chance.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize(
    ("game", "options", "sampled"),
    [
        ("offboard", {"points_to_win": 2}, False),
        ("offtrack", SHORT, False),
        ("offtrack", SHORT, True),
        ("offtrack", {**SHORT, "seats": 3, "eras": 4}, False),
        ("eternitium", {"eras_per_seat": 3, "max_rounds": 5}, False),
        ("eternitium", {"eras_per_seat": 3, "max_rounds": 5, "seats": 5}, True),
        ("off_the_rails", {"deposit_cards": 13}, False),
        ("off_the_rails", {"deposit_cards": 13, "seats": 4, "missions": True}, True),
    ],
)
def test_openspiels_simulations_pass(
    load: Load, game: str, options: dict[str, Any], sampled: bool
) -> None:
    loaded = load(game, options, sampled=sampled)
    # OpenSpiel asks sampled games for the state of their chance; games in Python cannot tell it.
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=not sampled, verbose=False)


def test_games_stay_within_what_is_promised_of_them() -> None:
    games: list[tuple[str, dict[str, Any]]] = [
        ("offtrack", SHORT),
        ("offtrack", {**SHORT, "seats": 4, "decks": 2, "rounds": 2}),
        ("eternitium", {"seats": 3, "eras_per_seat": 3, "max_rounds": 5}),
        ("off_the_rails", {"deposit_cards": 13, "missions": True, "chasm_die": True}),
    ]
    for number, (name, options) in enumerate(games):
        registered = register(Batch, name, options, name=f"tablestate_limits_{number}")
        game = pyspiel.load_game(registered)
        for seed in range(10):
            state = play(game, seed)
            draws = sum(h.player == pyspiel.PlayerId.CHANCE for h in state.full_history())
            assert state.is_terminal()
            assert len(state.history()) - draws <= game.max_game_length()
            assert draws <= game.max_chance_nodes_in_history()
            assert sum(state.returns()) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("game", "sampled"), [("offboard", False), ("offtrack", False), ("offtrack", True)]
)
def test_a_state_survives_being_written_and_read(load: Load, game: str, sampled: bool) -> None:
    loaded = load(game, sampled=sampled)
    for most in (0, 3, 20, 45):
        state = play(loaded, 1, most)
        copies = [state.clone(), loaded.deserialize_state(state.serialize())]
        if not sampled:
            whole = pyspiel.serialize_game_and_state(loaded, state)
            copies.append(pyspiel.deserialize_game_and_state(whole)[1])
        for each in copies:
            assert str(each) == str(state)
            assert each.history() == state.history()
            assert each.legal_actions() == state.legal_actions()
            for seat in range(2):
                told = state.information_state_string(seat)
                assert each.information_state_string(seat) == told
                assert each.observation_tensor(seat) == state.observation_tensor(seat)


def test_a_copy_goes_its_own_way(load: Load) -> None:
    state = play(load("offboard"), 1, 5)
    before = str(state), state.information_state_string(0)
    child = state.child(state.legal_actions()[0])
    assert str(child) != before[0]
    assert (str(state), state.information_state_string(0)) == before


def test_the_tree_of_chance_is_that_of_the_rules(load: Load) -> None:
    state = load("offtrack", SHORT).new_initial_state()
    bounds = []
    while state.is_chance_node():
        outcomes = state.chance_outcomes()
        assert sum(chance for _, chance in outcomes) == pytest.approx(1)
        bounds.append(len(outcomes))
        state.apply_action(outcomes[-1][0])
    cards, dealt = 9 * SHORT["eras"], 4 + 5 * 2
    assert bounds == list(range(cards, cards - dealt, -1))
    assert state.current_player() == 0


def test_a_sampled_game_draws_by_itself_and_by_its_seed(load: Load) -> None:
    games = [load("offtrack", SHORT, sampled=True, seed=seed) for seed in (1, 1, 2)]
    states = [play(game, 3, 1) for game in games]
    assert all(state.current_player() == 0 for state in states)
    assert str(states[0]) == str(states[1]) != str(states[2])
    start = games[0].new_initial_state()
    assert start.chance_outcomes() == [(0, 1.0)]


def test_a_seat_is_told_its_own_and_no_other_hand(load: Load) -> None:
    state = play(load("offtrack", SHORT), 4, 60)
    own, other = (state.information_state_string(seat) for seat in range(2))
    dealt = "DEALT seat: {} cards"
    assert dealt.format(0) in own and dealt.format(1) not in own
    assert dealt.format(1) in other and dealt.format(0) not in other
    decisions = [h.action for h in state.full_history() if h.player == 0]
    told = [int(line[2:]) for line in own.splitlines() if line.startswith("> ")]
    assert told == decisions


def test_the_tensor_is_what_the_batch_shows(load: Load) -> None:
    game = load("offboard")
    state, batch = game.new_initial_state(), Batch("offboard", 1)
    for _ in range(10):
        for seat in range(2):
            batch.look(seat)
            shown = batch.observations[0]
            assert game.observation_tensor_shape() == list(shown.shape)
            assert state.observation_tensor(seat) == shown.tolist()
            assert state.observation_string(seat) == shown.tobytes().hex()
        assert state.legal_actions() == np.flatnonzero(batch.legal[0]).tolist()
        action = state.legal_actions()[-1]
        state.apply_action(action)
        batch.step([action])


def test_names_tell_the_game_and_how_chance_is_dealt_with() -> None:
    assert register(Batch, "offboard") == "tablestate_offboard"
    assert register(Batch, "offtrack") == "tablestate_offtrack"
    assert register(Batch, "offtrack", sampled=True) == "tablestate_offtrack_sampled"
    modes = pyspiel.GameType.ChanceMode
    found = {
        name: pyspiel.load_game(f"tablestate_{name}").get_type().chance_mode
        for name in ("offboard", "offtrack", "offtrack_sampled")
    }
    assert found == {
        "offboard": modes.DETERMINISTIC,
        "offtrack": modes.EXPLICIT_STOCHASTIC,
        "offtrack_sampled": modes.SAMPLED_STOCHASTIC,
    }


@pytest.mark.parametrize(("game", "written"), recorded().items(), ids=list(recorded()))
def test_a_recorded_game_is_as_it_was(
    open_batch: OpenBatch, place: str, game: str, written: str
) -> None:
    assert transcript(game, written, open_batch, f"tablestate_{game}_{place}") == written
