"""Position pairs: at every ply of very many games, what is hidden changes nothing that is shown."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat

import pytest

from secrecy.battery import Battery, Report
from secrecy.games import GENERATORS
from secrecy.pairs import PairGenerator
from tablestate_service import engine

RUNS = 10
GAMES_OF_A_RUN = 100
ENOUGH = 100


def test_every_game_brings_its_pairs() -> None:
    assert sorted(each.game for each in GENERATORS) == engine.games()


@pytest.mark.parametrize(
    "generator", [each for each in GENERATORS if each.hidden], ids=lambda each: each.game
)
def test_no_viewer_gets_what_it_may_not_know(generator: PairGenerator) -> None:
    report = Report()
    # Threads of gRPC do not outlive a fork.
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as workers:
        for part in workers.map(run, repeat(generator), range(RUNS)):
            report.add(part)
    print(f"\n{generator.game}: {report}")
    assert report.games == RUNS * GAMES_OF_A_RUN
    for component in generator.hidden:
        assert report.differing[component] >= ENOUGH, component


def run(generator: PairGenerator, seed: int) -> Report:
    return Battery(generator, seed).play_all(GAMES_OF_A_RUN)
