"""Tests of the Off the Rails oracle by play, of its planted faults and of its coverage."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import islice

import pytest

from .chance import Draws, DrawsDiffer
from .chance_driver import AsEngine, begin_alone, compare_game, compare_games, walk_alone
from .common import Event, Refused
from .coverage import Step
from .driver import Difference
from .off_the_rails import RULES, Rules, numbered
from .off_the_rails_actions import LARGER, LEFT_HANDS, Action, action_text, number_of, planes
from .off_the_rails_aim import CELLS, EVERY_CELL, UNREACHABLE
from .off_the_rails_board import (
    BOX,
    CROSS,
    SIMPLE,
    counts,
    mine_square,
    place_text,
    surface,
    underground,
)
from .off_the_rails_cover import EXPECTED, off_the_rails_coverage
from .off_the_rails_faults import HUNTS
from .off_the_rails_read import read_position
from .off_the_rails_scene import last_table
from .off_the_rails_state import CHASM, NUMBERS, Options, State, is_centre, is_underground
from .off_the_rails_suite import KINDS, ROUND, suite


def steps(seed: int, games: int, kinds: tuple[str, ...] = ROUND) -> Iterator[Step[State]]:
    """Play some games by the oracle alone."""
    rng = random.Random(seed)
    for setup in islice(suite(seed, kinds), games):
        yield from walk_alone(RULES, setup, rng)


@pytest.fixture(scope="module")
def played() -> list[Step[State]]:
    """Give the steps of some games of all kinds."""
    return list(steps(1, 2 * len(ROUND)))


# Conservation


def jewels_of(state: State) -> tuple[int, ...]:
    """Count all jewels, wherever they are."""
    every = [*state.bag, *state.removed]
    for lying in state.deposits.values():
        every += lying
    for seat in state.seats:
        every += seat.stock
        for cart in seat.carts:
            every += cart.hold
    return counts(tuple(every))


def test_no_jewel_is_lost_or_made(played: list[Step[State]]) -> None:
    for step in played:
        assert jewels_of(step.after) == BOX
        assert sum(BOX) == 66


def cards_of(state: State) -> int:
    """Count the deposit cards: turned, in the decks, and those of no deck that can come up."""
    turned = sum(len(NUMBERS) - len(unseen) for unseen in state.unseen)
    in_decks = sum(colour != CHASM for deck in state.decks for colour in deck)
    return turned + in_decks + (0 if state.open else 4) + 4 * ((25 - state.options.cards) // 4)


def test_no_card_is_lost_or_made(played: list[Step[State]]) -> None:
    for step in played:
        assert cards_of(step.after) == 32
        in_decks = sum(deck.count(CHASM) for deck in step.after.decks)
        assert in_decks + (step.after.opener is not None) == 1


def test_no_token_is_lost_or_made(played: list[Step[State]]) -> None:
    for state in (step.after for step in played):
        held = 1 if state.colour is not None else 0
        kept = 0 if state.open else 4
        every = Counter((*state.tokens.values(), *state.left_tokens, *state.put_out))
        assert every.total() + kept + held == 20
        for colour in range(4):
            drawn = int(state.colour == colour)
            assert every[colour] + drawn + (not state.open) == 5


# What is always so


def test_carts_stand_alone_on_track_and_face_an_exit(played: list[Step[State]]) -> None:
    for state in (step.after for step in played):
        places = [cart.place for _, cart in state.carts()]
        assert len(places) == len(set(places))
        for spot, cart in state.carts():
            assert cart.place is not None
            open_ended = state.step in ("take", "face") and spot == state.active
            assert (cart.facing is None) == open_ended
            assert open_ended or (cart.facing or "?") in RULES.exits(state, cart.place)
            if not is_underground(state, cart.place):
                assert spot[0] == state.seat
                assert not cart.hold


def test_nothing_lies_under_a_token_or_on_a_centre(played: list[Step[State]]) -> None:
    for state in (step.after for step in played):
        assert not state.tokens.keys() & (state.tracks.keys() | state.deposits.keys())
        assert not any(is_centre(state, place) for place in (*state.tracks, *state.deposits))
        assert all(len(cart.hold) <= 5 for seat in state.seats for cart in seat.carts)


def test_only_what_has_several_answers_is_asked(played: list[Step[State]]) -> None:
    for step in played:
        answers = RULES.legal(step.before)
        assert len(answers) > 1 or step.before.step == "actions"
        assert RULES.default_action(step.before) in answers


def test_nothing_is_noted_without_missions(played: list[Step[State]]) -> None:
    for state in (step.after for step in played):
        assert state.options.missions or not (state.feats or state.banked)
        assert state.step not in ("actions", "first", "token") or not state.feats


def test_the_events_tell_all_that_happens_on_the_table(played: list[Step[State]]) -> None:
    for step in played:
        told = RULES.position(last_table(step)).split(" ")
        after = RULES.position(step.after).split(" ")
        assert told[4:12] == after[4:12]


def test_unreachable_collisions_never_occur(played: list[Step[State]]) -> None:
    assert len(EVERY_CELL) == 192
    assert (len(CELLS), len(UNREACHABLE)) == (160, 32)
    coverage = off_the_rails_coverage()
    for step in played:
        coverage.note(step)
    assert not {cell.name for cell in UNREACHABLE} & set(coverage.counts)
    assert set(coverage.counts) <= set(EXPECTED)


def test_every_match_ends(played: list[Step[State]]) -> None:
    rng = random.Random(4)
    for setup in islice(suite(4, ("quick",)), 12):
        *_, last = walk_alone(RULES, setup, rng)
        result = RULES.outcome(last.after)
        assert result is not None
        returns = RULES.returns(last.after)
        assert returns is not None and sum(returns) == 0


# Squares and the index


@pytest.mark.parametrize(("board", "size"), [("COMPACT", 836), ("AISLE", 1041)])
def test_the_index(board: str, size: int) -> None:
    assert sum(planes(board).values()) == size
    squares = underground(board)
    actions = [Action("PLACE_TRACK", place, pair) for pair in SIMPLE for place in squares]
    actions += [Action("UPGRADE", place, new) for new in LARGER for place in squares]
    actions += [Action("PLACE_CART", place) for place in surface(board, "E")]
    for cart in (0, 1):
        actions += [Action("SPEED", number=cart, faster=faster) for faster in (True, False)]
    actions += [Action("END_ACTIONS"), Action("FIRST", number=0), Action("FIRST", number=1)]
    actions += [Action("TAKE", number=kind) for kind in range(5)]
    actions += [Action("TAKE_NOTHING"), *(Action("FACE", exits=exit) for exit in CROSS)]
    actions += [Action("ODD", number=kind) for kind in range(5)]
    actions += [Action("SPLIT", jewels=left) for left in LEFT_HANDS]
    actions += [Action("HAND", number=0), Action("HAND", number=1)]
    actions += [Action("TURN", exits=exit) for exit in CROSS]
    actions += [Action("CLAIM", number=number) for number in range(1, 12)]
    actions += [Action("CLAIM_NONE"), *(Action("TOKEN", place) for place in squares)]
    assert [number_of(board, action) for action in actions] == list(range(size))
    assert len({(action.kind, action_text(board, action)) for action in actions}) == size


def test_the_mines() -> None:
    for board, rows in (
        ("COMPACT", "b7 c7 d7 b6 d6 b5 c5 d5"),
        ("AISLE", "b8 c8 d8 b7 d7 b6 c6 d6"),
    ):
        squares = [place_text(board, mine_square(board, 0, number)) for number in NUMBERS]
        assert squares == rows.split(" ")
        mines = {mine_square(board, colour, number) for colour in range(4) for number in NUMBERS}
        assert len(mines) == 32
        assert mines < set(underground(board))


def test_notations_are_told_apart(played: list[Step[State]]) -> None:
    for step in played:
        texts = [text for _, text, _ in numbered(RULES, step.before)]
        numbers = [number for number, _, _ in numbered(RULES, step.before)]
        assert len(texts) == len(set(texts))
        assert numbers == sorted(set(numbers))


def test_a_position_is_read_as_it_was_written(played: list[Step[State]]) -> None:
    for step in played:
        for state in (step.before, step.after):
            if state.actor is None:
                continue
            text = RULES.position(state)
            again = read_position(state.options, text)
            assert RULES.position(again) == text
            assert RULES.choices(again) == RULES.choices(state)
            assert again.actor == state.actor
            assert RULES.views(again) == RULES.views(state)


def test_a_match_goes_on_from_a_position_as_from_its_state(played: list[Step[State]]) -> None:
    for step in played[::3]:
        again = read_position(step.before.options, RULES.position(step.before))
        rng = random.Random(7)
        after, events = RULES.apply(step.before, step.action, Draws.random(rng))
        rng = random.Random(7)
        same, told = RULES.apply(again, step.action, Draws.random(rng))
        assert (RULES.position(same), told) == (RULES.position(after), events)


# Draws


def test_draws_that_do_not_fit_are_told() -> None:
    with pytest.raises(DrawsDiffer, match="no number left"):
        RULES.start(Options(), Draws.fed([0] * 9))
    with pytest.raises(DrawsDiffer, match="8 of 8"):
        RULES.start(Options(), Draws.fed([8]))


def test_the_first_draws_are_the_cards_with_their_jewels_then_the_missions() -> None:
    draws = Draws(lambda n: 1)
    RULES.start(Options(missions=True), draws)
    sizes = [8, 66, 65, 64, 8, 63, 62, 61, 8, 60, 59, 58, 8, 57, 56, 55]
    assert [draw.n for draw in draws.record] == [*sizes, 11, 10, 9]


def test_a_match_follows_from_its_draws() -> None:
    for setup in islice(suite(6, ("spent", "hit", "walled", "last")), 16):
        rng = random.Random(6)
        state = begin_alone(RULES, setup, rng)
        assert state is not None
        for _ in range(30):
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


@pytest.mark.parametrize(
    "options",
    [Options(seats=1), Options(seats=5), Options(board="ROUND"), Options(deposit_cards=14)],
)
def test_refused_options_are_told(options: Options) -> None:
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
    coverage = off_the_rails_coverage()
    return compare_games(AsEngine(rules), RULES, setups, random.Random(1), coverage)


@pytest.mark.parametrize(
    ("rules", "what"), [(Crashing(), "KeyError"), (Wasteful(), "list of draws")]
)
def test_whatever_an_engine_does_wrong_is_a_difference(rules: Rules, what: str) -> None:
    setup = next(suite(1, ("quick",)))
    rng, coverage = random.Random(1), off_the_rails_coverage()
    difference = compare_game(AsEngine(rules), RULES, setup, rng, coverage)
    assert difference is not None
    assert what in str(difference)


def test_the_oracle_agrees_with_itself() -> None:
    assert played_against(Rules(), ROUND, 25) is None


def test_the_play_is_the_same_for_the_same_seed() -> None:
    first = [(step.action, step.events) for step in steps(8, 12)]
    assert first == [(step.action, step.events) for step in steps(8, 12)]


def test_there_are_faults_enough() -> None:
    assert len({hunt.fault.name for hunt in HUNTS}) == len(HUNTS) >= 100
    assert all(hunt.fault.description and hunt.fault.rule for hunt in HUNTS)
    assert all(kind in KINDS for hunt in HUNTS for kind in hunt.kinds)


def test_names_are_expected_once() -> None:
    assert len(set(EXPECTED)) == len(EXPECTED)
