"""Chance for pairs of Eternitium: what it brings to the viewer is the same in both states.

From "A turn" and "Draws" of the rules. Both states are played along as far as chance needs it.
"""

import random
from collections import Counter
from collections.abc import MutableSequence
from typing import Any, TypeAlias

from secrecy.pairs import Draws, Viewer
from tablestate.v1 import eternitium_pb2 as pb

State: TypeAlias = pb.EternitiumState
Pile: TypeAlias = MutableSequence[Any]

LETTERS = "-cstdDPQVCXROLNMGWE"
ROW = 3
PORTALS = {"c": (1,), "s": (2,), "t": (3,), "d": (4,), "P": (1, 2), "Q": (3, 4), "O": (1, 2, 3, 4)}
TURNS_UP = "DVCXRMW"
DRAWS = {"C": 1, "R": 1, "O": 1, "M": 1, "G": 5, "W": 2}
ALIKE = 0.85
"""How often hidden draws are the same too: nearly all comes to light some day, and a whole game
in which nothing different may would hardly be found otherwise."""


class DifferError(Exception):
    """The two states bring different things to light, whatever is drawn."""


class Drawing:
    """Draws for two states at once; the states are changed on the way."""

    def __init__(self, states: tuple[State, State], viewer: Viewer, chance: random.Random) -> None:
        self.draws = Draws([], [])
        self._states = tuple(_copy(state) for state in states)
        self._viewer = viewer
        self._chance = chance
        self._actor = states[0].turn_of

    def follow(self, notation: str) -> bool:
        """All that an action draws; whether the viewer can be shown the same."""
        try:
            self._follow(notation)
        except DifferError:
            return False
        return True

    def set_up(self, eras: int) -> bool:
        """All that the set-up draws, from states in which all lies in the piles and decks."""
        try:
            self._set_up(eras)
        except DifferError:
            return False
        return True

    def _set_up(self, eras: int) -> None:
        seats = range(len(self._states[0].seats))
        for seat in seats:
            for _ in range(eras):
                dealt = self._era([state.pile for state in self._states], is_common=False)
                for state, era in zip(self._states, dealt, strict=True):
                    _stack(state, seat).shuffled[era - 1] += 1
        for seat in seats:
            self._fix(seat, is_common=True)
        self._refill_visible((0, 1))
        for kind in ("basic", "advanced"):
            markets = [_market(state, kind) for state in self._states]
            for place in range(ROW):
                if self._same([_can_fill(row, deck) for row, deck in markets]):
                    self._fill(markets, place)

    def _follow(self, notation: str) -> None:
        step, sign = self._states[0].step, notation[0]
        if step == pb.ETERNITIUM_STEP_TAKE_BASIC:
            self._take_basic(notation[1])
        elif step == pb.ETERNITIUM_STEP_TECHNOLOGY:
            self._technology(notation)
        elif step == pb.ETERNITIUM_STEP_PUT_ON_TOP:
            self._same([_fixed(_stack(s, self._actor), int(notation[1])) for s in self._states])
        elif sign in ".=":
            self._discard(LETTERS.index(notation[1]) if len(notation) > 1 else 0)
        elif step == pb.ETERNITIUM_STEP_PLAY and sign != "*":
            self._play(notation)

    def _take_basic(self, place: str) -> None:
        card = self._take("basic", place)
        decks: list[Pile] = [state.seats[self._actor].deck for state in self._states]
        for deck, taken in zip(decks, card, strict=True):
            deck.append(taken)
        if self._actor + 1 == len(self._states[0].seats):
            for seat in range(len(self._states[0].seats)):
                for _ in range(5):
                    self._card([state.seats[seat].deck for state in self._states], seat)

    def _technology(self, notation: str) -> None:
        taken: list[int] = []
        gained = 0
        if notation != "n":
            kind = "basic" if notation[0] == "b" else "advanced"
            taken = self._take(kind, notation[1])
            sides = {"l": (0,), "r": (1,)}.get(notation[2:], () if kind == "basic" else (0, 1))
            gained = sum(1 for side in sides if self._states[0].visible_eras[side])
            self._refill_visible(sides)
        if self._ends(gained):
            # All cards owned come to light.
            self._same([self._owned(number) for number in (0, 1)])
            self._same(taken or [0, 0])
        self._refill(bool(taken))

    def _ends(self, gained: int) -> bool:
        """Whether this turn ends the match, after so many visible Eras were asked for."""
        state = self._states[0]
        if state.time_loop or self._actor + 1 < len(state.seats):
            return False
        sizes = [_size(seat.stack) for seat in state.seats]
        sizes[self._actor] += gained
        left = [size for size, seat in zip(sizes, state.seats, strict=True) if not seat.forfeited]
        return 0 in left or state.round == state.options.max_rounds

    def _owned(self, number: int) -> list[list[int]]:
        seats = self._states[number].seats
        return [sorted([*seat.hand, *seat.deck, *seat.discard]) for seat in seats]

    def _take(self, kind: str, place: str) -> list[int]:
        """A technology in both states; its row is filled for all to see."""
        markets = [_market(state, kind) for state in self._states]
        if place == "?":
            return self._top_of(markets, is_common=self._actor == self._viewer)
        taken = [row[int(place)] for row, _ in markets]
        for row, _ in markets:
            row[int(place)] = 0
        if self._same([_can_fill(row, deck) for row, deck in markets]):
            self._fill(markets, int(place))
        return taken

    def _fill(self, markets: list[tuple[Pile, pb.EternitiumDeck]], place: int) -> None:
        while True:
            card = self._top_of(markets, is_common=True)[0]
            if card not in markets[0][0]:
                for row, _ in markets:
                    row[place] = card
                return
            for _, deck in markets:
                under: Pile = deck.under
                under.append(card)

    def _top_of(self, markets: list[tuple[Pile, pb.EternitiumDeck]], is_common: bool) -> list[int]:
        """The top of both decks; they have equally many shuffled cards."""
        decks = [deck for _, deck in markets]
        if decks[0].shuffled:
            return self._draw([deck.shuffled for deck in decks], is_common)
        cards: list[Any] = [deck.under.pop(0) for deck in decks]
        if is_common:
            self._same(cards)
        return cards

    def _refill_visible(self, taken: tuple[int, ...]) -> None:
        for state in self._states:
            visible: Pile = state.visible_eras
            for side in taken:
                visible[side] = 0
        for side in (0, 1):
            if not self._states[0].visible_eras[side] and any(self._states[0].pile):
                self._era([state.pile for state in self._states], is_common=True)

    def _refill(self, has_top: bool) -> None:
        state = self._states[0]
        held = len(state.seats[self._actor].hand) + has_top
        self._draw_cards(state.refill_size - held)

    def _draw_cards(self, number: int) -> None:
        seats = [state.seats[self._actor] for state in self._states]
        for _ in range(number):
            for seat in seats:
                if not seat.deck:
                    seat.deck[:] = sorted(seat.discard)
                    del seat.discard[:]
            if seats[0].deck:
                self._card([seat.deck for seat in seats], self._actor)

    def _play(self, notation: str) -> None:
        letter = notation[0]
        self._lay_down(letter)
        if letter in PORTALS:
            self._open(letter)
            return
        if letter == "X":
            self._exchange(int(notation[1]))
        if letter == "R":
            self._lay_down(notation[1])
        if letter == "N":
            for place in range(min(2, _size(_stack(self._states[0], self._actor)))):
                self._fix(self._actor, self._actor == self._viewer, place)
        if letter in TURNS_UP and letter != "X":
            self._turn_up()
        self._draw_cards(DRAWS.get(letter, 0))

    def _lay_down(self, letter: str) -> None:
        for state in self._states:
            hand: Pile = state.seats[self._actor].hand
            hand.remove(LETTERS.index(letter))

    def _turn_up(self) -> None:
        stack = _stack(self._states[0], self._actor)
        if _size(stack) and not stack.face_up:
            self._fix(self._actor, is_common=True)

    def _open(self, letter: str) -> None:
        era = self._fix(self._actor, is_common=True)[0]
        if era in PORTALS[letter]:
            self._draw_cards(DRAWS.get(letter, 0))
        elif letter not in "PQ":
            state = self._states[0]
            if _size(_stack(state, self._actor)) == 1 and any(state.pile):
                self._era([state.pile for state in self._states], is_common=False)
            self._discard(0)

    def _exchange(self, opponent: int) -> None:
        """The opponent's top comes to lie face up here; the own one keeps its face."""
        self._fix(self._actor, is_common=False)
        self._fix(opponent, is_common=True)

    def _fix(self, seat: int, is_common: bool, place: int = 0) -> list[Any]:
        """The Era of a place from the top in both states, drawn if it has none."""
        stacks = [_stack(state, seat) for state in self._states]
        above = len(stacks[0].above)
        if place >= above and any(stacks[0].shuffled):
            eras = self._era([stack.shuffled for stack in stacks], is_common)
            for stack, era in zip(stacks, eras, strict=True):
                stack.above.append(era)
            return eras
        eras = [_fixed(stack, place) for stack in stacks]
        if is_common:
            self._same(eras)
        return eras

    def _discard(self, kept: int) -> None:
        """The rest of the hand is shown to all."""
        hands: list[list[Any]] = [list(state.seats[self._actor].hand) for state in self._states]
        for hand in hands:
            if kept:
                hand.remove(kept)
        self._same([sorted(hand) for hand in hands])

    def _era(self, piles: list[Pile], is_common: bool) -> list[Any]:
        """An Era of each pile, which is given by numbers."""
        listed = [[era + 1 for era in range(4) for _ in range(pile[era])] for pile in piles]
        eras = self._draw(list(listed), is_common)
        for pile, era in zip(piles, eras, strict=True):
            pile[era - 1] -= 1
        return eras

    def _card(self, piles: list[Pile], seat: int) -> None:
        """A card of a seat's deck: the viewer's own is the same in both states."""
        self._draw(piles, seat == self._viewer)

    def _draw(self, piles: list[Pile], is_common: bool) -> list[Any]:
        """A card of each pile. Hidden ones are the same mostly, too."""
        common = sorted((Counter(piles[0]) & Counter(piles[1])).elements())
        if is_common and not common:
            raise DifferError
        alike = is_common or (common and self._chance.random() < ALIKE)
        card = self._chance.choice(common) if alike else 0
        cards = []
        for draws, pile in zip(self.draws, piles, strict=True):
            in_order = sorted(pile)
            draws.append(in_order.index(card) if alike else self._chance.randrange(len(pile)))
            cards.append(in_order[draws[-1]])
            pile.remove(cards[-1])
        return cards

    def _same(self, values: list[Any]) -> Any:
        """What both states show; raises DifferError if it is not the same."""
        if values[0] != values[1]:
            raise DifferError
        return values[0]


def _copy(state: State) -> State:
    copy = State()
    copy.CopyFrom(state)
    return copy


def _stack(state: State, seat: int) -> pb.EternitiumStack:
    return state.seats[seat].stack


def _size(stack: pb.EternitiumStack) -> int:
    return len(stack.above) + sum(stack.shuffled) + len(stack.under)


def _fixed(stack: pb.EternitiumStack, place: int) -> int:
    in_order = [*stack.above, *stack.under]
    return in_order[place]


def _market(state: State, kind: str) -> tuple[Pile, pb.EternitiumDeck]:
    if kind == "basic":
        return state.basic_row, state.basic_deck
    return state.advanced_row, state.advanced_deck


def _can_fill(row: Pile, deck: pb.EternitiumDeck) -> bool:
    return any(card not in row for card in (*deck.shuffled, *deck.under))
