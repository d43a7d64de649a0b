"""The engine against the oracle of OffTrack, and the oracle's planted faults against the engine.

The play of `make test` sees every rule event; that of `make oracles`, some minutes long, sees each
at least a hundred times from at least thirty games. Most of these games go on from a built position
that the engine loads; the others are played from the start.
"""

from __future__ import annotations

import os
import random
from itertools import islice

import pytest

from .chance_driver import compare_games
from .coverage import Coverage, Reports, missing
from .offtrack import RULES
from .offtrack_cover import offtrack_coverage
from .offtrack_engine import Engine
from .offtrack_faults import HUNTS, Hunt
from .offtrack_state import State
from .offtrack_suite import suite

PARTS, GAMES_A_PART, FLOOR, GAMES = (12, 720, 100, 30) if os.environ.get("LONG") else (4, 180, 1, 1)


@pytest.fixture(scope="module")
def coverage(reports: Reports) -> Coverage[State]:
    """What all parts of the play have seen together."""
    reports["OffTrack"] = seen = offtrack_coverage()
    return seen


@pytest.mark.parametrize("part", range(PARTS))
def test_the_engine_plays_as_the_oracle(coverage: Coverage[State], part: int) -> None:
    games = islice(suite(part), GAMES_A_PART)
    assert compare_games(Engine(), RULES, games, random.Random(part), coverage) is None


def test_every_rule_event_was_seen(coverage: Coverage[State]) -> None:
    assert missing(coverage, FLOOR, GAMES) == []


@pytest.mark.parametrize("hunt", HUNTS, ids=[hunt.fault.name for hunt in HUNTS])
def test_each_planted_fault_is_found(hunt: Hunt) -> None:
    games = islice(suite(hunt.seed, hunt.kinds), 1000)
    rng, coverage = random.Random(1), offtrack_coverage()
    found = compare_games(Engine(), hunt.fault.rules, games, rng, coverage)
    assert found is not None, hunt.fault.description


def test_there_are_enough_faults() -> None:
    assert len({hunt.fault.name for hunt in HUNTS}) >= 20
