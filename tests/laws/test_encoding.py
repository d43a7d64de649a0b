"""Rust and Python write the same messages as the same bytes.

The service stores and compares bytes that either side made: a request's options are hashed as the
client sent them, a view is compared with the one before.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from google.protobuf.message import Message

from tablestate.v1 import game_pb2
from tablestate_service import _core

SEED = bytes(range(32))


def default_options(game: str) -> bytes:
    """The options of a game with its defaults, as the catalog has them."""
    info = game_pb2.GameInfo.FromString(_core.game_info(game))
    return info.default_options.SerializeToString()


def walk(game: str, plies: int) -> Iterator[_core.Step]:
    """Steps of a match of random play, the set-up first."""
    rng = random.Random(game)
    step = _core.GameState.start(default_options(game), SEED)
    yield step
    for ply in range(plies):
        if step.state.actor is None:
            return
        choice = game_pb2.ActionChoice(notation=rng.choice(step.state.legal_notations()))
        step = step.state.apply(choice.SerializeToString(), SEED, ply + 1)
        yield step


def written(step: _core.Step) -> Iterator[tuple[type[Message], bytes]]:
    """Everything that Rust writes of a step."""
    state = step.state
    for viewer in [None, *range(state.seats)]:
        yield game_pb2.GameView, state.view(viewer)
        for event in step.events(viewer):
            yield game_pb2.GameEvent, event
    yield game_pb2.LegalActions, state.legal_actions()
    yield game_pb2.GameState, state.dump()
    outcome = state.outcome()
    if outcome is not None:
        yield game_pb2.Outcome, outcome


@pytest.mark.parametrize("game", _core.games())
def test_python_writes_again_what_rust_wrote(game: str) -> None:
    count = 0
    for step in walk(game, 400):
        for message, encoded in written(step):
            assert message.FromString(encoded).SerializeToString() == encoded
            count += 1
    assert count > 500
    info = _core.game_info(game)
    assert game_pb2.GameInfo.FromString(info).SerializeToString() == info


@pytest.mark.parametrize("game", _core.games())
def test_rust_writes_again_what_python_wrote(game: str) -> None:
    options = default_options(game)
    assert _core.validate_options(options).options == options
    for step in walk(game, 60):
        saved = game_pb2.GameState.FromString(step.state.dump()).SerializeToString()
        assert _core.GameState.load(saved).dump() == saved


@pytest.mark.parametrize("game", _core.games())
def test_a_typed_action_made_by_python_is_the_one_of_its_notation(game: str) -> None:
    for step in walk(game, 60):
        for legal in game_pb2.LegalActions.FromString(step.state.legal_actions()).actions:
            for choice in (
                game_pb2.ActionChoice(action=legal.action),
                game_pb2.ActionChoice(index=legal.index),
                game_pb2.ActionChoice(notation=legal.notation),
            ):
                assert step.state.check(choice.SerializeToString()) == legal.notation
