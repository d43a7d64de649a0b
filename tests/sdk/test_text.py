"""The texts for language models: rules cards, positions, actions and results in words."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from itertools import takewhile

import pytest

from tablestate import text
from tablestate.v1 import game_pb2
from tablestate.v1.eternitium_pb2 import EternitiumCard
from tablestate_service import engine
from tools.sources import ROOT

GAMES = engine.games()
MOST_WORDS = 1200
MOST_DEALS = 20_000
SEED = bytes(32)

by_game = pytest.mark.parametrize("game", GAMES)


def table(game: str, section: str) -> list[list[str]]:
    """The rows of the last table of a section of a game's card, without its head."""
    _, _, after = text.rules_card(game).partition(f"\n## {section}\n")
    lines = [line for line in after.partition("\n## ")[0].splitlines() if line.startswith("|")]
    last = max(number for number, line in enumerate(lines) if line.startswith("|---"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[last + 1 :]]


def examples(game: str) -> Iterator[tuple[str, str]]:
    """The notations of a card's actions, each with the kind it stands under."""
    for written, kind, _ in table(game, "Actions"):
        for notation in re.findall(r"`([^`]+)`", written):
            yield notation, kind


def info(game: str) -> game_pb2.GameInfo:
    return game_pb2.GameInfo.FromString(engine.game_info(game))


def options(game: str) -> game_pb2.GameOptions:
    setup = engine.validate_options(engine.default_options(game))
    return game_pb2.GameOptions.FromString(setup.options)


def choice(notation: str) -> bytes:
    return game_pb2.ActionChoice(notation=notation).SerializeToString()


def played(game: str, plies: int, seed: int) -> Iterator[engine.GameState]:
    """The positions of a random game."""
    chance = random.Random(seed)
    state = engine.GameState.start(engine.default_options(game), SEED).state
    for ply in range(plies):
        yield state
        if state.actor is None:
            return
        notation = chance.choice(state.legal_notations())
        state = state.apply(choice(notation), SEED, ply + 1).state


def legal(state: engine.GameState) -> game_pb2.LegalActions:
    return game_pb2.LegalActions.FromString(state.legal_actions())


def kind_of(game: str, index: int) -> str:
    planes = info(game).action_space.planes
    return next(plane.kind for plane in reversed(planes) if plane.offset <= index)


@by_game
def test_a_card_is_a_page(game: str) -> None:
    words = [word for word in text.rules_card(game).split() if re.search(r"\w", word)]
    assert len(words) <= MOST_WORDS


def test_a_game_without_a_card_is_refused() -> None:
    for name in ("chess", "../cards/offboard", ""):
        with pytest.raises(KeyError):
            text.rules_card(name)


@by_game
def test_a_card_explains_every_kind_of_action(game: str) -> None:
    explained = [kind for _, kind, _ in table(game, "Actions")]
    assert sorted(explained) == sorted(plane.kind for plane in info(game).action_space.planes)


@by_game
def test_the_core_reads_every_example_of_a_card(game: str) -> None:
    for notation, _ in examples(game):
        assert any(reads(game, notation, seed) for seed in range(MOST_DEALS)), notation


def reads(game: str, notation: str, seed: int) -> bool:
    """Whether a notation is a decision, legal or not, for who begins after this deal.

    A set of cards is one only for a hand that holds them.
    """
    start = engine.GameState.start(engine.default_options(game), seed.to_bytes(32)).state
    try:
        return start.check(choice(notation)) == notation
    except engine.CoreError as error:
        return (error.reason, error.action) == ("ILLEGAL_ACTION", notation)


@by_game
def test_examples_of_a_card_are_of_the_kind_they_stand_under(game: str) -> None:
    met = {
        action.notation: kind_of(game, action.index)
        for seed in range(2)
        for state in played(game, 120, seed)
        for action in legal(state).actions
    }
    known = [(notation, kind) for notation, kind in examples(game) if notation in met]
    assert known == [(notation, met[notation]) for notation, _ in known]
    assert len(known) >= 2


@by_game
def test_a_card_lists_the_options_as_the_catalogue_does(game: str) -> None:
    rows = [row[:3] for row in table(game, "Options")]
    assert rows == [
        [f"`{each.name}`", each.default_value, each.values] for each in info(game).options
    ]


@by_game
def test_the_numbers_of_a_card_are_those_of_the_rules(game: str) -> None:
    rules = (ROOT / f"docs/rules/{game}.md").read_text(encoding="utf-8")
    number = re.compile(r"(?<![\w-])-?\d+(?!\w)")
    known = number.findall(rules.replace("\N{MINUS SIGN}", "-"))
    assert set(number.findall(text.rules_card(game))) <= set(known)


def rows_of_rules(game: str, head: str) -> list[list[str]]:
    """The rows of the table of `docs/rules` whose head begins so."""
    rules = (ROOT / f"docs/rules/{game}.md").read_text(encoding="utf-8")
    lines = rules.partition(f"\n| {head}")[2].splitlines()[2:]
    rows = takewhile(lambda line: line.startswith("|"), lines)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_card_of_offboard_has_the_targets_of_the_rules() -> None:
    rows = table("offboard", "Board")
    values = info("offboard").default_options.offboard.target_values
    assert [row[:2] for row in rows] == [[str(n), str(value)] for n, value in enumerate(values)]


def test_the_card_of_eternitium_has_the_technologies_of_the_rules() -> None:
    ours = [[title, kind, copies] for _, title, kind, copies, _ in table("eternitium", "Cards")]
    theirs = [row[:3] for row in rows_of_rules("eternitium", "kind | type | copies")]
    assert ours == [[cell.replace("†", "") for cell in row] for row in theirs]


@by_game
def test_what_is_told_of_actions_names_each_of_them(game: str) -> None:
    for state in played(game, 60, seed=1):
        told = text.describe_actions(legal(state))
        for line in told.splitlines()[1:]:
            assert line.count(": ") >= 1
        assert spelt_out(told) == sorted(state.legal_notations())


def spelt_out(told: str) -> list[str]:
    """The notations that a list of actions stands for."""
    notations: list[str] = []
    for line in told.splitlines()[1:]:
        endings, where, stems = line.partition(", where _ is one of: ")
        if where:
            ends = [each[1:] for each in re.findall(r"(?<= )_\S+", endings)]
            notations += [stem + end for stem in stems.split() for end in ends]
        else:
            notations += line.rpartition(": ")[2].split()
    return sorted(notations)


def test_many_actions_take_little_room() -> None:
    state = engine.GameState.start(engine.default_options("off_the_rails"), SEED).state
    told = text.describe_actions(legal(state))
    assert told.startswith("369 legal actions:\n")
    assert len(told) < 500


def test_no_actions_are_told_too() -> None:
    assert text.describe_actions(game_pb2.LegalActions()).startswith("No legal actions")


@by_game
def test_a_text_says_who_one_is_and_what_is_to_be_decided(game: str) -> None:
    for state in played(game, 20, seed=2):
        view = game_pb2.GameView.FromString(state.view(state.actor))
        told = text.describe(view, options(game), state.actor)
        assert f"seat {state.actor}" in told.splitlines()[0]
        assert "\x1b" not in told


def test_a_spectator_is_told_that_it_looks_on() -> None:
    state = engine.GameState.start(engine.default_options("offtrack"), SEED).state
    view = game_pb2.GameView.FromString(state.view(None))
    told = text.describe(view, options("offtrack"), None)
    assert told.startswith("You look on. Options: seats=2, scoring=HIGH, decks=1")
    assert "Your hand" not in told


def test_options_are_told_as_they_are_chosen() -> None:
    chosen = game_pb2.GameOptions()
    chosen.eternitium.technology_copies.add(card=EternitiumCard.ETERNITIUM_CARD_VEIL, copies=3)
    assert text.describe_options(chosen) == "technology_copies=VEIL:3"


def test_events_are_told_one_a_line() -> None:
    step = engine.GameState.start(engine.default_options("offtrack"), SEED)
    events = [game_pb2.GameEvent.FromString(each) for each in step.events(0)]
    told = text.describe_events(events, options("offtrack")).splitlines()
    assert told[0].startswith("round 1 begins")
    assert re.fullmatch(r"north is dealt 5 cards \(.+\)", told[1])
    assert told[2] == "east is dealt 5 cards"


def test_a_result_is_told_in_a_line() -> None:
    outcome = game_pb2.Outcome(
        winners=[1],
        scores=[2, 6],
        reason=game_pb2.OutcomeReason.OUTCOME_REASON_OFFBOARD_POINTS,
    )
    told = text.describe_outcome("offboard", outcome)
    assert told == "Result: yellow (seat 1) wins, 2:6: the points to win are reached"
