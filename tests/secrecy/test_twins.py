"""Whole-game twins: through the service, a viewer gets the same bytes of either of two matches."""

from collections import Counter
from pathlib import Path

import pytest

from secrecy.courses import twin_course
from secrecy.games import GENERATORS
from secrecy.pairs import PairGenerator, Viewer
from secrecy.twins import compare

VIEWED = [(0, None), (0, 0), (0, 1), (1, None), (1, 1), (2, 3), (27, 0)]
"""Games by number, and who looks on: two, three and four seats, and two rounds."""


@pytest.mark.parametrize(("number", "viewer"), VIEWED)
@pytest.mark.parametrize(
    "generator", [each for each in GENERATORS if each.hidden], ids=lambda each: each.game
)
async def test_a_viewer_cannot_tell_a_match_from_its_twin(
    generator: PairGenerator, number: int, viewer: Viewer, tmp_path: Path
) -> None:
    course = twin_course(generator, number, viewer, seed=11)
    compared = await compare(course, tmp_path)
    steps = course.steps
    print(f"\n{steps} steps, different in {dict(course.differing)}; compared {dict(compared)}")
    assert compared["live watch"] == compared["watch"] == steps + course.seats + 2
    assert compared["GetReplay"] == compared["watch"] + 1
    assert compared["old view"] == compared["watch"]
    assert compared["SubmitAction refused"] == steps + 1
    assert compared["log"] > steps


@pytest.mark.parametrize(
    "generator", [each for each in GENERATORS if each.hidden], ids=lambda each: each.game
)
def test_twin_courses_differ_in_every_lasting_component(generator: PairGenerator) -> None:
    differing = Counter[str]()
    for number, viewer in VIEWED:
        course = twin_course(generator, number, viewer, seed=11)
        assert course.differing["any"], (number, viewer)
        differing += course.differing
    assert [name for name in generator.lasting if not differing[name]] == []
