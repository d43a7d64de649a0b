"""Tests of the OffTrack oracle by play, of its planted faults and of the play that finds them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from . import offtrack
from .chance import Draw, Draws, DrawsDiffer
from .chance_driver import AsEngine, compare_game, compare_games, cover_alone, walk_alone
from .common import Event
from .coverage import Step, missing
from .driver import Difference
from .offtrack import RULES, Options, Rules, State
from .offtrack_actions import candidates, number_of, planes
from .offtrack_aim import PLANS
from .offtrack_cards import ACTIONS, Card, all_cards
from .offtrack_cover import EXPECTED, offtrack_coverage
from .offtrack_faults import EQUIVALENT, FAULTS, HUNTS, Hunt
from .offtrack_read import read_position
from .offtrack_suite import BUILT, KINDS, ROUND, from_built, suite


def steps(seed: int, games: int, kinds: tuple[str, ...] = ROUND) -> Iterator[Step[State]]:
    """Play some games by the oracle alone."""
    rng = random.Random(seed)
    for setup in islice(suite(seed, kinds), games):
        yield from walk_alone(RULES, setup, rng)


@pytest.fixture(scope="module")
def played() -> list[Step[State]]:
    """Give the steps of some games of all kinds."""
    return list(steps(1, len(ROUND)))


# The cards and the index


def cards_of(state: State) -> list[Card]:
    """List all characters, wherever they are."""
    piles = [*state.hands, *state.piles, *(line.cards for line in state.lines)]
    return [card for pile in (*piles, state.box, state.deck, state.discards) for card in pile]


def actions_of(state: State) -> Counter[str]:
    """Count all action cards, wherever they are."""
    kept = [letter for letter in (*state.held, state.drawn) if letter is not None]
    return Counter((*state.action_deck, *state.action_discards, *kept))


def test_no_card_is_lost_or_made(played: list[Step[State]]) -> None:
    for step in played:
        state, options = step.after, step.after.options
        assert sorted(cards_of(state)) == list(all_cards(options.eras, options.decks))
        assert actions_of(state) == Counter(ACTIONS * options.action_copies)


def test_marks_stay_where_they_may_be(played: list[Step[State]]) -> None:
    for step in played:
        for number, line in enumerate(step.after.lines):
            assert line.pin is None or line.pin in line.cards
            assert not line.waiting or (number > 0 and len(line.cards) >= 7)
            assert line.waiting or number == 0 or len(line.cards) < 7
            assert not line.flipped or step.after.step in ("A", "C", "E")


def test_the_default_index_has_487_numbers() -> None:
    assert sum(planes(Options()).values()) == 487


def test_index_and_notation_are_one_to_one(played: list[Step[State]]) -> None:
    for step in played:
        state = step.before
        numbers = {number_of(state, action): action.text for action in candidates(state)}
        assert len(numbers) == len(set(numbers.values())) == len(candidates(state))
        assert all(0 <= number < sum(planes(state.options).values()) for number in numbers)
        number = offtrack.index_of(state, step.action)
        assert offtrack.notation_of(state, number) == step.action


def test_the_legal_actions_rise_by_index(played: list[Step[State]]) -> None:
    for step in played:
        numbers = [number for number, _ in RULES.choices(step.before)]
        assert numbers == sorted(set(numbers))
        assert offtrack.default_action(step.before) in offtrack.legal_actions(step.before)


def test_unknown_texts_and_numbers_have_no_index() -> None:
    state, _ = offtrack.start(Options(), Draws.random(random.Random(1)))
    with pytest.raises(ValueError, match="not a decision"):
        offtrack.index_of(state, "D")
    with pytest.raises(ValueError, match="no decision"):
        offtrack.notation_of(state, 486)


def test_positions_round_trip(played: list[Step[State]]) -> None:
    for step in played[::5]:
        text = offtrack.position(step.after)
        again = read_position(step.after.options, text)
        assert offtrack.position(again) == text
        assert offtrack.legal_actions(again) == offtrack.legal_actions(step.after)


def test_malformed_positions_are_refused() -> None:
    state, _ = offtrack.start(Options(), Draws.random(random.Random(1)))
    text = offtrack.position(state)
    lines = text.split(" ")[2]
    for bad in (text + " -", text.replace(lines, lines + "x"), text.replace(lines, lines * 2)):
        with pytest.raises(ValueError, match=r"fields|malformed|too many"):
            read_position(Options(), bad)


# Chance


def test_the_deal_draws_prime_then_the_hands() -> None:
    draws = Draws(lambda n: 0)
    state, events = offtrack.start(Options(seats=3), draws)
    assert draws.record == [Draw(54 - drawn, 0) for drawn in range(19)]
    assert events[0] == ("ROUND_STARTED", 1, 0, "a0a1a2a3")
    assert events[1:4] == [
        ("DEALT", 0, 5, "a4a5a6a7a8"),
        ("DEALT", 1, 5, "b0b1b2b3b4"),
        ("DEALT", 2, 5, "b5b6b7b8c0"),
    ]
    assert events[4:] == [("TURN_STARTED", 0)]
    assert offtrack.position(state).split(" ")[:2] == ["1", "0C"]


def test_draws_that_do_not_fit_are_told() -> None:
    with pytest.raises(DrawsDiffer, match="no number left"):
        offtrack.start(Options(), Draws.fed([0] * 13))
    with pytest.raises(DrawsDiffer, match="53 of 53"):
        offtrack.start(Options(), Draws.fed([0, 53]))


def test_a_match_follows_from_its_draws() -> None:
    rng = random.Random(6)
    setup = next(suite(6, ("medium",)))
    state, events = offtrack.start(setup.options, Draws.random(rng))
    for _ in range(100):
        if state.actor is None:
            break
        action = setup.policy.choose(state, offtrack.legal_actions(state), rng)
        draws = Draws.random(rng)
        after, events = offtrack.apply(state, action, draws)
        fed = Draws.fed(value for _, value in draws.record)
        again, same = offtrack.apply(state, action, fed)
        assert (offtrack.position(again), same) == (offtrack.position(after), events)
        assert fed.record == draws.record
        state = after


def test_a_step_draws_what_is_refilled_and_drawn() -> None:
    for setup in islice(suite(7, ("tiny", "medium")), 6):
        rng = random.Random(7)
        state, _ = offtrack.start(setup.options, Draws.random(rng))
        while state.actor is not None:
            action = setup.policy.choose(state, offtrack.legal_actions(state), rng)
            draws = Draws.random(rng)
            state, events = offtrack.apply(state, action, draws)
            assert len(draws.record) == sum(map(drawn_by, events))


def drawn_by(event: Event) -> int:
    """Count the draws that an event stands for."""
    if event[0] in ("DEALT", "REFILLED"):
        return int(event[2])
    return {"ROUND_STARTED": 4, "ACTION_DRAWN": 1}.get(str(event[0]), 0)


# The driver, the faults and the coverage


class Crashing(Rules):
    """Rules that crash on the first action."""

    def apply(self, state: State, notation: str, draws: Draws) -> tuple[State, list[Event]]:
        raise KeyError(notation)


class Wasteful(Rules):
    """Rules that draw one number too many at the start."""

    def start(self, options: Options, draws: Draws) -> tuple[State, list[Event]]:
        begun = super().start(options, draws)
        draws.draw(2)
        return begun


def played_against(
    rules: Rules, kinds: tuple[str, ...], games: int, seed: int = 1
) -> Difference | None:
    setups = islice(suite(seed, kinds), games)
    engine = AsEngine(rules)
    return compare_games(engine, RULES, setups, random.Random(seed), offtrack_coverage())


@pytest.mark.parametrize(
    ("rules", "what"), [(Crashing(), "KeyError"), (Wasteful(), "list of draws")]
)
def test_whatever_an_engine_does_wrong_is_a_difference(rules: Rules, what: str) -> None:
    setup = next(suite(1, ("tiny",)))
    difference = compare_game(AsEngine(rules), RULES, setup, random.Random(1), offtrack_coverage())
    assert difference is not None
    assert what in str(difference)


def test_the_oracle_agrees_with_itself() -> None:
    assert played_against(Rules(), ROUND, 8) is None


def test_the_play_is_the_same_for_the_same_seed() -> None:
    first = [(step.action, step.events) for step in steps(8, 6)]
    assert first == [(step.action, step.events) for step in steps(8, 6)]


def test_there_are_faults_enough() -> None:
    faults = [fault for fault, _ in FAULTS]
    assert len({fault.name for fault in faults}) == len(faults) >= 28
    assert all(fault.description and fault.rule for fault in faults)
    assert all(kind in (*KINDS, BUILT) for hunt in HUNTS for kind in hunt.kinds)
    assert not set(EQUIVALENT) & {fault.description for fault in faults}


@pytest.mark.parametrize("hunt", HUNTS, ids=lambda hunt: hunt.fault.name)
def test_each_fault_is_found(hunt: Hunt) -> None:
    assert played_against(hunt.fault.rules, hunt.kinds, 300, hunt.seed) is not None


def test_the_play_covers_the_rules() -> None:
    coverage = offtrack_coverage()
    cover_alone(RULES, suite(2), random.Random(2), coverage, 360)
    assert missing(coverage, 2, 2) == [], coverage.table()


def test_a_position_is_built_for_every_rule_event() -> None:
    assert set(PLANS) == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_positions_built_for_a_rule_event_show_it(name: str) -> None:
    rng = random.Random(f"built for {name}")
    assert any(name in shown_by(name, rng) for _ in range(80))


def shown_by(name: str, rng: random.Random) -> list[str]:
    """Name the rule events of a game that goes on from a position built for one of them."""
    seen = Counter({other: int(other != name) for other in EXPECTED})
    coverage = offtrack_coverage()
    for step in walk_alone(RULES, from_built(PLANS[name], seen, rng), rng):
        coverage.note(step)
    return list(coverage.counts)
