"""Who calls, and what a caller may be."""

from dataclasses import dataclass
from enum import IntEnum


class Role(IntEnum):
    """What a caller is; each may do what those before it may. Numbers of the contract."""

    ANYONE = 1
    PLAYER = 2
    OPERATOR = 3


@dataclass(frozen=True, slots=True)
class Caller:
    """Whoever makes a call, as its key or token says.

    It knows the matches of `tenant` and no others; None: all, where there are no keys. `player_id`
    is whom the key or token names; None: nobody. `name` tells callers apart.
    """

    role: Role
    tenant: str | None = None
    player_id: str | None = None
    name: str = ""


ANYBODY = Caller(Role.PLAYER)
"""Every caller of a server without keys."""

STRANGER = Caller(Role.ANYONE, tenant="")
"""A caller without a key, of a server that has some."""
