"""The decks and tokens of Off the Rails drawn by chance, as they can be amid a match."""

from __future__ import annotations

import random

from .off_the_rails import RULES
from .off_the_rails_board import AROUND, BOARDS, COLOURS, STEPS, Place, mine_square, underground
from .off_the_rails_state import CHASM, Options, State, is_underground, with_changes

DRAWN = 16
"""Tokens that are drawn one by one."""


def fresh(options: Options) -> State:
    """Give what there is before the first card is turned."""
    return RULES.fresh(options)


def chasm_place(options: Options, rng: random.Random) -> int:
    """Draw which card of the deposit deck the Chasm Card is, from 1: one of Deck 4."""
    return rng.randint(options.cards - 8, options.cards - 4)


def show(state: State, colour: int, rng: random.Random) -> tuple[State, int]:
    """Turn any card of a colour."""
    number = rng.choice(state.unseen[colour])
    left = tuple(each for each in state.unseen[colour] if each != number)
    unseen = (*state.unseen[:colour], left, *state.unseen[colour + 1 :])
    return with_changes(state, unseen=unseen), number


def turn_cards(state: State, chasm: int, turned: int, rng: random.Random) -> State:
    """Turn the opening cards and so many of the deposit deck; each took one turn."""
    for colour in range(len(COLOURS)):
        state, _ = show(state, colour, rng)
    decks = [list(deck) for deck in state.decks]
    for number in range(1, turned + 1):
        plain = [colour for colour in decks[0] if colour != CHASM]
        colour = CHASM if number == chasm else rng.choice(plain)
        decks[0].remove(colour)
        decks = [deck for deck in decks if deck]
        if colour != CHASM:
            state, _ = show(state, colour, rng)
    opener = (chasm - 1) % state.options.seats if turned >= chasm else None
    left = tuple(map(tuple, decks))
    return with_changes(state, decks=left, opener=opener, seat=turned % state.options.seats)


def early(options: Options, rng: random.Random) -> State:
    """Draw a turn before the Chasm Card is turned."""
    chasm = chasm_place(options, rng)
    return turn_cards(fresh(options), chasm, rng.randrange(chasm), rng)


def closing(options: Options, rng: random.Random, last: bool) -> State:
    """Draw a turn after the Chasm Card was turned, perhaps the last before the Chasm opens."""
    chasm = chasm_place(options, rng)
    since = options.seats - 1 if last else rng.randrange(options.seats)
    return turn_cards(fresh(options), chasm, chasm + since, rng)


def opened(options: Options, rng: random.Random, drawn: int, walled: bool) -> State:
    """Draw a turn when the Chasm is open and so many tokens have been drawn."""
    chasm = chasm_place(options, rng)
    state = turn_cards(fresh(options), chasm, chasm + options.seats, rng)
    tokens: dict[Place, int] = {}
    for colour in range(len(COLOURS)):
        state, number = show(state, colour, rng)
        tokens[mine_square(options.board, colour, number)] = colour
    state = with_changes(state, open=True, tokens=tokens, seat=(state.seat + drawn) % options.seats)
    return with_walls(state, drawn, rng) if walled else with_tokens(state, drawn, rng)


def all_drawn() -> list[int]:
    """List the colours of the tokens that are drawn one by one."""
    return [colour for colour in range(len(COLOURS)) for _ in range(DRAWN // len(COLOURS))]


def with_tokens(state: State, drawn: int, rng: random.Random) -> State:
    """Draw and lay tokens; the die may have sent one to where a token of another colour lies."""
    for colour in rng.sample(all_drawn(), drawn):
        beside = [place for place, other in state.tokens.items() if other == colour]
        state = lay(state, colour, free_squares(state, beside), rng)
    return state


def with_walls(state: State, drawn: int, rng: random.Random) -> State:
    """Draw and lay tokens so that those of other colours wall a mine and its own ones in."""
    victim = rng.randrange(len(COLOURS))
    order = sorted(rng.sample(all_drawn(), DRAWN), key=lambda colour: colour == victim)
    walls = [place for place in wall(state, victim, rng) if place not in state.tokens]
    for colour in order[:drawn]:
        squares = walls[:1] if colour != victim and rng.random() < 0.9 else []
        walls = walls[len(squares) :]
        state = lay(state, colour, squares or free_squares(state, list(state.tokens)), rng)
        walls = [place for place in walls if place not in state.tokens]
    return state


def wall(state: State, colour: int, rng: random.Random) -> list[Place]:
    """List the squares of a mine, and those that lie beside the middle of its sides."""
    centre = BOARDS[state.options.board].centres[colour]
    mine = [Place(centre.file + files, centre.rank + ranks) for files, ranks in AROUND]
    beside = [centre.to(exit).to(exit) for exit in STEPS]
    inner, outer = [*mine, centre], [place for place in beside if is_underground(state, place)]
    return [*rng.sample(inner, len(inner)), *rng.sample(outer, len(outer))]


def lay(state: State, colour: int, squares: list[Place], rng: random.Random) -> State:
    """Lay a token on one of some squares, or put it out."""
    left = list(state.left_tokens)
    left.remove(colour)
    state = with_changes(state, left_tokens=tuple(left))
    if not squares:
        return with_changes(state, put_out=tuple(sorted((*state.put_out, colour))))
    return with_changes(state, tokens={**state.tokens, rng.choice(squares): colour})


def free_squares(state: State, beside: list[Place]) -> list[Place]:
    """List the squares without a token beside some others."""
    near = {place.to(exit) for place in beside for exit in STEPS}
    near = {place for place in near if is_underground(state, place) and place not in state.tokens}
    return [place for place in underground(state.options.board) if place in near]
