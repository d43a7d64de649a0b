"""How the commands of players meet what cannot be, and what goes wrong meanwhile."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from support import command
from tablestate_service.arena import dataset
from tablestate_service.cli import main
from tablestate_service.cli.long_work import from_one, seed, threads
from tablestate_service.engine import Stop, contests, default_options, playouts

HUGE = str(10**30)
PLAYED = ["offboard", "--players", "greedy,random", "--pairs", "1"]


@pytest.mark.parametrize(
    "arguments",
    [
        *(["arena", *PLAYED, option, HUGE] for option in ("--opening", "--threads", "--pairs")),
        *(["selfplay", "offboard", "--out", "x", option, HUGE] for option in ("--games", "--seed")),
        *(["search", "offboard", "--view", "x", option, HUGE] for option in ("--seat", "--top")),
        ["search", "offboard", "--view", "x", "--iterations", HUGE],
        ["search", "offboard", "--view", "x", "--seat", "-1"],
        ["search", "offboard", "--example", HUGE],
        ["playout", "offboard", "--games", HUGE],
        ["playout", "offboard", "--threads", "1025"],
        ["playout", "offboard", "--max-plies", "9" * 5000],
        ["perft", "offboard", "--depth", HUGE],
    ],
)
def test_a_number_out_of_range_is_told(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "expected a whole number from" in capsys.readouterr().err


def test_the_bounds_of_numbers_are_numbers() -> None:
    assert from_one(str(2**32 - 1)) == 2**32 - 1
    assert (threads("1"), threads("1024")) == (1, 1024)
    assert (seed("0"), seed(str(2**64 - 1))) == (0, 2**64 - 1)


def test_the_core_starts_no_more_threads_than_it_can() -> None:
    options = default_options("offboard")
    alone = playouts(options, 3, 5, "random", 1000, Stop())
    crowd = playouts(options, 3, 5, "random", 1000, Stop(), 10**9)
    assert alone and crowd and alone.plies == crowd.plies
    with pytest.raises(ValueError, match="threads: 1025; expected at most 1024"):
        contests(options, [], [], opening=0, max_plies=1, threads=1025, stop=Stop())


def test_a_file_of_results_that_cannot_be_written_is_told_before_the_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (tmp_path / "missing" / "results.json", tmp_path):
        assert main(["arena", *PLAYED, "--json", str(file)]) == 1
        said = capsys.readouterr()
        assert said.out == "" and "--json: " in said.err


def test_a_game_without_a_league_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tablestate_service.arena.league._FILES", tmp_path)
    assert main(["arena", "offboard", "--league"]) == 1
    assert "--league: offboard has none" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["search", "perft", "playout"])
def test_a_service_that_is_away_is_not_waited_for(
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tablestate_service.cli.long_work.ANSWERS_WITHIN", 0.2)
    assert main(["search", "offboard", "--example", "3"]) == 0
    view = tmp_path / "view.json"
    view.write_text(capsys.readouterr().out)
    given = ["--view", str(view)] if name == "search" else []
    assert main([name, "offboard", *given, "--server", "127.0.0.1:1"]) == 1
    assert "tablestate: " in capsys.readouterr().err


def rows() -> dataset.Columns:
    return {name: np.zeros(1) for name in dataset.COLUMNS}


def test_a_file_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: object, **_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(OSError, match="No space left"):
        dataset._write(tmp_path / "games-00000.npz", rows())
    assert list(tmp_path.iterdir()) == []


def test_what_another_run_writes_or_has_written_is_left_alone(tmp_path: Path) -> None:
    path, part = tmp_path / "games-00000.npz", tmp_path / "games-00000.part"
    part.write_bytes(b"theirs")
    with pytest.raises(FileExistsError):
        dataset._write(path, rows())
    part.replace(path)
    with pytest.raises(FileExistsError):
        dataset._write(path, rows())
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"theirs"]


@pytest.mark.parametrize("name", ["arena", "selfplay"])
def test_ctrl_c_ends_without_a_traceback_or_a_part(name: str, tmp_path: Path) -> None:
    out = tmp_path / "data"
    arguments = {
        "arena": ["arena", "offboard", "--players", "random,greedy,hard", "--pairs", "200"],
        "selfplay": [
            *["selfplay", "offboard", "--player", "random", "--games", "100000", "--out"],
            str(out),
        ],
    }
    process = command.start(*arguments[name])
    assert process.stdout and process.stdout.readline()  # it is at work
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130 and told == ""
    assert not list(tmp_path.rglob("*.part"))


def test_a_service_without_numpy_is_told_what_it_needs(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['numpy'] = None;"
        "from tablestate_service.cli import main;"
        f"sys.exit(main(['selfplay', 'offboard', '--games', '1', '--out', {str(tmp_path)!r}]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == ("tablestate: NumPy is missing: pip install tablestate-service[engine]\n")
