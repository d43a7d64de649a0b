"""Planted faults of Eternitium: Portals, gambles and technologies."""

from __future__ import annotations

from dataclasses import replace

from .eternitium import Rules
from .eternitium_actions import Action
from .eternitium_cards import TECHNOLOGIES, Cards, Pile
from .eternitium_piles import Doing
from .eternitium_state import Seat, State, with_own
from .fault import Fault, planted

GAMBLE_FAULTS: list[Fault[Rules]] = []
EFFECT_FAULTS: list[Fault[Rules]] = []
AIM_FAULTS: list[Fault[Rules]] = []
SCAN_FAULTS: list[Fault[Rules]] = []
RECYCLER_FAULTS: list[Fault[Rules]] = []


# Portals and gambles


@planted(GAMBLE_FAULTS, "R2, case 2")
class PlaysOnMismatch(Rules):
    """A Portal can be played on a face-up Era that it does not match."""

    def may_play_portal(self, own: Seat, kind: str) -> bool:
        """Ask for an Era alone."""
        return own.eras.size > 0


@planted(GAMBLE_FAULTS, "R4, case 2")
class NextEraTurnsUp(Rules):
    """Discarding an Era turns the next one up."""

    def open_portal(self, state: State, kind: str, doing: Doing) -> State:
        """Turn it up."""
        return self.turn_own_up(super().open_portal(state, kind, doing), doing)


@planted(GAMBLE_FAULTS, "b. Play, case 3")
class LostGambleGoesOn(Rules):
    """After a lost gamble the play step goes on."""

    def after_lost_gamble(self) -> str:
        """Stay in the step."""
        return "play"


@planted(GAMBLE_FAULTS, "b. Play, case 3")
class LostGambleRefillsFive(Rules):
    """After a lost gamble the hand is refilled to 5."""

    def refill_after_lost(self) -> int:
        """Forget the loss."""
        return 5


@planted(GAMBLE_FAULTS, "b. Play, case 3")
class LostGambleKeepsOrder(Rules):
    """After a lost gamble the stack is turned down but not shuffled."""

    def shuffle_eras(self, state: State, number: int, doing: Doing) -> State:
        """Leave the known top where it is in the own stack."""
        eras = state.seats[number].eras
        state = super().shuffle_eras(state, number, doing)
        return with_own(state, eras=eras) if number == state.seat else state


@planted(GAMBLE_FAULTS, "R3, case 4")
class LastEraGainsNone(Rules):
    """A gamble lost with the only Era gains none."""

    def gains_era(self, state: State) -> bool:
        """Never gain one."""
        return False


@planted(GAMBLE_FAULTS, "R3")
class EveryLossGains(Rules):
    """Every lost gamble gains an Era."""

    def gains_era(self, state: State) -> bool:
        """Forget how many there were."""
        return state.era_pile.size > 0


@planted(GAMBLE_FAULTS, "R3")
class GainedEraOnTop(Rules):
    """The Era gained by a lost gamble goes on top of the shuffled one."""

    def shuffle_eras(self, state: State, number: int, doing: Doing) -> State:
        """Shuffle all but the Eras put under."""
        bottom = state.seats[number].eras.bottom
        state = super().shuffle_eras(state, number, doing)
        eras = state.seats[number].eras
        if number != state.seat or len(bottom) != 1 or eras.size != 2:
            return state
        pool = list(eras.pool)
        pool.remove(bottom[0])
        return with_own(state, eras=Pile(bottom, tuple(pool)))


@planted(GAMBLE_FAULTS, "Twin Portal")
class TwinLosesGambles(Rules):
    """A Twin Portal that does not match loses the gamble."""

    def is_safe(self, kind: str) -> bool:
        """Nothing is safe."""
        return False


@planted(GAMBLE_FAULTS, "Twin Portal")
class TwinStaysDown(Rules):
    """A Twin Portal that does not match leaves the Era face down."""

    def after_twin(self, state: State, doing: Doing) -> State:
        """Leave it."""
        return state


@planted(GAMBLE_FAULTS, "Twin Portal")
class TwinMatchesFirstSymbol(Rules):
    """A Twin Portal matches its first symbol alone."""

    def matches(self, kind: str, era: str) -> bool:
        """Look at the first symbol of two."""
        symbols = TECHNOLOGIES[kind].symbols if kind in TECHNOLOGIES else (kind,)
        return era in (symbols[:1] if len(symbols) == 2 else symbols)


@planted(GAMBLE_FAULTS, "Omni Portal")
class OmniDrawsNone(Rules):
    """An Omni Portal draws no card."""

    def after_omni(self, state: State, doing: Doing) -> State:
        """Draw none."""
        return state


