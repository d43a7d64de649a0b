"""The recorded games are played today as they were written down."""

import pytest

from tablestate.v1.offtrack_pb2 import OffTrackEventKind
from tools.playthrough import playthrough
from tools.scenarios import DATA, Scenario, record, scenarios

FOLDER = DATA / "playthroughs"


def title(scenario: Scenario) -> str:
    return scenario.title


@pytest.mark.parametrize("scenario", scenarios(), ids=title)
def test_a_game_is_played_as_it_was_written_down(scenario: Scenario) -> None:
    written = (FOLDER / f"{scenario.title}.txt").read_text(encoding="utf-8")
    assert playthrough(record(scenario)) == written


def test_every_playthrough_belongs_to_a_scenario() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {
        scenario.title for scenario in scenarios()
    }


@pytest.mark.parametrize(
    "reason", ["POINTS", "REPETITION", "QUIET_LIMIT", "OUT_OF_REACH", "NO_MOVE"]
)
def test_every_end_of_offboard_is_among_them(reason: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("offboard-*.txt")]
    assert any(f'"OUTCOME_REASON_OFFBOARD_{reason}"' in text for text in texts)


@pytest.mark.parametrize("event", OffTrackEventKind.keys()[1:])
def test_every_event_of_offtrack_is_among_them(event: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("offtrack-*.txt")]
    assert any(f'{{"offtrack": {{"kind": "{event}"' in text for text in texts)


@pytest.mark.parametrize("event", ["moved", "ejected", "placed", "declined"])
def test_every_event_of_offboard_is_among_them(event: str) -> None:
    texts = [path.read_text(encoding="utf-8") for path in FOLDER.glob("offboard-*.txt")]
    assert any(f'{{"offboard": {{"{event}": ' in text for text in texts)
