"""The engine's views of Off the Rails, read as the oracle's."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from tablestate.v1 import game_pb2, off_the_rails_pb2

from .off_the_rails_board import COLOURS, CROSS, NONE, jewels_text, place_text, underground
from .off_the_rails_load import BOARD_NAMES, LETTERS
from .off_the_rails_state import CARTS

Table = off_the_rails_pb2.OffTheRailsTable
ENDS = ("-", "SPEED_USED", "CHOICE", "COLLISION", "BANK", "DERAILMENT")
PLACES = "-s??o"


def square_text(board: str, number: int) -> str:
    """Write a square."""
    return place_text(board, underground(board)[number])


def surface_text(surface: off_the_rails_pb2.OffTheRailsSurface) -> str:
    """Write a Surface square."""
    return on_side(CROSS[surface.side - 1], surface.place)


def on_side(side: str, place: int) -> str:
    """Write a Surface square by its side and its file or rank."""
    return side + (chr(ord("a") + place) if side in "NS" else str(place + 1))


def cart_name(name: off_the_rails_pb2.OffTheRailsCartName) -> str:
    """Write a cart with its seat."""
    return f"{name.seat}{CARTS[name.colour - 1]}"


def exits_text(exits: Iterable[int]) -> str:
    """Write exits."""
    return "".join(CROSS[exit - 1] for exit in exits)


def kinds_text(jewels: Iterable[int]) -> str:
    """Write jewels, `-` for none."""
    return jewels_text(kind - 1 for kind in jewels)


def numbers_text(numbers: Iterable[int]) -> str:
    """Write numbers split by commas."""
    return ",".join(map(str, numbers)) or NONE


def cart_text(board: str, side: str, cart: off_the_rails_pb2.OffTheRailsCart) -> str:
    """Write where a cart is and what it holds."""
    if cart.place in (1, 4):
        return PLACES[cart.place]
    at = on_side(side, cart.square) if cart.place == 3 else square_text(board, cart.square)
    facing = CROSS[cart.facing - 1] if cart.facing else "?"
    return f"{at}{facing}{cart.speed}{kinds_text(cart.hold).replace(NONE, '')}"


def read_player(
    board: str, side: str, player: off_the_rails_pb2.OffTheRailsPlayer
) -> dict[str, object]:
    """Read what belongs to a seat."""
    return {
        "w": cart_text(board, side, player.white),
        "b": cart_text(board, side, player.black),
        "stockpile": numbers_text(player.stockpile),
        "claimed": numbers_text(player.claimed),
    }


def read_step(table: Table) -> str:
    """Read the step with what belongs to it."""
    letter = LETTERS[table.step]
    if letter == "A":
        return f"A{table.actions_taken}"
    if table.HasField("token"):
        return letter + COLOURS[table.token.colour - 1] + str(table.token.die or "")
    return letter


def read_squares(board: str, table: Table) -> dict[str, object]:
    """Read tracks, jewels and tokens."""
    found: dict[str, list[str]] = {"tracks": [], "lying": [], "tokens": []}
    for square in table.squares:
        at = square_text(board, square.square)
        if square.exits:
            found["tracks"].append(at + exits_text(square.exits))
        if square.jewels:
            found["lying"].append(at + kinds_text(square.jewels))
        if square.token:
            found["tokens"].append(at + COLOURS[square.token - 1])
    return {what: ",".join(texts) or NONE for what, texts in found.items()}


def read_deck(table: Table) -> str:
    """Read the deposit deck."""
    top = "".join(COLOURS[colour - 1] for colour in table.deck.top)
    return top + "x" * table.deck.chasm_card_on_top + str(table.deck.size)


def read_opener(table: Table) -> str:
    """Read the opener, and whether the Chasm is open."""
    if not table.chasm.HasField("opener"):
        return NONE
    return f"{table.chasm.opener}{'!' * table.chasm.open}"


def read_deeds(table: Table) -> str:
    """Read what the turn has brought."""
    deeds = table.deeds
    carts = "w" * deeds.white_banked + "b" * deeds.black_banked
    return carts + "".join(f",{number}" for number in deeds.met) or NONE


def read_move(board: str, table: Table) -> str:
    """Read the move that goes on."""
    if not table.HasField("move"):
        return NONE
    move = table.move
    via = CROSS[move.entered_by - 1] if move.entered_by else NONE
    other = "+" if move.other_to_move else NONE
    took = "".join(square_text(board, number) for number in move.taken_from)
    return f"{CARTS[move.cart - 1]}{move.steps_left}{move.takings_left}{via}{other}{took}"


def read_collision(table: Table) -> str:
    """Read the collision that is not settled yet."""
    if not table.HasField("collision"):
        return NONE
    collision = table.collision
    return cart_name(collision.opposing) + CROSS[collision.hit_side - 1]


def read_preview(board: str, preview: off_the_rails_pb2.OffTheRailsPreview) -> str:
    """Read the way that a cart would go."""
    way = ",".join(square_text(board, number) for number in preview.squares) or NONE
    facing = CROSS[preview.facing - 1] if preview.facing else NONE
    end, left = ENDS[preview.end], str(preview.steps_left)
    return " ".join((cart_name(preview.cart), way, end, left, facing))


def read_players(
    board: str, sides: str, players: Iterable[off_the_rails_pb2.OffTheRailsPlayer]
) -> list[dict[str, object]]:
    """Read what belongs to the seats."""
    return [read_player(board, side, player) for side, player in zip(sides, players, strict=True)]


def read_view(encoded: bytes) -> dict[str, object]:
    """Read a view as the oracle's dict."""
    view = game_pb2.GameView.FromString(encoded).off_the_rails
    own = {"left_hand": kinds_text(view.left_hand)}
    view.ClearField("left_hand")
    return {**read_public(view.SerializeToString()), **own}


@lru_cache(4)
def read_public(encoded: bytes) -> dict[str, object]:
    """Read what everybody sees; viewers who are shown the same are read together."""
    view = off_the_rails_pb2.OffTheRailsView.FromString(encoded)
    board, table, sides = BOARD_NAMES[view.board], view.table, exits_text(view.sides)
    return {
        "board": board,
        "sides": sides,
        "step": read_step(table),
        "turn": table.turn_of,
        **read_squares(board, table),
        "players": read_players(board, sides, table.players),
        "bag": numbers_text(table.bag),
        "removed": numbers_text(table.removed),
        "cards": ["".join(map(str, cards.numbers)) or NONE for cards in table.cards],
        "deck": read_deck(table),
        "opener": read_opener(table),
        "to_come": numbers_text(table.chasm.to_come),
        "put_out": numbers_text(table.chasm.put_out),
        "missions": numbers_text(table.missions),
        "brought": read_deeds(table),
        "move": read_move(board, table),
        "collision": read_collision(table),
        "scores": tuple(view.scores),
        "preview": [read_preview(board, each) for each in view.preview],
    }
