"""The planted faults of Off the Rails, each a subclass of the clean rules overriding little."""

from __future__ import annotations

from typing import NamedTuple

from .fault import Fault
from .off_the_rails import Rules
from .off_the_rails_faults_chasm import DEPOSIT_FAULTS, DIE_FAULTS, OPENING_FAULTS, TOKEN_FAULTS
from .off_the_rails_faults_end import (
    CHOICE_FAULTS,
    END_FAULTS,
    MISSION_FAULTS,
    TIE_FAULTS,
    TOLD_FAULTS,
    WRECK_FAULTS,
)
from .off_the_rails_faults_hit import BUMPER_FAULTS, HIT_FAULTS, SURFACE_FAULTS
from .off_the_rails_faults_move import BANK_FAULTS, MOVE_FAULTS, TAKING_FAULTS
from .off_the_rails_faults_turn import ACTION_FAULTS, SETUP_FAULTS


class Hunt(NamedTuple):
    """Where a fault is looked for: the kinds of games that show it soon."""

    fault: Fault[Rules]
    kinds: tuple[str, ...]


PLACES: tuple[tuple[list[Fault[Rules]], tuple[str, ...]], ...] = (
    (SETUP_FAULTS, ("deal", "quick", "deal")),
    (ACTION_FAULTS, ("siege", "wander", "collapse")),
    (MOVE_FAULTS, ("wander", "hit", "collapse")),
    (TAKING_FAULTS, ("rounds", "wander")),
    (BANK_FAULTS, ("laden", "collapse", "home")),
    (HIT_FAULTS, ("hit",)),
    (BUMPER_FAULTS, ("crash",)),
    (SURFACE_FAULTS, ("siege",)),
    (DEPOSIT_FAULTS, ("spent", "last", "quick")),
    (OPENING_FAULTS, ("last",)),
    (TOKEN_FAULTS, ("collapse", "walled")),
    (DIE_FAULTS, ("walled",)),
    (MISSION_FAULTS, ("laden", "rounds")),
    (WRECK_FAULTS, ("wreck",)),
    (END_FAULTS, ("ending", "collapse")),
    (TIE_FAULTS, ("tied",)),
    (TOLD_FAULTS, ("hit",)),
    (CHOICE_FAULTS, ("hit", "wander")),
)

HUNTS = tuple(Hunt(fault, kinds) for faults, kinds in PLACES for fault in faults)
"""All planted faults; each can be seen in reachable play."""
