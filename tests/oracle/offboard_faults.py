"""The planted faults of Offboard, each a subclass of the clean rules overriding one method."""

from __future__ import annotations

from .fault import Fault
from .offboard import Rules
from .offboard_faults_end import END_FAULTS
from .offboard_faults_move import MOVE_FAULTS

FAULTS: tuple[Fault[Rules], ...] = (*MOVE_FAULTS, *END_FAULTS)
"""All planted faults; each can be seen in reachable play."""

EQUIVALENT: dict[str, str] = {
    "R6 tested before R4": "R6 changes only when a target is filled; then no position repeats, and"
    " a position standing again would have ended the game by R6 when it stood first",
    "R6 tested before R5": "R6 begins to hold only when a target is filled, and then the quiet"
    " turns are 0, below any quiet limit",
    "a draw tested before the win": "a win fills a target, so neither R4 nor R5 holds, and the"
    " winner's score alone keeps R6 from holding",
    "R4 without targets or scores": "marbles on the board and pending never grow in number, and"
    " every filled target takes one away",
}
"""Faults that nobody can plant: no play can tell them from the clean rules, and why."""
