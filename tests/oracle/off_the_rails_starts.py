"""Positions of Off the Rails built by chance, amid a match: rare rules are near there."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from .off_the_rails_aim import CELLS, HOLDS, Aim, Cell, aim
from .off_the_rails_board import (
    COLOURS,
    CROSS,
    DIAMOND,
    EMERALD,
    GOLD,
    ROCK,
    SIMPLE,
    TEES,
    Jewels,
    Place,
    mine_square,
    underground,
)
from .off_the_rails_decks import closing, early, opened
from .off_the_rails_state import (
    HOLD,
    NUMBERS,
    Cart,
    Options,
    Spot,
    State,
    is_centre,
    is_underground,
    own_surface,
    with_cart,
    with_changes,
    with_seat,
)
from .off_the_rails_text import position_text

EQUAL = (
    ((ROCK, DIAMOND), (EMERALD, EMERALD)),
    ((ROCK, GOLD, GOLD), (EMERALD, EMERALD, EMERALD)),
    ((EMERALD, DIAMOND), (GOLD, GOLD)),
)
"""Stockpiles of equal points and equally many jewels; of some one has more Rocks."""

RING = (("ES", 0, 1), ("SW", 1, 1), ("NE", 0, 0), ("NW", 1, 0))
"""Corners that lead round in a circle, by file and rank."""

Seen = Counter[Cell]
"""How often each collision was aimed at so far; an own cart gets away more often."""


@dataclass(frozen=True)
class Wish:
    """What a built position is to be like; shares of squares, carts and so on.

    `drawn` are the tokens drawn once the Chasm is open. `stocks` is how many jewels a seat has at
    most, `tied` whether all seats have the same. `pairs` of carts are put where they will collide,
    in the ways `seen` least; `besieging` puts the other seats' carts before the Surface of the seat
    whose turn it is; with `rings` tracks lead round in circles; `homing` carts are about to bank.
    `missions` lie face up.
    """

    phase: str = "early"
    drawn: int = 0
    walled: bool = False
    density: float = 0.7
    junctions: float = 0.4
    lying: float = 0.3
    on_board: float = 0.7
    loaded: float = 0.6
    full: float = 0.2
    speeds: tuple[int, ...] = (1, 2, 3, 4, 5, 6)
    stocks: int = 4
    tied: bool = False
    bag: int | None = None
    lost: float = 0.2
    pairs: int = 0
    seen: Seen | None = None
    besieging: bool = False
    rings: bool = False
    homing: bool = False
    missions: tuple[int, ...] = ()


def built(options: Options, wish: Wish, rng: random.Random) -> str:
    """Build a position to go on from."""
    state = with_cards(options, wish, rng)
    state, jewels = with_stocks(state, wish, shuffled_jewels(state, rng), rng)
    state = with_tracks(state, wish, rng)
    state, jewels = with_carts(state, wish, jewels, rng)
    state, jewels = with_deposits(state, wish, jewels, rng)
    state = with_changes(with_missions(state, wish, rng), bag=tuple(sorted(jewels)))
    return position_text(with_changes(state, decider=state.seat))


def shuffled_jewels(state: State, rng: random.Random) -> list[int]:
    """Shuffle all jewels."""
    return rng.sample(state.bag, len(state.bag))


def with_cards(options: Options, wish: Wish, rng: random.Random) -> State:
    """Draw the turn, with the cards and tokens that belong to it."""
    if wish.phase == "open":
        return opened(options, rng, wish.drawn, wish.walled)
    if wish.phase == "early":
        return early(options, rng)
    return closing(options, rng, wish.phase == "last")


def with_missions(state: State, wish: Wish, rng: random.Random) -> State:
    """Draw the missions that lie face up and those that were claimed."""
    if not state.options.missions:
        return state
    barred = (6, 7) if state.options.bumper_cars else ()
    every = [number for number in range(1, 12) if number not in barred]
    row = sorted(rng.sample(every, len(every)), key=lambda number: number in wish.missions)
    row = row[-state.options.seats - 1 :]
    for _ in range(rng.choice((0, 0, 1))):
        mission, number = row.pop(0), rng.randrange(state.options.seats)
        state = with_seat(state, number, missions=(mission,))
    return with_changes(state, missions=tuple(sorted(row)))


def with_stocks(
    state: State, wish: Wish, jewels: list[int], rng: random.Random
) -> tuple[State, list[int]]:
    """Draw the stockpiles."""
    first = jewels[: rng.randint(0, wish.stocks)]
    pair = rng.choice(EQUAL) if wish.tied and rng.random() < 0.3 else None
    for number in range(state.options.seats):
        stock = jewels[: rng.randint(0, wish.stocks)]
        if pair is not None:
            stock = list(pair[number]) if number < len(pair) else []
        elif wish.tied:
            stock = like(first, jewels, rng) if number else first
        for kind in stock:
            jewels.remove(kind)
        state = with_seat(state, number, stock=tuple(sorted(stock)))
    return state, jewels


def like(stock: list[int], jewels: list[int], rng: random.Random) -> list[int]:
    """Give the same jewels again, as far as there are any; at times a Rock more."""
    wanted = [*stock, *([0] if rng.random() < 0.4 else [])]
    left, found = list(jewels), []
    for kind in wanted:
        if kind in left:
            left.remove(kind)
            found.append(kind)
    return found


# Tracks and what lies on them


def with_tracks(state: State, wish: Wish, rng: random.Random) -> State:
    """Lay tracks by chance."""
    tracks = {}
    for place in underground(state.options.board):
        if place in state.tokens or is_centre(state, place) or rng.random() >= wish.density:
            continue
        tracks[place] = draw_track(wish, rng)
    return with_changes(state, tracks=with_ring(state, tracks, rng) if wish.rings else tracks)


def with_ring(state: State, tracks: dict[Place, str], rng: random.Random) -> dict[Place, str]:
    """Lead some tracks round in a circle, wherever there is room."""
    for corner in underground(state.options.board):
        squares = {Place(corner.file + x, corner.rank + y): exits for exits, x, y in RING}
        if squares.keys() <= tracks.keys() and rng.random() < 0.25:
            tracks = {**tracks, **squares}
    return tracks


def draw_track(wish: Wish, rng: random.Random) -> str:
    """Draw a track."""
    if rng.random() >= wish.junctions:
        return rng.choice(SIMPLE)
    return rng.choice((*TEES, CROSS))


def rings(tracks: Mapping[Place, str]) -> set[Place]:
    """List the squares of tracks that lead round in a circle."""
    found: set[Place] = set()
    for corner in tracks:
        squares = {Place(corner.file + x, corner.rank + y): exits for exits, x, y in RING}
        if squares.items() <= tracks.items():
            found |= squares.keys()
    return found


def deposit_squares(state: State) -> list[Place]:
    """List where jewels may lie: on tracks, or on mine squares whose card was turned."""
    squares = set(state.tracks)
    for colour in range(len(COLOURS)):
        turned = set(NUMBERS) - set(state.unseen[colour])
        squares |= {mine_square(state.options.board, colour, number) for number in turned}
    return [place for place in underground(state.options.board) if place in squares]


def with_deposits(
    state: State, wish: Wish, jewels: list[int], rng: random.Random
) -> tuple[State, list[int]]:
    """Lay jewels onto squares; more, if the bag is wished to be small."""
    deposits = {}
    for place in deposit_squares(state):
        if place not in state.tokens and rng.random() < wish.lying:
            number = min(len(jewels), rng.choice((1, 2, 2, 3)))
            if number:
                deposits[place] = tuple(sorted(jewels.pop() for _ in range(number)))
    state = with_changes(state, deposits=deposits)
    if wish.bag is None or not deposits:
        return state, jewels
    while len(jewels) > wish.bag:
        place = rng.choice(list(deposits))
        deposits[place] = tuple(sorted((*deposits[place], jewels.pop())))
    return state, jewels


# Carts


def with_carts(
    state: State, wish: Wish, jewels: list[int], rng: random.Random
) -> tuple[State, list[int]]:
    """Put carts onto the board: first those that are to collide, then others."""
    spots = [(number, which) for number in turn_order(state) for which in (0, 1)]
    for _ in range(wish.pairs):
        state, jewels, spots = with_next_pair(state, wish, spots, jewels, rng)
    for spot in spots:
        state, jewels = with_any_cart(state, wish, spot, jewels, rng)
    if state.open and not any(state.carts()):
        return with_last_cart(state, rng), jewels
    return state, jewels


def with_last_cart(state: State, rng: random.Random) -> State:
    """Put an empty cart onto the board: R16, else the match would be over; it is about to bank."""
    spot = state.seat, rng.choice((0, 1))
    ways = [(place, exit) for place, exits in state.tracks.items() for exit in exits]
    place, facing = rng.choice(ways_out(state, spot, ways) or ways)
    return with_cart(state, spot, place=place, facing=facing, speed=rng.randint(1, 6), out=False)


def with_next_pair(
    state: State, wish: Wish, spots: list[Spot], jewels: list[int], rng: random.Random
) -> tuple[State, list[int], list[Spot]]:
    """Put the next cart to move where it will collide, in the way that was seen least."""
    assert wish.seen is not None
    bumper = state.options.bumper_cars
    cells = rng.sample(CELLS, len(CELLS))
    for cell in sorted(cells, key=wish.seen.__getitem__):
        pair = draw_pair(cell, spots, rng)
        found = None if pair is None or cell.bumper != bumper else find_aim(state, cell, rng)
        if pair is not None and found is not None:
            wish.seen[cell] += 5 if cell.own else 6
            state, jewels = with_pair(state, cell, found, pair, jewels, rng)
            return state, jewels, [spot for spot in spots if spot not in pair]
    return state, jewels, spots


def turn_order(state: State) -> list[int]:
    """List the seats, the one whose turn it is first."""
    seats = state.options.seats
    return [(state.seat + number) % seats for number in range(seats)]


def draw_pair(cell: Cell, spots: list[Spot], rng: random.Random) -> tuple[Spot, Spot] | None:
    """Draw who collides: the next cart to move, with an own one or another's."""
    if not spots:
        return None
    active = spots[0]
    others = [spot for spot in spots[1:] if (spot[0] == active[0]) == cell.own]
    return (active, rng.choice(others)) if others else None


