"""The texts for language models tell a viewer what its view tells it, and nothing else."""

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from secrecy.battery import begun
from secrecy.games import GENERATORS
from secrecy.pairs import PairGenerator, Viewer
from tablestate import text
from tablestate.v1 import game_pb2
from tablestate_service import engine

GAMES = 8
SHARE = 0.03
CHANGES = 3
"""Of each position, for the sake of time."""

by_game = pytest.mark.parametrize("generator", GENERATORS, ids=lambda each: each.game)


def positions(
    generator: PairGenerator, chance: random.Random
) -> Iterator[tuple[game_pb2.GameState, game_pb2.GameOptions, Viewer]]:
    """Positions of random games, their options and a viewer."""
    for number in range(GAMES):
        options, seed = generator.options(number), chance.randbytes(32)
        state, stream = begun(generator, number, seed), 1
        while state.actor is not None:
            if chance.random() < SHARE:
                truth = game_pb2.GameState.FromString(state.dump())
                yield truth, options, chance.choice((None, *range(state.seats)))
            notation = generator.choose(state.legal_notations(), chance)
            choice = game_pb2.ActionChoice(notation=notation).SerializeToString()
            state = state.apply(choice, seed, stream).state
            stream += 1


def told(truth: game_pb2.GameState, options: game_pb2.GameOptions, viewer: Viewer) -> str:
    """The text of what a viewer sees, and of what it may do."""
    state = engine.GameState.load(truth.SerializeToString())
    view = game_pb2.GameView.FromString(state.view(viewer))
    legal = game_pb2.LegalActions()
    if viewer is not None and viewer == state.actor:
        legal = game_pb2.LegalActions.FromString(state.legal_actions())
    return f"{text.describe(view, options, viewer)}\n{text.describe_actions(legal)}"


@by_game
def test_what_a_viewer_may_not_know_changes_no_text(generator: PairGenerator) -> None:
    chance, compared = random.Random(11), Counter[str]()
    for truth, options, viewer in positions(generator, chance):
        twin = generator.twin(truth, viewer, chance)
        assert told(truth, options, viewer) == told(twin, options, viewer)
        compared.update(generator.differing(truth, twin))
    print(f"\n{generator.game}: {dict(compared)}")
    assert compared or not generator.hidden


@by_game
def test_what_a_viewer_is_due_changes_its_text(generator: PairGenerator) -> None:
    chance, seen = random.Random(13), Counter[str]()
    for truth, options, viewer in positions(generator, chance):
        changed = list(generator.changed(truth, viewer))
        for component, *pair in chance.sample(changed, min(CHANGES, len(changed))):
            left, right = (told(each, options, viewer) for each in pair)
            assert left != right, component
            seen[component] += 1
    print(f"\n{generator.game}: {dict(seen)}")
    assert len(seen) > len(generator.due) / 2
