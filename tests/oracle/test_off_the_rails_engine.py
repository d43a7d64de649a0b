"""The engine against the oracle of Off the Rails, and its planted faults against the engine.

The play of `make test` sees every rule event; that of `make oracles`, some minutes long, sees each
at least a hundred times from at least thirty games.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from itertools import islice

import pytest

from tablestate.v1 import game_pb2
from tablestate_service import _core

from . import engine as shared
from .chance import Draws
from .chance_driver import Played, compare_games
from .coverage import Coverage, Reports, missing
from .driver import Setup
from .off_the_rails import RULES
from .off_the_rails_cover import off_the_rails_coverage
from .off_the_rails_engine import Engine
from .off_the_rails_faults import HUNTS, Hunt
from .off_the_rails_load import state_message, write_state
from .off_the_rails_state import Options, State, with_changes
from .off_the_rails_suite import ROUND, suite

PARTS, FLOOR, GAMES = (140, 100, 30) if os.environ.get("LONG") else (8, 1, 1)
GAMES_A_PART, FEW = 2 * len(ROUND), 10
"""Games of a part; few, once every rule event was seen often enough."""


@pytest.fixture(scope="module")
def coverage(reports: Reports) -> Coverage[State]:
    """What all parts of the play have seen together."""
    reports["Off the Rails"] = seen = off_the_rails_coverage()
    return seen


@pytest.mark.parametrize("part", range(PARTS))
def test_the_engine_plays_as_the_oracle(coverage: Coverage[State], part: int) -> None:
    number = GAMES_A_PART if missing(coverage, FLOOR, GAMES) else FEW
    games = islice(suite(part), number)
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
    for theirs, ours in plays(
        ("hit", "siege", "crash", "walled", "rounds", "wreck", "last", "quick"), 40
    ):
        dumped = game_pb2.GameState.FromString(theirs.dump())
        assert dumped.off_the_rails == state_message(ours)
        assert _core.GameState.load(write_state(ours)).position == RULES.position(ours)


def test_a_seat_that_forfeited_does_not_win() -> None:
    ended = 0
    for theirs, ours in plays(("tied", "ending"), 80):
        if ours.actor is None and ours.options.seats > 2:
            ended += 1
            for out in range(ours.options.seats):
                marked = with_changes(ours, forfeited=frozenset((out,)))
                assert shared.outcome(theirs, "off_the_rails", (out,)) == RULES.outcome(marked)
    assert ended > 5


def test_every_rule_event_was_seen(coverage: Coverage[State]) -> None:
    assert missing(coverage, FLOOR, GAMES) == []


@pytest.mark.parametrize("hunt", HUNTS, ids=[hunt.fault.name for hunt in HUNTS])
def test_each_planted_fault_is_found(hunt: Hunt) -> None:
    games = islice(suite(1, hunt.kinds), 1000)
    rng, coverage = random.Random(1), off_the_rails_coverage()
    found = compare_games(Engine(), hunt.fault.rules, games, rng, coverage)
    assert found is not None, hunt.fault.description


def test_there_are_enough_faults() -> None:
    assert len({hunt.fault.name for hunt in HUNTS}) >= 20