def find_aim(state: State, cell: Cell, rng: random.Random) -> Aim | None:
    """Find squares for a collision that no cart, token or centre is in the way of."""
    taken = {cart.place for _, cart in state.carts()} | set(state.tokens)
    squares = underground(state.options.board)
    free = frozenset(
        place for place in squares if place not in taken and not is_centre(state, place)
    )
    tries = (aim(cell, free, rng) for _ in range(30))
    return next((found for found in tries if found is not None), None)


def with_pair(
    state: State,
    cell: Cell,
    found: Aim,
    pair: tuple[Spot, Spot],
    jewels: list[int],
    rng: random.Random,
) -> tuple[State, list[int]]:
    """Put two carts where they will collide."""
    state = with_changes(state, tracks={**state.tracks, **found.tracks})
    speed = min(6, found.steps + rng.choice((1, 1, 2, 3)))
    hold = deal(jewels, rng.randint(1, HOLD) if cell.loaded else 0)
    active = Cart(found.active, found.facing, speed, hold)
    alike = rng.random() < 0.3
    hold = (deal_alike if alike else deal)(jewels, rng.choice(HOLDS[cell.opposing]))
    opposing = Cart(found.opposing, found.opposing_facing, rng.randint(1, 6), hold)
    for spot, cart in zip(pair, (active, opposing), strict=True):
        state = with_cart(state, spot, **vars(cart))
    return state, jewels


