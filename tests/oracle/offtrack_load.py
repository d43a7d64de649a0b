"""Positions of OffTrack as the engine loads them: messages of the full state."""

from __future__ import annotations

from collections.abc import Iterable

from tablestate.v1 import game_pb2, offtrack_pb2

from .offtrack_cards import ACTIONS, NONE, Card, Cards
from .offtrack_read import read_position
from .offtrack_state import Line, Options, State

STEPS = (NONE, "B", "C", "E", "A")
"""The steps in the order of their numbers."""

SCORINGS = {"HIGH": 1, "LOW": 2}


def options_message(options: Options) -> offtrack_pb2.OffTrackOptions:
    """Write options; a scoring that does not exist becomes a number that does not."""
    fields = vars(options) | {"scoring": SCORINGS.get(options.scoring, 9)}
    return offtrack_pb2.OffTrackOptions(**fields)


def state_bytes(options: Options, position: str) -> bytes:
    """Write the full state of a position."""
    state = read_position(options, position)
    message = offtrack_pb2.OffTrackState(
        options=options_message(options),
        round=state.round,
        turn_of=state.seat,
        step=STEPS.index(state.step),  # type: ignore[arg-type]
        lines=[_line(state, line) for line in state.lines],
        seats=[_seat(state, seat) for seat in range(options.seats)],
        boxed=_sorted_cards(state, state.box),
        deck=_types(state.deck),
        discard=_types(state.discards),
        action_deck=map(_number, state.action_deck),  # type: ignore[arg-type]
        action_discard=map(_number, state.action_discards),  # type: ignore[arg-type]
        drawn=_number(state.drawn),  # type: ignore[arg-type]
        collapsed=state.collapsed,
        called=state.called,
    )
    return game_pb2.GameState(offtrack=message).SerializeToString()


def _number(letter: str | None) -> int:
    """Number an action card, 0 for none."""
    return 0 if letter is None else ACTIONS.index(letter) + 1


def _types(cards: Cards) -> list[int]:
    """Write cards whose types say all."""
    return [card.type for card in cards]


def _cards(state: State, cards: Iterable[Card]) -> list[offtrack_pb2.OffTrackCard]:
    """Write cards in the order given."""
    return [
        offtrack_pb2.OffTrackCard(type=card.type, redeemed=card in state.redeemed) for card in cards
    ]


def _sorted_cards(state: State, cards: Cards) -> list[offtrack_pb2.OffTrackCard]:
    """Write cards sorted by type, of one type the unredeemed first."""
    return _cards(state, sorted(cards, key=lambda card: (card.type, card in state.redeemed)))


def _line(state: State, line: Line) -> offtrack_pb2.OffTrackLine:
    """Write a line with its marks."""
    return offtrack_pb2.OffTrackLine(
        cards=_cards(state, line.cards),
        flipped=line.flipped,
        pinned=line.pin_index,
        sealed_by=line.sealed_by,
        waiting_for=line.waiting_for,
    )


def _seat(state: State, seat: int) -> offtrack_pb2.OffTrackSeatState:
    """Write what a seat has."""
    return offtrack_pb2.OffTrackSeatState(
        hand=_types(state.hands[seat]),
        pile=_sorted_cards(state, state.piles[seat]),
        held=_number(state.held[seat]),  # type: ignore[arg-type]
        cycled=state.cycled[seat],
        round_scores=[scores[seat] for scores in state.scores],
    )
