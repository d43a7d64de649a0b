"""Chance for pairs of OffTrack: what it brings to the viewer is the same in both states.

From "A turn", "A round" and "Draws" of the rules: an index is a card's place in its sorted pile.
"""

import random
from bisect import bisect_left
from collections import Counter
from typing import TypeAlias

from secrecy.pairs import Draws, Viewer
from tablestate.v1 import offtrack_pb2 as pb

State: TypeAlias = pb.OffTrackState
Pile: TypeAlias = list[int]

HAND = 5
DEALT_TO_PRIME = 4
TYPES_OF_AN_ERA = 9


class Drawing:
    """Draws for two states at once, one card after the other."""

    def __init__(self, viewer: Viewer, chance: random.Random) -> None:
        self.draws = Draws([], [])
        self._viewer = viewer
        self._chance = chance

    def follow(self, left: State, right: State, notation: str) -> bool:
        """All that an action draws; whether the viewer can be shown the same."""
        actor, step = left.turn_of, left.step
        if step == pb.OFF_TRACK_STEP_HELD:
            return True
        called = left.called
        if step == pb.OFF_TRACK_STEP_MAIN and notation != ".":
            decks = sorted(left.deck), sorted(right.deck)
            discard = sorted([*left.discard, *cycled(notation)])
            if not self._refill(decks, discard, actor, missing(left, notation)):
                return False
            called = called or not (decks[0] or discard)
            if left.action_deck and not left.options.every_turn:
                return True
        if draws_action(left, notation):
            return self._card((sorted(left.action_deck), sorted(right.action_deck)), actor)
        return notation == "D" or self._end_turn(left, called)

    def deal(self, rules: pb.OffTrackOptions, starting_seat: int) -> bool:
        """A round's start: Prime's cards, then the hands in turn order."""
        deck = sorted([*range(TYPES_OF_AN_ERA * rules.eras)] * rules.decks)
        decks = deck, list(deck)
        fits = all(self._common_card(decks) for _ in range(DEALT_TO_PRIME))
        for turn in range(rules.seats):
            seat = (starting_seat + turn) % rules.seats
            fits = fits and all(self._card(decks, seat) for _ in range(HAND))
        return fits

    def _end_turn(self, state: State, called: bool) -> bool:
        """After a called end the last turn ends the round, and the next one is dealt."""
        seats = len(state.seats)
        is_last = (state.turn_of + 1) % seats == (state.round - 1) % seats
        if not (called and is_last) or state.round == state.options.rounds:
            return True
        return self.deal(state.options, starting_seat=state.round % seats)

    def _refill(self, decks: tuple[Pile, Pile], discard: Pile, seat: int, number: int) -> bool:
        for _ in range(number):
            if not decks[0]:
                decks[0][:], decks[1][:] = discard, discard
                discard.clear()
            if decks[0] and not self._card(decks, seat):
                return False
        return True

    def _card(self, piles: tuple[Pile, Pile], seat: int) -> bool:
        """A card for a seat: the viewer's own is the same in both states."""
        if seat == self._viewer:
            return self._common_card(piles)
        # Others' cards are the same half the time: all too different states meet in no action.
        if self._chance.random() < 0.5 and self._common_card(piles):
            return True
        for draws, pile in zip(self.draws, piles, strict=True):
            draws.append(self._chance.randrange(len(pile)))
            pile.pop(draws[-1])
        return True

    def _common_card(self, piles: tuple[Pile, Pile]) -> bool:
        common = sorted((Counter(piles[0]) & Counter(piles[1])).elements())
        if not common:
            return False
        card = self._chance.choice(common)
        for draws, pile in zip(self.draws, piles, strict=True):
            draws.append(bisect_left(pile, card))
            pile.pop(draws[-1])
        return True


def action_in_question(state: State) -> int:
    """The held or drawn action that the actor decides about."""
    if state.step == pb.OFF_TRACK_STEP_HELD:
        return state.seats[state.turn_of].held
    return state.drawn


def draws_action(state: State, notation: str) -> bool:
    """Whether a decision ends in drawing an action: asked for, or by the house rule."""
    if state.step == pb.OFF_TRACK_STEP_MAIN:
        return bool(notation != "." and state.options.every_turn and state.action_deck)
    return notation == "D"


def cycled(notation: str) -> Pile:
    """The cards that a cycle discards."""
    names = notation[1:] if notation.startswith("~") else ""
    pairs = zip(names[::2], names[1::2], strict=True)
    return [TYPES_OF_AN_ERA * "abcdefgh".index(era) + int(figure) for era, figure in pairs]


def missing(state: State, notation: str) -> int:
    """How many cards the actor's hand lacks after an append or a cycle."""
    used = len(cycled(notation)) if notation.startswith("~") else 1
    return HAND - len(state.seats[state.turn_of].hand) + used
