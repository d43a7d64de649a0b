"""The lines of OffTrack as rows of cards, with the seats, piles and decks below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tablestate.boards._offtrack_words import (
    ACTIONS,
    card_name,
    describe,
    heading,
    line_name,
    seat_name,
    value,
)
from tablestate.v1.game_pb2 import GameAction, GameEvent, GameOptions, GameView, OutcomeReason
from tablestate.v1.offtrack_pb2 import (
    OffTrackActionCard,
    OffTrackCard,
    OffTrackLine,
    OffTrackPlayer,
    OffTrackStep,
    OffTrackView,
)

_ERAS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")
_CELL = 9
_ROW = 7
"""Cards a row: a branch of seven collapses, so that only Prime needs more rows."""
_MARGIN = 7
_EDGE = "◆"

_TO_DECIDE = {
    OffTrackStep.OFF_TRACK_STEP_UNSPECIFIED: "nothing, the match is over",
    OffTrackStep.OFF_TRACK_STEP_HELD: "play or discard the held action",
    OffTrackStep.OFF_TRACK_STEP_MAIN: "add a card to a line, or cycle cards",
    OffTrackStep.OFF_TRACK_STEP_OFFER: "draw an action, or end the turn",
    OffTrackStep.OFF_TRACK_STEP_DRAWN: "play, hold or discard the drawn action",
}

_HELP = """\
The most points win (with the option scoring=LOW the fewest). A card such as c4 is
figure 4 of era c; figures 0 to 8 are worth -2 -1 0 1 1 2 3 4 5. The table shows each
card's worth, and under it its index on the line. Line 0 is Prime, the others are branches.

In a turn you first play or discard an action that you held. Then you add a card to a
line, or cycle: discard cards and draw as many, not twice running. At last you may draw an
action and play it, hold it for your next turn, or discard it.
- A card is added at the end marked "add". It collects all lower cards of the line into
  your score pile; they count, be they good or bad.
- ◆ is the edge of a line. If the card beside an added one is of the same era, and the line
  has three cards or more, that neighbour becomes the edge.
- A branch of seven cards collapses: who made it seven scores its ◆, the rest is boxed. A
  second collapse in one turn waits for that seat's next turn.
