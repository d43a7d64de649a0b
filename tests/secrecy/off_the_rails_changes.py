"""States of Off the Rails that differ in one thing that a viewer is due ("Who sees what").

What cannot be changed alone is changed with what follows from it: a card that is turned leaves its
deck. A change that makes no position that can be is left out.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any, TypeAlias

from secrecy.off_the_rails_turns import (
    ALL_EXITS,
    PREPARED_TURNS,
    SUPPLY,
    TURNS,
    Change,
    Table,
    carts,
    is_action,
    on_board,
    send_a_cart_home,
    tracks,
)
from secrecy.pairs import Changed
from tablestate.v1 import game_pb2
from tablestate.v1 import off_the_rails_pb2 as pb
from tablestate_service import engine

State: TypeAlias = pb.OffTheRailsState

STRAIGHTS = (ALL_EXITS[::2], ALL_EXITS[1::2])
MOST_SPEED, MOST_HELD = 6, 5
OUT = pb.OFF_THE_RAILS_CART_PLACE_OUT


def public_changes(truth: game_pb2.GameState) -> Iterator[Changed]:
    """One change of each public component that the state has."""
    for name, change in PUBLIC.items():
        left = _copy(truth)
        prepare = PREPARED.get(name)
        if prepare is not None and not prepare(left.off_the_rails.table):
            continue
        right = _copy(left)
        states = (right,) if prepare is None else (left, right)
        if change(right.off_the_rails.table) and right != left and _can_be(*states):
            yield Changed(name, left, right)


def private_changes(truth: game_pb2.GameState) -> Iterator[Changed]:
    """Another split, for the owner of the hold."""
    right = _copy(truth)
    left_hand = right.off_the_rails.left_hand
    hit = truth.off_the_rails.table.collision.opposing
    player = truth.off_the_rails.table.players[hit.seat]
    hold = (player.white if hit.colour == pb.OFF_THE_RAILS_COLOUR_WHITE else player.black).hold
    for other in combinations(hold, len(left_hand)):
        if left_hand and list(other) != list(left_hand):
            left_hand[:] = other
            yield Changed("own split", truth, right)
            return


def _copy(state: game_pb2.GameState) -> game_pb2.GameState:
    copy = game_pb2.GameState()
    copy.CopyFrom(state)
    return copy


def _can_be(*states: game_pb2.GameState) -> bool:
    try:
        for state in states:
            engine.GameState.load(state.SerializeToString())
    except engine.CoreError:
        return False
    return True


def _free_track(table: Table) -> pb.OffTheRailsSquare | None:
    """A square with track on which no cart stands."""
    taken = {cart.square for cart in on_board(table)}
    free = [square for square in tracks(table) if square.square not in taken]
    return free[0] if free else None


def _lay(table: Table, **what: Any) -> bool:
    """Put something on a square where nothing lies: h4 or h5 of the small board, e4 or d5 of the
    large one."""
    used = {square.square for square in table.squares}
    square = min({31, 39} - used, default=None)
    if square is None:
        return False
    table.squares.add(square=square, **what)
    table.squares.sort(key=lambda each: each.square)
    return True


def _from_bag(table: Table) -> Any:
    """The first kind of which the bag has a jewel, which leaves it; 0 for none."""
    for kind, number in enumerate(table.bag):
        if number:
            table.bag[kind] -= 1
            return kind + 1
    return 0


def _track(table: Table) -> bool:
    return _lay(table, exits=STRAIGHTS[0])


def _first_straight(table: Table) -> bool:
    return _lay(table, exits=STRAIGHTS[0])


def _exits(table: Table) -> bool:
    for square in tracks(table):
        if list(square.exits) == STRAIGHTS[0]:
            square.exits[:] = STRAIGHTS[1]
            return True
    return False


def _jewel_on_a_square(table: Table) -> bool:
    square = _free_track(table)
    jewel = _from_bag(table)
    if not square or not jewel:
        return False
    square.jewels.append(jewel)
    square.jewels.sort()
    return True


def _token_laid(table: Table) -> bool:
    to_come = table.chasm.to_come
    if not table.chasm.open or sum(to_come) < 2:
        return False
    colour: Any = max(range(4), key=lambda mine: to_come[mine])
    to_come[colour] -= 1
    return _lay(table, token=colour + 1)


def _colour_of_a_token(table: Table) -> bool:
    """Of two tokens laid; a first one lies in its own mine."""
    laid = [square for square in table.squares if square.token]
    for one, other in combinations(laid, 2):
        if one.token != other.token:
            one.token, other.token = other.token, one.token
            return True
    return False


def _token_put_out(table: Table) -> bool:
    chasm = table.chasm
    if not chasm.open or sum(chasm.to_come) < 2:
        return False
    colour = max(range(4), key=lambda mine: chasm.to_come[mine])
    chasm.to_come[colour] -= 1
    chasm.put_out[colour] += 1
    return True


def _square_of_a_cart(table: Table) -> bool:
    square = _free_track(table)
    for cart in on_board(table):
        if square and is_action(table):
            cart.square, cart.facing = square.square, square.exits[0]
            return True
    return False


def _facing(table: Table) -> bool:
    exits = {square.square: square.exits for square in tracks(table)}
    for cart in on_board(table):
        others = [exit for exit in exits[cart.square] if exit != cart.facing]
        if others and is_action(table):
            cart.facing = others[0]
            return True
    return False


def _speed(table: Table) -> bool:
    for cart in on_board(table) if is_action(table) else ():
        cart.speed += 1 if cart.speed < MOST_SPEED else -1
        return True
    return False


def _hold(table: Table) -> bool:
    for cart in on_board(table):
        if len(cart.hold) < MOST_HELD:
            jewel = _from_bag(table)
            cart.hold.append(jewel)
            cart.hold.sort()
            return bool(jewel)
    return False


def _out_of_the_game(table: Table) -> bool:
    for cart in carts(table):
        if cart.place == SUPPLY and table.chasm.open:
            cart.place = OUT
            return True
    return False


def _stockpile(table: Table) -> bool:
    jewel = _from_bag(table)
    if jewel:
        table.players[-1].stockpile[jewel - 1] += 1
    return bool(jewel)


def _whose_stockpile(table: Table) -> bool:
    first, last = table.players[0].stockpile, table.players[-1].stockpile
    for kind, number in enumerate(last):
        if number:
            last[kind] -= 1
            first[kind] += 1
            return True
    return False


def _removed(table: Table) -> bool:
    jewel = _from_bag(table)
    if jewel:
        table.removed[jewel - 1] += 1
    return bool(jewel)


def _card_shown(table: Table) -> bool:
    """Another card was turned; tokens lie on some squares whose cards were, so all are tried."""
    numbers = table.cards[0].numbers
    hidden = [number for number in range(1, 9) if number not in numbers]
    if not (numbers and hidden):
        return False
    numbers[:] = sorted([*list(numbers)[1:], hidden[0]])
    return True


def _card_turned(table: Table) -> bool:
    """The next card is turned: it is the top deck's no more."""
    top = table.deck.top
    if len(top) < 2:
        return False
    colour = top.pop()
    table.deck.size -= 1
    numbers = table.cards[colour - 1].numbers
    numbers.append(next(number for number in range(1, 9) if number not in numbers))
    numbers.sort()
    return True


