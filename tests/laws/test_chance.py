"""Chance is what `docs/chance.md` says: its verifier, the service and the engine agree.

The vectors are read by core-rs/rules/tests/chance_vectors.rs as well, for the engine.
"""

import hmac
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, cast

import pytest

from support.code_blocks import blocks_of
from tablestate.v1.game_pb2 import GameOptions
from tablestate_service import engine
from tablestate_service.domain import fairness
from tools.sources import ROOT

VECTORS = ROOT / "tests/data/chance.txt"
GAME = b"tablestate/chance/v1"
SEED = bytes(range(32))


class Verifier(NamedTuple):
    """The functions of the document's first block."""

    draws: Callable[[bytes, bytes, int, list[int]], list[int]]
    commitment: Callable[[str, bytes], bytes]
    seed: Callable[[str, bytes, list[bytes]], bytes]


@pytest.fixture(scope="module")
def verifier() -> Verifier:
    block = blocks_of(ROOT / "docs/chance.md")[0]
    names: dict[str, Any] = {}
    exec(compile(block.code, block.document, "exec"), names)
    return Verifier(*(cast(Any, names[field]) for field in Verifier._fields))


def vectors(kind: str) -> list[tuple[list[str], str]]:
    lines = VECTORS.read_text(encoding="utf-8").splitlines()
    split = [line.removeprefix(f"{kind} ").split(" -> ") for line in lines if is_of(kind, line)]
    return [(given.split(), expected) for given, expected in split]


def is_of(kind: str, line: str) -> bool:
    return line.startswith(f"{kind} ")


def numbers(text: str) -> list[int]:
    return [int(number) for number in text.split(",")]


def entropies(text: str) -> list[bytes]:
    return [b"" if part == "-" else bytes.fromhex(part) for part in text.split(",")]


def bot_domain(seat: int) -> bytes:
    return b"tablestate/bot/v1/seat/%d" % seat


def test_the_verifier_draws_what_the_vectors_say_of_games(verifier: Verifier) -> None:
    checked = vectors("game")
    for (seed, stream, sizes), draws in checked:
        drawn = verifier.draws(bytes.fromhex(seed), GAME, int(stream), numbers(sizes))
        assert drawn == numbers(draws)
    assert len(checked) >= 20


def test_the_verifier_draws_what_the_vectors_say_of_bots(verifier: Verifier) -> None:
    checked = vectors("bot")
    for (seed, seat, ply, sizes), draws in checked:
        domain = bot_domain(int(seat))
        drawn = verifier.draws(bytes.fromhex(seed), domain, int(ply), numbers(sizes))
        assert drawn == numbers(draws)
    assert len(checked) >= 12


def test_verifier_and_service_commit_as_the_vectors_say(verifier: Verifier) -> None:
    checked = vectors("commitment")
    for (match_id, secret), expected in checked:
        for commitment in (verifier.commitment, fairness.commitment):
            assert commitment(match_id, bytes.fromhex(secret)).hex() == expected
    assert len(checked) >= 4


def test_verifier_and_service_derive_the_seeds_of_the_vectors(verifier: Verifier) -> None:
    checked = vectors("seed")
    for (match_id, secret, entropy), expected in checked:
        for seed in (verifier.seed, fairness.seed):
            assert seed(match_id, bytes.fromhex(secret), entropies(entropy)).hex() == expected
    assert len({expected for _, expected in checked}) == len(checked) >= 12


def test_the_verifier_throws_away_the_numbers_of_the_incomplete_run(verifier: Verifier) -> None:
    # No draw of a game is of so many; of these, half of all numbers are thrown away.
    n = 2**63 + 1
    given = list(stream_of_numbers(GAME, stream=3, count=40))
    kept = [number for number in given if number < n]
    assert 10 < len(kept) < 30
    assert verifier.draws(SEED, GAME, 3, [n] * len(kept)) == kept


def stream_of_numbers(domain: bytes, stream: int, count: int) -> Iterator[int]:
    for counter in range(count):
        message = domain + stream.to_bytes(8, "big") + counter.to_bytes(8, "big")
        yield int.from_bytes(hmac.digest(SEED, message, "sha256")[:8], "big")


def test_a_random_bot_takes_the_action_that_the_verifier_draws(verifier: Verifier) -> None:
    options = GameOptions()
    options.offboard.SetInParent()
    state = engine.GameState.start(options.SerializeToString(), SEED).state
    for ply in range(40):
        assert state.actor is not None
        legal = state.legal_notations()
        drawn = verifier.draws(SEED, bot_domain(state.actor), ply, [len(legal)])
        notation = state.choose("random", SEED, ply)
        assert notation == legal[drawn[0]]
        state = state.replay(notation, []).state
