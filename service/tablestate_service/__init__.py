"""Tablestate: a game-state service for turn-based tabletop games."""

from tablestate_service._cores import choose

__version__ = "0.1.0"

choose()
