"""The planted faults of Eternitium, each a subclass of the clean rules overriding little."""

from __future__ import annotations

from typing import NamedTuple

from .eternitium import Rules
from .eternitium_faults_effects import (
    AIM_FAULTS,
    EFFECT_FAULTS,
    GAMBLE_FAULTS,
    RECYCLER_FAULTS,
    SCAN_FAULTS,
)
from .eternitium_faults_end import END_FAULTS, FORFEIT_FAULTS, TIE_FAULTS, TOLD_FAULTS
from .eternitium_faults_turn import (
    ERA_FAULTS,
    LOOP_FAULTS,
    MARKET_FAULTS,
    REFIT_FAULTS,
    SETUP_FAULTS,
    TURN_FAULTS,
)
from .fault import Fault


class Hunt(NamedTuple):
    """Where a fault is looked for: the kinds of games that show it soon."""

    fault: Fault[Rules]
    kinds: tuple[str, ...]


PLACES: tuple[tuple[list[Fault[Rules]], tuple[str, ...]], ...] = (
    (GAMBLE_FAULTS, ("late", "bare", "spent")),
    (EFFECT_FAULTS, ("bare", "late", "loop")),
    (RECYCLER_FAULTS, ("lean", "bare")),
    (AIM_FAULTS, ("aimed", "bare")),
    (SCAN_FAULTS, ("aimed", "bare")),
    (SETUP_FAULTS, ("standard", "tiny")),
    (TURN_FAULTS, ("spent", "late", "lean")),
    (REFIT_FAULTS, ("spent", "lean")),
    (LOOP_FAULTS, ("bare", "loop")),
    (MARKET_FAULTS, ("spent", "tiny", "late")),
    (ERA_FAULTS, ("spent", "late")),
    (END_FAULTS, ("tied", "late", "lean", "bare")),
    (TIE_FAULTS, ("tied",)),
    (FORFEIT_FAULTS, ("left",)),
    (TOLD_FAULTS, ("aimed", "spent")),
)

HUNTS = tuple(Hunt(fault, kinds) for faults, kinds in PLACES for fault in faults)
"""All planted faults; each can be seen in reachable play."""
