"""How fast callers may call: so many calls a second each, and two seconds' worth at once."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import unquote

_SECONDS_AT_ONCE = 2.0
_REMEMBERED = 100_000
"""Callers of whom is known how fast they have called, about 200 bytes each."""
_IPV6_PREFIX = 64
_ROUNDING = 1e-6


class Pace:
    """One limit for each of many callers, by the generic cell rate algorithm.

    Of a caller it keeps one number, the time by which its calls so far are paid off. Beyond
    many callers the one that called longest ago is forgotten: it has most likely paid off.
    """

    def __init__(self, per_second: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Let each caller make so many calls a second."""
        self._interval = 1 / per_second
        self._ahead = _SECONDS_AT_ONCE - self._interval
        self._clock = clock
        self._paid_off: OrderedDict[str, float] = OrderedDict()

    def wait_for(self, name: str) -> float:
        """Count a call; or, if it comes too early, the seconds after which it may be made."""
        now = self._clock()
        paid_off = max(self._paid_off.pop(name, now), now)
        wait = paid_off - now - self._ahead
        is_early = wait > _ROUNDING
        self._paid_off[name] = paid_off if is_early else paid_off + self._interval
        if len(self._paid_off) > _REMEMBERED:
            self._paid_off.popitem(last=False)
        return wait if is_early else 0.0


def peer_name(peer: str) -> str:
    """Whom gRPC's name of a peer stands for: a machine, or for IPv6 a network of one holder."""
    kind, _, address = unquote(peer).partition(":")
    host = address.rpartition(":")[0].strip("[]")
    if kind != "ipv6":
        return f"{kind}:{host}"
    try:
        return str(ipaddress.ip_network((host.partition("%")[0], _IPV6_PREFIX), strict=False))
    except ValueError:
        return kind