def deal(jewels: list[int], number: int) -> Jewels:
    """Take jewels off the pile, as many as there are."""
    return tuple(sorted(jewels.pop() for _ in range(min(number, len(jewels)))))


def deal_alike(jewels: list[int], number: int) -> Jewels:
    """Take jewels of one kind off the pile, if there are enough."""
    common = max(set(jewels), key=jewels.count, default=0)
    if jewels.count(common) < number:
        return deal(jewels, number)
    for _ in range(number):
        jewels.remove(common)
    return (common,) * number


def with_any_cart(
    state: State, wish: Wish, spot: Spot, jewels: list[int], rng: random.Random
) -> tuple[State, list[int]]:
    """Put a cart onto any track, or leave it off the board; out of the game once it can be."""
    taken = {cart.place for _, cart in state.carts()}
    tracks = [place for place in state.tracks if place not in taken]
    if wish.besieging and spot[0] != state.seat:
        tracks = [place for place in tracks if is_before(state, place)] or tracks
    if wish.rings and rng.random() < 0.7:
        round_about = rings(state.tracks)
        tracks = [place for place in tracks if place in round_about] or tracks
    if rng.random() >= wish.on_board or not tracks:
        return with_cart(state, spot, out=state.open and rng.random() < wish.lost), jewels
    ways = [(place, exit) for place in tracks for exit in state.tracks[place]]
    if wish.homing and rng.random() < 0.6:
        ways = ways_out(state, spot, ways) or ways
    place, facing = rng.choice(ways)
    hold = deal(jewels, draw_size(wish, rng))
    cart = Cart(place, facing, rng.choice(wish.speeds), hold)
    return with_cart(state, spot, **vars(cart)), jewels


def draw_size(wish: Wish, rng: random.Random) -> int:
    """Draw how many jewels a cart holds."""
    if rng.random() >= wish.loaded:
        return 0
    return rng.choice((HOLD - 1, HOLD)) if rng.random() < wish.full else rng.randint(1, HOLD)


def ways_out(state: State, spot: Spot, ways: list[tuple[Place, str]]) -> list[tuple[Place, str]]:
    """List the ways to a Surface square, to that of the seat whose turn it is for its carts."""
    out = [(place, exit) for place, exit in ways if not is_underground(state, place.to(exit))]
    own = [way for way in out if way[0].to(way[1]) in own_surface(state)]
    return own if spot[0] == state.seat and own else out


def is_before(state: State, place: Place) -> bool:
    """Say whether a square lies next to the Surface of the seat whose turn it is."""
    return place.to(state.side) in own_surface(state)
