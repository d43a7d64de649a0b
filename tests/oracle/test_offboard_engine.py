"""The engine against the oracle of Offboard, and the oracle's planted faults against the engine."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from .coverage import Reports, missing
from .driver import compare_games, compare_until_covered
from .fault import Fault
from .offboard import RULES, Rules
from .offboard_engine import Engine
from .offboard_faults import FAULTS
from .offboard_play import offboard_coverage, suite


def test_the_engine_plays_as_the_oracle_until_every_rule_event_is_covered(
    reports: Reports,
) -> None:
    reports["Offboard"] = coverage = offboard_coverage()
    difference = compare_until_covered(Engine(), RULES, suite(1), random.Random(1), coverage, 3000)
    assert difference is None
    assert missing(coverage) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_planted_fault_is_found(fault: Fault[Rules]) -> None:
    games = islice(suite(1), 1000)
    found = compare_games(Engine(), fault.rules, games, random.Random(1), offboard_coverage())
    assert found is not None, fault.description


def test_there_are_enough_faults() -> None:
    assert len({fault.name for fault in FAULTS}) >= 20
