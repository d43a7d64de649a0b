"""The underground of Off the Rails: a square is seven columns wide and two lines high.

Its track hangs on a node in the second column. The arm to the north stands above the node, with
the jewels beside it; the arms to the west and east are on its own line, and the cart stands on the
one to the east. An arm to the south shows in the node alone: the next square's arm goes on from it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from rich.text import Text

from tablestate.boards._off_the_rails_words import (
    cart_name,
    exits_name,
    jewels_name,
    letters,
    mine_name,
    size_of,
    square_name,
    surface_name,
)
from tablestate.v1.off_the_rails_pb2 import (
    OffTheRailsCart,
    OffTheRailsCartPlace,
    OffTheRailsColour,
    OffTheRailsJewel,
    OffTheRailsMine,
    OffTheRailsSide,
    OffTheRailsSquare,
    OffTheRailsView,
)

COLOURS = ("none", "red", "yellow", "green", "blue")
"""Of mines and tokens, red to blue, and of the sides, north to west."""
_JEWELS = ("none", "dim", "red", "green", "yellow", "bold cyan")

_NORTH, _EAST, _SOUTH, _WEST = OffTheRailsSide.values()[1:]
_CARTS = OffTheRailsColour.values()[1:]
_ARROWS = "?▴▸▾◂"
_NODES = {
    "NE": "└",
    "NS": "│",
    "NW": "┘",
    "ES": "┌",
    "EW": "─",
    "SW": "┐",
    "NES": "├",
    "NEW": "┴",
    "NSW": "┤",
    "ESW": "┬",
    "NESW": "┼",
}
_MARGIN, _WIDTH, _NODE = 4, 7, 1
_MOST_JEWELS = _WIDTH - _NODE - 1
_AROUND = ((-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))
"""Where the squares of a mine lie from its centre, by number: files east, ranks north."""
_CENTRES = {8: ("c6", "f6", "f3", "c3"), 9: ("c7", "g7", "g3", "c3")}
"""R1: by the size of the board, red to blue."""


class Place(NamedTuple):
    """Which square of a mine a square is; number 0 is the centre."""

    mine: OffTheRailsMine.ValueType
    number: int


@cache
def places(size: int) -> dict[str, Place]:
    """Return the squares of mines by name."""
    found = {}
    for mine, centre in zip(OffTheRailsMine.values()[1:], _CENTRES[size], strict=True):
        file, rank = "abcdefghi".index(centre[0]), int(centre[1]) - 1
        for number, (east, north) in enumerate(((0, 0), *_AROUND)):
            name = square_name((rank + north) * size + file + east, size)
            found[name] = Place(mine, number)
    return found


class Map:
    """Draws the board of a view."""

    def __init__(self, view: OffTheRailsView) -> None:
        """Draw the board of this view."""
        self._size = size_of(view.board)
        self._squares = {each.square: each for each in view.table.squares}
        self._turned = [set(cards.numbers) for cards in view.table.cards]
        self._carts: dict[str, Text] = {}
        for seat, player in enumerate(view.table.players):
            side = view.sides[seat]
            for colour, cart in zip(_CARTS, (player.white, player.black), strict=True):
                place = cart_place(cart, side, self._size)
                self._carts[place] = _cart(cart_name(seat, colour), cart, side)

    def lines(self) -> Iterator[Text]:
        """Draw the Surface to the north, the ranks, the Surface to the south; explain each `*`."""
        yield self._surface_line(_NORTH)
        for rank in reversed(range(self._size)):
            yield from self._rank(rank)
        yield self._surface_line(_SOUTH)
        for square in self._squares.values():
            if len(square.jewels) > _MOST_JEWELS:
                yield Text(f"* {self._name(square.square)}: {jewels_name(square.jewels)}", "dim")

    def _name(self, square: int) -> str:
        return square_name(square, self._size)

    def _surface(self, side: OffTheRailsSide.ValueType, place: int) -> Text:
        name = surface_name(side, place)
        return self._carts.get(name, Text(name, f"dim {COLOURS[side]}"))

    def _surface_line(self, side: OffTheRailsSide.ValueType) -> Text:
        line = Text(" " * (_MARGIN + _NODE))
        for place in range(self._size):
            line.append_text(_wide(self._surface(side, place), _WIDTH))
        return line

    def _rank(self, rank: int) -> Iterator[Text]:
        """Draw the two lines of a rank."""
        squares = range(rank * self._size, (rank + 1) * self._size)
        yield Text(" " * _MARGIN).append_text(Text().join(map(self._upper, squares)))
        lower = self._surface(_WEST, rank).copy()
        lower.append_text(self._arms(squares[0], _WEST, _MARGIN - len(lower)))
        lower.append_text(Text().join(map(self._lower, squares)))
        lower.append_text(self._arms(squares[-1], _EAST, 1))
        yield lower.append_text(self._surface(_EAST, rank))

    def _upper(self, number: int) -> Text:
        """Draw the arm to the north, and the jewels."""
        square = self._squares.get(number, OffTheRailsSquare())
        text = Text(" " * _NODE)
        text.append("│" if _NORTH in square.exits else " ", self._style(number))
        text.append_text(_jewels(square))
        return _wide(text, _WIDTH)

    def _lower(self, number: int) -> Text:
        """Draw the node with the arms to the west and east, and the cart; or what else is there."""
        square = self._squares.get(number, OffTheRailsSquare())
        if square.token:
            style = f"reverse {COLOURS[square.token]}"
            return _wide(Text(f"({mine_name(square.token)[0]})", style), _WIDTH)
        if not square.exits:
            return _wide(self._bare(number), _WIDTH)
        text = self._arms(number, _WEST, _NODE)
        text.append(_NODES[exits_name(square.exits)], self._style(number))
        text.append_text(self._carts.get(self._name(number), Text()))
        return text.append_text(self._arms(number, _EAST, _WIDTH - len(text)))

    def _arms(self, number: int, exit: OffTheRailsSide.ValueType, width: int) -> Text:
        """Draw the track to the west or east, if the square has that exit."""
        has_exit = number in self._squares and exit in self._squares[number].exits
        return Text(("─" if has_exit else " ") * width, self._style(number))

    def _bare(self, number: int) -> Text:
        """Name a square without track by its mine; it is dim once its card has been turned."""
        place = places(self._size).get(self._name(number))
        if place is None:
            return Text(" ·", "dim")
        mine, letter = place.mine, mine_name(place.mine)[0]
        if not place.number:
            return Text(f"[{letter}]", COLOURS[mine])
        is_turned = place.number in self._turned[mine - 1]
        return Text(f" {letter}{place.number}", f"{'dim' if is_turned else 'bold'} {COLOURS[mine]}")

    def _style(self, number: int) -> str:
        place = places(self._size).get(self._name(number))
        return COLOURS[place.mine] if place else "none"


def cart_place(cart: OffTheRailsCart, side: OffTheRailsSide.ValueType, size: int) -> str:
    """Return the name of the square on which a cart of a seat of this side stands, if it does."""
    if cart.place == OffTheRailsCartPlace.OFF_THE_RAILS_CART_PLACE_UNDERGROUND:
        return square_name(cart.square, size)
    if cart.place == OffTheRailsCartPlace.OFF_THE_RAILS_CART_PLACE_SURFACE:
        return surface_name(side, cart.square)
    return ""


def styled(jewels: Iterable[OffTheRailsJewel.ValueType]) -> Text:
    """Return the letters of jewels in their colours."""
    return Text().join(Text(letters([jewel]), _JEWELS[jewel]) for jewel in jewels)


def _cart(name: str, cart: OffTheRailsCart, side: OffTheRailsSide.ValueType) -> Text:
    return Text(f"{name}{_ARROWS[cart.facing]}{cart.speed}", f"reverse {COLOURS[side]}")


def _jewels(square: OffTheRailsSquare) -> Text:
    number = len(square.jewels)
    return styled(square.jewels) if number <= _MOST_JEWELS else Text(f"{number}*", "bold")


def _wide(text: Text, width: int) -> Text:
    """Fill a text up with spaces of no style."""
    wide = Text().append_text(text)
    return wide.append(" " * (width - len(text)))
