"""Leaks planted on purpose in the service are each caught by name, by whole-game twins."""

from pathlib import Path

import pytest

from secrecy import service_leaks as leaks
from secrecy.courses import twin_course
from secrecy.off_the_rails_pairs import OffTheRailsPairs
from secrecy.offtrack_pairs import OffTrackPairs
from secrecy.pairs import PairGenerator
from secrecy.service_leaks import Plant
from secrecy.twins import TwinsDifferError, compare

OFF_THE_RAILS = (
    OffTheRailsPairs(),
    [
        (leaks.replays_are_revealed, "GetReplay"),
        (leaks.updates_carry_the_action, "watch"),
        (leaks.actions_are_logged, "log"),
    ],
)
"""An action is a secret."""
OFFTRACK = (
    OffTrackPairs(),
    [
        (leaks.old_views_are_the_actors, "old view"),
        (leaks.views_are_of_the_seat_with_the_number_of_the_version, "GetView"),
        (leaks.watches_are_the_actors, "watch"),
        (leaks.plays_are_the_actors, "Play"),
        (leaks.replays_are_revealed, "GetReplay"),
        (leaks.everybody_gets_the_legal_actions, "SubmitAction"),
        (leaks.answers_are_for_the_next_actor, "SubmitAction"),
        (leaks.views_carry_the_hash_of_the_log, "GetView"),
        (leaks.refusals_count_the_choices, "SubmitAction refused"),
        (leaks.updates_carry_the_draws, "SubmitAction"),
        (leaks.draws_are_logged, "log"),
    ],
)


PLANTED: list[tuple[PairGenerator, Plant, str]] = [
    (generator, *leak) for generator, all_of_it in (OFF_THE_RAILS, OFFTRACK) for leak in all_of_it
]


@pytest.mark.parametrize(
    ("generator", "plant", "surface"), PLANTED, ids=lambda each: getattr(each, "__name__", None)
)
async def test_a_leak_of_the_service_is_caught(
    generator: PairGenerator,
    plant: Plant,
    surface: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The viewer is seat 0 of two, so that its own draws are the same in both twins.
    course = twin_course(generator, 0, 0, seed=11)
    plant(monkeypatch)
    with pytest.raises(TwinsDifferError) as caught:
        await compare(course, tmp_path)
    assert caught.value.surface == surface
