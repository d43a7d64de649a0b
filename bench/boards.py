"""Other engines' board games and ours, games stepped together or one at a time.

The two have no game in common but Abalone, whose like Offboard is, so the table says what an
engine gives, not which game is the faster one. Peers that are not installed are left out
(`make peers`).
"""

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from bench.batch_requests import SIMULATE
from bench.figures import Figure, at_least
from bench.program import Run, middle, module, undisturbed
from bench.servers import Server, service
from bench.settings import Settings

CASES = ("envpool", "peers")
_MASK, _BOTH = "masks", "masks,observations"
_SIZES = (1, 64, 256, 1024)
_ENGINE, _STREAM = "bench.batch_program", "bench.stream_client"


class Row(NamedTuple):
    """An engine and a game, the program that drives it, and who chooses the actions.

    `needs` is the package it cannot do without. The program is called with the seconds after
    `arguments`, and the stream's client with the service's address before them.
    """

    title: str
    chooser: str
    program: str
    arguments: tuple[object, ...]
    needs: str = "numpy"


def _peer(title: str, chooser: str, needs: str, program: str, *arguments: object) -> Row:
    return Row(title, chooser, f"bench.{program}", arguments, needs)


def _openspiel(game: str) -> Row:
    title = f"OpenSpiel, {game} from Python"
    return _peer(title, "Python, from the list", "pyspiel", "openspiel", game)


def _search(game: str) -> Row:
    title, program = f"OpenSpiel, {game}: rollouts of its C++ MCTS", "peers.openspiel_search"
    return _peer(title, "the engine", "pyspiel", program, game)


def _envpool(game: str, task: str, size: int = 1024) -> Row:
    title, program = f"EnvPool, {size} games of {game}, two threads", "peers.envpool_boards"
    return _peer(title, "NumPy, not counted", "envpool", program, task, size, 2)


def _pgx(game: str, size: int) -> Row:
    title = f"pgx, {size} games of {game}"
    return _peer(title, "JAX, compiled", "pgx", "peers.pgx_boards", game, size)


def _ours(game: str, size: int, parts: str, threads: int = 1, chooser: str = "draws") -> Row:
    title = f"{size} of {game} in process, {_named(parts)}" + ", two threads" * (threads == 2)
    arguments = (game, size, parts, threads, chooser)
    if chooser == "draws":
        return Row(title, "the engine, by draws", _ENGINE, arguments)
    return Row(f"{title}, not by draws", "NumPy, from the masks", _ENGINE, arguments)


def _streamed(size: int, parts: str) -> Row:
    title = f"{size} of offboard over Simulate, {_named(parts)}"
    return Row(title, "the engine, by draws", _STREAM, (SIMULATE, size, parts, 1))


def _named(parts: str) -> str:
    return "mask and observation" if parts == _BOTH else "mask"


_CONNECT_FOUR = _envpool("connect four", "ConnectFour-v1")
_TWO_THREADS = _ours("offboard", 1024, _BOTH, threads=2)
_TABLE = (
    *(_ours("offboard", size, parts) for parts in (_MASK, _BOTH) for size in _SIZES),
    _TWO_THREADS,
    _ours("offboard", 1024, _MASK, chooser="numpy"),
    *(_streamed(size, parts) for parts in (_MASK, _BOTH) for size in _SIZES),
    _ours("offtrack", 1024, _MASK),
    _ours("offtrack", 1024, _BOTH),
    _openspiel("breakthrough"),
    _openspiel("gin_rummy"),
    _search("breakthrough"),
    _CONNECT_FOUR,
    _envpool("hex, 11 wide", "Hex-v1"),
    _envpool("go, 9 wide", "Go9x9-v1"),
    _pgx("connect_four", 1024),
    _pgx("go_9x9", 1024),
    _peer("Abalone-BoAI 1.0", "Python, from the list", "abalone", "peers.abalone_boai"),
)
_BESIDE = (_TWO_THREADS, _CONNECT_FOUR)


def measure(names: Sequence[str], settings: Settings) -> list[Figure]:
    """Measure, interleaved; raises CalledProcessError, ServerError."""
    rows = [row for row in _wanted(names) if _is_there(row, settings)]
    runs: dict[Row, list[Run]] = {row: [] for row in rows}
    for number in range(settings.rounds if rows else 0):
        with _service(settings) as server:
            for row in rows:
                settings.tell(f"round {number + 1} of {settings.rounds}: {row.title}")
                runs[row].append(_run(row, server, settings))
    figures = [_beside_envpool(runs)] if CASES[0] in names else []
    return figures + ([_figure(row, runs[row]) for row in rows] if CASES[1] in names else [])


def _wanted(names: Sequence[str]) -> Sequence[Row]:
    if CASES[1] in names:
        return _TABLE
    return _BESIDE if CASES[0] in names else ()


def _is_there(row: Row, settings: Settings) -> bool:
    found = find_spec(row.needs) is not None
    if not found:
        settings.tell(f"left out, {row.needs} is not installed: {row.title}")
    return found


@contextlib.contextmanager
def _service(settings: Settings) -> Iterator[Server]:
    with tempfile.TemporaryDirectory(dir=settings.directory) as name, service(Path(name)) as ours:
        yield ours


def _run(row: Row, server: Server, settings: Settings) -> Run:
    if row.program == _STREAM:
        command = module(row.program, server.address, *row.arguments, settings.seconds)
        return undisturbed(command, settings, server)
    return undisturbed(module(row.program, *row.arguments, settings.seconds), settings)


def _beside_envpool(runs: dict[Row, list[Run]]) -> Figure:
    ours, peers = (runs.get(row, []) for row in _BESIDE)
    title, rate = "1024 of Offboard, mask and observation, two threads", _millions(ours)
    if not peers:
        values = [run.per_second / 1e6 for run in ours]
        return Figure(f"{title}: million steps/s", values, None, rate, "EnvPool is not installed")
    return Figure(
        f"{title} ÷ EnvPool",
        [run.per_second / peer.per_second for run, peer in zip(ours, peers, strict=True)],
        at_least(5),
        rate,
        f"connect four {_millions(peers)}",
        foreign=[run.foreign for run in (*ours, *peers)],
    )


def _figure(row: Row, runs: Sequence[Run]) -> Figure:
    return Figure(
        f"{row.title}: million steps/s",
        [run.per_second / 1e6 for run in runs],
        None,
        f"chosen by {row.chooser}",
        foreign=[run.foreign for run in runs],
    )


def _millions(runs: Sequence[Run]) -> str:
    return f"{middle(runs) / 1e6:.2f} M/s"
