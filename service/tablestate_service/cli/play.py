"""`tablestate play`."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches

from rich.columns import Columns
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from tablestate import (
    Client,
    GetViewResponse,
    HostedMatch,
    IllegalActionError,
    MatchPhase,
    MatchPhaseError,
    MatchUpdate,
    PreconditionError,
    SeatedPlayer,
    StaleVersionError,
    TablestateError,
)
from tablestate_service.cli.arguments import (
    CommandError,
    SeatSpec,
    add_options,
    parse_options,
    parse_seats,
)
from tablestate_service.cli.embedded import embedded_service
from tablestate_service.cli.keyboard import Keyboard
from tablestate_service.cli.narration import Narrator

DESCRIPTION = """\
Play a match in the terminal against bots, or several persons at one terminal. A service is
started for it, unless --server names one that is running. Where a game hides something from
the others, such as a hand, the screen is cleared before the keyboard goes to another person.

At the prompt write an action in the game's notation, or one of these:
  ?        how actions are written, and these commands
  actions  list the legal actions
  board    draw the board again
  resign   give the match up
  quit     leave the seat and the program (so do Ctrl-C and Ctrl-D)

examples:
  tablestate play offboard
  tablestate play offboard --seats bot:random,human
  tablestate play offboard --seats human,human --option points_to_win=3
  tablestate play offtrack --seats human,bot:greedy,bot:random --option scoring=LOW
  tablestate play offboard --seats human,bot:greedy --server 127.0.0.1:50051
"""

_COMMANDS = """\
actions  list the legal actions      resign  give the match up
board    draw the board again        quit    leave the seat and the program"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game", metavar="GAME", help="the game's name, as offboard")
    parser.add_argument(
        "--seats",
        type=parse_seats,
        metavar="SEAT,SEAT,...",
        help="who sits where, from seat 0 on: 'human' or 'bot:NAME'; their number is the option "
        "seats of games that have it (default: human, and bot:greedy on all other seats)",
    )
    add_options(parser)
    parser.add_argument(
        "--name", default="you", help="the name shown for persons (default: %(default)s)"
    )
    parser.add_argument(
        "--server",
        metavar="HOST:PORT",
        help="a running service (default: one is started, and gone afterwards)",
    )


def run(args: argparse.Namespace) -> int:
    """Play until the match has ended or the person quits."""
    console, options = Console(), parse_options(args.game, args.options, args.seats)
    with _service(args.server) as target, Client(target) as client:
        host = client.create_match(args.game, getattr(options, args.game))
        players = _seat_all(host, args.seats, args.name)
        narrator = Narrator(console, host.get())
        if len(players) == 1:
            (player,) = players.values()
            _Table(console, narrator, players, None).play(player.watch(include_view=True))
        else:
            keyboard = Keyboard(console, narrator, client)
            _Table(console, narrator, players, keyboard).play(host.watch(include_view=True))
    return 0


@contextmanager
def _service(server: str | None) -> Iterator[str]:
    if server is not None:
        yield server
        return
    with embedded_service() as target:
        yield target


def _seat_all(
    host: HostedMatch, specs: Sequence[SeatSpec] | None, name: str
) -> dict[int, SeatedPlayer]:
    """Fill the seats and return the persons' ones; raises CommandError."""
    seats = len(host.get().seats)
    specs = specs or [SeatSpec(None), *[SeatSpec("greedy")] * (seats - 1)]
    if len(specs) != seats or all(spec.bot for spec in specs):
        host.abort()
        raise CommandError(
            f"--seats: {len(specs)} given; expected {seats}, at least one of them 'human'"
        )
    players = {}
    for seat, spec in enumerate(specs):
        if spec.bot is None:
            players[seat] = host.join(seat=seat, display_name=name)
        else:
            host.add_bot(spec.bot, seat=seat)
    return players


class _QuitError(Exception):
    """The person wants to leave."""


@dataclass(frozen=True)
class _Table:
    """A match with persons at this terminal.

    Several share a keyboard; they follow the match as a spectator does, who is told nothing
    that only one of them may know.
    """

    console: Console
    narrator: Narrator
    players: dict[int, SeatedPlayer]
    keyboard: Keyboard | None

    def play(self, updates: Iterator[MatchUpdate]) -> None:
        try:
            for update in updates:
                self._show(update)
                for seat in set(update.actors) & self.players.keys():
                    self._decide(self.players[seat], update.version)
        except (_QuitError, KeyboardInterrupt, EOFError):
            self._leave()

    def _show(self, update: MatchUpdate) -> None:
        self.narrator.tell(update)
        if self.keyboard is not None:
            self.keyboard.note(update)
        if update.phase == MatchPhase.MATCH_PHASE_OVER and update.HasField("view"):
            self.narrator.draw(update.view)

    def _leave(self) -> None:
        for player in self.players.values():
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
                self.console.print(f"{self.narrator.notation_help}\n\n{_COMMANDS}")
            case "actions":
                self._list_actions(turn)
            case "board":
                self.narrator.draw(turn.view)
            case "quit":
                raise _QuitError
            case "resign":
                player.resign()
                del self.players[player.seat]  # it is played on without this person
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
        told = [f"{v.field}: {v.description}" for v in error.violations] or [error.message + rule]
        for line in told:
            self.console.print(line, markup=False, highlight=False, soft_wrap=True)
        legal = [action.notation for action in turn.legal_actions.actions]
        near = get_close_matches(text, legal, n=6, cutoff=0.5)
        if near:
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
