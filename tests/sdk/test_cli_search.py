"""The command `search`, and the files that it reads."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.json_format import MessageToJson, Parse

from support.command import run
from tablestate.v1.game_pb2 import GameView
from tablestate_service import engine
from tablestate_service.cli.embedded import embedded_service


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


def written(directory: Path, text: str) -> str:
    file = directory / "view.json"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("game", engine.games())
def test_an_example_can_be_searched_here_and_there(game: str, target: str, tmp_path: Path) -> None:
    example = run("search", game, "--example", "9", "--seed", "5")
    assert example.returncode == 0, example.stderr
    file = written(tmp_path, example.stdout)
    arguments = ("search", game, "--view", file, "--iterations", "60", "--seed", "3")
    here, there = run(*arguments), run(*arguments, "--server", target, "--threads", "2")
    assert here.returncode == 0, here.stderr
    lines = here.stdout.splitlines()
    assert lines[0].startswith(f"{game}, seat ")
    assert lines[2].split() == ["action", "visits", "value", "line"]
    ranked = [line.split() for line in lines[3:]]
    assert all(columns[0] == columns[3] for columns in ranked)
    visits = [int(columns[1].replace(",", "")) for columns in ranked]
    assert 0 < sum(visits) <= 60
    assert there.stdout.splitlines()[2:] == lines[2:]


def test_options_and_the_best_alone(tmp_path: Path) -> None:
    options = ("--option", "seats=3", "--option", "every_turn=true")
    example = run("search", "offtrack", "--example", "6", *options)
    file = written(tmp_path, example.stdout)
    done = run("search", "offtrack", "--view", file, "--top", "1", "--seconds", "0.1", *options)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 4
    wrong = run("search", "offtrack", "--view", file)
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("tablestate: view.offtrack.seats is")


def view_of_the_start() -> GameView:
    state = engine.GameState.start(engine.default_options("offtrack"), bytes(32)).state
    return GameView.FromString(state.view(0))


def false_view() -> str:
    view = view_of_the_start()
    view.offtrack.deck_size += 1
    return MessageToJson(view)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "expected the JSON of a GameView"),
        ("[1]", "expected the JSON of a GameView"),
        ("{}", "a view of nothing; expected one of offtrack"),
        ('{"offboard": {}}', "a view of offboard; expected one of offtrack"),
        ('{"offtrack": {"round": -1}}', ": round is of another type"),
        ('{"offtrack": {"around": 1}}', "there is no field around"),
        ('{"offtrack": {}}', "view.offtrack"),
        ("[" * 100_000, "view.json"),
        (" " * 2_000_000, "more than"),
        (false_view(), "view.offtrack.deck_size"),
    ],
    ids=[
        "nothing",
        "a list",
        "no game",
        "another game",
        "a number",
        "a field",
        "empty",
        "deep",
        "long",
        "false",
    ],
)
def test_files_that_hold_no_view_are_refused(text: str, words: str, tmp_path: Path) -> None:
    done = run("search", "offtrack", "--view", written(tmp_path, text))
    assert done.returncode == 1
    assert done.stderr.startswith("tablestate: ") and words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_there_and_a_seat_that_does_not_decide(tmp_path: Path) -> None:
    done = run("search", "offtrack", "--view", str(tmp_path / "none"))
    assert done.returncode == 1 and "No such file" in done.stderr
    file = written(tmp_path, MessageToJson(view_of_the_start()))
    for seat in ("1", "7"):
        done = run("search", "offtrack", "--view", file, "--seat", seat)
        assert done.returncode == 1 and "tablestate: seat is" in done.stderr


@pytest.mark.parametrize(
    "wrong",
    [
        (),
        ("--view", "v", "--example", "3"),
        ("--view", "v", "--iterations", "0"),
        ("--view", "v", "--iterations", "5", "--seconds", "1"),
        ("--view", "v", "--seed", "-1"),
    ],
)
def test_wrong_arguments_are_refused(wrong: tuple[str, ...]) -> None:
    done = run("search", "offtrack", *wrong)
    assert done.returncode == 2
    assert "usage: tablestate search" in done.stderr


def test_an_example_reads_back_as_what_the_actor_sees() -> None:
    view = Parse(run("search", "offtrack", "--example", "1").stdout, GameView())
    assert len(view.offtrack.hand) == view.offtrack.players[view.offtrack.turn_of].hand_size