- Branches are made by Shear. A round ends soon after deck and discards have run out.

  c4>0    add c4 to line 0              ~a3c4  cycle a3 and c4; ~ for none
  D       draw an action                E      end the turn
  X       discard the action            H      hold it until your next turn
  .       skip, when nothing can be done
  S1:3    Shear behind index 3 of line 1: the cards from there to the end marked "add"
          become a new branch; if none may stand, you score the next card, the rest is boxed
  M1>0    Mend: score the ◆ of branch 1, its other cards go to line 0; M1 if it has one card
  Q1:3>0  Quantum Shunt: the card at index 3 of line 1 goes to line 0
  R0:2    Recall: the card at index 2 of line 0 becomes its ◆ and collects the lower cards
  L0      Paradox Loop: flip line 0 until the turn ends; cards are added at the other end
  P0      Redeem: the negative cards of line 0 turn positive (c0+)
  K0      Quarantine: seal line 0 until your next turn
  B1      Breach: score the ◆ of branch 1, or open a sealed line"""


class OffTrackBoard:
    """Draws OffTrack."""

    notation_help = _HELP

    def seat_name(self, seat: int) -> str:
        """Return the side of the table that a seat sits at."""
        return seat_name(seat)

    def listing(self, view: GameView) -> str:
        """Name the cards that are out of play, and the scores of the rounds played."""
        offtrack = view.offtrack
        discarded = [OffTrackCard(type=kind) for kind in offtrack.discard]
        actions = ", ".join(ACTIONS[card].title for card in offtrack.action_discard)
        lines = [f"discarded: {_names(discarded)}", f"boxed: {_names(offtrack.boxed)}"]
        lines.append(f"actions discarded: {actions or '-'}")
        lines += _rounds(offtrack)
        if offtrack.collapsed:
            lines.append("a branch has collapsed in this turn")
        return "\n".join(lines)

    def describe(self, event: GameEvent, options: GameOptions) -> str:
        """Tell an event in a few words; the end of a turn needs none."""
        return describe(event.offtrack)

    def reason(self, reason: OutcomeReason.ValueType) -> str:
        """Say why the game ended."""
        is_played = reason == OutcomeReason.OUTCOME_REASON_OFFTRACK_ROUNDS_PLAYED
        return "all rounds are played" if is_played else ""

    def heading(self, action: GameAction) -> str:
        """Say what kind of action this is."""
        return heading(action.offtrack)

    def render(self, view: GameView) -> RenderableType:
        """Draw the round, the lines, the seats, the piles and what the viewer has."""
        offtrack = view.offtrack
        lines = [_line(offtrack, number) for number in range(len(offtrack.lines))]
        return Group(_round(offtrack), *lines, Text(), _seats(offtrack), Text(), _own(offtrack))


def _round(view: OffTrackView) -> Text:
    parts = [
        f"round {view.round} of {view.rounds}",
        f"{view.deck_size} cards in the deck",
        f"{len(view.discard)} discarded",
        f"{len(view.boxed)} boxed",
        f"{view.action_deck_size} actions to draw",
    ]
    text = Text(", ".join(parts))
    if view.called and view.step != OffTrackStep.OFF_TRACK_STEP_UNSPECIFIED:
        text.append("\nThe end is called: each seat up to the last has one more turn.", "bold")
    return text


def _line(view: OffTrackView, number: int) -> Text:
    line = view.lines[number]
    text = Text(f"\n{line_name(number).capitalize()}", "bold")
    text.append(f", line {number}" if number == 0 else "")
    for state in _states(line):
        text.append(f", {state}", "not bold yellow")
    cards = list(enumerate(line.cards))
    rows = [cards[start : start + _ROW] for start in range(0, len(cards), _ROW)] or [[]]
    for row in rows:
        text.append_text(_row(line, row, row is rows[0], row is rows[-1]))
    return text


def _states(line: OffTrackLine) -> Iterator[str]:
    if line.flipped:
        yield "flipped until the turn ends"
    if line.HasField("pinned"):
        yield f"edge pinned to index {line.pinned}"
    if line.HasField("sealed_by"):
        yield f"sealed by {seat_name(line.sealed_by)}"
    if line.HasField("waiting_for"):
        yield f"waits to collapse until {seat_name(line.waiting_for)}'s turn"


def _row(
    line: OffTrackLine, cards: list[tuple[int, OffTrackCard]], is_first: bool, is_last: bool
) -> Text:
    """Return a row of cards with their indices below, and "add" where cards are added."""
    takes_cards = not line.HasField("sealed_by") and not line.HasField("waiting_for")
    left = "  add ▸" if takes_cards and line.flipped and is_first else ""
    names, indices = Text(f"\n{left:{_MARGIN}}"), f"\n{'':{_MARGIN}}"
    for index, card in cards:
        names.append(_EDGE if index == _edge(line) else " ", "bold")
        names.append_text(_card(card, _CELL - 1))
        indices += f" {index:<{_CELL - 1}}"
    if not line.cards:
        names.append(" no cards ", "dim")
    if takes_cards and not line.flipped and is_last:
        names.append(" ◂ add")
    return names.append(indices.rstrip() if cards else "", "dim")


def _edge(line: OffTrackLine) -> int:
    """Return the index of the card that is harvested (R4)."""
    if line.HasField("pinned"):
        return line.pinned
    return len(line.cards) - 1 if line.flipped else 0


def _card(card: OffTrackCard, width: int = 0) -> Text:
    text = Text(card_name(card), f"bold {_ERAS[card.type // 9]}")
    text.append(f" {_signed(value(card))}", "red" if value(card) < 0 else "none")
    text.pad_right(max(0, width - len(text)))
    return text


def _signed(number: int) -> str:
    return f"{number:+d}" if number else "0"


def _names(cards: Iterable[OffTrackCard]) -> str:
    return " ".join(map(card_name, cards)) or "-"


def _cards(cards: Iterable[OffTrackCard]) -> Text:
    text = Text()
    for card in cards:
        text.append(f"{card_name(card)} ", _ERAS[card.type // 9])
    return text if text else Text("-", "dim")


def _seats(view: OffTrackView) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("", "seat", "hand", "action", "cycled"):
        table.add_column(title, no_wrap=True)
    for title in ("match", "round"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("score pile of the round")
    is_over = view.step == OffTrackStep.OFF_TRACK_STEP_UNSPECIFIED
    for seat, player in enumerate(view.players):
        mark = "▸" if seat == view.turn_of and not is_over else ""
        table.add_row(mark, seat_name(seat), *_player(player))
    return table


def _player(player: OffTrackPlayer) -> list[RenderableType]:
    return [
        str(player.hand_size),
        "held" if player.holds_action else "-",
        "yes" if player.cycled else "-",
        _signed(sum(player.round_scores)),
        _signed(player.pile_score),
        _cards(player.pile),
    ]


def _rounds(view: OffTrackView) -> Iterator[str]:
    """Tell what each seat scored in the rounds played."""
    for seat, player in enumerate(view.players):
        if player.round_scores:
            scores = " ".join(map(_signed, player.round_scores))
            yield f"rounds of {seat_name(seat)}: {scores}"


def _own(view: OffTrackView) -> Text:
    text = Text()
    if view.hand:
        text.append("Your hand:")
        for kind in view.hand:
            text.append_text(Text("   ").append_text(_card(OffTrackCard(type=kind))))
        text.append("\n")
    for verb, action in (("You hold", view.held), ("You have drawn", view.drawn)):
        if action != OffTrackActionCard.OFF_TRACK_ACTION_CARD_UNSPECIFIED:
            text.append(f"{verb} {ACTIONS[action].title}: {ACTIONS[action].effect}.\n")
    step = _TO_DECIDE[view.step]
    is_over = view.step == OffTrackStep.OFF_TRACK_STEP_UNSPECIFIED
    who = "To decide" if is_over else f"{seat_name(view.turn_of).capitalize()} is to decide"
    return text.append(f"{who}: {step}.")


BOARD = OffTrackBoard()