def _opener(table: Table) -> bool:
    chasm = table.chasm
    if not chasm.open:
        return False
    chasm.opener = (chasm.opener + 1) % len(table.players)
    return True


def _mission(table: Table) -> bool:
    claimed = [number for player in table.players for number in player.claimed]
    unused = sorted(set(range(1, 12)) - {*table.missions, *claimed})
    if not table.missions:
        return False
    table.missions[:] = sorted([*list(table.missions)[1:], unused[0]])
    return True


def _claimed(table: Table) -> bool:
    if not table.missions:
        return False
    table.players[0].claimed.append(table.missions.pop())
    table.players[0].claimed.sort()
    return True


def _whose_mission(table: Table) -> bool:
    first, last = table.players[0], table.players[-1]
    if not first.claimed:
        return False
    last.claimed.append(first.claimed.pop())
    last.claimed.sort()
    return True


PUBLIC: Mapping[str, Change] = {
    "track": _track,
    "exits": _exits,
    "jewels lying": _jewel_on_a_square,
    "token": _token_laid,
    "colour of a token": _colour_of_a_token,
    "token put out": _token_put_out,
    "square of a cart": _square_of_a_cart,
    "facing": _facing,
    "speed": _speed,
    "hold": _hold,
    "cart out of the game": _out_of_the_game,
    "stockpile": _stockpile,
    "whose stockpile": _whose_stockpile,
    "removed jewels": _removed,
    "card shown": _card_shown,
    "card turned": _card_turned,
    "opener": _opener,
    "mission": _mission,
    "claimed mission": _claimed,
    "whose mission": _whose_mission,
    **TURNS,
}

PREPARED: Mapping[str, Change] = {
    **PREPARED_TURNS,
    "exits": _first_straight,
    "cart out of the game": send_a_cart_home,
    "whose mission": _claimed,
    "whose stockpile": _stockpile,
}

PRIVATE = ("own split",)
