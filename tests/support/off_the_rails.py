"""Off the Rails in notation, as fields of its messages."""

from typing import Any

from tablestate.v1 import off_the_rails_pb2 as pb

NORTH, EAST, SOUTH, WEST = pb.OffTheRailsSide.values()[1:]
WHITE, BLACK = pb.OffTheRailsColour.values()[1:]
RED, YELLOW, GREEN, BLUE = pb.OffTheRailsMine.values()[1:]
COMPACT, AISLE = pb.OffTheRailsBoard.values()[1:]


def square(name: str, size: int = 8) -> int:
    return "abcdefghi".index(name[0]) + (int(name[1]) - 1) * size


def exits(letters: str) -> list[Any]:
    return ["?NESW".index(letter) for letter in letters]


def jewels(letters: str) -> list[Any]:
    return ["?kregd".index(letter) for letter in letters]


def cart(seat: int, colour: pb.OffTheRailsColour.ValueType) -> pb.OffTheRailsCartName:
    return pb.OffTheRailsCartName(seat=seat, colour=colour)
