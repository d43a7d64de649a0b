"""States of Eternitium that differ in one thing that a viewer is due ("Who sees what")."""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from secrecy.eternitium_hidden import Pile, class_of, is_possible, sort_piles
from secrecy.pairs import Changed
from tablestate.v1 import eternitium_pb2 as pb
from tablestate.v1 import game_pb2

State: TypeAlias = pb.EternitiumState
Change: TypeAlias = Callable[[State], bool]
"""Changes a state; False if there is nothing of the kind in it."""

SYMBOLS = range(4)
SCANNER = pb.ETERNITIUM_CARD_SCANNER
MARKING = (pb.ETERNITIUM_CARD_TIME_LOOP, SCANNER)
OVER = pb.ETERNITIUM_STEP_UNSPECIFIED
SET_UP = pb.ETERNITIUM_STEP_TAKE_BASIC
PORTAL = pb.ETERNITIUM_STEP_PORTAL
PLAY = pb.ETERNITIUM_STEP_PLAY
TECHNOLOGY = pb.ETERNITIUM_STEP_TECHNOLOGY


def public_changes(truth: game_pb2.GameState) -> Iterator[Changed]:
    """One change of each public component that the state has."""
    yield from _changed(truth, PUBLIC, {"cards owned at the end": _end})


def private_changes(truth: game_pb2.GameState, seat: int) -> Iterator[Changed]:
    """One change of each component that only this seat sees."""
    bound = {name: _bind(change, seat) for name, change in PRIVATE.items()}
    yield from _changed(truth, bound, {"own Scanner's Eras": _bind(_scan, seat)})


def _bind(change: Callable[[State, int], bool], seat: int) -> Change:
    return lambda state: change(state, seat)


def _changed(
    truth: game_pb2.GameState, changes: Mapping[str, Change], prepared: Mapping[str, Change]
) -> Iterator[Changed]:
    for name, change in changes.items():
        left = _copy(truth)
        if name in prepared and not prepared[name](left.eternitium):
            continue
        sort_piles(left.eternitium)
        right = _copy(left)
        if change(right.eternitium) and is_possible(right.eternitium):
            sort_piles(right.eternitium)
            if right != left:
                yield Changed(name, left, right)


def _copy(state: game_pb2.GameState) -> game_pb2.GameState:
    copy = game_pb2.GameState()
    copy.CopyFrom(state)
    return copy


def _end(state: State) -> bool:
    """The last round is over."""
    seat = state.seats[state.turn_of]
    seat.discard[:] = sorted([*seat.discard, *state.play_area])
    del state.play_area[:]
    state.time_loop = False
    state.turn_of = len(state.seats) - 1
    state.round = state.options.max_rounds
    is_set_up = state.step == SET_UP
    state.step = OVER
    return not is_set_up


def _scan(state: State, seat: int) -> bool:
    """A Scanner out of the deck was played; it shows two Eras."""
    stack, deck = state.seats[seat].stack, state.advanced_deck.shuffled
    can_play = state.step == PLAY and state.turn_of == seat
    if not can_play or SCANNER not in deck or sum(stack.shuffled) < 3:
        return False
    deck.remove(SCANNER)
    state.play_area[:] = sorted([*state.play_area, SCANNER])
    state.played = True
    state.step = pb.ETERNITIUM_STEP_PUT_ON_TOP
    above: Pile = stack.above
    while len(above) < 2:
        symbol = next(symbol for symbol in SYMBOLS if stack.shuffled[symbol])
        stack.shuffled[symbol] -= 1
        above.append(symbol + 1)
    return True


def _exchange(one: Pile, other: Pile, alike: Callable[[int], object] = lambda _: None) -> bool:
    """The first two different cards of two piles, of one class, change places."""
    for place, card in enumerate(one):
        for index, second in enumerate(other):
            if card != second and alike(card) == alike(second):
                one[place], other[index] = second, card
                return True
    return False


def _portal_of_the_supply(state: State) -> bool:
    for seat in state.seats:
        deck: Pile = seat.deck
        for place, card in enumerate(deck):
            for symbol in SYMBOLS:
                if card < pb.ETERNITIUM_CARD_DROID and card != symbol + 1 and state.supply[symbol]:
                    state.supply[symbol] -= 1
                    state.supply[card - 1] += 1
                    deck[place] = symbol + 1
                    if is_possible(state):
                        return state.step != SET_UP
                    state.supply[symbol] += 1
                    state.supply[card - 1] -= 1
                    deck[place] = card
    return False


