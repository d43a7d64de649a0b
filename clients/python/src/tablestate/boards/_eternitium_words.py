"""Eternitium in words: cards, Eras, actions and events."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from tablestate.v1.eternitium_pb2 import (
    EternitiumAction,
    EternitiumCard,
    EternitiumEvent,
    EternitiumEventKind,
    EternitiumSide,
    EternitiumSymbol,
    EternitiumType,
)

_SEATS = ("amber", "blue", "green", "red", "violet")


class CardWords(NamedTuple):
    """What is said of a kind of card."""

    letter: str
    title: str
    effect: str


CARDS = {
    EternitiumCard.ETERNITIUM_CARD_CIRCLE_PORTAL: CardWords("c", "circle Portal", ""),
    EternitiumCard.ETERNITIUM_CARD_SQUARE_PORTAL: CardWords("s", "square Portal", ""),
    EternitiumCard.ETERNITIUM_CARD_TRIANGLE_PORTAL: CardWords("t", "triangle Portal", ""),
    EternitiumCard.ETERNITIUM_CARD_DIAMOND_PORTAL: CardWords("d", "diamond Portal", ""),
    EternitiumCard.ETERNITIUM_CARD_DROID: CardWords("D", "Droid", "turn your top Era up"),
    EternitiumCard.ETERNITIUM_CARD_TWIN_CIRCLE_SQUARE: CardWords(
        "P", "Twin Portal ●■", "opens ● and ■, and loses no gamble"
    ),
    EternitiumCard.ETERNITIUM_CARD_TWIN_TRIANGLE_DIAMOND: CardWords(
        "Q", "Twin Portal ▲◆", "opens ▲ and ◆, and loses no gamble"
    ),
    EternitiumCard.ETERNITIUM_CARD_VEIL: CardWords(
        "V", "Veil", "cover and shuffle an opponent's Eras, turn your top Era up"
    ),
    EternitiumCard.ETERNITIUM_CARD_COURIER: CardWords(
        "C", "Courier", "turn your top Era up, draw 1"
    ),
    EternitiumCard.ETERNITIUM_CARD_EXCHANGE: CardWords(
        "X", "Exchange", "swap top Eras with an opponent, turn your new one up"
    ),
    EternitiumCard.ETERNITIUM_CARD_RECYCLER: CardWords(
        "R", "Recycler", "remove another hand card, turn your top Era up, draw 1"
    ),
    EternitiumCard.ETERNITIUM_CARD_OMNI_PORTAL: CardWords(
        "O", "Omni Portal", "opens every Era; draw 1"
    ),
    EternitiumCard.ETERNITIUM_CARD_TIME_LOOP: CardWords("L", "Time Loop", "take an extra turn"),
    EternitiumCard.ETERNITIUM_CARD_SCANNER: CardWords(
        "N", "Scanner", "see your top two Eras and put one on top, face up"
    ),
    EternitiumCard.ETERNITIUM_CARD_STORM: CardWords(
        "M", "Storm", "cover and shuffle all opponents' Eras, turn your top Era up, draw 1"
    ),
    EternitiumCard.ETERNITIUM_CARD_SURGE: CardWords("G", "Surge", "draw 5"),
    EternitiumCard.ETERNITIUM_CARD_WORKSHOP: CardWords(
        "W", "Workshop", "turn your top Era up, draw 2"
    ),
    EternitiumCard.ETERNITIUM_CARD_EXILE: CardWords(
        "E", "Exile", "put your face-up top Era under an opponent's stack"
    ),
}

_SIGNS = {
    EternitiumSymbol.ETERNITIUM_SYMBOL_CIRCLE: "●",
    EternitiumSymbol.ETERNITIUM_SYMBOL_SQUARE: "■",
    EternitiumSymbol.ETERNITIUM_SYMBOL_TRIANGLE: "▲",
    EternitiumSymbol.ETERNITIUM_SYMBOL_DIAMOND: "◆",
}

_HEADINGS = {
    "take_basic": "Take a Basic (+place, ? unseen)",
    "portal": "Take a Portal (@symbol)",
    "put_on_top": "Put an Era on top (0 the old top, 1 the one below)",
    "end_play": "End the play step",
    "refit": "Refit instead of playing",
    "remove": "Remove a card from the game",
    "keep": "Keep a card (=card, = for none)",
    "basic": "Take a Basic and an Era (b place l left or r right)",
    "advanced": "Take an Advanced and all visible Eras (a place)",
    "no_technology": "Take no technology",
}

_KIND = EternitiumEventKind
_EVENTS = {
    _KIND.ETERNITIUM_EVENT_KIND_ERAS_DEALT: "{seat} is dealt {eras_number}",
    _KIND.ETERNITIUM_EVENT_KIND_ERA_TURNED: "{seat}'s top Era is turned up: {era}",
    _KIND.ETERNITIUM_EVENT_KIND_VISIBLE_ERA: "{era} lies {side} of the pile",
    _KIND.ETERNITIUM_EVENT_KIND_TECHNOLOGY_UNDER: "{card} goes under the {type} deck",
    _KIND.ETERNITIUM_EVENT_KIND_TECHNOLOGY_TURNED: "{card} fills place {place} of the {type} row",
    _KIND.ETERNITIUM_EVENT_KIND_TECHNOLOGY_TAKEN: "{seat} takes {taken}",
    _KIND.ETERNITIUM_EVENT_KIND_RESHUFFLED: "{seat} shuffles {number} into a new deck",
    _KIND.ETERNITIUM_EVENT_KIND_DRAWN: "{seat} draws {number}{shown}",
    _KIND.ETERNITIUM_EVENT_KIND_TURN_STARTED: "{seat}'s {turn}",
    _KIND.ETERNITIUM_EVENT_KIND_PORTAL_TAKEN: "{seat} takes a {card}",
    _KIND.ETERNITIUM_EVENT_KIND_PLAYED: "{seat} plays {card}{at}",
    _KIND.ETERNITIUM_EVENT_KIND_ERA_REVEALED: "{seat}'s face-down Era is {era}",
    _KIND.ETERNITIUM_EVENT_KIND_ERA_LEFT: "{era} leaves the game",
    _KIND.ETERNITIUM_EVENT_KIND_GAMBLE_LOST: "{seat} loses the gamble",
    _KIND.ETERNITIUM_EVENT_KIND_ERA_GAINED_UNSEEN: "{seat} gains an Era from the pile",
    _KIND.ETERNITIUM_EVENT_KIND_ERA_COVERED: "{seat}'s top Era is turned face down",
    _KIND.ETERNITIUM_EVENT_KIND_STACK_SHUFFLED: "{seat}'s Eras are shuffled",
    _KIND.ETERNITIUM_EVENT_KIND_ERAS_EXCHANGED: "{seat} and {opponent} exchange their top Eras",
    _KIND.ETERNITIUM_EVENT_KIND_ERAS_SEEN: "{seat} looks at {eras_number}{shown_eras}",
    _KIND.ETERNITIUM_EVENT_KIND_PUT_ON_TOP: "{seat} puts {which} on top, face up: {era}",
    _KIND.ETERNITIUM_EVENT_KIND_ERA_EXILED: "{seat}'s {era} goes under {opponent}'s stack",
    _KIND.ETERNITIUM_EVENT_KIND_PLAY_ENDED: "{seat} plays no more",
    _KIND.ETERNITIUM_EVENT_KIND_REFITTED: "{seat} refits",
    _KIND.ETERNITIUM_EVENT_KIND_REMOVED: "{seat} removes {card} from the game",
    _KIND.ETERNITIUM_EVENT_KIND_KEPT: "{seat} keeps {kept}",
    _KIND.ETERNITIUM_EVENT_KIND_DISCARDED: "{seat} discards {cards}",
    _KIND.ETERNITIUM_EVENT_KIND_ERAS_GAINED: "{seat} gains {eras} under its stack",
    _KIND.ETERNITIUM_EVENT_KIND_NO_TECHNOLOGY: "{seat} takes no technology",
}
"""The end of a turn is left out: the next thing told is another seat's turn."""