@planted(GAMBLE_FAULTS, "b. Play")
class GambleCountsAsTurned(Rules):
    """A gamble that is won counts as turning the Era up, too."""

    def gamble(self, state: State, kind: str, doing: Doing) -> State:
        """Turn it up first."""
        return super().gamble(self.turn_own_up(state, doing), kind, doing)


# Technologies without a target


@planted(EFFECT_FAULTS, "Droid")
class DroidOnFaceUp(Rules):
    """A Droid can be played on a face-up Era."""

    def may_play_droid(self, own: Seat) -> bool:
        """Ask for an Era alone."""
        return own.eras.size > 0


@planted(EFFECT_FAULTS, "R5")
class DroidWithoutEras(Rules):
    """A Droid can be played with an empty stack."""

    def may_play_droid(self, own: Seat) -> bool:
        """Ask for no Era."""
        return not own.face_up


@planted(EFFECT_FAULTS, "Courier")
class CourierDrawsFirst(Rules):
    """A Courier draws before it turns the Era up."""

    def courier(self, state: State, doing: Doing) -> State:
        """Swap the two."""
        return self.turn_own_up(self.draw_cards(state, 1, doing), doing)


@planted(EFFECT_FAULTS, "Workshop")
class WorkshopDrawsOne(Rules):
    """A Workshop draws 1 card."""

    def workshop(self, state: State, doing: Doing) -> State:
        """Draw as a Courier does."""
        return self.courier(state, doing)


@planted(EFFECT_FAULTS, "Surge")
class SurgeRefills(Rules):
    """A Surge draws up to 5 cards in hand."""

    def surge(self, state: State, doing: Doing) -> State:
        """Draw what the hand lacks."""
        return self.draw_cards(state, 5 - len(state.own.hand), doing)


@planted(EFFECT_FAULTS, "Time Loop")
class LoopInExtraTurn(Rules):
    """A Time Loop can be played in an extra turn."""

    def may_loop(self, state: State) -> bool:
        """Forget the extra turn."""
        return not state.looped


@planted(EFFECT_FAULTS, "Time Loop")
class LoopTwice(Rules):
    """A Time Loop can be played twice in a turn."""

    def may_loop(self, state: State) -> bool:
        """Forget the first one."""
        return not state.extra


# Recycler


@planted(RECYCLER_FAULTS, "Recycler, R17")
class SixAreEnough(Rules):
    """A card may be removed while six are owned."""

    def owns_enough(self, seat: Seat) -> bool:
        """Compare off by one."""
        return len(seat.owned) >= 6


@planted(RECYCLER_FAULTS, "Recycler, R17")
class PlayAreaNotOwned(Rules):
    """The play area does not count among the cards owned."""

    def owns_enough(self, seat: Seat) -> bool:
        """Leave it out."""
        return len(seat.owned) - len(seat.area) >= 7


@planted(RECYCLER_FAULTS, "R17")
class RecyclerSparesItsKind(Rules):
    """A Recycler cannot remove a second Recycler."""

    def may_recycle(self, state: State, action: Action) -> bool:
        """Look for another kind."""
        return action.cards[1] != "recycler" and super().may_recycle(state, action)


@planted(RECYCLER_FAULTS, "Recycler")
class RemovedIsDiscarded(Rules):
    """A removed card goes to the discard pile."""

    def remove(self, state: State, kind: str, doing: Doing) -> State:
        """Put it there."""
        before = state.own
        state = super().remove(state, kind, doing)
        return with_own(state, removed=before.removed, discard=(*before.discard, kind))


@planted(RECYCLER_FAULTS, "Recycler")
class RecyclerLeavesEra(Rules):
    """A Recycler does not turn the own top Era up."""

    def recycle(self, state: State, gone: str, doing: Doing) -> State:
        """Remove and draw."""
        return self.draw_cards(self.remove(state, gone, doing), 1, doing)


# Technologies aimed at opponents


@planted(AIM_FAULTS, "Veil")
class VeilKeepsOrder(Rules):
    """Veil and Storm turn the top Era down but shuffle no stack that was face down."""

    def cloud(self, state: State, target: int, doing: Doing) -> State:
        """Shuffle face-up ones."""
        return super().cloud(state, target, doing) if state.seats[target].face_up else state


@planted(AIM_FAULTS, "Veil")
class VeilLeavesOwn(Rules):
    """A Veil does not turn the own top Era up."""

    def veil(self, state: State, target: int, doing: Doing) -> State:
        """Do the first half."""
        return self.cloud(state, target, doing)


@planted(AIM_FAULTS, "R5")
class VeilNeedsOwnEra(Rules):
    """A Veil cannot be played with an empty stack of one's own."""

    def may_target(self, state: State, kind: str, seat: int | None) -> bool:
        """Ask for own Eras, whatever the card."""
        return state.own.eras.size > 0 and super().may_target(state, kind, seat)


