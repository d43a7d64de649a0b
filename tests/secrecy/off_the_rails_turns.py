"""What a turn of Off the Rails has come to, changed: its step, the move, what it has brought."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from tablestate.v1 import off_the_rails_pb2 as pb

Table: TypeAlias = pb.OffTheRailsTable
Change: TypeAlias = Callable[[Table], bool]
"""Changes a table; False if there is nothing of the kind in it."""

ALL_EXITS = pb.OffTheRailsSide.values()[1:]
ACTIONS = 4
UNDERGROUND = pb.OFF_THE_RAILS_CART_PLACE_UNDERGROUND
SUPPLY = pb.OFF_THE_RAILS_CART_PLACE_SUPPLY


def carts(table: Table) -> list[pb.OffTheRailsCart]:
    return [cart for player in table.players for cart in (player.white, player.black)]


def on_board(table: Table) -> list[pb.OffTheRailsCart]:
    return [cart for cart in carts(table) if cart.place == UNDERGROUND]


def tracks(table: Table) -> list[pb.OffTheRailsSquare]:
    return [square for square in table.squares if square.exits]


def is_action(table: Table) -> bool:
    return table.step == pb.OFF_THE_RAILS_STEP_ACTIONS


def _deed(table: Table) -> bool:
    """A shake-down in this turn, where missions are played."""
    if not table.missions or not table.HasField("move"):
        return False
    met = table.deeds.met
    if 6 in met:
        met.remove(6)
    else:
        met.append(6)
        met.sort()
    return True


def _send_the_other_cart_home(table: Table) -> bool:
    """The moving seat's other cart is in supply, as if it had banked."""
    if not table.missions or not table.HasField("move"):
        return False
    player = table.players[table.turn_of]
    _send_home(player, table.move.cart == pb.OFF_THE_RAILS_COLOUR_BLACK)
    table.move.other_to_move = False
    return True


def send_a_cart_home(table: Table) -> bool:
    """The white cart of the seat whose turn it is."""
    if len(on_board(table)) < 2 or not is_action(table):
        return False
    _send_home(table.players[table.turn_of], is_white=True)
    return True


def _send_home(player: pb.OffTheRailsPlayer, is_white: bool) -> None:
    cart = player.white if is_white else player.black
    for jewel in cart.hold:
        player.stockpile[jewel - 1] += 1
    cart.CopyFrom(pb.OffTheRailsCart(place=SUPPLY))


def _banked(table: Table) -> bool:
    if table.move.cart == pb.OFF_THE_RAILS_COLOUR_WHITE:
        table.deeds.black_banked = not table.deeds.black_banked
    else:
        table.deeds.white_banked = not table.deeds.white_banked
    return True


def _turn(table: Table) -> bool:
    if not is_action(table):
        return False
    table.turn_of = (table.turn_of + 1) % len(table.players)
    return True


def _actions_taken(table: Table) -> bool:
    if not is_action(table):
        return False
    table.actions_taken = (table.actions_taken + 1) % ACTIONS
    return True


def _no_actions_taken(table: Table) -> bool:
    table.actions_taken = 0
    return is_action(table)


def _step(table: Table) -> bool:
    """The actions are over, and two carts can go first."""
    table.step = pb.OFF_THE_RAILS_STEP_FIRST
    return True


def _steps_left(table: Table) -> bool:
    if not table.move.steps_left:
        return False
    table.move.steps_left += 1 if table.move.steps_left < 2 else -1
    return True


def _takings_left(table: Table) -> bool:
    if table.step != pb.OFF_THE_RAILS_STEP_TAKE or table.move.steps_left:
        return False
    table.move.takings_left = 3 - table.move.takings_left
    return True


def _cross_under_the_cart(table: Table) -> bool:
    """The moving cart stands on a cross, so that it can have come in by any side."""
    if table.step not in (pb.OFF_THE_RAILS_STEP_TAKE, pb.OFF_THE_RAILS_STEP_FACE):
        return False
    player = table.players[table.turn_of]
    is_white = table.move.cart == pb.OFF_THE_RAILS_COLOUR_WHITE
    stands = (player.white if is_white else player.black).square
    for square in tracks(table):
        if square.square == stands:
            square.exits[:] = ALL_EXITS
    return True


def _entered_by(table: Table) -> bool:
    if not table.move.entered_by:
        return False
    entered: Any = table.move.entered_by % 4 + 1
    table.move.entered_by = entered
    return True


def _other_to_move(table: Table) -> bool:
    if not table.HasField("move"):
        return False
    table.move.other_to_move = not table.move.other_to_move
    return True


def _taken_from(table: Table) -> bool:
    """A square from which a jewel was taken in this move."""
    taken = table.move.taken_from
    if not table.missions or not table.move.entered_by:
        return False
    if taken:
        taken.pop()
    else:
        taken.append(tracks(table)[0].square)
    return True


def _colour_drawn(table: Table) -> bool:
    """The token drawn is of another colour."""
    if table.step != pb.OFF_THE_RAILS_STEP_TOKEN:
        return False
    to_come, drawn = table.chasm.to_come, table.token.colour
    for mine in range(4):
        if mine + 1 != drawn and to_come[mine]:
            to_come[mine] -= 1
            to_come[drawn - 1] += 1
            colour: Any = mine + 1
            table.token.colour = colour
            return True
    return False


TURNS: Mapping[str, Change] = {
    "deed": _deed,
    "banked cart": _banked,
    "whose turn it is": _turn,
    "actions taken": _actions_taken,
    "step": _step,
    "steps left": _steps_left,
    "takings left": _takings_left,
    "entered by": _entered_by,
    "other cart to move": _other_to_move,
    "squares taken from": _taken_from,
    "colour drawn": _colour_drawn,
}

PREPARED_TURNS: Mapping[str, Change] = {
    "banked cart": _send_the_other_cart_home,
    "step": _no_actions_taken,
    "entered by": _cross_under_the_cart,
}
