"""Planted faults of Off the Rails: deposits, the Chasm and its tokens."""

from __future__ import annotations

from .fault import Fault, planted
from .off_the_rails import Rules
from .off_the_rails_board import Place, together
from .off_the_rails_state import (
    Doing,
    State,
    goes_on,
    is_centre,
    is_underground,
    with_cart,
    with_changes,
    with_deposit,
)

DEPOSIT_FAULTS: list[Fault[Rules]] = []
OPENING_FAULTS: list[Fault[Rules]] = []
TOKEN_FAULTS: list[Fault[Rules]] = []
DIE_FAULTS: list[Fault[Rules]] = []


# Deposits


@planted(DEPOSIT_FAULTS, "R4, R37")
class EmptyBagTurnsNoCard(Rules):
    """With an empty bag no card is turned."""

    def deposit_step(self, state: State, doing: Doing) -> State:
        """Go on."""
        if not state.bag and not state.open:
            return goes_on(state, "end_turn")
        return super().deposit_step(state, doing)


@planted(DEPOSIT_FAULTS, "R4")
class ShortBagGivesNothing(Rules):
    """A bag that holds too few jewels gives none."""

    def turn_card(self, state: State, colour: int, doing: Doing) -> State:
        """Keep them in the bag."""
        if len(state.bag) >= 2:
            return super().turn_card(state, colour, doing)
        bag = state.bag
        return with_changes(super().turn_card(with_changes(state, bag=()), colour, doing), bag=bag)


@planted(DEPOSIT_FAULTS, "4. Deposit")
class DepositNeedsRoom(Rules):
    """Jewels are not laid where others lie."""

    def turn_card(self, state: State, colour: int, doing: Doing) -> State:
        """Put the old ones back."""
        before = state.deposits
        state = super().turn_card(state, colour, doing)
        for place, lying in before.items():
            if state.deposits[place] != lying:
                state = with_deposit(state, place, lying)
        return state


@planted(DEPOSIT_FAULTS, "Chance")
class NumberIsAnyOfEight(Rules):
    """The card of a colour is drawn as one of eight, seen ones too."""

    def turn_number(self, state: State, colour: int, doing: Doing) -> tuple[State, int]:
        """Draw among eight."""
        left = state.unseen[colour]
        number = left[doing.draws.draw(8) % len(left)]
        every = list(state.unseen)
        every[colour] = tuple(each for each in left if each != number)
        return with_changes(state, unseen=tuple(every)), number


@planted(DEPOSIT_FAULTS, "R13")
class ChasmCardIsReplaced(Rules):
    """After the Chasm Card another card is turned."""

    def deposit_step(self, state: State, doing: Doing) -> State:
        """Turn it."""
        opener = state.opener
        state = super().deposit_step(state, doing)
        if opener is None and state.opener is not None:
            state, colour = self.turn_colour(state, doing)
            state = self.turn_card(state, colour, doing)
        return state


# The Chasm opens


@planted(OPENING_FAULTS, "The Chasm")
class OpenerHasNoTurn(Rules):
    """The Chasm opens before the opener's last turn."""

    def opens(self, state: State) -> bool:
        """With the seat before it."""
        return state.opener == self.next_seat(state)


@planted(DEPOSIT_FAULTS, "The Chasm")
class OpensAtOnce(Rules):
    """The Chasm opens with the Chasm Card."""

    def deposit_step(self, state: State, doing: Doing) -> State:
        """Open it."""
        opener = state.opener
        state = super().deposit_step(state, doing)
        opened = opener is None and state.opener is not None
        return goes_on(state, "opening") if opened else state


@planted(OPENING_FAULTS, "The Chasm, case 13")
class CartsFallBeforeItOpens(Rules):
    """A cart under one of the first four tokens is not lost."""

    def open_chasm(self, state: State, doing: Doing) -> State:
        """Put them into supply."""
        out = [spot for spot, _ in state.carts()]
        state = super().open_chasm(state, doing)
        for spot in out:
            if state.cart(spot).out:
                state = with_cart(state, spot, out=False)
        return state


@planted(OPENING_FAULTS, "R31")
class TokensAreLaidOneByOne(Rules):
    """The tokens are laid in the other order."""

    def open_chasm(self, state: State, doing: Doing) -> State:
        """Turn the events round."""
        state = super().open_chasm(state, doing)
        tokens = [event for event in doing.events if event[0] == "TOKEN_PLACED"]
        others = [event for event in doing.events if event[0] != "TOKEN_PLACED"]
        doing.events[:] = [*others, *tokens[::-1]]
        return state


@planted(OPENING_FAULTS, "R16")
class OpeningEndsNothing(Rules):
    """The end is not tested in the turn in which the Chasm opens."""

    def is_over(self, state: State) -> bool:
        """Wait for the first token drawn."""
        return len(state.left_tokens) < 16 and super().is_over(state)


# Under a token


@planted(TOKEN_FAULTS, "The Chasm")
class TrackStays(Rules):
    """Track stays under a token."""

    def lay_token(self, state: State, colour: int, place: Place, doing: Doing) -> State:
        """Keep it."""
        tracks = state.tracks
        return with_changes(super().lay_token(state, colour, place, doing), tracks=tracks)


