"""A match played at this terminal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from tablestate import (
    GetViewResponse,
    IllegalActionError,
    MatchPhase,
    MatchPhaseError,
    MatchUpdate,
    PreconditionError,
    SeatedPlayer,
    StaleVersionError,
    TablestateError,
)
from tablestate.text import near_actions
from tablestate_service.cli.keyboard import Keyboard
from tablestate_service.cli.narration import Narrator

PROMPT_HELP = """\
At the prompt write an action in the game's notation, or one of these:
  ?        how actions are written, and these commands
  actions  list the legal actions
  board    draw the board again
  resign   give the match up
  quit     leave the seat and the program (so do Ctrl-C and Ctrl-D)
"""

_COMMANDS = """\
actions  list the legal actions      resign  give the match up
board    draw the board again        quit    leave the seat and the program"""


class _QuitError(Exception):
    """The person wants to leave."""


@dataclass(frozen=True)
class Table:
    """A match with persons at this terminal.

    Several share a keyboard; they follow the match as a spectator does, who is told nothing
    that only one of them may know.
    """

    console: Console
    narrator: Narrator
    players: list[SeatedPlayer]
    keyboard: Keyboard | None

    def play(self, updates: Iterator[MatchUpdate]) -> None:
        """Go on until the match has ended or a person quits, on updates with views."""
        try:
            for update in updates:
                self._show(update)
                for player in [each for each in self.players if each.seat in update.actors]:
                    self._decide(player, update.version)
        except (_QuitError, KeyboardInterrupt, EOFError):
            self._leave()

    def _show(self, update: MatchUpdate) -> None:
        self.narrator.tell(update)
        if self.keyboard is not None:
            self.keyboard.note(update)
        if update.phase == MatchPhase.MATCH_PHASE_OVER and update.HasField("view"):
            self.narrator.draw(update.view)

    def _leave(self) -> None:
        for player in self.players:
            try:
                player.leave()
            except PreconditionError:  # the match has ended meanwhile
                break
        self.console.print("\nYou have left the table.")

    def _decide(self, player: SeatedPlayer, version: int) -> None:
        """Ask until a decision is taken; return at once if the match has moved on."""
        turn = player.view(min_version=version, include_legal_actions=True)
        if player.seat not in turn.actors:
            return
        if self.keyboard is not None:
            self.keyboard.hand_over(turn)
        self.narrator.draw(turn.view)
        self._list_actions(turn)
        while not self._answer(player, turn, self._ask(player)):
            pass

    def _ask(self, player: SeatedPlayer) -> str:
        prompt = f"{self.narrator.seat(player.seat)}, your action (? for help): "
        return self.console.input(prompt, markup=False).strip()

    def _answer(self, player: SeatedPlayer, turn: GetViewResponse, text: str) -> bool:
        """Do what was asked; returns whether the decision is taken."""
        match text.lower():
            case "":
                return False
            case "?" | "help":
                words = f"{self.narrator.notation_help}\n\n{_COMMANDS}"
                self.console.print(words, markup=False, highlight=False)
            case "actions":
                self._list_actions(turn)
            case "board":
                self.narrator.draw(turn.view)
            case "quit":
                raise _QuitError
            case "resign":
                player.resign()
                self.players.remove(player)  # it is played on without this person
                return True
            case _:
                return self._submit(player, turn, text)
        return False

    def _submit(self, player: SeatedPlayer, turn: GetViewResponse, text: str) -> bool:
        try:
            player.submit(text, expected_version=turn.version)
        except (StaleVersionError, MatchPhaseError) as error:
            self.console.print(error.message, markup=False)
            return True
        except TablestateError as error:
            self._explain(error, text, turn)
            return False
        return True

    def _explain(self, error: TablestateError, text: str, turn: GetViewResponse) -> None:
        rule = f" (rule: {error.rule})" if isinstance(error, IllegalActionError) else ""
        told = [v.description for v in error.violations] or [error.message + rule]
        for line in told:
            self.console.print(line, markup=False, highlight=False, soft_wrap=True)
        if near := near_actions(text, turn.legal_actions):
            self.console.print(f"Legal and near: {'  '.join(near)}", highlight=False)

    def _list_actions(self, turn: GetViewResponse) -> None:
        legal = turn.legal_actions.actions
        kinds: dict[str, list[str]] = {}
        for action in legal:
            kinds.setdefault(self.narrator.heading(action.action), []).append(action.notation)
        self.console.print(f"{len(legal)} legal action{'s' * (len(legal) != 1)}:")
        for heading, notations in kinds.items():
            self.console.print(heading, markup=False, highlight=False, style="bold")
            columns = Columns(map(Text, sorted(notations)), padding=(0, 2))
            self.console.print(Padding(columns, (0, 0, 0, 2)))
