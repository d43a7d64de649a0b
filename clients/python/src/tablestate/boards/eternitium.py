"""Eternitium as a table of seats, with the market above and what the viewer has below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tablestate.boards._eternitium_words import (
    CARDS,
    describe,
    heading,
    letters,
    seat_name,
    sign,
    signs,
    title,
)
from tablestate.v1.eternitium_pb2 import (
    EternitiumCard,
    EternitiumPlayer,
    EternitiumStep,
    EternitiumSymbol,
    EternitiumView,
)
from tablestate.v1.game_pb2 import GameAction, GameEvent, GameOptions, GameView, OutcomeReason

_COLOURS = {"●": "cyan", "■": "magenta", "▲": "green", "◆": "yellow"}

_TO_DECIDE = {
    EternitiumStep.ETERNITIUM_STEP_UNSPECIFIED: "nothing, the match is over",
    EternitiumStep.ETERNITIUM_STEP_TAKE_BASIC: "take a Basic",
    EternitiumStep.ETERNITIUM_STEP_PORTAL: "take a Portal from the supply",
    EternitiumStep.ETERNITIUM_STEP_PLAY: "play a card, refit, or end the step",
    EternitiumStep.ETERNITIUM_STEP_PUT_ON_TOP: "put one of the Eras shown on top",
    EternitiumStep.ETERNITIUM_STEP_REFIT: "remove cards, then keep one or none",
    EternitiumStep.ETERNITIUM_STEP_TECHNOLOGY: "take a technology, or none",
}

_REASONS = {
    OutcomeReason.OUTCOME_REASON_ETERNITIUM_ERAS_GONE: "a round ended with no Eras left",
    OutcomeReason.OUTCOME_REASON_ETERNITIUM_MAX_ROUNDS: "the last round is over",
}

_HELP = """\
Be the first to have no Era cards left: a Portal removes the top Era of your stack
if it has the Era's symbol. Symbols are c ● circle, s ■ square, t ▲ triangle,
d ◆ diamond. When a round ends and a seat has no Eras, the match ends; of such
seats the most points win, 1 for each Basic and 2 for each Advanced technology.

In a turn you take a Portal, then play as many cards as you like. Played on a
face-down Era a Portal is a gamble: if it does not match, your stack is shuffled,
you play no more, and refill to 4 cards instead of 5. Or, before playing any card,
refit: remove cards from the game, keep one, and refill to 6. At last you may take
a technology: a Basic brings one visible Era under your stack, an Advanced all.

  +0      take the Basic of place 0 during set-up; +? the top of the deck unseen
  @c      take a circle Portal from the supply
  c       play a circle Portal; technologies likewise, as D, C or O
  V1      play Veil at seat 1; so too X1 Exchange and E1 Exile
  Rc      play Recycler and remove a circle Portal
  ^1      Scanner: put the lower Era on top; ^0 the upper
  .       end the play step             *      refit
  -c      refit: remove a card          =c     keep a card; = none
  b0l     take the Basic of place 0 with the left Era, r the right; b? unseen
  a0      take the Advanced of place 0 with all visible Eras; a? unseen
  n       take no technology
