"""States of OffTrack that differ in one thing that a viewer is due ("Who sees what")."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TypeAlias

from secrecy.pairs import Changed
from tablestate.v1 import game_pb2
from tablestate.v1 import offtrack_pb2 as pb

State: TypeAlias = pb.OffTrackState
Change: TypeAlias = Callable[[State], bool]
"""Changes a state; False if there is nothing of the kind in it."""

COLLAPSE = 7


def public_changes(truth: game_pb2.GameState) -> Iterator[Changed]:
    """One change of each public component that the state has."""
    yield from _changed(truth, PUBLIC)


def private_changes(truth: game_pb2.GameState, seat: int) -> Iterator[Changed]:
    """One change of each component that only this seat sees."""
    bound = {name: _bind(change, seat) for name, change in PRIVATE.items()}
    yield from _changed(truth, bound)


def _bind(change: Callable[[State, int], bool], seat: int) -> Change:
    return lambda state: change(state, seat)


def _changed(truth: game_pb2.GameState, changes: Mapping[str, Change]) -> Iterator[Changed]:
    for name, change in changes.items():
        left = _copy(truth)
        if name in PREPARED and not PREPARED[name](left.offtrack):
            continue
        right = _copy(left)
        if change(right.offtrack) and right != left:
            yield Changed(name, left, right)


def _copy(state: game_pb2.GameState) -> game_pb2.GameState:
    copy = game_pb2.GameState()
    copy.CopyFrom(state)
    return copy


def _order_of_a_line(state: State) -> bool:
    line = state.lines[0].cards
    if len(line) < 2:
        return False
    first = pb.OffTrackCard(type=line[0].type, redeemed=line[0].redeemed)
    line[0].CopyFrom(line[1])
    line[1].CopyFrom(first)
    return True


def _flip(state: State) -> bool:
    state.lines[0].flipped = not state.lines[0].flipped
    return True


def _pin(state: State) -> bool:
    line = state.lines[0]
    if not line.cards:
        return False
    line.pinned = len(line.cards) - 1 if not line.HasField("pinned") or not line.pinned else 0
    return True


def _seal(state: State) -> bool:
    line = state.lines[-1]
    if line.HasField("sealed_by"):
        line.ClearField("sealed_by")
    else:
        line.sealed_by = 0
    return True


def _seal_by_another(state: State) -> bool:
    sealed = [line for line in state.lines if line.HasField("sealed_by")]
    for line in sealed[:1]:
        line.sealed_by = (line.sealed_by + 1) % len(state.seats)
    return bool(sealed)


def _fill_a_branch(state: State) -> bool:
    """A waiting branch is rare in play: one is made with cards of the deck."""
    lacking = COLLAPSE - len(state.lines[-1].cards)
    if len(state.lines) == 1 or lacking > len(state.deck):
        return False
    branch = state.lines[-1]
    for _ in range(lacking):
        branch.cards.add(type=state.deck.pop())
    branch.waiting_for = 0
    return True


def _wait_for_another(state: State) -> bool:
    state.lines[-1].waiting_for = 1
    return True


def _new_branch(state: State) -> bool:
    is_possible = len(state.lines) <= state.options.max_branches
    if is_possible:
        state.lines.add()
    return is_possible


def _redeem_on_a_line(state: State) -> bool:
    return _redeem(card for line in state.lines for card in line.cards)


def _redeem_in_a_pile(state: State) -> bool:
    return _redeem(card for seat in state.seats for card in seat.pile)


def _box_a_negative_card(state: State) -> bool:
    negative = [card for card in state.deck if card % 9 < 2]
    for card in negative[:1]:
        state.deck.remove(card)
        state.boxed.add(type=card)
    return bool(negative)


def _redeem_in_the_box(state: State) -> bool:
    return _redeem(state.boxed)


def _redeem(cards: Iterable[pb.OffTrackCard]) -> bool:
    for card in cards:
        if card.type % 9 < 2:
            card.redeemed = not card.redeemed
            return True
    return False


def _owner_of_a_scored_card(state: State) -> bool:
    for number, seat in enumerate(state.seats):
        if seat.pile:
            state.seats[(number + 1) % len(state.seats)].pile.append(seat.pile.pop())
            return True
    return False


def _box_a_scored_card(state: State) -> bool:
    for seat in state.seats:
        if seat.pile:
            state.boxed.append(seat.pile.pop())
            return True
    return False


def _discard_from_the_deck(state: State) -> bool:
    if not state.deck:
        return False
    state.discard.append(state.deck.pop())
    return True


def _exchange_a_discard(state: State) -> bool:
    if not (state.deck and state.discard) or state.deck[0] == state.discard[0]:
        return False
    state.deck[0], state.discard[0] = state.discard[0], state.deck[0]
    return True


def _hand_size(state: State) -> bool:
    hand = state.seats[-1].hand
    if not hand:
        return False
    state.deck.append(hand.pop())
    return True


def _who_holds(state: State) -> bool:
    """A seat holds one that does not in play: not the actor, and nobody under the house rule."""
    for number, seat in enumerate(state.seats):
        may_hold = number != state.turn_of and not state.options.every_turn
        if may_hold and not seat.held and len(state.action_deck) > 1:
            seat.held = state.action_deck.pop()
            return True
    return False


def _discard_from_the_action_deck(state: State) -> bool:
    if len(state.action_deck) < 2:
        return False
    state.action_discard.append(state.action_deck.pop())
    return True


def _exchange_an_action_discard(state: State) -> bool:
    deck, discard = state.action_deck, state.action_discard
    if not (deck and discard) or deck[0] == discard[0]:
        return False
    deck[0], discard[0] = discard[0], deck[0]
    return True


def _step(state: State) -> bool:
    if state.step not in (pb.OFF_TRACK_STEP_MAIN, pb.OFF_TRACK_STEP_OFFER):
        return False
    is_main = state.step == pb.OFF_TRACK_STEP_MAIN
    if is_main and (state.options.every_turn or not state.action_deck):
        return False
    state.step = pb.OFF_TRACK_STEP_OFFER if is_main else pb.OFF_TRACK_STEP_MAIN
    return True


def _looking_at_an_action(state: State) -> bool:
    if state.step != pb.OFF_TRACK_STEP_OFFER or not state.action_deck:
        return False
    state.step = pb.OFF_TRACK_STEP_DRAWN
    state.drawn = state.action_deck.pop()
    return True


def _turn(state: State) -> bool:
    state.turn_of = (state.turn_of + 1) % len(state.seats)
    is_to_decide = state.step in (pb.OFF_TRACK_STEP_MAIN, pb.OFF_TRACK_STEP_OFFER)
    return is_to_decide and not state.seats[state.turn_of].held


def _cycle_mark(state: State) -> bool:
    state.seats[0].cycled = not state.seats[0].cycled
    return True


def _collapsed(state: State) -> bool:
    state.collapsed = not state.collapsed
    return True


def _called(state: State) -> bool:
    state.called = not state.called
    return True


def _round_score(state: State) -> bool:
    scores = state.seats[0].round_scores
    if not scores:
        return False
    scores[0] += 1
    return True


def _own_hand(state: State, seat: int) -> bool:
    hand = state.seats[seat].hand
    new = [card for card in state.deck if card not in hand]
    if not (hand and new):
        return False
    state.deck.remove(new[0])
    state.deck.append(hand.pop())
    hand.append(new[0])
    return True


def _own_held(state: State, seat: int) -> bool:
    held = state.seats[seat].held
    new = [card for card in state.action_deck if card != held]
    if not (held and new):
        return False
    state.action_deck.remove(new[0])
    state.action_deck.append(held)
    state.seats[seat].held = new[0]
    return True


def _own_drawn(state: State, seat: int) -> bool:
    new = [card for card in state.action_deck if card != state.drawn]
    if not (state.drawn and new) or state.turn_of != seat:
        return False
    state.action_deck.remove(new[0])
    state.action_deck.append(state.drawn)
    state.drawn = new[0]
    return True


PUBLIC: Mapping[str, Change] = {
    "order of a line": _order_of_a_line,
    "flip": _flip,
    "pin": _pin,
    "seal": _seal,
    "who sealed": _seal_by_another,
    "whom a branch waits for": _wait_for_another,
    "branches": _new_branch,
    "redeemed card on a line": _redeem_on_a_line,
    "redeemed card in a score pile": _redeem_in_a_pile,
    "redeemed card in the box": _redeem_in_the_box,
    "whose score pile": _owner_of_a_scored_card,
    "box": _box_a_scored_card,
    "deck size": _discard_from_the_deck,
    "discards": _exchange_a_discard,
    "hand size": _hand_size,
    "who holds an action": _who_holds,
    "action deck size": _discard_from_the_action_deck,
    "action discards": _exchange_an_action_discard,
    "step": _step,
    "that an action is looked at": _looking_at_an_action,
    "whose turn it is": _turn,
    "cycle mark": _cycle_mark,
    "collapse in this turn": _collapsed,
    "called end": _called,
    "round score": _round_score,
}

PREPARED: Mapping[str, Change] = {
    "whom a branch waits for": _fill_a_branch,
    "redeemed card in the box": _box_a_negative_card,
}

PRIVATE: Mapping[str, Callable[[State, int], bool]] = {
    "own hand": _own_hand,
    "own held action": _own_held,
    "own drawn action": _own_drawn,
}
