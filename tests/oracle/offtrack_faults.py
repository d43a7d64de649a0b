"""The planted faults of OffTrack, each a subclass of the clean rules overriding little."""

from __future__ import annotations

from .fault import Fault
from .offtrack import Rules
from .offtrack_faults_effects import EFFECT_FAULTS, FLIPPED_FAULTS, SEAL_FAULTS
from .offtrack_faults_table import COLLAPSE_FAULTS, FLIP_FAULTS, LINE_FAULTS
from .offtrack_faults_turn import JAM_FAULTS, ROUND_FAULTS, TURN_FAULTS

WHERE: tuple[tuple[list[Fault[Rules]], tuple[str, ...]], ...] = (
    (LINE_FAULTS, ("flip", "seal")),
    (FLIP_FAULTS, ("flip",)),
    (FLIPPED_FAULTS, ("flip",)),
    (EFFECT_FAULTS, ("seal", "flip")),
    (SEAL_FAULTS, ("seal",)),
    (COLLAPSE_FAULTS, ("hoard", "break", "reserve")),
    (TURN_FAULTS, ("tiny", "flip", "seal", "medium")),
    (ROUND_FAULTS, ("tiny",)),
    (JAM_FAULTS, ("jam",)),
)
"""The faults with the kinds of games that show them soonest."""

FAULTS: tuple[tuple[Fault[Rules], tuple[str, ...]], ...] = tuple(
    (fault, kinds) for faults, kinds in WHERE for fault in faults
)
"""All planted faults, each with its kinds of games; each can be seen in reachable play."""