@planted(TOKEN_FAULTS, "The Chasm")
class JewelsGoToBag(Rules):
    """Jewels under a token go to the bag."""

    def lay_token(self, state: State, colour: int, place: Place, doing: Doing) -> State:
        """Put them there."""
        lying, removed = state.deposits.get(place, ()), state.removed
        state = super().lay_token(state, colour, place, doing)
        return with_changes(state, removed=removed, bag=together(state.bag, lying))


@planted(TOKEN_FAULTS, "R32")
class HoldIsRemoved(Rules):
    """The hold of a cart under a token leaves the game."""

    def fall_in(self, state: State, place: Place, doing: Doing) -> State:
        """Remove it."""
        spot = state.cart_at(place)
        hold = () if spot is None else state.cart(spot).hold
        bag = state.bag
        state = super().fall_in(state, place, doing)
        return with_changes(state, bag=bag, removed=together(state.removed, hold))


@planted(TOKEN_FAULTS, "The Chasm")
class CartsFloat(Rules):
    """A cart under a token stays."""

    def fall_in(self, state: State, place: Place, doing: Doing) -> State:
        """Leave it."""
        return state


# Where a token goes


@planted(TOKEN_FAULTS, "The Chasm, case 11")
class NextToAnyToken(Rules):
    """A token is laid next to a token of any colour."""

    def tokens_of_colour(self, state: State) -> list[Place]:
        """Take all."""
        return list(state.tokens)


@planted(TOKEN_FAULTS, "The Chasm, case 11")
class DiagonalToo(Rules):
    """A token may be laid diagonally."""

    def free_near(self, state: State, places: list[Place]) -> list[Place]:
        """Take the diagonals, too."""
        beside = [place.to(exit) for place in places for exit in "NS"]
        corners = {place.to(exit) for place in beside for exit in "EW"}
        free = {place for place in corners if self.may_collapse(state, place)}
        return sorted({*super().free_near(state, places), *free}, key=by_rank)


@planted(TOKEN_FAULTS, "R14")
class NoCentres(Rules):
    """No token is laid on a mine's centre."""

    def may_collapse(self, state: State, place: Place) -> bool:
        """Leave them out."""
        return super().may_collapse(state, place) and not is_centre(state, place)


@planted(TOKEN_FAULTS, "R14")
class NeverTwoTokens(Rules):
    """A token may be laid on another."""

    def may_collapse(self, state: State, place: Place) -> bool:
        """Do not look."""
        return is_underground(state, place)


@planted(TOKEN_FAULTS, "The Chasm (F)")
class FirstSquareIsTaken(Rules):
    """The seat does not choose the square."""

    def token_squares(self, state: State) -> list[Place]:
        """Take the first."""
        return super().token_squares(state)[:1]


@planted(DIE_FAULTS, "R14")
class PutOutComesAgain(Rules):
    """A token that is put out does not count as drawn."""

    def put_out(self, state: State, doing: Doing) -> State:
        """Put it back."""
        colour, out = state.colour, state.put_out
        state = super().put_out(state, doing)
        assert colour is not None
        return with_changes(
            state, left_tokens=tuple(sorted((*state.left_tokens, colour))), put_out=out
        )


@planted(TOKEN_FAULTS, "Chance")
class ColoursAreAsLikely(Rules):
    """A token is drawn by colour, however many there are of each."""

    def token_colour(self, state: State, doing: Doing) -> int:
        """Draw among the colours."""
        colours = sorted(set(state.left_tokens))
        return colours[doing.draws.draw(len(colours))]


# The die


@planted(DIE_FAULTS, "chasm_die")
class DieIsForgotten(Rules):
    """On a taken square the die does not count."""

    def place_token(self, state: State, doing: Doing) -> State:
        """Forget it."""
        return super().place_token(with_changes(state, rolled=None), doing)


@planted(DIE_FAULTS, "R15")
class DieDoesNotFallBack(Rules):
    """With no square next to the one rolled the token is put out."""

    def token_squares(self, state: State) -> list[Place]:
        """Look no further."""
        if state.rolled is None:
            return super().token_squares(state)
        return self.free_near(state, [self.rolled_square(state)])


@planted(DIE_FAULTS, "chasm_die")
class DieHasFourSides(Rules):
    """The Chasm die has four sides."""

    def die(self, doing: Doing) -> int:
        """Roll a smaller one."""
        return doing.draws.draw(4) + 1


@planted(DIE_FAULTS, "chasm_die")
class TokensCoverOtherColours(Rules):
    """A token goes onto one of another colour that the die names."""

    def roll(self, state: State, doing: Doing) -> State:
        """Take that one off first."""
        after = super().roll(state, doing)
        place = self.rolled_square(
            with_changes(after, colour=state.colour, rolled=self.number(doing))
        )
        if state.tokens.get(place, state.colour) == state.colour:
            return after
        return self.settle(state, place, doing)

    def number(self, doing: Doing) -> int:
        """Give the number that was rolled."""
        rolled = [event for event in doing.events if event[0] == "DIE_ROLLED"]
        return int(rolled[-1][1])


def by_rank(place: Place) -> tuple[int, int]:
    """Sort squares row by row from the south."""
    return place.rank, place.file
