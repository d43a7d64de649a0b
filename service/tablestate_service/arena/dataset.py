"""Games of bots as data to learn from: NumPy's NPZ files.

A file has one row for each decision of a bot that had a choice:

`game`          (n,) uint32: the number of the game, from 0, over all files
`ply`           (n,) uint16: how many actions were taken before in the game
`seat`          (n,) uint8: who decided
`observation`   (n, observation_bytes) uint8: what that seat saw (`GameInfo.observation`)
`mask`          (n, mask_bytes) uint8: the legal actions, bit i = index i, lowest first
`action`        (n,) uint16: the index of the action taken
`visits`        (n, actions) uint32: the iterations that began with each action; of a bot that does
                not search 1 for the action taken
`value`         (n,) float32: the return that the search expected for the seat; NaN without one
`result`        (n,) float32: the seat's return in the end, -1 to 1; 0 of a game left unfinished
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from tablestate_service.arena.games import MAX_PLIES
from tablestate_service.engine import Contest, Stop, contests, seeds, validate_options
from tablestate_service.engine.batch import Batch

GAMES_A_FILE: Final = 32
COLUMNS: Final = (
    *("game", "ply", "seat", "observation", "mask"),
    *("action", "visits", "value", "result"),
)

Columns = dict[str, npt.NDArray[Any]]


def write_dataset(
    options: bytes,
    bots: Sequence[str],
    games: int,
    directory: Path,
    *,
    seed: int = 0,
    opening: int = 0,
    threads: int = 1,
    stop: Stop | None = None,
) -> Iterator[Path]:
    """Play games and write them, some dozens to a file; gives each file when it is complete.

    `bots` has one for every seat. Equal arguments write equal files, but for `threads`, on any
    machine. Leaves off early, without a part of a file, if `stop` is set. Raises CoreError for bad
    options, ValueError for unknown bots, and OSError.
    """
    stop = stop or Stop()
    each = seeds(seed, games)
    shape = Batch(options, 1, parts=())
    directory.mkdir(parents=True, exist_ok=True)
    for number, start in enumerate(range(0, games, GAMES_A_FILE)):
        deals = each[start : start + GAMES_A_FILE]
        played = contests(
            options,
            [list(bots)] * len(deals),
            deals,
            opening=opening,
            max_plies=MAX_PLIES,
            threads=threads,
            stop=stop,
            keeps_views=True,
        )
        if played is None:
            return
        path = directory / f"games-{number:05}.npz"
        _write(path, columns(played, shape, first_game=start))
        yield path


def columns(played: Sequence[Contest], shape: Batch, *, first_game: int = 0) -> Columns:
    """The rows of some games; `shape` is a batch of the same options."""
    parts = [_rows(game, shape, first_game + number) for number, game in enumerate(played)]
    return {name: np.concatenate([part[name] for part in parts]) for name in COLUMNS}


def seats_of(options: bytes) -> int:
    """How many bots a game of these options needs; raises CoreError for bad options."""
    return validate_options(options).seats


def _rows(game: Contest, shape: Batch, number: int) -> Columns:
    had_choice = np.array(game.choices, np.uint32) > 1
    count = len(had_choice)
    seats = np.array(game.seats, np.uint8)
    actions = np.array(game.actions, np.uint16)
    rows: Columns = {
        "game": np.full(count, number, np.uint32),
        "ply": (len(game.opening) + np.arange(count)).astype(np.uint16),
        "seat": seats,
        "observation": _matrix(game.observations, count, shape.observation_bytes),
        "mask": _matrix(game.masks, count, shape.mask_bytes),
        "action": actions,
        "visits": _visits(game, actions, shape.action_count),
        "value": np.array([np.nan if v is None else v for v in game.values], np.float32),
        "result": _returns(game)[seats],
    }
    return {name: column[had_choice] for name, column in rows.items()}


def _matrix(packed: bytes, count: int, width: int) -> npt.NDArray[np.uint8]:
    return np.frombuffer(packed, np.uint8).reshape(count, width)


def _visits(game: Contest, actions: npt.NDArray[np.uint16], width: int) -> npt.NDArray[np.uint32]:
    visits = np.zeros((len(actions), width), np.uint32)
    for row, (found, action) in enumerate(zip(game.visits, actions, strict=True)):
        for index, times in found or [(int(action), 1)]:
            visits[row, index] = times
    return visits


def _returns(game: Contest) -> npt.NDArray[np.float32]:
    """Of shares s of n seats: (n s - 1) / (n - 1), as everywhere."""
    seats = len(game.shares)
    return ((seats * np.array(game.shares) - 1) / (seats - 1)).astype(np.float32)


def _write(path: Path, rows: Columns) -> None:
    """Write a file that is there whole or not at all; raises FileExistsError if it is there.

    Whoever has made the part may make the file: nobody else writes either of them meanwhile.
    """
    part = path.with_suffix(".part")
    with part.open("xb") as file:
        try:
            if path.exists():
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
            np.savez_compressed(file, **rows)  # type: ignore[arg-type]
        except BaseException:
            part.unlink()
            raise
    part.replace(path)
