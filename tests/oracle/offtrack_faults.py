"""The planted faults of OffTrack, each a subclass of the clean rules overriding little."""

from __future__ import annotations

from typing import NamedTuple

from .fault import Fault
from .offtrack import Rules
from .offtrack_faults_effects import EFFECT_FAULTS, FLIPPED_FAULTS, SEAL_FAULTS
from .offtrack_faults_table import COLLAPSE_FAULTS, FLIP_FAULTS, LINE_FAULTS, START_FAULTS
from .offtrack_faults_turn import JAM_FAULTS, ROUND_FAULTS, TURN_FAULTS
from .offtrack_suite import BUILT


class Hunt(NamedTuple):
    """Where a fault is looked for: the kinds of games and the suite's seed that show it soon."""

    fault: Fault[Rules]
    kinds: tuple[str, ...]
    seed: int


PLACES: tuple[tuple[list[Fault[Rules]], tuple[str, ...], int], ...] = (
    (LINE_FAULTS, ("flip", "seal"), 1),
    (FLIP_FAULTS, ("flip",), 1),
    (FLIPPED_FAULTS, ("flip",), 1),
    (EFFECT_FAULTS, ("seal", "flip"), 1),
    (SEAL_FAULTS, ("seal",), 1),
    (COLLAPSE_FAULTS, ("hoard", "break", "reserve"), 1),
    (START_FAULTS, (BUILT,), 1),
    (TURN_FAULTS, ("tiny", "flip", "seal", "medium"), 1),
    (ROUND_FAULTS, ("tiny",), 1),
    (JAM_FAULTS, (BUILT,), 1),
)

HUNTS = tuple(Hunt(fault, kinds, seed) for faults, kinds, seed in PLACES for fault in faults)
"""All planted faults; each can be seen in reachable play."""

FAULTS = tuple((hunt.fault, hunt.kinds) for hunt in HUNTS)
"""The same without the seeds, which help only where the chance is the oracle's own."""

EQUIVALENT: dict[str, str] = {
    "a branch sheared off a flipped line is flipped, too": "a Shear there is the drawn action, for"
    " the held one was the Paradox Loop, so that all flips end with it; only a new branch of 7 or"
    " more cards, which collapses at once, would show its other edge",
}
"""Faults left out, and why: play hardly tells them from the clean rules."""