def _row(row: Pile, deck: Pile) -> bool:
    for index, card in enumerate(deck):
        if card not in row and all(row):
            row[0], deck[index] = card, row[0]
            return True
    return False


def _other_symbol(pile: Pile, era: int) -> int:
    """An Era of another symbol in a pile given by numbers; 0 for none."""
    return next((symbol + 1 for symbol in SYMBOLS if pile[symbol] and symbol + 1 != era), 0)


def _era_of(fixed: Pile, place: int, pile: Pile) -> bool:
    """An Era of a fixed place changes places with one of the pile."""
    era, other = fixed[place], _other_symbol(pile, fixed[place])
    if not (era and other):
        return False
    pile[other - 1] -= 1
    pile[era - 1] += 1
    fixed[place] = other
    return True


def _visible_era(state: State) -> bool:
    return _era_of(state.visible_eras, 0, state.pile)


def _era_gone(state: State) -> bool:
    gone = next((symbol for symbol in SYMBOLS if state.eras_gone[symbol]), None)
    other = 0 if gone is None else _other_symbol(state.pile, gone + 1)
    if gone is None or not other:
        return False
    state.eras_gone[gone] -= 1
    state.eras_gone[other - 1] += 1
    state.pile[gone] += 1
    state.pile[other - 1] -= 1
    return True


def _pile_size(state: State) -> bool:
    symbol = next((symbol for symbol in SYMBOLS if state.pile[symbol]), None)
    if symbol is None:
        return False
    state.pile[symbol] -= 1
    state.eras_gone[symbol] += 1
    return True


def _eras_of_a_seat(state: State) -> bool:
    """An Era comes out of a stack and goes to another; none is emptied, and none filled anew."""
    sized = [seat.stack for seat in state.seats if sum(seat.stack.shuffled) > 1]
    if len(sized) < 2:
        return False
    symbol = next(symbol for symbol in SYMBOLS if sized[0].shuffled[symbol])
    sized[0].shuffled[symbol] -= 1
    sized[1].shuffled[symbol] += 1
    return True


def _top_era(state: State) -> bool:
    stacks = [seat.stack for seat in state.seats if seat.stack.face_up]
    if not stacks:
        return False
    return _era_of(stacks[0].above or stacks[0].under, 0, state.pile)


def _face_of_a_top(state: State) -> bool:
    stacks = [seat.stack for seat in state.seats if seat.stack.face_up]
    for stack in stacks[:1]:
        stack.face_up = False
    return bool(stacks)


def _size_of_a_deck(deck: pb.EternitiumDeck, state: State) -> bool:
    if not deck.shuffled or state.step == SET_UP:
        return False
    state.seats[-1].removed.append(deck.shuffled.pop())
    state.seats[-1].removed.sort()
    return True


def _hand_size(state: State) -> bool:
    for seat in state.seats:
        if seat.hand:
            seat.deck.append(seat.hand.pop())
            return True
    return False


def _deck_size(state: State) -> bool:
    seat = state.seats[0]
    if not seat.deck or state.step == SET_UP:
        return False
    seat.discard.append(seat.deck.pop())
    seat.discard.sort()
    return True


def _discard(state: State) -> bool:
    return any(_exchange_open(seat.discard, seat.deck) for seat in state.seats)


def _removed(state: State) -> bool:
    return any(_exchange_open(seat.removed, seat.deck) for seat in state.seats)


def _exchange_open(pile: Pile, deck: Pile) -> bool:
    is_exchanged = _exchange(pile, deck)
    pile[:] = sorted(pile)
    return is_exchanged


def _play_area(state: State) -> bool:
    seat = state.seats[state.turn_of]
    for place, card in enumerate(state.play_area):
        for index, other in enumerate(seat.deck):
            if card != other and card not in MARKING and other not in MARKING:
                state.play_area[place], seat.deck[index] = other, card
                state.play_area.sort()
                return True
    return False


