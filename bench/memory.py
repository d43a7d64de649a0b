"""The service with very many matches: how fast it is ready, and how much memory they take."""

import tempfile
from pathlib import Path

from bench import matches, stored
from bench.figures import Figure, at_most
from bench.load_run import LoadError, Reading, Shape, drive, write_bodies
from bench.machine import resident_bytes, wait_for_quiet
from bench.servers import Server, service
from bench.settings import Settings

CASES = ("open", "memory")
_SHAPE = Shape(connections=4, streams=4, once=True)
_MIB = 1 << 20
_WARM_UP = 20
"""Matches loaded before the memory is looked at first: threads, code and caches are there then."""
_LONGEST_SECONDS = 1800.0


def measure(names: tuple[str, ...], settings: Settings) -> list[Figure]:
    """Measure the cases of these names; raises LoadError, ServerError."""
    wanted = [name for name in CASES if name in names]
    if not wanted:
        return []
    with stored.store(settings) as data_dir:
        figures = [_opening(data_dir, settings)] if "open" in wanted else []
        return figures + ([_memory(data_dir, settings)] if "memory" in wanted else [])


def _opening(data_dir: Path, settings: Settings) -> Figure:
    """From starting the process to its first line, which says that it takes calls."""
    seconds = []
    for number in range(settings.rounds):
        settings.tell(f"round {number + 1} of {settings.rounds}: open")
        wait_for_quiet(settings.wait_seconds)
        with service(data_dir) as server:
            seconds.append(server.start_seconds)
    name = f"start on a store of {settings.match_count} matches: seconds"
    return Figure(name, seconds, at_most(2), f"{sorted(seconds)[len(seconds) // 2]:.2f} s")


def _memory(data_dir: Path, settings: Settings) -> Figure:
    """One round is enough: memory does not depend on what else the machine does."""
    settings.tell(f"loading {settings.match_count} matches")
    with service(data_dir) as server:
        _load(server, range(_WARM_UP))
        before = resident_bytes(server.pid)
        reading = _load(server, range(_WARM_UP, settings.match_count))
        grown = resident_bytes(server.pid) - before
    each = grown / (settings.match_count - _WARM_UP)
    return Figure(
        f"RSS growth over {settings.match_count} matches of {stored.PLIES} plies: MiB",
        [grown / _MIB],
        at_most(400),
        f"{before / _MIB:.0f} MiB before, {each / 1024:.2f} KiB a match",
        cpu=f"{reading.cpu:.0f} to load one",
        foreign=[reading.foreign],
    )


def _load(server: Server, numbers: range) -> Reading:
    """Ask for a view of each match once, which loads it."""
    scripts = [[matches.get_view(stored.table(number))] for number in numbers]
    with tempfile.NamedTemporaryFile() as file:
        write_bodies(Path(file.name), scripts)
        path = f"{matches.SERVICE}/GetView"
        reading = drive(server, path, Path(file.name), _SHAPE, _LONGEST_SECONDS)
    if reading.calls != len(numbers):
        raise LoadError(f"{reading.calls} of {len(numbers)} matches were loaded")
    return reading
