"""Tests of the Eternitium oracle by play, of its planted faults and of the play that finds them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from .chance import Draw, Draws, DrawsDiffer
from .chance_driver import AsEngine, begin_alone, compare_game, compare_games, walk_alone
from .common import Event, Refused
from .coverage import Step
from .driver import Difference
from .eternitium import RULES, Rules
from .eternitium_actions import candidates, number_of, planes
from .eternitium_cards import ADVANCED, BASICS, ERAS, SYMBOLS
from .eternitium_cover import EXPECTED, eternitium_coverage
from .eternitium_faults import HUNTS
from .eternitium_read import read_position
from .eternitium_state import Options, State
from .eternitium_suite import KINDS, ROUND, suite


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


def eras_of(state: State) -> Counter[str]:
    """Count all Eras, wherever they are."""
    stacks = [card for seat in state.seats for card in seat.eras.cards]
    shown = [era for era in state.visible if era is not None]
    return Counter((*stacks, *shown, *state.gone, *state.era_pile.cards))


def cards_of(state: State) -> Counter[str]:
    """Count all Portals and technologies, wherever they are."""
    owned = [card for seat in state.seats for card in (*seat.owned, *seat.removed)]
    rows = [card for card in (*state.basic_row, *state.advanced_row) if card is not None]
    decks = (*state.basic_deck.cards, *state.advanced_deck.cards)
    return Counter((*owned, *rows, *decks, *state.supply))


def box_of(options: Options) -> Counter[str]:
    """Count what there is of each kind."""
    box = Counter({kind: options.copies(kind) for kind in (*BASICS, *ADVANCED)})
    portals = Counter(dict.fromkeys(SYMBOLS, 3 * options.seats))
    return +(box + portals + Counter(droid=options.seats))


def test_no_card_is_lost_or_made(played: list[Step[State]]) -> None:
    for step in played:
        assert eras_of(step.after) == Counter(dict.fromkeys(SYMBOLS, ERAS))
        assert cards_of(step.after) == box_of(step.after.options)


def test_a_seat_owns_at_least_six_cards(played: list[Step[State]]) -> None:
    for step in played:
        if step.after.step != "basic":
            assert all(len(seat.owned) >= 6 for seat in step.after.seats)


def test_rows_show_no_kind_twice_and_are_as_full_as_can_be(played: list[Step[State]]) -> None:
    for state in (step.after for step in played):
        rows = ((state.basic_row, state.basic_deck), (state.advanced_row, state.advanced_deck))
        for row, deck in rows:
            kinds = [kind for kind in row if kind is not None]
            assert len(kinds) == len(set(kinds))
            assert None not in row or set(deck.cards) <= set(kinds)
        assert None not in state.visible or not state.era_pile.size


def test_only_the_actors_play_area_holds_cards(played: list[Step[State]]) -> None:
    for state in (step.after for step in played):
        assert all(not seat.area for seat in state.seats if seat is not state.own)
        assert state.step in ("play", "scan") or not state.own.area
        assert state.step in ("basic", "technology") or not state.own.deck.top


def test_the_index_has_104_numbers_and_three_more_a_seat() -> None:
    sizes = [sum(planes(Options(seats=seats)).values()) for seats in (2, 3, 4, 5)]
    assert sizes == [104, 107, 110, 113]


def test_index_and_notation_are_one_to_one(played: list[Step[State]]) -> None:
    for step in played:
        state = step.before
        numbers = {number_of(state, action): action.text for action in candidates(state)}
        assert len(numbers) == len(set(numbers.values())) == len(candidates(state))
        assert all(0 <= number < sum(planes(state.options).values()) for number in numbers)


def test_the_default_action_is_legal_and_legal_actions_rise(played: list[Step[State]]) -> None:
    for step in played:
        numbers = [number for number, _ in RULES.choices(step.before)]
        assert numbers == sorted(set(numbers))
        assert RULES.default_action(step.before) in RULES.legal(step.before)


def test_positions_round_trip(played: list[Step[State]]) -> None:
    for step in played[::3]:
        text = RULES.position(step.after)
        again = read_position(step.after.options, text)
        assert RULES.position(again) == text
        assert RULES.legal(again) == RULES.legal(step.after)


def test_malformed_positions_are_refused() -> None:
    state, _ = RULES.start(Options(), Draws.random(random.Random(1)))
    text = RULES.position(state)
    for bad in (text + " -", text.replace("(", "", 1)):
        with pytest.raises(ValueError, match=r"fields|malformed"):
            read_position(Options(), bad)


# Chance


def test_the_deal_draws_stacks_tops_visible_eras_and_rows() -> None:
    draws = Draws(lambda n: 0)
    state, events = RULES.start(Options(seats=3, eras_per_seat=4), draws)
    sizes = [draw.n for draw in draws.record]
    assert sizes[:12] == list(range(60, 48, -1))
    assert sizes[12:17] == [4, 4, 4, 48, 47]
    assert sizes[17] == 24
    assert [event[0] for event in events[:8]] == ["ERAS_DEALT"] * 3 + ["ERA_TURNED"] * 3 + [
        "VISIBLE_ERA"
    ] * 2
    assert state.basic_row == BASICS[:3]
    under = [event for event in events if event[0] == "TECHNOLOGY_UNDER"]
    assert len(sizes) == 17 + 6 + len(under)


def test_draws_that_do_not_fit_are_told() -> None:
    with pytest.raises(DrawsDiffer, match="no number left"):
        RULES.start(Options(), Draws.fed([0] * 13))
    with pytest.raises(DrawsDiffer, match="59 of 59"):
        RULES.start(Options(), Draws.fed([0, 59]))


def test_a_match_follows_from_its_draws() -> None:
    for setup in islice(suite(6, ("late", "aim", "spent")), 12):
        rng = random.Random(6)
        state = begin_alone(RULES, setup, rng)
        assert state is not None
        for _ in range(60):
            if state.actor is None:
                break
            action = setup.policy.choose(state, RULES.legal(state), rng)
            draws = Draws.random(rng)
            after, events = RULES.apply(state, action, draws)
            fed = Draws.fed(value for _, value in draws.record)
            again, same = RULES.apply(state, action, fed)
            assert (RULES.position(again), same) == (RULES.position(after), events)
            assert fed.record == draws.record
            state = after


def test_refused_options_are_told() -> None:
    for options in (Options(seats=1), Options(eras_per_seat=12), Options(max_rounds=4)):
        with pytest.raises(Refused):
            RULES.start(options, Draws.fed([]))


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


def played_against(rules: Rules, kinds: tuple[str, ...], games: int) -> Difference | None:
    """Compare faulty rules, standing in for an engine, with the clean ones."""
    setups = islice(suite(1, kinds), games)
    return compare_games(AsEngine(rules), RULES, setups, random.Random(1), eternitium_coverage())


@pytest.mark.parametrize(
    ("rules", "what"), [(Crashing(), "KeyError"), (Wasteful(), "list of draws")]
)
def test_whatever_an_engine_does_wrong_is_a_difference(rules: Rules, what: str) -> None:
    setup = next(suite(1, ("tiny",)))
    rng, coverage = random.Random(1), eternitium_coverage()
    difference = compare_game(AsEngine(rules), RULES, setup, rng, coverage)
    assert difference is not None
    assert what in str(difference)


def test_the_oracle_agrees_with_itself() -> None:
    assert played_against(Rules(), ROUND, 20) is None


def test_the_play_is_the_same_for_the_same_seed() -> None:
    first = [(step.action, step.events) for step in steps(8, 12)]
    assert first == [(step.action, step.events) for step in steps(8, 12)]


def test_there_are_faults_enough() -> None:
    assert len({hunt.fault.name for hunt in HUNTS}) == len(HUNTS) >= 60
    assert all(hunt.fault.description and hunt.fault.rule for hunt in HUNTS)
    assert all(kind in KINDS for hunt in HUNTS for kind in hunt.kinds)


def test_names_are_expected_once() -> None:
    assert len(set(EXPECTED)) == len(EXPECTED)


def test_every_name_that_is_counted_is_expected(played: list[Step[State]]) -> None:
    coverage = eternitium_coverage()
    for step in played:
        coverage.note(step)
    assert set(coverage.counts) <= set(EXPECTED)


def test_draws_are_recorded_with_their_sizes() -> None:
    state = read_position(
        Options(eras_per_seat=3),
        "2 0Y --p5 (cs)/(td) - -- - 0,0,0,0 --- () --- () D/D c/c -/- D -/- --",
    )
    draws = Draws(lambda n: n - 1)
    RULES.apply(state, "D", draws)
    assert draws.record == [Draw(2, 1)]


def count(state: State, depth: int, draws: Draws) -> int:
    """Count the sequences of decisions of a length, following one line of draws."""
    legal = RULES.legal(state)
    if depth == 1:
        return len(legal)
    return sum(count(RULES.apply(state, action, draws)[0], depth - 1, draws) for action in legal)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_basic_from_four_places_each_then_one_of_four_portals(seats: int) -> None:
    draws = Draws.random(random.Random(seats))
    state, _ = RULES.start(Options(seats=seats), draws)
    counts = [count(state, depth, draws) for depth in range(1, seats + 2)]
    assert counts == [4**depth for depth in range(1, seats + 2)]
