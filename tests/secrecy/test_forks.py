"""A position that may be forked while its match runs is one that a spectator knows whole."""

import random

import pytest

from secrecy.games import GENERATORS
from secrecy.pairs import PairGenerator
from tablestate.v1 import game_pb2
from tablestate_service import engine

GAMES = 30


def positions(generator: PairGenerator, number: int) -> list[engine.GameState]:
    """The positions of a game that is played at random."""
    chance = random.Random(number)
    begin = generator.begin(number)
    if begin is not None:
        state = engine.GameState.load(begin.SerializeToString())
    else:
        options = generator.options(number).SerializeToString()
        state = engine.GameState.start(options, chance.randbytes(32)).state
    found = [state]
    while state.actor is not None and len(found) < 300:
        notation = generator.choose(state.legal_notations(), chance)
        choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
        state = state.apply(choice, chance.randbytes(32), 0).state
        found.append(state)
    return found


@pytest.mark.parametrize("generator", GENERATORS, ids=lambda each: each.game)
def test_whatever_hides_nothing_has_no_twin_for_a_spectator(generator: PairGenerator) -> None:
    chance, hidden, shown = random.Random(1), 0, 0
    for number in range(GAMES):
        for state in positions(generator, number):
            truth = game_pb2.GameState.FromString(state.dump())
            twin = generator.twin(truth, None, chance)
            if generator.differing(truth, twin):
                assert not state.hides_nothing
                hidden += 1
            elif state.hides_nothing:
                assert twin == truth
                shown += 1
    print(f"\n{generator.game}: {hidden} positions have a twin, {shown} hide nothing")
    assert (hidden > 20) == bool(generator.hidden)
    assert (shown > 20) == (generator.game in ("off_the_rails", "offboard"))
