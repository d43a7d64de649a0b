from __future__ import annotations

import numpy as np
import pytest

from tablestate_service.engine import Batch

SIZE = 20
SEATS = 2


def draws(count: int) -> list[np.ndarray[tuple[int], np.dtype[np.uint32]]]:
    chance = np.random.default_rng(3)
    return [chance.integers(2**32, size=SIZE, dtype=np.uint32) for _ in range(count)]


@pytest.mark.parametrize("game", ["offboard", "offtrack"])
@pytest.mark.parametrize("bots", [("greedy", None), (None, "random")])
def test_seats_of_bots_never_have_to_decide(game: str, bots: tuple[str | None, ...]) -> None:
    batch = Batch(game, SIZE, seed=2, auto_reset=True, bots=bots)
    own, games = bots.index(None), 0
    for numbers in draws(400):
        assert (batch.actors == own).all()
        batch.step(numbers, "draw")
        games += len(batch.ended()[0])
    assert games > SIZE / 2


@pytest.mark.parametrize("game", ["offboard", "offtrack"])
def test_a_look_shows_what_the_named_seat_sees(game: str) -> None:
    batch = Batch(game, SIZE, seed=1)
    fixed = [Batch(game, SIZE, seed=1, observer=seat) for seat in range(SEATS)]
    for numbers in draws(40):
        for table in (batch, *fixed):
            table.step(numbers, "draw")
        for seat in range(SEATS):
            batch.look(seat)
            assert np.array_equal(batch.observations, fixed[seat].observations)
    with pytest.raises(ValueError, match="observer: 2"):
        batch.look(2)


@pytest.mark.parametrize("bots", [("random", "random"), ("random",), (None, "nobody")])
def test_bots_that_cannot_be_are_refused(bots: tuple[str | None, ...]) -> None:
    with pytest.raises(ValueError, match="bot"):
        Batch("offboard", 1, bots=bots)
