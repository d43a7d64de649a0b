"""The vectors hold, read as their README says and with nothing else known."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from oracle import eternitium, off_the_rails, offboard, offtrack
from oracle.chance import Draws
from oracle.eternitium_load import read_options
from oracle.off_the_rails_load import read_options as read_off_the_rails
from tablestate.v1.game_pb2 import (
    ActionChoice,
    GameEvent,
    GameOptions,
    GameView,
    LegalAction,
    LegalActions,
    Outcome,
    OutcomeReason,
)
from tablestate.v1.offtrack_pb2 import OffTrackScoring
from tablestate_service import engine
from tablestate_service.domain import fairness
from tools.scenarios import DATA, Scenario, record, scenarios
from tools.vectors import FORMAT, vectors

FOLDER = DATA / "vectors"
FILES = sorted(FOLDER.glob("*.json"))
LARGEST_BYTES = 300_000

Json = dict[str, Any]
M = TypeVar("M", bound=Message)


def title(scenario: Scenario) -> str:
    return scenario.title


def stem(path: Path) -> str:
    return path.stem


def parsed(message: M, data: Json) -> M:
    return json_format.ParseDict(data, message)


def load(path: Path) -> Json:
    loaded: Json = json.loads(path.read_text(encoding="utf-8"))
    return loaded


@pytest.mark.parametrize("scenario", scenarios(), ids=title)
def test_the_vectors_are_what_is_written_today(scenario: Scenario) -> None:
    written = (FOLDER / f"{scenario.title}.json").read_text(encoding="utf-8")
    assert vectors(record(scenario)) == written


def test_every_file_belongs_to_a_scenario() -> None:
    assert {path.stem for path in FILES} == {scenario.title for scenario in scenarios()}


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_no_file_is_too_large_to_be_read(path: Path) -> None:
    assert path.stat().st_size < LARGEST_BYTES


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_the_head_of_a_file_is_as_documented(path: Path) -> None:
    file = load(path)
    setup = engine.validate_options(options_of(file))
    secret, entropy = bytes.fromhex(file["secret"]), [b""] * file["seats"]
    assert file["format"] == FORMAT
    assert (setup.game, setup.seats) == (file["game"], file["seats"])
    assert setup.rules_version == file["rules_version"]
    complete = parsed(GameOptions(), file["complete_options"])
    assert GameOptions.FromString(setup.options) == complete
    assert fairness.commitment(file["match_id"], secret).hex() == file["commitment"]
    assert fairness.seed(file["match_id"], secret, entropy).hex() == file["seed"]


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_a_game_played_from_its_seed_shows_what_the_file_says(path: Path) -> None:
    file = load(path)
    for step, expected in zip(played(file), file["steps"], strict=True):
        assert step.draws == expected["draws"]
        check_events(step, expected, file["seats"])
        check_state(step.state, expected, file["seats"])
    assert Outcome.FromString(step.state.outcome() or b"") == parsed(Outcome(), file["outcome"])


@pytest.mark.parametrize("path", FILES, ids=stem)
def test_a_game_replayed_from_its_draws_shows_what_the_file_says(path: Path) -> None:
    file = load(path)
    start, *steps = file["steps"]
    step = engine.GameState.replay_start(options_of(file), start["draws"])
    for expected in steps:
        step = step.state.replay(expected["action"]["notation"], expected["draws"])
        check_events(step, expected, file["seats"])
        check_state(engine.GameState.load(step.state.dump()), expected, file["seats"])


def options_of(file: Json) -> bytes:
    return parsed(GameOptions(), file["options"]).SerializeToString()


def played(file: Json) -> Iterator[engine.Step]:
    """Each action by another of its three names in turn."""
    seed = bytes.fromhex(file["seed"])
    step = engine.GameState.start(options_of(file), seed)
    yield step
    for expected in file["steps"][1:]:
        action = parsed(LegalAction(), expected["action"])
        assert step.state.actor == expected["seat"]
        assert action in LegalActions.FromString(step.state.legal_actions()).actions
        names = (
            ActionChoice(notation=action.notation),
            ActionChoice(index=action.index),
            ActionChoice(action=action.action),
        )
        choice = names[expected["ply"] % 3].SerializeToString()
        step = step.state.apply(choice, seed, expected["ply"])
        yield step


def shown(items: list[Json], name: str, seats: int) -> dict[int | None, Any]:
    """What each viewer is shown; None is the spectator."""
    pairs = [(viewer, item[name]) for item in items for viewer in item["viewers"]]
    by_viewer = {None if viewer == "spectator" else viewer: what for viewer, what in pairs}
    assert len(pairs) == len(by_viewer)
    assert by_viewer.keys() == {*range(seats), None}
    return by_viewer


def check_events(step: engine.Step, expected: Json, seats: int) -> None:
    for viewer, events in shown(expected["events"], "events", seats).items():
        told = [GameEvent.FromString(event) for event in step.events(viewer)]
        assert told == [parsed(GameEvent(), event) for event in events]


def check_state(state: engine.GameState, expected: Json, seats: int) -> None:
    assert ([] if state.actor is None else [state.actor]) == expected["actors"]
    assert state.position == expected["position"]
    assert f"{state.hash:016x}" == expected["hash"]
    assert state.legal_mask().hex() == expected["legal_mask"]
    for viewer, view in shown(expected["views"], "view", seats).items():
        assert GameView.FromString(state.view(viewer)) == parsed(GameView(), view)
    for viewer, digest in shown(expected["observations"], "sha256", seats).items():
        assert hashlib.sha256(state.observation(viewer)).hexdigest() == digest


@pytest.mark.parametrize("path", sorted(FOLDER.glob("offboard-*.json")), ids=stem)
def test_the_oracle_of_offboard_plays_the_same_games(path: Path) -> None:
    file = load(path)
    given = parsed(GameOptions(), file["complete_options"]).offboard
    state = offboard.start(
        offboard.Options(
            given.points_to_win, given.quiet_limit, given.position, tuple(given.target_values)
        )
    )
    for step in file["steps"]:
        if step["ply"]:
            state, _ = offboard.apply(state, step["action"]["notation"])
        legal = sum(1 << offboard.index_of(action) for action in offboard.legal_actions(state))
        assert offboard.position(state) == step["position"]
        assert ([] if state.actor is None else [state.actor]) == step["actors"]
        assert int.from_bytes(bytes.fromhex(step["legal_mask"]), "little") == legal
    outcome, expected = offboard.outcome(state), parsed(Outcome(), file["outcome"])
    assert outcome is not None
    assert OutcomeReason.Name(expected.reason) == f"OUTCOME_REASON_OFFBOARD_{outcome.reason}"
    assert (outcome.winners, outcome.scores) == (tuple(expected.winners), tuple(expected.scores))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("offtrack-*.json")), ids=stem)
def test_the_oracle_of_offtrack_plays_the_same_games(path: Path) -> None:
    file = load(path)
    given = parsed(GameOptions(), file["complete_options"]).offtrack
    options = offtrack.Options(
        given.seats,
        OffTrackScoring.Name(given.scoring).rpartition("_")[2],
        given.decks,
        given.max_branches,
        given.every_turn,
        given.eras,
        given.action_copies,
        given.rounds,
    )
    state, _ = offtrack.start(options, Draws.fed(file["steps"][0]["draws"]))
    for step in file["steps"]:
        if step["ply"]:
            draws = Draws.fed(step["draws"])
            state, _ = offtrack.apply(state, step["action"]["notation"], draws)
            assert [draw.value for draw in draws.record] == step["draws"]
        legal = sum(
            1 << offtrack.index_of(state, action) for action in offtrack.legal_actions(state)
        )
        assert offtrack.position(state) == step["position"]
        assert ([] if state.actor is None else [state.actor]) == step["actors"]
        assert int.from_bytes(bytes.fromhex(step["legal_mask"]), "little") == legal
    outcome, expected = offtrack.outcome(state), parsed(Outcome(), file["outcome"])
    assert outcome is not None
    assert OutcomeReason.Name(expected.reason) == f"OUTCOME_REASON_OFFTRACK_{outcome.reason}"
    assert (outcome.winners, outcome.scores) == (tuple(expected.winners), tuple(expected.scores))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("eternitium-*.json")), ids=stem)
def test_the_oracle_of_eternitium_plays_the_same_games(path: Path) -> None:
    file = load(path)
    options = read_options(parsed(GameOptions(), file["complete_options"]).eternitium)
    state, _ = eternitium.start(options, Draws.fed(file["steps"][0]["draws"]))
    for step in file["steps"]:
        if step["ply"]:
            draws = Draws.fed(step["draws"])
            state, _ = eternitium.apply(state, step["action"]["notation"], draws)
            assert [draw.value for draw in draws.record] == step["draws"]
        legal = sum(
            1 << eternitium.index_of(state, action) for action in eternitium.legal_actions(state)
        )
        assert eternitium.position(state) == step["position"]
        assert ([] if state.actor is None else [state.actor]) == step["actors"]
        assert int.from_bytes(bytes.fromhex(step["legal_mask"]), "little") == legal
    outcome, expected = eternitium.outcome(state), parsed(Outcome(), file["outcome"])
    assert outcome is not None
    assert OutcomeReason.Name(expected.reason) == f"OUTCOME_REASON_ETERNITIUM_{outcome.reason}"
    assert (outcome.winners, outcome.scores) == (tuple(expected.winners), tuple(expected.scores))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("off_the_rails-*.json")), ids=stem)
def test_the_oracle_of_off_the_rails_plays_the_same_games(path: Path) -> None:
    file = load(path)
    options = read_off_the_rails(parsed(GameOptions(), file["complete_options"]).off_the_rails)
    state, _ = off_the_rails.start(options, Draws.fed(file["steps"][0]["draws"]))
    for step in file["steps"]:
        if step["ply"]:
            draws = Draws.fed(step["draws"])
            state, _ = off_the_rails.apply(state, step["action"]["notation"], draws)
            assert [draw.value for draw in draws.record] == step["draws"]
        legal = sum(
            1 << off_the_rails.index_of(state, action)
            for action in off_the_rails.legal_actions(state)
        )
        assert off_the_rails.position(state) == step["position"]
        assert ([] if state.actor is None else [state.actor]) == step["actors"]
        assert int.from_bytes(bytes.fromhex(step["legal_mask"]), "little") == legal
    outcome, expected = off_the_rails.outcome(state), parsed(Outcome(), file["outcome"])
    assert outcome is not None
    assert OutcomeReason.Name(expected.reason) == f"OUTCOME_REASON_OFF_THE_RAILS_{outcome.reason}"
    assert (outcome.winners, outcome.scores) == (tuple(expected.winners), tuple(expected.scores))
