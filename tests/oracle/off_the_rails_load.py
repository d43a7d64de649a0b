"""Positions of Off the Rails as the engine's message of the full state."""

from __future__ import annotations

from collections.abc import Iterable

from tablestate.v1 import game_pb2, off_the_rails_pb2

from .off_the_rails_board import BOARDS, COLOURS, CROSS, Place, counts, sides, underground
from .off_the_rails_state import CHASM, NUMBERS, Cart, Options, State, side_of
from .off_the_rails_text import other_moves, step_letter

LETTERS = "-AFTCOSHUVMK"
"""The steps in the order of their numbers; 0 when the match is over."""

BOARD_NAMES = ("-", *BOARDS)


def numbered(values: Iterable[int]) -> list[int]:
    """Give the numbers of kinds, colours and so on, which begin with 1 in messages."""
    return [value + 1 for value in values]


def exits_of(exits: str) -> list[int]:
    """Give the numbers of exits."""
    return [CROSS.index(exit) + 1 for exit in exits]


def side_number(exit: str | None) -> int:
    """Give the number of an exit or side, 0 for none."""
    return 0 if exit is None else CROSS.index(exit) + 1


def tokens_of(tokens: tuple[int, ...]) -> list[int]:
    """Count tokens by colour."""
    return [tokens.count(colour) for colour in range(len(COLOURS))]


def options_message(options: Options) -> off_the_rails_pb2.OffTheRailsOptions:
    """Write options; a board that does not exist becomes a number that does not."""
    board = BOARD_NAMES.index(options.board) if options.board in BOARD_NAMES else 9
    return off_the_rails_pb2.OffTheRailsOptions(
        seats=options.seats,
        board=board,  # type: ignore[arg-type]
        deposit_cards=options.deposit_cards,
        missions=options.missions,
        bumper_cars=options.bumper_cars,
        chasm_die=options.chasm_die,
    )


def read_options(message: off_the_rails_pb2.OffTheRailsOptions) -> Options:
    """Read complete options."""
    return Options(
        message.seats,
        BOARD_NAMES[message.board],
        message.deposit_cards,
        message.missions,
        message.bumper_cars,
        message.chasm_die,
    )


def cart_message(state: State, number: int, cart: Cart) -> off_the_rails_pb2.OffTheRailsCart:
    """Write a cart."""
    if cart.place is None:
        return off_the_rails_pb2.OffTheRailsCart(place=4 if cart.out else 1)  # type: ignore[arg-type]
    board = state.options.board
    if cart.place in sides(board):
        across = side_of(state.options, number) in "NS"
        where, square = 3, cart.place.file if across else cart.place.rank
    else:
        where, square = 2, underground(board).index(cart.place)
    return off_the_rails_pb2.OffTheRailsCart(
        place=where,  # type: ignore[arg-type]
        square=square,
        facing=side_number(cart.facing),  # type: ignore[arg-type]
        speed=cart.speed,
        hold=numbered(cart.hold),  # type: ignore[arg-type]
    )


def player_message(state: State, number: int) -> off_the_rails_pb2.OffTheRailsPlayer:
    """Write what belongs to a seat."""
    seat = state.seats[number]
    white, black = (cart_message(state, number, cart) for cart in seat.carts)
    return off_the_rails_pb2.OffTheRailsPlayer(
        white=white, black=black, stockpile=counts(seat.stock), claimed=sorted(seat.missions)
    )


def square_message(state: State, place: Place) -> off_the_rails_pb2.OffTheRailsSquare:
    """Write what lies on a square."""
    return off_the_rails_pb2.OffTheRailsSquare(
        square=underground(state.options.board).index(place),
        exits=exits_of(state.tracks.get(place, "")),  # type: ignore[arg-type]
        jewels=numbered(state.deposits.get(place, ())),  # type: ignore[arg-type]
        token=state.tokens.get(place, -1) + 1,  # type: ignore[arg-type]
    )


