"""Data sets of games: every row is a decision, and equal seeds write equal files."""

from pathlib import Path

import numpy as np
import pytest

from tablestate_service.arena import default_opening
from tablestate_service.arena.dataset import COLUMNS, GAMES_A_FILE, write_dataset
from tablestate_service.cli import main
from tablestate_service.engine import Batch, default_options, games


def written(game: str, directory: Path, *, bot: str, count: int, threads: int = 1) -> list[Path]:
    options = default_options(game)
    seats = Batch(options, 1).seats
    opening = default_opening(options)
    return list(
        write_dataset(
            options, [bot] * seats, count, directory, seed=3, opening=opening, threads=threads
        )
    )


@pytest.mark.parametrize("game", games())
def test_rows_hold_what_the_seat_saw_did_and_got(game: str, tmp_path: Path) -> None:
    (path,) = written(game, tmp_path, bot="easy", count=3)
    with np.load(path) as rows:
        assert tuple(rows) == COLUMNS
        count = len(rows["game"])
        assert all(len(rows[name]) == count for name in COLUMNS)
        batch = Batch(game, 1)
        assert rows["observation"].shape == (count, batch.observation_bytes)
        legal = np.unpackbits(rows["mask"], axis=1, count=batch.action_count, bitorder="little")
        chosen = np.arange(count), rows["action"].astype(int)
        assert legal[chosen].all() and (legal.sum(axis=1) > 1).all()
        assert not rows["visits"][legal == 0].any()
        assert (rows["visits"].sum(axis=1) > 0).all()
        assert set(np.unique(rows["game"])) == {0, 1, 2}
        errs = np.isnan(rows["value"])
        assert errs.any() == (game == "off_the_rails") and not errs.all()
        assert (rows["visits"][errs].sum(axis=1) == 1).all()
        assert (np.abs(rows["result"]) <= 1).all() and (np.abs(rows["value"][~errs]) <= 1).all()
        for number in range(3):
            mine = rows["game"] == number
            results = {
                seat: set(rows["result"][mine & (rows["seat"] == seat)])
                for seat in np.unique(rows["seat"][mine])
            }
            assert all(len(each) == 1 for each in results.values())
            assert sum(next(iter(each)) for each in results.values()) == pytest.approx(0)
            plies = rows["ply"][mine].astype(int)
            assert (np.diff(plies) > 0).all()


def test_equal_seeds_write_equal_rows_with_any_number_of_threads(tmp_path: Path) -> None:
    count = GAMES_A_FILE + 2
    files = [
        written("offboard", tmp_path / str(threads), bot="random", count=count, threads=threads)
        for threads in (1, 2)
    ]
    assert [path.name for path in files[0]] == ["games-00000.npz", "games-00001.npz"]
    for one, other in zip(*files, strict=True):
        with np.load(one) as ours, np.load(other) as theirs:
            for name in COLUMNS:
                np.testing.assert_array_equal(ours[name], theirs[name])


def test_what_does_not_search_counts_the_action_it_took(tmp_path: Path) -> None:
    (path,) = written("offtrack", tmp_path, bot="random", count=1)
    with np.load(path) as rows:
        assert (rows["visits"].sum(axis=1) == 1).all() and np.isnan(rows["value"]).all()


def test_the_command_writes_files_and_spares_those_that_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["selfplay", "offboard", "--player", "random", "--games", "2", "--out", str(tmp_path)]
    assert main(command) == 0
    assert capsys.readouterr().out.split() == [str(tmp_path / "games-00000.npz")]
    assert main(command) == 1
    assert "expected a directory without NPZ files" in capsys.readouterr().err
    assert main([*command[:3], "chess", *command[4:]]) == 1
    assert "--player: 'chess'; expected one of" in capsys.readouterr().err
