"""Ratings from games: known strengths are found again, intervals hold what they say."""

import random

import pytest

from tablestate_service.arena.ratings import (
    PairScore,
    expected,
    log_likelihood_ratio,
    ratings,
    score,
    verdict,
)

STRENGTHS = {"strong": 250.0, "middle": 100.0, "weak": 0.0}
PLAYERS = list(STRENGTHS)


def played(seed: int, pairs: int, strengths: dict[str, float]) -> list[PairScore]:
    """Pairs of games between players of these strengths, without draws."""
    chance = random.Random(seed)
    found = []
    names = list(strengths)
    for number, first in enumerate(names):
        for second in names[number + 1 :]:
            hope = expected(strengths[first] - strengths[second])
            for _ in range(pairs):
                wins = sum(chance.random() < hope for _ in range(2))
                found.append(PairScore(first, second, wins / 2))
    return found


def test_a_lead_of_400_points_is_odds_of_ten_to_one() -> None:
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(0) == 0.5
    assert expected(-400) == pytest.approx(1 / 11)


def test_strengths_are_found_again() -> None:
    found = ratings(played(1, 2_000, STRENGTHS), anchor="weak")
    assert found["weak"].elo == pytest.approx(0)
    for name, strength in STRENGTHS.items():
        assert found[name].elo == pytest.approx(strength, abs=15)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    held = 0
    for seed in range(200):
        found = ratings(played(seed, 40, {"a": 120.0, "b": 0.0}), anchor="b")["a"]
        held += found.low <= 120 <= found.high
    assert 180 <= held <= 199


def test_who_wins_everything_has_a_rating_and_an_interval() -> None:
    found = ratings([PairScore("a", "b", 1.0)] * 20, anchor="b")["a"]
    assert 200 < found.low < found.elo < found.high < 2_000


def test_a_player_is_rated_against_players_whose_ratings_stay() -> None:
    pairs = played(3, 1_000, STRENGTHS)
    of_strong = [pair for pair in pairs if pair.first == "strong"]
    fixed = {"middle": 100.0, "weak": 0.0}
    found = ratings(of_strong, anchor="weak", fixed=fixed)
    assert found["middle"].elo == pytest.approx(100) and found["weak"].elo == pytest.approx(0)
    assert found["strong"].elo == pytest.approx(250, abs=20)


def test_the_interval_of_a_score_is_that_of_its_pairs() -> None:
    alike = score([0.5] * 100)
    spread = score([0.0, 1.0] * 50)
    assert alike.mean == spread.mean == 0.5
    assert spread.high - spread.low == pytest.approx(4 * 0.98 / 20, abs=0.01)
    assert alike.high - alike.low < spread.high - spread.low
    assert score([1.0] * 4).high == 1.0 > score([1.0] * 4).low


@pytest.mark.parametrize(("lead", "answer"), [(0.0, False), (60.0, True)])
def test_a_sequential_test_decides_and_is_mostly_right(lead: float, answer: bool) -> None:
    right = 0
    for seed in range(40):
        scores = [pair.score for pair in played(seed, 1_500, {"a": lead, "b": 0.0})]
        for count in range(20, len(scores), 20):
            found = verdict(log_likelihood_ratio(scores[:count], 0, 60))
            if found is not None:
                right += found is answer
                break
    assert right >= 35
