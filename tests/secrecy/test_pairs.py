"""Position pairs: at every ply of very many games, what is hidden changes nothing that is shown."""

import pytest

from secrecy.battery import Battery
from secrecy.games import GENERATORS
from secrecy.pairs import PairGenerator
from support.faults_report import by_form
from tablestate_service import engine

RUNS = by_form(6, 10)
GAMES_OF_A_RUN = by_form(50, 100)
ENOUGH_OF_A_RUN = by_form(5, 10)


def test_every_game_brings_its_pairs() -> None:
    assert sorted(each.game for each in GENERATORS) == engine.games()


@pytest.mark.parametrize("seed", range(RUNS))
@pytest.mark.parametrize(
    "generator", [each for each in GENERATORS if each.hidden], ids=lambda each: each.game
)
def test_no_viewer_gets_what_it_may_not_know(generator: PairGenerator, seed: int) -> None:
    report = Battery(generator, seed).play_all(GAMES_OF_A_RUN)
    print(f"\n{generator.game}: {report}")
    assert report.games == GAMES_OF_A_RUN
    for component in generator.hidden:
        assert report.differing[component] >= ENOUGH_OF_A_RUN, component
    assert set(report.bots) == set(engine.bots(generator.game))
    assert {"search", "search progress", "search error"} <= set(report.surfaces)
    assert {"evaluator leaves", "evaluator report"} <= set(report.surfaces)
