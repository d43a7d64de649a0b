"""Positions of Eternitium as the engine's message of the full state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tablestate.v1 import eternitium_pb2, game_pb2

from .eternitium_cards import ADVANCED, BASICS, KINDS, SYMBOLS, Pile
from .eternitium_state import STEPS, Options, Row, Seat, State

NUMBERS = {kind: number for number, kind in enumerate(KINDS, 1)}
"""The numbers of kinds and of symbols in the messages, which begin with 1."""


def numbers(cards: Iterable[str]) -> list[int]:
    """Give the numbers of cards or Eras."""
    return [NUMBERS[card] for card in cards]


def places(row: Row) -> list[int]:
    """Give the numbers of places, 0 for an empty one."""
    return [0 if card is None else NUMBERS[card] for card in row]


def counts(cards: Sequence[str]) -> list[int]:
    """Count cards by symbol."""
    return [cards.count(symbol) for symbol in SYMBOLS]


def options_message(options: Options) -> eternitium_pb2.EternitiumOptions:
    """Write options; a kind that does not exist becomes a number that does not."""
    message = eternitium_pb2.EternitiumOptions(
        seats=options.seats, eras_per_seat=options.eras_per_seat, max_rounds=options.max_rounds
    )
    for kind, copies in options.technology_copies:
        number = NUMBERS.get(kind, len(KINDS) + 9)
        message.technology_copies.add(card=number, copies=copies)
    return message


def read_options(message: eternitium_pb2.EternitiumOptions) -> Options:
    """Read complete options."""
    copies = tuple((KINDS[each.card - 1], each.copies) for each in message.technology_copies)
    return Options(message.seats, message.eras_per_seat, copies, message.max_rounds)


def with_defaults(options: Options) -> Options:
    """Fill every option in."""
    copies = tuple((kind, options.copies(kind)) for kind in (*BASICS, *ADVANCED))
    return replace(options, eras_per_seat=options.eras, technology_copies=copies)


def stack_message(seat: Seat) -> eternitium_pb2.EternitiumStack:
    """Write an Era stack; without shuffled ones all are `under`."""
    eras = seat.eras
    above, under = (eras.top, eras.bottom) if eras.pool else ((), (*eras.top, *eras.bottom))
    return eternitium_pb2.EternitiumStack(
        face_up=seat.face_up,
        above=numbers(above),  # type: ignore[arg-type]
        shuffled=counts(eras.pool),
        under=numbers(under),  # type: ignore[arg-type]
    )


def deck_message(deck: Pile) -> eternitium_pb2.EternitiumDeck:
    """Write a deck of technologies."""
    return eternitium_pb2.EternitiumDeck(
        shuffled=numbers(deck.pool),  # type: ignore[arg-type]
        under=numbers((*deck.top, *deck.bottom)),  # type: ignore[arg-type]
    )


def seat_message(state: State, number: int) -> eternitium_pb2.EternitiumSeatState:
    """Write what a seat has."""
    seat = state.seats[number]
    return eternitium_pb2.EternitiumSeatState(
        stack=stack_message(seat),
        hand=numbers(seat.hand),  # type: ignore[arg-type]
        deck=numbers(seat.deck.cards),  # type: ignore[arg-type]
        discard=numbers(seat.discard),  # type: ignore[arg-type]
        removed=numbers(seat.removed),  # type: ignore[arg-type]
        forfeited=number in state.forfeited,
    )


def state_message(state: State) -> eternitium_pb2.EternitiumState:
    """Write a state."""
    return eternitium_pb2.EternitiumState(
        options=options_message(with_defaults(state.options)),
        round=state.round,
        step=[*STEPS, "over"].index(state.step) + 1 if state.actor is not None else 0,  # type: ignore[arg-type]
        turn_of=state.seat,
        extra_turn=state.extra,
        time_loop=state.looped,
        played=state.played,
        refill_size=state.refill,
        seats=[seat_message(state, number) for number in range(state.options.seats)],
        supply=counts(state.supply),
        eras_gone=counts(state.gone),
        visible_eras=places(state.visible),  # type: ignore[arg-type]
        pile=counts(state.era_pile.cards),
        basic_row=places(state.basic_row),  # type: ignore[arg-type]
        advanced_row=places(state.advanced_row),  # type: ignore[arg-type]
        basic_deck=deck_message(state.basic_deck),
        advanced_deck=deck_message(state.advanced_deck),
        play_area=numbers(state.own.area),  # type: ignore[arg-type]
    )


def write_state(state: State) -> bytes:
    """Encode a state."""
    return game_pb2.GameState(eternitium=state_message(state)).SerializeToString()
