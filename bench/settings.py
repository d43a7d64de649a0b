"""How the benchmarks are run."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Settings:
    """What every benchmark goes by.

    A measurement takes `seconds` in each of `rounds`; it waits up to `wait_seconds` for a
    quiet machine and, if others disturbed it, is tried up to `tries` times. Data goes into
    `directory`, which should not be in memory: syncs are free there. The benchmarks of many
    matches use `match_count` of them, kept in `store` if it is given. `tell` is told what is
    under way.
    """

    rounds: int
    seconds: float
    wait_seconds: float
    tries: int
    match_count: int
    store: Path | None
    directory: Path
    seed: int
    tell: Callable[[str], None]