def _technologies_owned(state: State) -> bool:
    """A Basic or Advanced of a seat's deck changes places with a Portal of another's."""
    if state.step == SET_UP:
        return False
    for seat in state.seats:
        for other in state.seats:
            for place, card in enumerate(seat.deck):
                for index, portal in enumerate(other.deck):
                    if other is not seat and class_of(card) != "portal" == class_of(portal):
                        seat.deck[place], other.deck[index] = portal, card
                        if is_possible(state):
                            return True
                        seat.deck[place], other.deck[index] = card, portal
    return False


def _owned_at_the_end(state: State) -> bool:
    if state.step != OVER:
        return False
    for seat in state.seats[1:]:
        first = state.seats[0]
        for place, card in enumerate(first.deck):
            for index, other in enumerate(seat.deck):
                if card != other and class_of(card) == class_of(other):
                    first.deck[place], seat.deck[index] = other, card
                    if is_possible(state):
                        return True
                    first.deck[place], seat.deck[index] = card, other
    return False


def _round(state: State) -> bool:
    if state.step in (OVER, SET_UP):
        return False
    state.round = state.round - 1 or 2
    return True


def _turn(state: State) -> bool:
    state.turn_of = (state.turn_of + 1) % len(state.seats)
    return state.step == PORTAL


def _step(state: State) -> bool:
    if state.step == PORTAL:
        state.step = PLAY
        return True
    is_fresh = state.step == PLAY and not state.played and sum(state.supply) > 0
    state.step = PORTAL
    return is_fresh


def _extra_turn(state: State) -> bool:
    state.extra_turn = not state.extra_turn
    return not state.time_loop and state.step not in (OVER, SET_UP)


def _time_loop(state: State) -> bool:
    state.time_loop = not state.time_loop
    return state.played and state.step == TECHNOLOGY and not state.extra_turn


def _played(state: State) -> bool:
    state.played = not state.played
    return state.step == TECHNOLOGY and state.refill_size == 5 and not state.time_loop


def _refill_size(state: State) -> bool:
    if state.step != TECHNOLOGY or not state.played:
        return False
    state.refill_size = 9 - state.refill_size
    return True


def _forfeited(state: State) -> bool:
    seat = state.seats[0]
    seat.forfeited = not seat.forfeited
    return state.step != OVER


def _own_hand(state: State, seat: int) -> bool:
    return _exchange(state.seats[seat].hand, state.seats[seat].deck)


def _own_deck(state: State, seat: int) -> bool:
    """A Basic of the own deck changes places with one of the Basic deck."""
    own, deck = state.seats[seat].deck, state.basic_deck.shuffled
    return state.step != OVER and _exchange(own, deck, class_of)


def _scanned(state: State, seat: int) -> bool:
    stack = state.seats[seat].stack
    if state.step != pb.ETERNITIUM_STEP_PUT_ON_TOP or state.turn_of != seat:
        return False
    fixed = stack.above or stack.under
    return _era_of(fixed, min(1, len(fixed) - 1), state.pile)


PUBLIC: Mapping[str, Change] = {
    "supply": _portal_of_the_supply,
    "Basic row": lambda state: _row(state.basic_row, state.basic_deck.shuffled),
    "Advanced row": lambda state: _row(state.advanced_row, state.advanced_deck.shuffled),
    "visible Era": _visible_era,
    "Eras out of the game": _era_gone,
    "pile size": _pile_size,
    "Eras of a seat": _eras_of_a_seat,
    "top Era": _top_era,
    "face of a top Era": _face_of_a_top,
    "Basic deck size": lambda state: _size_of_a_deck(state.basic_deck, state),
    "Advanced deck size": lambda state: _size_of_a_deck(state.advanced_deck, state),
    "hand size": _hand_size,
    "deck size": _deck_size,
    "discard pile": _discard,
    "removed cards": _removed,
    "play area": _play_area,
    "technologies owned": _technologies_owned,
    "cards owned at the end": _owned_at_the_end,
    "round": _round,
    "whose turn it is": _turn,
    "step": _step,
    "extra turn": _extra_turn,
    "Time Loop": _time_loop,
    "played": _played,
    "refill size": _refill_size,
    "forfeit": _forfeited,
}

PRIVATE: Mapping[str, Callable[[State, int], bool]] = {
    "own hand": _own_hand,
    "own deck": _own_deck,
    "own Scanner's Eras": _scanned,
}