def seat_name(seat: int) -> str:
    """Return the colour of a seat."""
    return _SEATS[seat]


def sign(era: EternitiumSymbol.ValueType) -> str:
    """Return the sign of a symbol; "-" for none."""
    return _SIGNS.get(era, "-")


def signs(eras: Iterable[EternitiumSymbol.ValueType]) -> str:
    """Return the signs of symbols, split by spaces."""
    return " ".join(map(sign, eras))


def title(card: EternitiumCard.ValueType) -> str:
    """Return what a kind of card is called."""
    return CARDS[card].title if card in CARDS else "a card"


def letters(cards: Iterable[EternitiumCard.ValueType]) -> str:
    """Return the letters of cards; "-" for none."""
    return "".join(CARDS[card].letter for card in cards) or "-"


def heading(action: EternitiumAction) -> str:
    """Say what kind of action this is, and how it is written."""
    kind = action.WhichOneof("action") or "no_technology"
    if kind != "play":
        return _HEADINGS[kind]
    play = action.play
    if play.HasField("seat"):
        return f"Play {title(play.card)} ({CARDS[play.card].letter} and the opponent's seat)"
    if play.other:
        return f"Play {title(play.card)} ({CARDS[play.card].letter} and the other card)"
    return "Play a card"


def describe(event: EternitiumEvent) -> str:
    """Tell an event in a few words."""
    technology = "Basic" if event.type == EternitiumType.ETERNITIUM_TYPE_BASIC else "Advanced"
    unseen = "" if event.HasField("place") else " unseen"
    known = f": {title(event.card)}" if event.card else ""
    words = {
        "seat": seat_name(event.seat),
        "opponent": seat_name(event.opponent),
        "at": f" at {seat_name(event.opponent)}" if event.HasField("opponent") else "",
        "card": title(event.card),
        "cards": letters(event.cards),
        "shown": f" ({letters(event.cards)})" if event.cards else "",
        "taken": f"{'a Basic' if technology == 'Basic' else 'an Advanced'}{unseen}{known}",
        "kept": title(event.card) if event.number else "no card",
        "number": _counted(event.number, "card"),
        "eras_number": _counted(event.number, "Era"),
        "era": sign(event.era),
        "eras": signs(event.eras),
        "shown_eras": f" ({signs(event.eras)})" if event.eras else "",
        "side": "left" if event.side == EternitiumSide.ETERNITIUM_SIDE_LEFT else "right",
        "place": str(event.place),
        "which": "the lower Era" if event.place else "the upper Era",
        "type": technology,
        "turn": f"{'extra ' * event.extra_turn}turn of round {event.round}",
    }
    return _EVENTS.get(event.kind, "").format(**words)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + "s" * (number != 1)
