"""Planted rule faults, for any game: an oracle with one small thing wrong."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

R = TypeVar("R")


@dataclass(frozen=True)
class Fault(Generic[R]):
    """A planted fault: its name, the rule it breaks, what is wrong, and the faulty rules."""

    name: str
    rule: str
    description: str
    rules: R


def planted(registry: list[Fault[R]], rule: str) -> Callable[[type[R]], type[R]]:
    """Register a faulty subclass of a game's rules; its docstring says what is wrong."""

    def register(faulty: type[R]) -> type[R]:
        name = re.sub("(?<!^)(?=[A-Z])", "_", faulty.__name__).lower()
        description = (faulty.__doc__ or "").strip().splitlines()[0]
        registry.append(Fault(name, rule, description, faulty()))
        return faulty

    return register