@planted(AIM_FAULTS, "Exchange")
class FacesStay(Rules):
    """Exchanged Eras take the face of the one whose place they take."""

    def faces(self, state: State, target: int) -> tuple[bool, bool]:
        """Leave the faces where they are."""
        return state.own.face_up, state.seats[target].face_up


@planted(AIM_FAULTS, "Exchange")
class ExchangeLeavesDown(Rules):
    """The own new top Era keeps its face."""

    def after_exchange(self, state: State, doing: Doing) -> State:
        """Turn nothing."""
        return state


@planted(AIM_FAULTS, "Exchange, draws")
class ExchangeDrawsTheirsFirst(Rules):
    """In an exchange the opponent's top is drawn first."""

    def tops(self, state: State, target: int, doing: Doing) -> tuple[Pile, Pile]:
        """Swap the draws."""
        theirs = self.fix_eras(state.seats[target].eras, 1, doing)
        return self.fix_eras(state.own.eras, 1, doing), theirs


@planted(AIM_FAULTS, "R5")
class ExchangeOfNothing(Rules):
    """An Exchange counts the opponent's Eras alone, and so crashes or is offered wrongly."""

    def may_exchange(self, own: Seat) -> bool:
        """Ask for nothing."""
        return True


@planted(AIM_FAULTS, "Storm")
class StormSparesDown(Rules):
    """A Storm leaves stacks alone whose top is face down."""

    def is_stormed(self, seat: Seat) -> bool:
        """Look for a face-up top."""
        return seat.face_up


@planted(AIM_FAULTS, "Storm")
class StormDrawsNone(Rules):
    """A Storm draws no card."""

    def storm(self, state: State, doing: Doing) -> State:
        """Stop before the draw."""
        for target in state.opponents:
            if self.is_stormed(state.seats[target]):
                state = self.cloud(state, target, doing)
        return self.turn_own_up(state, doing)


@planted(AIM_FAULTS, "Exile, R21")
class ExileOnTop(Rules):
    """An exiled Era goes on top of the opponent's stack."""

    def exile(self, state: State, target: int, doing: Doing) -> State:
        """Move it there, face down."""
        state = super().exile(state, target, doing)
        eras = state.seats[target].eras
        moved = Pile((eras.bottom[-1], *eras.top), eras.pool, eras.bottom[:-1])
        seats = list(state.seats)
        seats[target] = replace(seats[target], eras=moved, face_up=False)
        return replace(state, seats=tuple(seats))


@planted(AIM_FAULTS, "Exile")
class ExileTurnsNext(Rules):
    """After an Exile the next own Era is turned up."""

    def after_exile(self, state: State, doing: Doing) -> State:
        """Turn it."""
        return self.turn_own_up(state, doing)


@planted(AIM_FAULTS, "Exile")
class ExileOfFaceDown(Rules):
    """An Exile can be played on a face-down Era."""

    def may_exile(self, own: Seat) -> bool:
        """Ask for an Era alone."""
        return own.eras.size > 0


@planted(AIM_FAULTS, "Exile, case 10")
class ExileSparesLast(Rules):
    """An Exile cannot take the last Era."""

    def may_exile(self, own: Seat) -> bool:
        """Leave one."""
        return own.face_up and own.eras.size > 1


# Scanner


@planted(SCAN_FAULTS, "Scanner")
class ScannerTurnsNothing(Rules):
    """The Era that a Scanner puts on top lies face down."""

    def put_on_top(self, state: State, place: int, doing: Doing) -> State:
        """Turn it down."""
        return with_own(super().put_on_top(state, place, doing), face_up=False)


@planted(SCAN_FAULTS, "Scanner")
class ScannerPutsUnder(Rules):
    """The other Era goes under the stack."""

    def put_back(self, rest: Pile, chosen: str, others: Cards) -> Pile:
        """Put it there."""
        return rest.on_top(chosen).under(*others)


@planted(SCAN_FAULTS, "Scanner")
class ScannerSkipsOne(Rules):
    """With one Era a Scanner asks for nothing."""

    def scan(self, state: State, doing: Doing) -> State:
        """Choose for the seat."""
        state = super().scan(state, doing)
        return self.put_on_top(state, 0, doing) if state.own.eras.size == 1 else state


@planted(SCAN_FAULTS, "R19")
class ScannerCoversTop(Rules):
    """The top lies face down while its owner looks at it."""

    def scan(self, state: State, doing: Doing) -> State:
        """Turn it down."""
        return with_own(super().scan(state, doing), face_up=False)
