"""Deposits and the Chasm of Off the Rails by the rules.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from .off_the_rails_board import (
    COLOURS,
    NONE,
    STEPS,
    Place,
    jewels_text,
    mine_square,
    place_text,
    sorted_jewels,
    together,
    underground,
    without,
)
from .off_the_rails_move import MoveRules
from .off_the_rails_state import (
    CHASM,
    Doing,
    State,
    asks,
    goes_on,
    is_underground,
    with_changes,
    with_deposit,
)

FACES = 8
"""The Chasm die has as many sides as a mine has squares."""


class ChasmRules(MoveRules):
    """The rules of a turn's last step: a deposit, or a token."""

    # Deposits

    def deposit_step(self, state: State, doing: Doing) -> State:
        """4. Deposit: the top card is turned; once the Chasm is open a token is drawn instead."""
        if state.open:
            return self.draw_token(state, doing)
        state, colour = self.turn_colour(state, doing)
        if colour == CHASM:
            doing.report("CHASM_CARD", state.seat)
            return goes_on(with_changes(state, opener=state.seat), "end_turn")
        state = self.turn_card(state, colour, doing)
        return goes_on(state, "end_turn" if not self.opens(state) else "opening")

    def turn_colour(self, state: State, doing: Doing) -> tuple[State, int]:
        """Chance: the colour, or the Chasm Card, among those left in the top deck."""
        deck, *below = state.decks
        colour = deck[doing.draws.draw(len(deck))]
        left = without(deck, (colour,))
        return with_changes(state, decks=(*([left] if left else []), *below)), colour

    def turn_number(self, state: State, colour: int, doing: Doing) -> tuple[State, int]:
        """Chance: the card among that colour's that are still unseen."""
        unseen = state.unseen[colour]
        number = unseen[doing.draws.draw(len(unseen))]
        every = list(state.unseen)
        every[colour] = without(unseen, (number,))
        return with_changes(state, unseen=tuple(every)), number

    def turn_card(self, state: State, colour: int, doing: Doing) -> State:
        """4. Deposit: a card is turned and its jewels are laid onto its square."""
        state, number = self.turn_number(state, colour, doing)
        place = mine_square(state.options.board, colour, number)
        drawn = []
        for _ in range(min(self.asked_for(number), len(state.bag))):
            kind = state.bag[doing.draws.draw(len(state.bag))]
            drawn.append(kind)
            state = with_changes(state, bag=without(state.bag, (kind,)))
        text = place_text(state.options.board, place)
        jewels = jewels_text(sorted_jewels(drawn))
        doing.report("DEPOSITED", COLOURS[colour], number, text, jewels)
        return with_deposit(state, place, (*state.deposits.get(place, ()), *drawn))

    def asked_for(self, number: int) -> int:
        """R3: two jewels on an odd-numbered square, three on an even one."""
        return 2 if number % 2 else 3

    # The Chasm opens

    def opens(self, state: State) -> bool:
        """The Chasm: when the opener's deposit is laid."""
        return state.opener == state.seat

    def open_chasm(self, state: State, doing: Doing) -> State:
        """The Chasm: the four cards of the Chasm Deck are shown, then tokens are laid on them."""
        shown = []
        for colour in range(len(COLOURS)):
            state, number = self.turn_number(state, colour, doing)
            shown.append(number)
        doing.report("CHASM_OPENED", *shown)
        state = with_changes(state, open=True)
        for colour, number in enumerate(shown):
            place = mine_square(state.options.board, colour, number)
            state = self.lay_token(state, colour, place, doing)
        return goes_on(state, "end_turn")

    def lay_token(self, state: State, colour: int, place: Place, doing: Doing) -> State:
        """The Chasm: under a token track and jewels are removed, and a cart derails (R32)."""
        lying = state.deposits.get(place, ())
        what = state.tracks.get(place, NONE), jewels_text(lying)
        text = place_text(state.options.board, place)
        doing.report("TOKEN_PLACED", COLOURS[colour], text, *what)
        tracks = {square: exits for square, exits in state.tracks.items() if square != place}
        state = with_changes(state, tracks=tracks, removed=together(state.removed, lying))
        state = with_changes(with_deposit(state, place, ()), tokens={**state.tokens, place: colour})
        return self.fall_in(state, place, doing)

    def fall_in(self, state: State, place: Place, doing: Doing) -> State:
        """The Chasm: a cart under a token derails."""
        spot = state.cart_at(place)
        return state if spot is None else self.derail(state, spot, doing)

    # Tokens

    def draw_token(self, state: State, doing: Doing) -> State:
        """The Chasm: one of the tokens left is drawn, each as likely as another."""
        colour = self.token_colour(state, doing)
        doing.report("TOKEN_DRAWN", COLOURS[colour])
        left = without(state.left_tokens, (colour,))
        state = with_changes(state, left_tokens=left, colour=colour, rolled=None)
        return (
            self.roll(state, doing) if state.options.chasm_die else self.place_token(state, doing)
        )

    def token_colour(self, state: State, doing: Doing) -> int:
        """Chance: the colour, among the tokens to come."""
        return state.left_tokens[doing.draws.draw(len(state.left_tokens))]

    def die(self, doing: Doing) -> int:
        """Chance: the number that the Chasm die shows."""
        return doing.draws.draw(FACES) + 1

    def roll(self, state: State, doing: Doing) -> State:
        """`chasm_die`: one of the eight squares of the token's colour."""
        state = with_changes(state, rolled=self.die(doing))
        place = self.rolled_square(state)
        doing.report("DIE_ROLLED", state.rolled or 0, place_text(state.options.board, place))
        if place not in state.tokens:
            return self.settle(state, place, doing)
        return self.place_token(state, doing)

    def rolled_square(self, state: State) -> Place:
        """`chasm_die`: the square that was rolled."""
        assert state.colour is not None and state.rolled is not None
        return mine_square(state.options.board, state.colour, state.rolled)

    def place_token(self, state: State, doing: Doing) -> State:
        """The Chasm: the seat's choice (F)."""
        squares = self.token_squares(state)
        if not squares:
            return self.put_out(state, doing)
        if len(squares) == 1:
            return self.settle(state, squares[0], doing)
        return asks(state, "token")

    def put_out(self, state: State, doing: Doing) -> State:
        """R14: with no square for it the token is put out, and counts as drawn."""
        assert state.colour is not None
        doing.report("TOKEN_PUT_OUT", COLOURS[state.colour])
        out = tuple(sorted((*state.put_out, state.colour)))
        return self.end_token(with_changes(state, put_out=out))

    def end_token(self, state: State) -> State:
        """The Chasm: the token is laid or put out."""
        return goes_on(with_changes(state, colour=None, rolled=None), "end_turn")

    def token_squares(self, state: State) -> list[Place]:
        """`chasm_die`, R15: next to the square rolled; if none is free, as without the die."""
        if state.rolled is not None:
            near = self.free_near(state, [self.rolled_square(state)])
            if near:
                return near
        return self.free_near(state, self.tokens_of_colour(state))

    def tokens_of_colour(self, state: State) -> list[Place]:
        """The Chasm: the squares of the tokens of the drawn one's colour."""
        return [place for place, colour in state.tokens.items() if colour == state.colour]

    def free_near(self, state: State, places: list[Place]) -> list[Place]:
        """R14: any underground square next to these and without a token, mine centres too."""
        near = {place.to(exit) for place in places for exit in STEPS}
        free = {place for place in near if self.may_collapse(state, place)}
        return [place for place in underground(state.options.board) if place in free]

    def may_collapse(self, state: State, place: Place) -> bool:
        """R14: never a Surface square, never one with a token."""
        return is_underground(state, place) and place not in state.tokens

    def settle(self, state: State, place: Place, doing: Doing) -> State:
        """The Chasm: the drawn token is laid."""
        assert state.colour is not None
        return self.end_token(self.lay_token(state, state.colour, place, doing))
