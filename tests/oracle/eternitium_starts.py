"""Positions of Eternitium built by chance, in the middle of a match: rare rules are near there."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from .eternitium_cards import (
    ADVANCED,
    BASICS,
    ERAS,
    STARTERS,
    SYMBOLS,
    Cards,
    Pile,
    shuffled,
    sorted_cards,
)
from .eternitium_state import ROW, Options, Row, Seat, State, position_text, with_own

OWNED = 6
"""A seat never owns fewer cards."""


@dataclass(frozen=True)
class Wish:
    """What a built position is to be like."""

    most_eras: int = 3
    portals: float = 0.5
    market: float = 0.5
    piled: float = 0.5
    removed: float = 0.3
    skilled: float = 0.6
    last: float = 0.3
    amid: float = 0.5
    bare: bool = False
    forfeits: float = 0.2
    closing: bool = False
    tied: bool = False


def built(options: Options, wish: Wish, rng: random.Random) -> str:
    """Build a position to go on from."""
    state = draw_state(options, wish, rng)
    while not is_fit(state, wish):
        state = draw_state(options, wish, rng)
    return position_text(state)


def is_fit(state: State, wish: Wish) -> bool:
    """Say whether every seat owns enough cards, and some are tied if that is wished."""
    if any(len(seat.owned) < OWNED for seat in state.seats):
        return False
    return not wish.tied or is_tied(state)


def is_tied(state: State) -> bool:
    """Say whether the two best of the seats with the fewest Eras have equal points.

    Most of those with equally many Advanced are left out.
    """
    fewest = min(seat.eras.size for seat in state.seats)
    first = [seat for seat in state.seats if seat.eras.size == fewest]
    points = sorted((seat.basics + 2 * seat.advanced, seat.advanced) for seat in first)
    if len(points) < 2 or points[-2][0] != points[-1][0]:
        return False
    return points[-2] != points[-1] or len(state.gone) % 4 == 0


def draw_state(options: Options, wish: Wish, rng: random.Random) -> State:
    """Draw a state at the start of a turn or amid its play step; a seat may own too few cards."""
    acting = options.seats - 1 if wish.closing else rng.randrange(options.seats)
    market = [draw_market(options, kinds, wish, rng) for kinds in (BASICS, ADVANCED)]
    supply, portals = draw_supply(options, wish, rng)
    shares = deal((*portals, *market[0][2], *market[1][2]), options.seats, rng)
    seats = [draw_seat(share, wish, rng) for share in shares]
    state = State(
        options=options,
        seats=tuple(seats),
        supply=supply,
        basic_row=market[0][0],
        basic_deck=market[0][1],
        advanced_row=market[1][0],
        advanced_deck=market[1][1],
        era_pile=Pile(),
        round=draw_round(options, wish, rng),
        seat=acting,
        step="portal" if supply else "play",
        extra=rng.random() < 0.1,
        forfeited=draw_forfeited(options, acting, wish, rng),
    )
    amid = rng.random() < wish.amid
    return with_eras(amid_play(state, rng) if amid else state, wish, rng)


def amid_play(state: State, rng: random.Random) -> State:
    """Go on to where some cards of the hand are played, and a few drawn for them, perhaps none."""
    hand = list(state.own.hand)
    rng.shuffle(hand)
    if "time_loop" in hand and not state.extra and rng.random() < 0.4:
        hand.sort(key=lambda kind: kind == "time_loop")
    elif rng.random() < 0.5:
        hand.sort(key=lambda kind: kind != "recycler")
    area = [
        hand.pop() for _ in range(rng.choice((1, 1, 2, len(hand) - 1, len(hand) - 1, len(hand))))
    ]
    if (state.extra and "time_loop" in area) or area.count("time_loop") > 1:
        return state
    state = with_own(state, hand=tuple(hand), area=tuple(area))
    return replace(state, step="play", played=True, looped="time_loop" in area)


def draw_round(options: Options, wish: Wish, rng: random.Random) -> int:
    """Draw the round; the last one as often as wished."""
    last = options.max_rounds
    return last if rng.random() < wish.last else rng.randint(1, last)


def draw_forfeited(options: Options, acting: int, wish: Wish, rng: random.Random) -> frozenset[int]:
    """Draw a seat that has forfeited, if two others are left."""
    others = [seat for seat in range(options.seats) if seat != acting]
    if options.seats < 3 or rng.random() >= wish.forfeits:
        return frozenset()
    return frozenset((rng.choice(others),))


def deal(cards: Cards, seats: int, rng: random.Random) -> list[Cards]:
    """Deal cards to the seats by chance, beside the starter deck of each."""
    shares = [list(STARTERS) for _ in range(seats)]
    for card in cards:
        rng.choice(shares).append(card)
    return [tuple(share) for share in shares]


# What the seats have


def draw_seat(share: Cards, wish: Wish, rng: random.Random) -> Seat:
    """Draw where the cards of a seat are; technologies are in hand as often as wished."""
    cards = rng.sample(share, len(share))
    removed: list[str] = []
    while len(cards) > OWNED and rng.random() < wish.removed:
        removed.append(cards.pop())
    if rng.random() < wish.skilled:
        cards.sort(key=lambda kind: kind in SYMBOLS)
    size = rng.choice((4, 5, 5, 5, 6))
    hand, rest = cards[:size], cards[size:]
    cut = rng.randint(0, len(rest))
    return Seat(
        hand=sorted_cards(hand),
        deck=shuffled(rest[:cut]),
        discard=sorted_cards(rest[cut:]),
        removed=sorted_cards(removed),
    )


# The middle of the table


def draw_supply(options: Options, wish: Wish, rng: random.Random) -> tuple[Cards, Cards]:
    """Draw how many Portals are left; the others are dealt."""
    most = 2 * options.seats
    left = dict.fromkeys(SYMBOLS, 0)
    if rng.random() < wish.portals:
        left = {symbol: rng.choice((0, 0, 1, most)) for symbol in SYMBOLS}
    supply = [symbol for symbol in SYMBOLS for _ in range(left[symbol])]
    dealt = [symbol for symbol in SYMBOLS for _ in range(most - left[symbol])]
    return tuple(supply), tuple(dealt)


def draw_market(
    options: Options, kinds: Cards, wish: Wish, rng: random.Random
) -> tuple[Row, Pile, Cards]:
    """Draw a row, its deck, and the technologies that the seats have."""
    cards = [kind for kind in kinds for _ in range(options.copies(kind))]
    rng.shuffle(cards)
    cut = rng.randint(0, len(cards)) if rng.random() < wish.market else rng.randint(0, 6)
    market, owned = cards[:cut], cards[cut:]
    row = draw_row(market, rng)
    split = rng.choice((0, 0, len(market), rng.randint(0, len(market))))
    deck = Pile(pool=sorted_cards(market[split:]), bottom=tuple(market[:split]))
    return row, deck, tuple(owned)


def draw_row(market: list[str], rng: random.Random) -> Row:
    """Take as many kinds out of the market as the row can hold."""
    kinds = sorted(set(market))
    rng.shuffle(kinds)
    for kind in kinds[:ROW]:
        market.remove(kind)
    places: list[str | None] = [*kinds[:ROW], *([None] * (ROW - len(kinds[:ROW])))]
    rng.shuffle(places)
    return tuple(places)


# Eras


def with_eras(state: State, wish: Wish, rng: random.Random) -> State:
    """Draw where the Eras are; seats that are yet to come in this round have some."""
    eras = rng.sample(SYMBOLS * ERAS, len(SYMBOLS) * ERAS)
    seats = []
    for number, seat in enumerate(state.seats):
        least = least_eras(state, number)
        bare = wish.bare and number == state.seat
        count = least if bare else rng.randint(least, wish.most_eras)
        stack = draw_stack(tuple(eras.pop() for _ in range(count)), rng)
        up = count > 0 and bool(stack.top) and rng.random() < 0.6
        seats.append(replace(seat, eras=stack, face_up=up))
    piled = rng.choice((1, 2, 10)) if rng.random() < wish.piled else 0
    pile = sorted_cards(eras.pop() for _ in range(piled))
    visible = [eras.pop() if piled or rng.random() < 0.5 else None for _ in range(2)]
    return replace(
        state,
        seats=tuple(seats),
        era_pile=Pile(pool=pile),
        visible=tuple(visible),
        gone=sorted_cards(eras),
    )


def least_eras(state: State, number: int) -> int:
    """Say how many Eras a seat must have: those yet to come, and the one that has just begun."""
    if number in state.forfeited or number < state.seat:
        return 0
    return int(number > state.seat or not (state.extra or state.played))


def draw_stack(eras: Cards, rng: random.Random) -> Pile:
    """Draw which Eras of a stack have a fixed place; two on top at most, or all."""
    pool = rng.choice((0, 0, len(eras), rng.randint(0, len(eras))))
    if pool == 0:
        return Pile(top=eras)
    fixed = len(eras) - pool
    top = rng.randint(0, min(2, fixed))
    return Pile(eras[:top], sorted_cards(eras[top : top + pool]), eras[top + pool :])
