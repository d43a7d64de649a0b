"""How bad things are: which faults happen how often, drawn anew for every seed."""

import asyncio
import random
from collections import Counter

MOST = {
    "call lost": 0.15,
    "answer lost": 0.15,
    "call doubled": 0.3,
    "caller gone": 0.5,
    "read lost": 0.08,
    "write lost": 0.12,
    "write unknown": 0.12,
    "write late": 0.08,
    "crash before commit": 0.04,
    "crash after commit": 0.04,
    "crash": 0.5,
    "news lost": 1.0,
    "news doubled": 0.5,
    "news late": 0.5,
    "watch cut": 0.1,
    "way slow": 0.1,
    "long thought": 1.0,
    "clock wrong": 0.5,
}
"""Each fault, and how likely it is at most whenever it can happen."""

_PRESENT = 0.6
"""How likely a seed is to have a fault at all: faults of all kinds at once hide each other."""


class Weather:
    """Draws faults and delays."""

    def __init__(self, chooser: random.Random) -> None:
        self.chooser = chooser
        self.tally: Counter[str] = Counter()
        self._odds = {
            fault: chooser.uniform(0, most) if chooser.random() < _PRESENT else 0.0
            for fault, most in MOST.items()
        }

    def happens(self, fault: str) -> bool:
        """Whether a fault happens now."""
        odds = self._odds[fault]
        if odds == 0.0 or self.chooser.random() >= odds:
            return False
        self.tally[fault] += 1
        return True

    def calm(self) -> None:
        """Let no more faults happen."""
        self._odds = dict.fromkeys(MOST, 0.0)

    async def pause(self, least: float, most: float) -> None:
        """Let some time pass."""
        await asyncio.sleep(self.chooser.uniform(least, most))

    async def way(self) -> None:
        """Go from one machine to another."""
        if self.happens("way slow"):
            await self.pause(0.05, 2.0)
        else:
            await self.pause(0.0002, 0.01)


def calm_weather() -> Weather:
    """Delays, and no faults."""
    weather = Weather(random.Random(0))
    weather.calm()
    return weather
