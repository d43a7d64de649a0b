"""Options and states of Off the Rails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from .chance import Draws
from .common import Event, SetupFault
from .off_the_rails_board import BOARDS, BOX, SEATED, Jewels, Place, of_counts, surface

WHITE, BLACK = 0, 1
CARTS = "wb"
"""The carts of a seat, as they are written."""

HOLD = 5
SPEEDS = range(1, 7)
FIRST_SPEED = 3
ACTIONS = 4
NUMBERS = range(1, 9)
"""The numbers of a mine's squares."""

CHASM = 4
"""The Chasm Card among the colours of a deck."""

DEPOSIT_CARDS = (13, 17, 21, 25)
MISSIONS = range(1, 12)

Spot = tuple[int, int]
"""A cart by its seat and its number."""


@dataclass(frozen=True)
class Options:
    """The options of a match; `deposit_cards` left out depends on the seats."""

    seats: int = 2
    board: str = "COMPACT"
    deposit_cards: int | None = None
    missions: bool = False
    bumper_cars: bool = False
    chasm_die: bool = False

    @property
    def cards(self) -> int:
        """How many cards the deposit deck has."""
        if self.deposit_cards is not None:
            return self.deposit_cards
        return 21 if self.seats == 4 else 17


def option_faults(options: Options) -> Iterator[SetupFault]:
    """Give all faults of a set-up, in the order of the options."""
    if options.seats not in SEATED:
        yield "seats", "RANGE"
    if options.board not in BOARDS:
        yield "board", "VALUE"
    if options.cards not in DEPOSIT_CARDS:
        yield "deposit_cards", "VALUE"


@dataclass(frozen=True)
class Cart:
    """A cart: its square (None off the board), its facing, its speed and its sorted hold."""

    place: Place | None = None
    facing: str | None = None
    speed: int = FIRST_SPEED
    hold: Jewels = ()
    out: bool = False


@dataclass(frozen=True)
class Seat:
    """What a seat has: its white and its black cart, its stockpile, the missions it claimed."""

    carts: tuple[Cart, Cart] = (Cart(), Cart())
    stock: Jewels = ()
    missions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Move:
    """The move of a cart: steps left, the side it last came in by, how many it may still take.

    `took` are the squares from which it took jewels, until a Grand Tour is noted.
    """

    cart: int
    left: int
    via: str | None = None
    takings: int = 0
    took: frozenset[Place] = frozenset()


@dataclass(frozen=True)
class Hit:
    """A collision: the opposing cart and the side of its square that was hit.

    `left` is the left hand from the split until a hand is chosen, `turning` who is yet to turn.
    """

    opposing: Spot
    side: str
    left: Jewels | None = None
    turning: tuple[Spot, ...] = ()


@dataclass(frozen=True, eq=False)
class State:
    """A state. States are told apart by identity; their positions can be compared.

    `decks` hold the colours of the cards left in each deck of the deposit deck, the top deck
    first; `unseen` by colour the numbers of the cards not turned. `to_move` are the carts of the
    seat whose turn it is that are yet to move, `feats` the missions that it has met in this turn.
    `colour` and `rolled` are those of a token drawn that is not yet laid.
    """

    options: Options
    seats: tuple[Seat, ...]
    tracks: Mapping[Place, str]
    deposits: Mapping[Place, Jewels]
    tokens: Mapping[Place, int]
    bag: Jewels
    decks: tuple[tuple[int, ...], ...]
    unseen: tuple[tuple[int, ...], ...]
    left_tokens: tuple[int, ...]
    missions: tuple[int, ...] = ()
    removed: Jewels = ()
    opener: int | None = None
    open: bool = False
    put_out: tuple[int, ...] = ()
    seat: int = 0
    step: str = "actions"
    decider: int = 0
    actions: int = ACTIONS
    to_move: tuple[int, ...] = ()
    banked: frozenset[int] = frozenset()
    feats: frozenset[int] = frozenset()
    move: Move | None = None
    hit: Hit | None = None
    colour: int | None = None
    rolled: int | None = None
    forfeited: frozenset[int] = field(default=frozenset())

    @property
    def actor(self) -> int | None:
        """The seat that must decide, None when the match is over."""
        return None if self.step == "over" else self.decider

    @property
    def own(self) -> Seat:
        """What the seat whose turn it is has."""
        return self.seats[self.seat]

    @property
    def side(self) -> str:
        """The side of the seat whose turn it is."""
        return side_of(self.options, self.seat)

    @property
    def moving(self) -> Move:
        """The move that is going on."""
        assert self.move is not None
        return self.move

    @property
    def collision(self) -> Hit:
        """The collision that is being resolved."""
        assert self.hit is not None
        return self.hit

    @property
    def active(self) -> Spot:
        """The cart that moves."""
        return self.seat, self.moving.cart

    def cart(self, spot: Spot) -> Cart:
        """Give a cart."""
        return self.seats[spot[0]].carts[spot[1]]

    def carts(self) -> Iterator[tuple[Spot, Cart]]:
        """Give all carts on the board, by seat, white first."""
        for number, seat in enumerate(self.seats):
            for which, cart in enumerate(seat.carts):
                if cart.place is not None:
                    yield (number, which), cart

    def cart_at(self, place: Place) -> Spot | None:
        """Give the cart on a square, None if there is none."""
        return next((spot for spot, cart in self.carts() if cart.place == place), None)


