"""Positions of Off the Rails in which carts run into each other turn by turn.

From the set-up hardly a game of random actions comes to a collision of loaded carts. Here two carts
each go round the four squares of a ring, towards each other, and turn round whenever they meet.
"""

import random
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from tablestate.v1 import off_the_rails_pb2 as pb

State: TypeAlias = pb.OffTheRailsState

SIZES = {pb.OFF_THE_RAILS_BOARD_COMPACT: 8, pb.OFF_THE_RAILS_BOARD_AISLE: 9}
JEWELS = (12, 24, 15, 10, 5)
MISSIONS = range(1, 12)
CARDS = range(1, 9)
MINES = pb.OffTheRailsMine.values()[1:]
TOKENS = 4
"""Of each colour, without the one kept for the Chasm Deck."""
TO_COME = 2
"""Tokens to come of each colour where the Chasm is open: the game is soon over."""
LAST_DECK = 4
"""Cards of Deck 5, below the Chasm Card."""

NORTH, EAST, SOUTH, WEST = pb.OffTheRailsSide.values()[1:]
WHITE, BLACK = pb.OffTheRailsColour.values()[1:]


class Corner(NamedTuple):
    """A square of a ring, from its south-west one: files east, ranks north, and its track."""

    east: int
    north: int
    exits: Sequence[pb.OffTheRailsSide.ValueType]


CORNERS = (
    Corner(0, 0, (NORTH, EAST)),
    Corner(1, 1, (SOUTH, WEST)),
    Corner(1, 0, (NORTH, WEST)),
    Corner(0, 1, (EAST, SOUTH)),
)
"""The carts begin on the first two."""


class Start:
    """Puts a position together, its jewels drawn from the bag."""

    def __init__(self, options: pb.OffTheRailsOptions, chance: random.Random) -> None:
        """The options are complete."""
        self._chance = chance
        self._size = SIZES[options.board]
        self._bag = [kind for kind, many in enumerate(JEWELS, 1) for _ in range(many)]
        self.state = State(options=options)
        self.table = self.state.table
        self.table.step = pb.OFF_THE_RAILS_STEP_ACTIONS
        chance.shuffle(self._bag)

    def lay_rings(self, own: bool) -> None:
        """A ring for each seat's white cart and the next seat's black one, or its own."""
        seats = self.state.options.seats
        for _ in range(seats):
            self.table.players.add(stockpile=[0] * len(JEWELS))
        far = self._size - 2
        places = self._chance.sample([(0, 0), (0, far), (far, 0), (far, far)], seats)
        for seat, place in enumerate(places):
            other = self.table.players[seat if own else (seat + 1) % seats]
            self._lay_ring(place, [self.table.players[seat].white, other.black])

    def _lay_ring(self, place: tuple[int, int], carts: Sequence[pb.OffTheRailsCart]) -> None:
        for number, corner in enumerate(CORNERS):
            square = self._square(place[0] + corner.east, place[1] + corner.north)
            jewels = self._draw(2) if number >= len(carts) else []
            self.table.squares.add(square=square, exits=corner.exits, jewels=jewels)
        for corner, cart in zip(CORNERS, carts, strict=False):
            cart.place = pb.OFF_THE_RAILS_CART_PLACE_UNDERGROUND
            cart.square = self._square(place[0] + corner.east, place[1] + corner.north)
            cart.facing = self._chance.choice(corner.exits)
            cart.speed = self._chance.randint(2, 6)
            cart.hold.extend(self._draw(self._chance.randint(2, 5)))

    def _square(self, file: int, rank: int) -> int:
        return rank * self._size + file

    def _draw(self, many: int) -> list[Any]:
        return sorted(self._bag.pop() for _ in range(min(many, len(self._bag))))

    def deal(self) -> None:
        """The Chasm Card lies on top of the last deck: three cards of each colour were turned."""
        self._show([3] * len(MINES))
        self.table.deck.size = 1 + LAST_DECK
        self.table.deck.chasm_card_on_top = True
        self.table.chasm.to_come.extend([TOKENS] * len(MINES))
        self.table.chasm.put_out.extend([0] * len(MINES))

    def open_chasm(self) -> None:
        """The Chasm is open, and each seat has turned a card of the last deck."""
        seats = self.state.options.seats
        self._show([4 + (mine <= seats) for mine in MINES])
        self.table.deck.size = LAST_DECK - seats
        self.table.deck.top.extend(MINES[seats:])
        self.table.chasm.opener = seats - 1
        self.table.chasm.open = True
        self.table.chasm.to_come.extend([TO_COME] * len(MINES))
        self.table.chasm.put_out.extend([TOKENS - TO_COME] * len(MINES))
        near, far = 3, self._size - 4
        places = ((near, far), (far, far), (far, near), (near, near))
        for mine, (file, rank) in zip(MINES, places, strict=True):
            self.table.squares.add(square=self._square(file, rank), token=mine)

    def _show(self, numbers: Sequence[int]) -> None:
        """So many cards of each colour, that of the square nearest the middle among them."""
        for many, middle in zip(numbers, (8, 6, 1, 3), strict=True):
            rest = [card for card in CARDS if card != middle]
            shown = sorted([middle, *self._chance.sample(rest, many - 1)])
            self.table.cards.add(numbers=shown)

    def finish(self) -> State:
        """The missions, and what is left in the bag."""
        options, table = self.state.options, self.table
        if options.missions:
            table.missions.extend(sorted(self._chance.sample(MISSIONS, options.seats + 1)))
        table.bag.extend(self._bag.count(kind) for kind in range(1, len(JEWELS) + 1))
        table.removed.extend([0] * len(JEWELS))
        table.squares.sort(key=lambda square: square.square)
        return self.state


def start(options: pb.OffTheRailsOptions, number: int) -> State:
    """The position that a number stands for."""
    begun = Start(options, random.Random(number))
    begun.lay_rings(own=number % 5 == 4)
    if number % 4 == 1:
        begun.deal()
    else:
        begun.open_chasm()
    return begun.finish()
