"""The engine against the oracle of Eternitium, and its planted faults against the engine.

The play of `make test` sees every rule event; that of `make oracles`, some minutes long, sees each
at least a hundred times from at least thirty games.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from tablestate.v1 import game_pb2
from tablestate_service import _core

from .chance import Draws
from .chance_driver import Played, compare_games
from .coverage import Coverage, Reports, missing
from .driver import Setup
from .eternitium import RULES
from .eternitium_cover import eternitium_coverage
from .eternitium_engine import Engine
from .eternitium_faults import HUNTS, Hunt
from .eternitium_load import state_message, write_state
from .eternitium_state import Options, State
from .eternitium_suite import suite

PARTS, FLOOR, GAMES = (100, 100, 30) if os.environ.get("LONG") else (3, 1, 1)
GAMES_A_PART = 80


@pytest.fixture(scope="module")
def coverage(reports: Reports) -> Coverage[State]:
    """What all parts of the play have seen together."""
    reports["Eternitium"] = seen = eternitium_coverage()
    return seen


@pytest.mark.parametrize("part", range(PARTS))
def test_the_engine_plays_as_the_oracle(coverage: Coverage[State], part: int) -> None:
    games = islice(suite(part), GAMES_A_PART)
    assert compare_games(Engine(), RULES, games, random.Random(part), coverage) is None


def plays(kinds: tuple[str, ...], games: int) -> Iterator[tuple[_core.GameState, State]]:
    """Play games on both sides, and give each pair of states."""
    rng, engine = random.Random(3), Engine()
    for seed, setup in enumerate(islice(suite(3, kinds), games)):
        theirs, ours = begin(engine, setup, seed)
        for _ in range(setup.limit):
            yield theirs, ours
            if ours.actor is None:
                break
            action = setup.policy.choose(ours, RULES.legal(ours), rng)
            step = engine.apply(theirs, action)
            theirs, ours = step.state, RULES.apply(ours, action, fed(step))[0]


def begin(engine: Engine, setup: Setup[Options, State], seed: int) -> tuple[_core.GameState, State]:
    """Begin a game on both sides."""
    if setup.position is not None:
        theirs = engine.load(setup.options, setup.position, seed)
        return theirs, RULES.load(setup.options, setup.position)
    begun = engine.start(setup.options, seed)
    return begun.state, RULES.start(setup.options, fed(begun))[0]


def fed(step: Played[_core.GameState]) -> Draws:
    """Give the numbers that the engine drew."""
    return Draws.fed(draw.value for draw in step.draws)


def test_the_full_state_is_the_oracles() -> None:
    for theirs, ours in plays(("aim", "scarce", "spent"), 6):
        dumped = game_pb2.GameState.FromString(theirs.dump())
        assert dumped.eternitium == state_message(ours)
        assert _core.GameState.load(write_state(ours)).position == RULES.position(ours)


def test_a_forfeit_is_noted_and_changes_the_end_alone() -> None:
    for theirs, ours in plays(("left", "late"), 12):
        if ours.actor is None or ours.options.seats < 4 or ours.forfeited:
            continue
        marked = replace(ours, forfeited=frozenset((1,)))
        assert theirs.forfeit(1).position == RULES.position(marked)
        assert theirs.forfeit(1).legal_notations() == RULES.legal(marked)


def test_every_rule_event_was_seen(coverage: Coverage[State]) -> None:
    assert missing(coverage, FLOOR, GAMES) == []


@pytest.mark.parametrize("hunt", HUNTS, ids=[hunt.fault.name for hunt in HUNTS])
def test_each_planted_fault_is_found(hunt: Hunt) -> None:
    games = islice(suite(1, hunt.kinds), 1000)
    rng, coverage = random.Random(1), eternitium_coverage()
    found = compare_games(Engine(), hunt.fault.rules, games, rng, coverage)
    assert found is not None, hunt.fault.description


def test_there_are_enough_faults() -> None:
    assert len({hunt.fault.name for hunt in HUNTS}) >= 20