def deck_message(state: State) -> off_the_rails_pb2.OffTheRailsDeck:
    """Write the deposit deck."""
    top = state.decks[0] if state.decks else ()
    colours = numbered(colour for colour in top if colour != CHASM)
    return off_the_rails_pb2.OffTheRailsDeck(
        size=sum(map(len, state.decks)),
        top=colours,  # type: ignore[arg-type]
        chasm_card_on_top=CHASM in top,
    )


def chasm_message(state: State) -> off_the_rails_pb2.OffTheRailsChasm:
    """Write the Chasm and its tokens."""
    return off_the_rails_pb2.OffTheRailsChasm(
        opener=state.opener,
        open=state.open,
        to_come=tokens_of(state.left_tokens),
        put_out=tokens_of(state.put_out),
    )


def deeds_message(state: State) -> off_the_rails_pb2.OffTheRailsDeeds | None:
    """Write what the turn has brought, None if nothing."""
    if not state.feats and not state.banked:
        return None
    return off_the_rails_pb2.OffTheRailsDeeds(
        white_banked=0 in state.banked, black_banked=1 in state.banked, met=sorted(state.feats)
    )


def move_message(state: State) -> off_the_rails_pb2.OffTheRailsMove | None:
    """Write the move that goes on."""
    if state.move is None:
        return None
    move, squares = state.move, underground(state.options.board)
    gone = state.cart(state.active).place is None
    return off_the_rails_pb2.OffTheRailsMove(
        cart=move.cart + 1,  # type: ignore[arg-type]
        steps_left=move.left,
        takings_left=move.takings,
        entered_by=side_number(None if gone else move.via),  # type: ignore[arg-type]
        other_to_move=other_moves(state),
        taken_from=sorted(map(squares.index, move.took)),
    )


def collision_message(state: State) -> off_the_rails_pb2.OffTheRailsCollision | None:
    """Write the collision that is not settled yet."""
    if state.hit is None:
        return None
    seat, cart = state.hit.opposing
    name = off_the_rails_pb2.OffTheRailsCartName(seat=seat, colour=cart + 1)  # type: ignore[arg-type]
    side = side_number(state.hit.side)
    return off_the_rails_pb2.OffTheRailsCollision(opposing=name, hit_side=side)  # type: ignore[arg-type]


def token_message(state: State) -> off_the_rails_pb2.OffTheRailsToken | None:
    """Write the token that was drawn."""
    if state.colour is None:
        return None
    colour = state.colour + 1
    return off_the_rails_pb2.OffTheRailsToken(colour=colour, die=state.rolled or 0)  # type: ignore[arg-type]


def table_message(state: State) -> off_the_rails_pb2.OffTheRailsTable:
    """Write all that everybody sees."""
    there = state.tracks.keys() | state.deposits.keys() | state.tokens.keys()
    squares = [place for place in underground(state.options.board) if place in there]
    letter = "-" if state.actor is None else step_letter(state)
    shown = [[number for number in NUMBERS if number not in unseen] for unseen in state.unseen]
    return off_the_rails_pb2.OffTheRailsTable(
        step=LETTERS.index(letter),  # type: ignore[arg-type]
        turn_of=state.seat,
        actions_taken=4 - state.actions if letter == "A" else 0,
        squares=[square_message(state, place) for place in squares],
        players=[player_message(state, number) for number in range(state.options.seats)],
        bag=counts(state.bag),
        removed=counts(state.removed),
        cards=[off_the_rails_pb2.OffTheRailsCards(numbers=numbers) for numbers in shown],
        deck=deck_message(state),
        chasm=chasm_message(state),
        missions=state.missions,
        deeds=deeds_message(state),
        move=move_message(state),
        collision=collision_message(state),
        token=token_message(state),
    )


def state_message(state: State) -> off_the_rails_pb2.OffTheRailsState:
    """Write a state."""
    options = options_message(state.options)
    options.deposit_cards = state.options.cards
    left = () if state.hit is None or state.hit.left is None else state.hit.left
    return off_the_rails_pb2.OffTheRailsState(
        options=options,
        table=table_message(state),
        left_hand=numbered(left),  # type: ignore[arg-type]
    )


def write_state(state: State) -> bytes:
    """Encode a state."""
    return game_pb2.GameState(off_the_rails=state_message(state)).SerializeToString()
