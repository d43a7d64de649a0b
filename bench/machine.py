"""What the machine is, and what it is busy with, read from /proc."""

import os
import platform
import time
from importlib.metadata import version
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")
_PAGE = os.sysconf("SC_PAGE_SIZE")
_LOOK_SECONDS = 0.2
QUIET_CORES = 0.15
"""Others may use this much of the machine while it still counts as quiet."""


def describe(directory: Path) -> str:
    """The machine, the versions that matter, and the file system of a directory."""
    return (
        f"{os.cpu_count()} cores, {_processor()}; {platform.system()} {platform.release()}; "
        f"Python {platform.python_version()}, grpcio {version('grpcio')}, "
        f"SQLite of apsw {version('apsw')} on {_file_system(directory)}"
    )


def cpu_seconds(pid: int) -> float:
    """The CPU time of a process and its threads so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def resident_bytes(pid: int) -> int:
    """The memory of a process that is in RAM."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE


def busy_seconds() -> float:
    """The CPU time of the whole machine so far, idle and waiting left out."""
    fields = [int(text) for text in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / _TICKS


def wait_for_quiet(seconds: float) -> bool:
    """Wait until others leave the machine alone, but no longer than this; whether they do."""
    deadline = time.monotonic() + seconds
    while True:
        busy, begun = busy_seconds(), time.monotonic()
        time.sleep(_LOOK_SECONDS)
        if (busy_seconds() - busy) / (time.monotonic() - begun) < QUIET_CORES:
            return True
        if time.monotonic() > deadline:
            return False


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def _file_system(directory: Path) -> str:
    """The type of the file system that a directory is on: syncs cost nothing on tmpfs."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text().splitlines()]
    path = str(directory.resolve())
    holding = [mount for mount in mounts if path.startswith(mount[1])]
    return max(holding, key=lambda mount: len(mount[1]))[2]
