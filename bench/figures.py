"""What a benchmark finds: figures, their targets, and the table of them."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True, slots=True)
class Target:
    """What a figure is to be: at least or at most so much."""

    bound: float
    is_minimum: bool

    def is_met(self, value: float) -> bool:
        """Whether a value is good enough."""
        return value >= self.bound if self.is_minimum else value <= self.bound

    def __str__(self) -> str:
        """The bound with its sign."""
        return f"{'≥' if self.is_minimum else '≤'} {self.bound:g}"


def at_least(bound: float) -> Target:
    """More is better."""
    return Target(bound, True)


def at_most(bound: float) -> Target:
    """Less is better."""
    return Target(bound, False)


@dataclass(frozen=True, slots=True)
class Figure:
    """The median of a figure over the rounds, with what it was made from.

    `ours` and `peer` tell the absolute figures. `foreign` is the CPU that others used at
    the same time, in cores: the median and the most of the rounds.
    """

    name: str
    rounds: Sequence[float]
    target: Target | None
    ours: str
    peer: str = ""
    cpu: str = ""
    foreign: Sequence[float] = ()

    @property
    def value(self) -> float:
        """The median of the rounds."""
        return median(self.rounds)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        met = self.target.is_met(self.value) if self.target else None
        target = str(self.target) if self.target else None
        return asdict(self) | {"value": self.value, "target": target, "met": met}


Column = tuple[str, Callable[[Figure], str]]

_COLUMNS: Sequence[Column] = (
    ("figure", lambda each: each.name),
    ("median", lambda each: _short(each.value)),
    ("target", lambda each: str(each.target or "")),
    ("", lambda each: _verdict(each)),
    ("rounds from … to", lambda each: f"{_short(min(each.rounds))} … {_short(max(each.rounds))}"),
    ("ours", lambda each: each.ours),
    ("peer", lambda each: each.peer),
    ("CPU µs a call", lambda each: each.cpu),
    ("others' cores", lambda each: _foreign(each)),
)


def table(figures: Sequence[Figure]) -> str:
    """The figures as a Markdown table, so that it can go into a document as it is."""
    lines = [[title for title, _ in _COLUMNS]]
    lines += [[cell(figure) for _, cell in _COLUMNS] for figure in figures]
    widths = [max(len(line[place]) for line in lines) for place in range(len(_COLUMNS))]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(_line(line, widths) for line in lines)


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return f"| {' | '.join(padded)} |"


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _verdict(figure: Figure) -> str:
    if figure.target is None:
        return ""
    return "met" if figure.target.is_met(figure.value) else "MISSED"


def _foreign(figure: Figure) -> str:
    if not figure.foreign:
        return ""
    return f"{median(figure.foreign):.2f}, most {max(figure.foreign):.2f}"
