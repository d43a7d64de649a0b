"""What fault tests share: how much they do, and the report of what really happened."""

import os
from collections import Counter
from collections.abc import Iterator

IS_LONG = os.environ.get("LONG") == "1"
"""`make faults` runs the long form; `make test` a slice of it."""


def by_form(short: int, long: int) -> int:
    """How much of something to do."""
    return long if IS_LONG else short


class Report:
    """How often each fault happened, test by test."""

    def __init__(self) -> None:
        self._tallies: dict[str, Counter[str]] = {}

    def tally(self, test: str) -> Counter[str]:
        """The counts of a test, to be filled by it."""
        return self._tallies.setdefault(test, Counter())

    def lines(self) -> Iterator[str]:
        """The report, for people."""
        for test, counts in self._tallies.items():
            yield test
            width = max(map(len, counts), default=0)
            for what, count in counts.items():
                yield f"    {what:{width}}  {count:>9,}"
