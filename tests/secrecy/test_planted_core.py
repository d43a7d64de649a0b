"""Leaks planted on purpose in the core are each caught by name, by position pairs."""

import pytest

from secrecy import core_leaks
from secrecy.battery import Battery, LeakError
from secrecy.games import GENERATORS
from secrecy.off_the_rails_pairs import OffTheRailsPairs
from secrecy.offtrack_pairs import OffTrackPairs
from secrecy.pairs import PairGenerator
from secrecy.proxies import MakeState
from tablestate_service import engine

GAMES = 100

OFF_THE_RAILS: list[tuple[MakeState, str]] = [
    (core_leaks.SplitInView, "view"),
    (core_leaks.SplitInObservation, "observation"),
    (core_leaks.BetterHand, "default action"),
    (core_leaks.BotSeesTheSplit, "bot"),
    (core_leaks.SplitInEvents, "events"),
]
OFFTRACK: list[tuple[MakeState, str]] = [
    (core_leaks.HandInView, "view"),
    (core_leaks.SpectatorSeesHands, "view"),
    (core_leaks.DrawnActionInView, "view"),
    (core_leaks.HeldActionInView, "view"),
    (core_leaks.DeckOrdersPiles, "view"),
    (core_leaks.SizeOfView, "view"),
    (core_leaks.HashInView, "view"),
    (core_leaks.ObservationOfTheTruth, "observation"),
    (core_leaks.ScoresOfHands, "outcome"),
    (core_leaks.MaskOfTheDeck, "legal_actions"),
    (core_leaks.ErrorNamesTheOwner, "error"),
    (core_leaks.BotSeesTheTruth, "bot"),
    (core_leaks.DefaultActionSeesTheDeck, "default action"),
    (core_leaks.EventsOfSeat0, "events"),
    (core_leaks.DrawsShown, "events"),
]


PLANTED: list[tuple[PairGenerator, MakeState, str]] = [
    *((OffTheRailsPairs(), *leak) for leak in OFF_THE_RAILS),
    *((OffTrackPairs(), *leak) for leak in OFFTRACK),
]


@pytest.mark.parametrize(
    ("generator", "plant", "surface"), PLANTED, ids=lambda each: getattr(each, "__name__", None)
)
def test_a_leak_of_the_core_is_caught(
    generator: PairGenerator, plant: MakeState, surface: str
) -> None:
    battery = Battery(generator, 7, lambda data: plant(engine.GameState.load(data)))
    with pytest.raises(LeakError) as caught:
        battery.play_all(GAMES)
    assert caught.value.surface == surface


@pytest.mark.parametrize(
    "generator", [each for each in GENERATORS if each.hidden], ids=lambda each: each.game
)
def test_a_search_that_peeks_is_caught(generator: PairGenerator) -> None:
    battery = Battery(generator, 7, search=core_leaks.search_that_peeks)
    with pytest.raises(LeakError) as caught:
        battery.play_all(GAMES)
    assert caught.value.surface == "search"


@pytest.mark.parametrize(
    "generator", [each for each in GENERATORS if each.hidden], ids=lambda each: each.game
)
def test_a_tree_for_an_evaluator_that_peeks_is_caught(generator: PairGenerator) -> None:
    battery = Battery(generator, 7, grow=core_leaks.tree_that_peeks)
    with pytest.raises(LeakError) as caught:
        battery.play_all(GAMES)
    assert caught.value.surface in {"evaluator leaves", "evaluator report"}