"""


class EternitiumBoard:
    """Draws Eternitium."""

    @property
    def notation_help(self) -> str:
        """How actions are written, and what each technology does."""
        effects = (f"  {words.letter} {words.title}: {words.effect}" for words in CARDS.values())
        return _HELP + "\n" + "\n".join(line for line in effects if not line.endswith(": "))

    def seat_name(self, seat: int) -> str:
        """Return the colour of a seat."""
        return seat_name(seat)

    def listing(self, view: GameView) -> str:
        """Tell which Eras are gone, and what holds for this turn."""
        game = view.eternitium
        symbols = zip(EternitiumSymbol.values()[1:], game.eras_gone, strict=False)
        gone = "  ".join(f"{sign(symbol)} {number}" for symbol, number in symbols)
        turn = [f"the hand is refilled to {game.refill_size}"]
        turn += ["it is an extra turn"] * game.extra_turn
        turn += ["Time Loop was played"] * game.time_loop
        turn.append("cards were played" if game.played else "no card was played yet")
        return f"Eras gone: {gone}\nThis turn: {', '.join(turn)}."

    def describe(self, event: GameEvent, options: GameOptions) -> str:
        """Tell an event in a few words; the end of a turn needs none."""
        return describe(event.eternitium)

    def reason(self, reason: OutcomeReason.ValueType) -> str:
        """Say why the game ended."""
        return _REASONS.get(reason, "")

    def heading(self, action: GameAction) -> str:
        """Say what kind of action this is."""
        return heading(action.eternitium)

    def render(self, view: GameView) -> RenderableType:
        """Draw the round, the market, the seats and what the viewer has."""
        game = view.eternitium
        return Group(_round(game), _market(game), Text(), _seats(game), Text(), _own(game))


def _round(view: EternitiumView) -> Text:
    gone = sum(view.eras_gone)
    return Text(
        f"round {view.round} of {view.max_rounds}, {view.pile_size} Eras in the pile, {gone} gone\n"
    )


def _market(view: EternitiumView) -> Text:
    text = Text("Visible Eras: ")
    text.append_text(_coloured(signs(view.visible_eras)))
    text.append("   Supply: ")
    for symbol, left in zip(EternitiumSymbol.values()[1:], view.supply, strict=False):
        text.append_text(_coloured(sign(symbol)))
        text.append(f" {left}  ")
    for name, row, left in (
        ("Basic", view.basic_row, view.basic_deck_size),
        ("Advanced", view.advanced_row, view.advanced_deck_size),
    ):
        places = "  ".join(f"{place} {_named(card)}" for place, card in enumerate(row))
        text.append(f"\n{name:8}  {places}  ({left} left)")
    return text


def _named(card: EternitiumCard.ValueType) -> str:
    return f"{title(card)} ({CARDS[card].letter})" if card in CARDS else "-"


def _in_hand(card: EternitiumCard.ValueType) -> str:
    """Name a card; a Portal by its sign."""
    is_portal = card < EternitiumCard.ETERNITIUM_CARD_DROID
    portal = sign(EternitiumSymbol.values()[card]) if is_portal else ""
    return f"{portal} ({CARDS[card].letter})" if portal else _named(card)


def _coloured(text: str) -> Text:
    coloured = Text()
    for letter in text:
        coloured.append(letter, _COLOURS.get(letter, "dim"))
    return coloured


def _seats(view: EternitiumView) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("", "seat"):
        table.add_column(name, no_wrap=True)
    for name in ("Eras", "top", "hand", "deck", "Basic", "Advanced"):
        table.add_column(name, justify="right", no_wrap=True)
    for name in ("discarded", "removed"):
        table.add_column(name)
    is_over = view.step == EternitiumStep.ETERNITIUM_STEP_UNSPECIFIED
    if is_over:
        table.add_column("owned")
    for seat, player in enumerate(view.players):
        mark = "▸" if seat == view.turn_of and not is_over else ""
        name = seat_name(seat) + " (out)" * player.forfeited
        owned = [letters(player.owned)] if is_over else []
        table.add_row(mark, name, *_player(player), *owned)
    return table


def _player(player: EternitiumPlayer) -> Iterator[RenderableType]:
    yield str(player.eras)
    yield _coloured(sign(player.top) if player.top or not player.eras else "?")
    for number in (player.hand_size, player.deck_size, player.basics, player.advanced):
        yield str(number)
    yield letters(player.discard)
    yield letters(player.removed)


def _own(view: EternitiumView) -> Text:
    text = Text()
    if view.play_area:
        text.append(f"Played: {letters(view.play_area)}\n")
    if view.hand:
        text.append(f"Your hand: {_names(view.hand)}\n")
    if view.deck:
        text.append(f"Your deck, sorted: {letters(view.deck)}\n", "dim")
    if view.scanned:
        text.append("Your Scanner shows: ").append_text(_coloured(signs(view.scanned)))
        text.append("\n")
    step = _TO_DECIDE[view.step]
    is_over = view.step == EternitiumStep.ETERNITIUM_STEP_UNSPECIFIED
    extra = " in an extra turn" * view.extra_turn
    who = "To decide" if is_over else f"{seat_name(view.turn_of).capitalize()} is to decide{extra}"
    return text.append(f"{who}: {step}.")


def _names(cards: Iterable[EternitiumCard.ValueType]) -> str:
    return ", ".join(map(_in_hand, cards))


BOARD = EternitiumBoard()
