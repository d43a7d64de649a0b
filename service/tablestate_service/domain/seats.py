"""The seats of a match and who sits on them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum

from tablestate_service.domain.fairness import seating_sizes
from tablestate_service.domain.hashing import same


class Occupant(IntEnum):
    """Who plays a seat; the numbers are those of `SeatOccupant`."""

    NOBODY = 0
    PLAYER = 1
    BOT = 2
    ABSENT = 3
    FORFEITED = 4


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat. `display_name` is the player's or the bot's name.

    A seat that was left or forfeited keeps its token's hash: whoever held it may
    still look on. `entropy_hash` is what its player promised to add to the seed, and `entropy`
    what was revealed; None and empty if nothing was.
    """

    occupant: Occupant = Occupant.NOBODY
    display_name: str = ""
    player_id: str = ""
    token_hash: bytes | None = None
    entropy_hash: bytes | None = None
    entropy: bytes = b""


OPEN_SEAT = Seat()


def seat_of(seats: Sequence[Seat], token_hash: bytes) -> int | None:
    """The seat that a token holds, if it holds one."""
    for number, seat in enumerate(seats):
        if seat.token_hash is not None and same(seat.token_hash, token_hash):
            return number
    return None


def lowest_open(seats: Sequence[Seat]) -> int | None:
    """The lowest seat that nobody has taken."""
    for number, seat in enumerate(seats):
        if seat.occupant is Occupant.NOBODY:
            return number
    return None


def forfeited(seats: Sequence[Seat]) -> list[int]:
    """The seats that are out."""
    return [number for number, seat in enumerate(seats) if seat.occupant is Occupant.FORFEITED]


def players_on(seats: Sequence[Seat]) -> list[str]:
    """The ids of the players who have seats, each once, in the order of seats."""
    return list(dict.fromkeys(seat.player_id for seat in seats if seat.player_id))


def places(seats: Sequence[Seat]) -> list[int]:
    """The seats for which players are drawn: all that are not out, as they may be in forks."""
    return [number for number, seat in enumerate(seats) if seat.occupant is not Occupant.FORFEITED]


def seating(seats: Sequence[Seat], draws: Sequence[int]) -> list[int]:
    """For each seat the one from which its player comes; raises ValueError for other draws."""
    open_to_all, origins = places(seats), list(range(len(seats)))
    sizes = seating_sizes(len(open_to_all))
    if len(draws) != len(sizes) or not all(0 <= n < m for n, m in zip(draws, sizes, strict=True)):
        raise ValueError("no draws for these seats")
    for here, drawn in enumerate(draws):
        one, other = open_to_all[here], open_to_all[here + drawn]
        origins[one], origins[other] = origins[other], origins[one]
    return origins


def seated(seats: Sequence[Seat], draws: Sequence[int]) -> tuple[Seat, ...]:
    """The seats when the players have gone to those that were drawn.

    What they added to the seed stays where they joined, since the seed follows from that.
    """
    return tuple(
        replace(seats[origin], entropy_hash=seat.entropy_hash, entropy=seat.entropy)
        for seat, origin in zip(seats, seating(seats, draws), strict=True)
    )
