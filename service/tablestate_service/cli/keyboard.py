"""Who sits at the keyboard, when several persons share it."""

from __future__ import annotations

import sys
import termios
from collections import defaultdict

from rich.console import Console

from tablestate import Client, GetViewResponse, MatchUpdate
from tablestate_service.cli.narration import Narrator

_FORGET_SCROLLBACK = "\x1b[3J"


class Keyboard:
    """Passes the keyboard on, so that nobody sees what only another seat may see.

    A seat that sees more than a spectator has something to hide; whatever the game, that is
    what hidden information is. Where no seat has, nobody is bothered.
    """

    def __init__(self, console: Console, narrator: Narrator, client: Client) -> None:
        """Begin with nobody at the keyboard."""
        self._console = console
        self._narrator = narrator
        self._client = client
        self._holder: int | None = None
        self._hides = False
        self._told: list[MatchUpdate] = []
        self._left_at: defaultdict[int, int] = defaultdict(int)

    def note(self, update: MatchUpdate) -> None:
        """Remember what everybody may know, for those whose eyes were elsewhere."""
        self._told.append(update)

    def hand_over(self, turn: GetViewResponse) -> None:
        """Let the seat of a turn sit down, before anything of that turn is shown."""
        self._hides = self._hides or self._is_secret(turn)
        if turn.seat != self._holder and self._hides:
            self._swap(turn.seat)
        self._holder = turn.seat

    def _is_secret(self, turn: GetViewResponse) -> bool:
        public = self._client.view(turn.match_id, version=turn.version)
        return turn.view != public.view

    def _swap(self, seat: int) -> None:
        if self._holder is not None:
            self._left_at[self._holder] = len(self._told)
        self._wipe()
        name = self._narrator.seat(seat)
        _forget_typed_ahead()
        prompt = f"Pass the keyboard to seat {seat}, {name}, and press Enter: "
        self._console.input(prompt, markup=False)
        self._wipe()
        for update in self._told[self._left_at[seat] :]:
            self._narrator.tell(update)

    def _wipe(self) -> None:
        """Clear the screen and all that can be scrolled back to, or push it out of sight."""
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._console.clear()
            self._console.file.write(_FORGET_SCROLLBACK)
            self._console.file.flush()
        else:
            self._console.print("\n" * self._console.height)


def _forget_typed_ahead() -> None:
    """An Enter that was pressed before the keyboard was passed on must not show anything."""
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
