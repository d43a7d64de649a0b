"""How much time a seat has for its decisions, and how much it has used.

All times are nanoseconds of the store's clock, and follow from the entries of the log alone: so
a match has the same clocks on every node, and when it is replayed.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TimeControl:
    """The time of a match. A decision may take `turn_limit`; what it takes beyond comes out of
    the seat's `bank`, to which each decision of the player adds `increment`.

    `grace` passes before a time-out; it is for what is under way, and is not told to players.
    With `by_claim` nobody is timed out but by another player, who claims it.
    """

    turn_limit: int
    bank: int = 0
    increment: int = 0
    grace: int = 0
    by_claim: bool = False


@dataclass(frozen=True, slots=True)
class Clocks:
    """The seats' banks, and how long the decision that is due has been thought about.

    That is `used`, and what has passed since `since`; None: no clock runs.
    """

    banks: tuple[int, ...]
    used: int = 0
    since: int | None = None

    def elapsed(self, now: int) -> int:
        """How long the decision that is due has been thought about."""
        return self.used + (max(0, now - self.since) if self.since is not None else 0)


def begun(control: TimeControl, seats: int) -> Clocks:
    """The clocks before the first decision."""
    return Clocks((control.bank,) * seats)


def going_on(clocks: Clocks, now: int, runs: bool) -> Clocks:
    """The clocks when something has happened that is not the decision that is due."""
    return Clocks(clocks.banks, clocks.elapsed(now), now if runs else None)


def decided(
    control: TimeControl, clocks: Clocks, seat: int, now: int, *, gains: bool, runs: bool
) -> Clocks:
    """The clocks when a seat's decision is over; whether it gains the increment, and whether the
    clock of the next decision runs.
    """
    spent = max(0, clocks.elapsed(now) - control.turn_limit)
    bank = max(0, clocks.banks[seat] - spent) + (control.increment if gains else 0)
    banks = (*clocks.banks[:seat], bank, *clocks.banks[seat + 1 :])
    return Clocks(banks, 0, now if runs else None)


def time_left(control: TimeControl, clocks: Clocks, seat: int, now: int) -> int:
    """What a seat has left for the decision that is due, without the grace."""
    return max(0, control.turn_limit + clocks.banks[seat] - clocks.elapsed(now))


def banks_left(
    control: TimeControl, clocks: Clocks, actors: Sequence[int], now: int
) -> Sequence[int]:
    """What is left of each bank, while the actor's may be running out."""
    spent = max(0, clocks.elapsed(now) - control.turn_limit)
    return [
        max(0, bank - spent) if seat in actors else bank for seat, bank in enumerate(clocks.banks)
    ]


def time_out(control: TimeControl, clocks: Clocks, seat: int) -> int | None:
    """When the seat is out of time, with the grace; None while no clock runs."""
    if clocks.since is None:
        return None
    allowed = control.turn_limit + clocks.banks[seat] + control.grace
    return clocks.since + allowed - clocks.used
