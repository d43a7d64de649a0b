"""The reverse direction: whoever is due to see something does see it.

A battery that compares nothing but equal bytes would be content with an empty view.
"""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from secrecy.battery import begun
from secrecy.games import GENERATORS
from secrecy.pairs import PairGenerator
from tablestate.v1 import game_pb2
from tablestate_service import engine

GAMES = 100
ENOUGH = 20


def positions(generator: PairGenerator, chance: random.Random) -> Iterator[engine.GameState]:
    """Positions of random games, one of every five."""
    for number in range(GAMES):
        seed = chance.randbytes(32)
        state, stream = begun(generator, number, seed), 1
        while state.actor is not None:
            if chance.random() < 0.2:
                yield state
            notation = generator.choose(state.legal_notations(), chance)
            choice = game_pb2.ActionChoice(notation=notation)
            state = state.apply(choice.SerializeToString(), seed, stream).state
            stream += 1


def load(state: game_pb2.GameState) -> engine.GameState:
    return engine.GameState.load(state.SerializeToString())


def lasting(generator: PairGenerator, events: list[bytes]) -> list[bytes]:
    """The events of which a view tells too."""
    return [
        event for event in events if not generator.is_fleeting(game_pb2.GameEvent.FromString(event))
    ]


by_game = pytest.mark.parametrize("generator", GENERATORS, ids=lambda each: each.game)


@by_game
def test_whatever_a_viewer_is_due_changes_its_view_and_observation(
    generator: PairGenerator,
) -> None:
    chance, seen = random.Random(3), Counter[str]()
    for state in positions(generator, chance):
        truth = game_pb2.GameState.FromString(state.dump())
        viewer = chance.choice((None, *range(state.seats)))
        for component, *pair in generator.changed(truth, viewer):
            left, right = (load(each) for each in pair)
            assert left.view(viewer) != right.view(viewer), component
            is_observed = left.observation(viewer) != right.observation(viewer)
            assert is_observed is (component not in generator.not_observed), component
            seen[component] += 1
    print(f"\n{generator.game}: {dict(seen)}")
    assert [name for name in generator.due if seen[name] < ENOUGH] == []


@by_game
def test_events_tell_a_viewer_of_chance_exactly_what_its_view_then_shows(
    generator: PairGenerator,
) -> None:
    chance, told = random.Random(5), Counter[str]()
    for state in positions(generator, chance):
        notation = chance.choice(state.legal_notations())
        choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
        steps = [state.apply(choice, chance.randbytes(32), 1) for _ in range(2)]
        for viewer in (None, *range(state.seats)):
            left, right = (step.state.view(viewer) for step in steps)
            ours, theirs = (step.events(viewer) for step in steps)
            if left == right:
                ours, theirs = (lasting(generator, events) for events in (ours, theirs))
            assert (left == right) is (ours == theirs), notation
            told["told" if left != right else "not told"] += 1
    print(f"\n{generator.game}: {dict(told)}")
    assert told["not told"] >= ENOUGH
    assert told["told"] >= ENOUGH or not generator.hidden