def cart_text(spot: Spot) -> str:
    """Write a cart with its seat."""
    return f"{spot[0]}{CARTS[spot[1]]}"


@dataclass
class Doing:
    """What happens while one action is done: the numbers drawn and the events reported."""

    draws: Draws
    events: list[Event] = field(default_factory=list)

    def report(self, *event: str | int) -> None:
        """Report an event."""
        self.events.append(event)


def side_of(options: Options, seat: int) -> str:
    """R20: the side of a seat."""
    return SEATED[options.seats][seat]


def own_surface(state: State) -> tuple[Place, ...]:
    """List the squares of the Surface of the seat whose turn it is."""
    return surface(state.options.board, state.side)


def is_centre(state: State, place: Place) -> bool:
    """Say whether a square is the centre of a mine."""
    return place in BOARDS[state.options.board].centres


def is_underground(state: State, place: Place) -> bool:
    """Say whether a square lies underground."""
    width = BOARDS[state.options.board].width
    return 0 <= place.file < width and 0 <= place.rank < width


def all_jewels() -> Jewels:
    """Give all jewels of the box."""
    return of_counts(BOX)


# Changes


T = TypeVar("T")


def with_changes(value: T, **changes: Any) -> T:
    """Give a value with some fields changed, as `dataclasses.replace` does but much faster."""
    changed = object.__new__(type(value))
    vars(changed).update(vars(value), **changes)
    return changed


def with_seat(state: State, number: int, **changes: Any) -> State:
    """Change what a seat has."""
    seats = list(state.seats)
    seats[number] = with_changes(seats[number], **changes)
    return with_changes(state, seats=tuple(seats))


def with_cart(state: State, spot: Spot, **changes: Any) -> State:
    """Change a cart."""
    carts = list(state.seats[spot[0]].carts)
    carts[spot[1]] = with_changes(carts[spot[1]], **changes)
    return with_seat(state, spot[0], carts=tuple(carts))


def with_move(state: State, **changes: Any) -> State:
    """Change the move that is going on."""
    return with_changes(state, move=with_changes(state.moving, **changes))


def with_hit(state: State, **changes: Any) -> State:
    """Change the collision that is being resolved."""
    return with_changes(state, hit=with_changes(state.collision, **changes))


def with_deposit(state: State, place: Place, jewels: Iterable[int]) -> State:
    """Lay jewels onto a square, sorted, instead of those that lie there."""
    deposits = dict(state.deposits)
    deposits.pop(place, None)
    if lying := tuple(sorted(jewels)):
        deposits[place] = lying
    return with_changes(state, deposits=deposits)


def asks(state: State, step: str, seat: int | None = None) -> State:
    """Go on with a decision of the seat whose turn it is, or of another."""
    return with_changes(state, step=step, decider=state.seat if seat is None else seat)


def goes_on(state: State, step: str) -> State:
    """Go on with what needs no decision."""
    return with_changes(state, step=step, decider=state.seat)
