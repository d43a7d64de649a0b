"""The clock that all nodes over one database share, and that does not jump.

It is the database's, plus a correction that the database keeps. Between two looks at it a node
goes by its own monotonic clock; where the two disagree by more than a slow answer explains, the
database's has been set, and whoever notices first takes that back for all. (It may be the node
that stood still, with the machine that it runs on; then all gain what it has missed.)
"""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, TypeVar

from tablestate_service.domain.entry import WHOLE_MILLISECOND

T = TypeVar("T")

Fetch: TypeAlias = Callable[..., Awaitable[Any]]


class Patiently(Protocol):
    """Does something, if need be again; `work` is told whether it is not the first time."""

    async def __call__(self, work: Callable[[bool], Awaitable[T]], /) -> T:
        """What it gives."""


_LOOK_NANOSECONDS = 1_000_000_000
"""How long a node goes by its own clock."""
_JUMP_NANOSECONDS = 1_000_000_000
"""What is less is a clock that is being put right, and is gone along with."""
_READ_SQL = """
    SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint * 1000, correction
    FROM tablestate.clock"""
# Of two nodes that notice the same jump, one takes it back.
_CORRECT_SQL = "UPDATE tablestate.clock SET correction = correction + $1 WHERE correction = $2"


@dataclass(frozen=True, slots=True)
class Look:
    """What the clock showed: `ahead` of the node's own, which then showed `local`, by that and at
    most `doubt` more.
    """

    local: int
    ahead: int
    correction: int
    doubt: int


def _local_time() -> int:
    # That which goes on while the machine sleeps, where there is one.
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME)
    return time.monotonic_ns()


class PostgresClock:
    """One node's knowledge of the shared clock."""

    def __init__(
        self, fetch: Fetch, patiently: Patiently, local_time: Callable[[], int] = _local_time
    ) -> None:
        """Look at it by `fetch`, which asks once; nothing is read yet."""
        self._fetch = fetch
        self._patiently = patiently
        self._local_time = local_time
        self._last: Look | None = None
        self._latest = 0

    async def now(self) -> int:
        """Nanoseconds, whole milliseconds; less than before only if a jump was taken back."""
        look = self._last
        if look is None or self._local_time() - look.local > _LOOK_NANOSECONDS:
            look = await self._patiently(lambda _: self._look_again(self._last))
        shown = (self._local_time() + look.ahead) // WHOLE_MILLISECOND * WHOLE_MILLISECOND
        self._latest = max(self._latest, shown)
        return self._latest

    async def _look_again(self, before: Look | None) -> Look:
        look = await self._look()
        while before is not None and _has_jumped(before, look):
            await self._fetch(_CORRECT_SQL, before.ahead - look.ahead, look.correction)
            look = await self._look()
        if before is None or look.correction != before.correction:
            self._latest = 0
        self._last = look
        return look

    async def _look(self) -> Look:
        asked = self._local_time()
        ((shown, correction),) = await self._fetch(_READ_SQL)
        heard = self._local_time()
        # It was read somewhere in between. Taken for as late as can be: a slow answer may give
        # players time, and never take it from them.
        return Look(heard, shown + correction - heard, correction, doubt=heard - asked)


def _has_jumped(before: Look, after: Look) -> bool:
    """Whether the database's clock was set, and nobody has taken that back yet."""
    if after.correction != before.correction:
        # What another node has decided is not decided again, or two would quarrel.
        return False
    doubt = before.doubt + after.doubt
    return abs(after.ahead - before.ahead) > _JUMP_NANOSECONDS + doubt
