"""Reading positions of Off the Rails, for states made by hand."""

from __future__ import annotations

import re
from typing import Any

from .off_the_rails_board import (
    COLOURS,
    LETTERS,
    NONE,
    Jewels,
    Place,
    of_counts,
    places,
)
from .off_the_rails_state import (
    CARTS,
    CHASM,
    NUMBERS,
    Cart,
    Hit,
    Move,
    Options,
    Seat,
    Spot,
    State,
    with_changes,
)
from .off_the_rails_text import STEPS

FIELDS = 18
MOVE = re.compile(r"([wb])(\d)(\d)([NESW-])([+-])((?:[a-i]\d)*)")
HIT = re.compile(r"(\d[wb])([NESW])(?:=(\w+))?")
ON_SQUARE = re.compile(r"([a-i]\d)(\w+)")
CART = re.compile(r"([a-i]\d|[NESW][a-i1-9])([NESW?])(\d)([kregd]*)")


def found(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    """Match a text as a whole; raises ValueError when it is malformed."""
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(f"malformed: {text!r}")
    return match


def listed(text: str) -> list[str]:
    """Read a list split by commas."""
    return [] if text == NONE else text.split(",")


def jewels(text: str) -> Jewels:
    """Read jewels."""
    return tuple(LETTERS.index(letter) for letter in text)


def counted(text: str) -> tuple[int, ...]:
    """Read numbers by kind or colour as that many of each."""
    return of_counts(map(int, text.split(",")))


def spot(text: str) -> Spot:
    """Read a cart named by its seat and colour."""
    return int(text[0]), CARTS.index(text[1])


def squares(board: str, text: str) -> dict[Place, str]:
    """Read squares and what is there."""
    pairs = (found(ON_SQUARE, each).groups() for each in listed(text))
    return {places(board)[square]: what for square, what in pairs}


def cart(board: str, text: str) -> Cart:
    """Read a cart."""
    if text in ("s", "o"):
        return Cart(out=text == "o")
    square, facing, speed, hold = found(CART, text).groups()
    faces = None if facing == "?" else facing
    return Cart(places(board)[square], faces, int(speed), jewels(hold))


def seats(options: Options, fields: list[str]) -> tuple[Seat, ...]:
    """Read what the seats have."""
    columns = zip(*(fields[number].split("/") for number in (7, 9, 16)), strict=True)
    return tuple(read_seat(options, *column) for column in columns)


def read_seat(options: Options, carts: str, stock: str, missions: str) -> Seat:
    """Read what a seat has."""
    white, black = (cart(options.board, text) for text in carts.split(","))
    return Seat((white, black), counted(stock), tuple(map(int, listed(missions))))


def decks(options: Options, text: str) -> tuple[tuple[int, ...], ...]:
    """Read the decks: the one on top is written, those below it are whole."""
    match = found(re.compile(r"([rygbx]*)(\d+)"), text)
    top = tuple("rygbx".index(letter) for letter in match[1])
    plain = tuple(range(len(COLOURS)))
    left = int(match[2]) - len(top)
    below = [plain] * (left // len(plain))
    if left % len(plain):
        below[-2] = (*plain, CHASM)
    return (top, *below) if top else ()


def unseen(text: str) -> tuple[int, ...]:
    """Read the cards of a colour that are not turned."""
    return tuple(number for number in NUMBERS if str(number) not in text)


def move(options: Options, text: str) -> dict[str, Any]:
    """Read the move, and what is yet to move after it."""
    if text == NONE:
        return {}
    which, left, takings, via, other, took = found(MOVE, text).groups()
    number = CARTS.index(which)
    squares = frozenset(places(options.board)[took[at : at + 2]] for at in range(0, len(took), 2))
    entered_by = None if via == NONE else via
    return {
        "move": Move(number, int(left), entered_by, int(takings), squares),
        "to_move": (1 - number,) if other == "+" else (),
    }


def hit(text: str, letter: str, active: Spot) -> Hit | None:
    """Read the collision; in a turn step, who is yet to turn is found by the carts."""
    if text == NONE:
        return None
    opposing, side, left = found(HIT, text).groups()
    turning = {"U": (active,), "V": (spot(opposing),)}.get(letter, ())
    return Hit(spot(opposing), side, None if left is None else jewels(left), turning)


def step(text: str) -> dict[str, Any]:
    """Read the step with what belongs to it."""
    letters = {letter: step for step, letter in STEPS.items()}
    if text == NONE:
        return {"step": "over"}
    if text[0] in "UV":
        return {"step": "turn"}
    if text[0] == "A":
        return {"step": "actions", "actions": 4 - int(text[1])}
    if text[0] == "K":
        rolled = int(text[2:]) if text[2:] else None
        return {"step": "token", "actions": 0, "colour": COLOURS.index(text[1]), "rolled": rolled}
    return {"step": letters[text[0]], "actions": 0}


def brought(text: str) -> dict[str, Any]:
    """Read what the turn has brought."""
    carts, *missions = text.replace(NONE, "").split(",")
    banked = frozenset(CARTS.index(letter) for letter in carts)
    return {"banked": banked, "feats": frozenset(map(int, missions))}


def read_position(options: Options, text: str) -> State:
    """Read the eighteen fields of a position; raises ValueError when they are malformed."""
    fields = text.split(" ")
    if len(fields) != FIELDS:
        raise ValueError(f"{len(fields)} fields, expected {FIELDS}")
    board = options.board
    seat = 0 if fields[0] == NONE else int(fields[0])
    moving = move(options, fields[2])
    active = (seat, moving["move"].cart if moving else 0)
    tokens = {place: COLOURS.index(what) for place, what in squares(board, fields[6]).items()}
    lying = {place: jewels(what) for place, what in squares(board, fields[5]).items()}
    left_tokens, put_out = map(counted, fields[14].split("/"))
    state = State(
        options=options,
        seats=seats(options, fields),
        tracks=squares(board, fields[4]),
        deposits=lying,
        tokens=tokens,
        bag=counted(fields[8]),
        decks=decks(options, fields[12]),
        unseen=tuple(map(unseen, fields[11].split("/"))),
        left_tokens=left_tokens,
        missions=tuple(map(int, listed(fields[15]))),
        removed=counted(fields[10]),
        opener=None if fields[13] == NONE else int(fields[13][0]),
        open=fields[13].endswith("!"),
        put_out=put_out,
        seat=seat,
        hit=hit(fields[3], fields[1][0], active),
        **step(fields[1]),
        **moving,
        **brought(fields[17]),
    )
    return with_turning(with_decider(state), fields[1][0])


def with_decider(state: State) -> State:
    """Find who decides: the owner of the opposing cart of some steps, else whose turn it is."""
    owner = state.seat
    if state.step in ("odd", "split"):
        owner = state.collision.opposing[0]
    elif state.step == "turn":
        owner = state.collision.turning[0][0]
    return with_changes(state, decider=owner)


def with_turning(state: State, letter: str) -> State:
    """After the active cart the opposing one turns if it was hit front first."""
    if letter != "U" or state.hit is None:
        return state
    opposing = state.hit.opposing
    front = state.cart(opposing).facing == state.hit.side
    turning = (state.active, opposing) if front else (state.active,)
    return with_changes(state, hit=with_changes(state.hit, turning=turning))
