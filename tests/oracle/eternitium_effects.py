"""The technologies of Eternitium by its rules, and what a Portal does.

Each rule is a small method, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from dataclasses import replace

from .eternitium_actions import Action
from .eternitium_cards import TECHNOLOGIES, Cards, Pile, cards_text, is_portal, symbols_of, without
from .eternitium_piles import Doing, PileRules
from .eternitium_state import Seat, State, with_own, with_seat

FAILED_REFILL = 4
OMNI_DRAW = 1
SURGE_DRAW = 5
WORKSHOP_DRAW = 2


class EffectRules(PileRules):
    """The rules of what can be played, and of what it does."""

    # What can be played

    def may_play(self, state: State, action: Action) -> bool:
        """b. Play: a card of the hand that has a legal target (R5)."""
        kind = action.cards[0]
        if kind not in state.own.hand:
            return False
        if is_portal(kind):
            return self.may_play_portal(state.own, kind)
        return self.may_play_technology(state, kind, action)

    def may_play_portal(self, own: Seat, kind: str) -> bool:
        """R2, R5: on a face-down Era, or on a face-up one that matches."""
        if not own.eras.size:
            return False
        return own.top_era is None or self.matches(kind, own.top_era)

    def matches(self, kind: str, era: str) -> bool:
        """b. Play: a Portal matches if the Era has one of its symbols."""
        return era in symbols_of(kind)

    def may_play_technology(self, state: State, kind: str, action: Action) -> bool:
        """A card without a legal target cannot be played; one without any target always can."""
        if kind == "droid":
            return self.may_play_droid(state.own)
        if kind == "recycler":
            return self.may_recycle(state, action)
        if kind == "time_loop":
            return self.may_loop(state)
        if kind == "scanner":
            return self.may_scan(state.own)
        if TECHNOLOGIES[kind].target == "opponent":
            return self.may_target(state, kind, action.target)
        return True

    def may_play_droid(self, own: Seat) -> bool:
        """Droid: the own top Era, face down."""
        return own.eras.size > 0 and not own.face_up

    def may_recycle(self, state: State, action: Action) -> bool:
        """Recycler: another card in hand, while at least seven cards are owned."""
        others = without(state.own.hand, "recycler")
        return action.cards[1] in others and self.owns_enough(state.own)

    def may_loop(self, state: State) -> bool:
        """Time Loop: not in an extra turn, nor twice in a turn."""
        return not state.extra and not state.looped

    def may_scan(self, own: Seat) -> bool:
        """Scanner: the own Era stack, not empty."""
        return own.eras.size > 0

    def may_target(self, state: State, kind: str, seat: int | None) -> bool:
        """Veil, Exchange, Exile: an opponent with Eras."""
        if seat is None or not state.seats[seat].eras.size:
            return False
        if kind == "exchange":
            return self.may_exchange(state.own)
        return self.may_exile(state.own) if kind == "exile" else True

    def may_exchange(self, own: Seat) -> bool:
        """Exchange: the own stack is not empty."""
        return own.eras.size > 0

    def may_exile(self, own: Seat) -> bool:
        """Exile: the own top Era is face up."""
        return own.face_up

    # Playing a card

    def play(self, state: State, action: Action, doing: Doing) -> State:
        """b. Play: the card goes to the play area, then it does what it does."""
        kind = action.cards[0]
        own = state.own
        state = with_own(state, hand=without(own.hand, kind), area=(*own.area, kind))
        state = replace(state, played=True)
        self.report_play(state, action, doing)
        if is_portal(kind):
            return self.play_portal(state, kind, doing)
        return self.effect(state, kind, action, doing)

    def report_play(self, state: State, action: Action, doing: Doing) -> None:
        """Events: a card is played, with its target."""
        aimed = () if action.target is None else (action.target,)
        doing.report("PLAYED", state.seat, cards_text(action.cards[:1]), *aimed)

    # Portals

    def play_portal(self, state: State, kind: str, doing: Doing) -> State:
        """b. Play: on a face-up Era it matches; on a face-down one it is a gamble."""
        if state.own.face_up:
            return self.open_portal(state, kind, doing)
        return self.gamble(state, kind, doing)

    def open_portal(self, state: State, kind: str, doing: Doing) -> State:
        """b. Play: a matching Era leaves the game; Omni Portal: then a card is drawn."""
        state = self.discard_era(state, doing)
        return self.after_omni(state, doing) if kind == "omni" else state

    def after_omni(self, state: State, doing: Doing) -> State:
        """Omni Portal: when the Era has left the game, 1 card is drawn."""
        return self.draw_cards(state, OMNI_DRAW, doing)

    def gamble(self, state: State, kind: str, doing: Doing) -> State:
        """b. Play: the Era is shown to all; what follows depends on whether it matches."""
        state = with_own(state, eras=self.fix_eras(state.own.eras, 1, doing))
        era = state.own.eras.top[0]
        doing.report("ERA_REVEALED", state.seat, cards_text((era,)))
        if self.matches(kind, era):
            return self.open_portal(state, kind, doing)
        if self.is_safe(kind):
            return self.after_twin(state, doing)
        return self.lose_gamble(state, doing)

    def is_safe(self, kind: str) -> bool:
        """Twin Portal: an Era that does not match is only turned face up."""
        return kind in TECHNOLOGIES

    def after_twin(self, state: State, doing: Doing) -> State:
        """Twin Portal: an Era that does not match is turned face up."""
        return self.turn_own_up(state, doing)

    def lose_gamble(self, state: State, doing: Doing) -> State:
        """b. Play: the stack is shuffled, the play step ends, the refill will be to 4."""
        doing.report("GAMBLE_LOST", state.seat)
        if self.gains_era(state):
            state = self.gain_from_pile(state, doing)
        state = self.shuffle_eras(state, state.seat, doing)
        return replace(state, refill=self.refill_after_lost(), step=self.after_lost_gamble())

    def refill_after_lost(self) -> int:
        """b. Play: after a lost gamble the refill will be to 4."""
        return FAILED_REFILL

    def after_lost_gamble(self) -> str:
        """b. Play: a lost gamble ends the step."""
        return "discard"

    def gains_era(self, state: State) -> bool:
        """R3: if it was the seat's only Era and the pile is not empty."""
        return state.own.eras.size == 1 and state.era_pile.size > 0

    def gain_from_pile(self, state: State, doing: Doing) -> State:
        """R3: the seat gains the top card of the Era pile, unseen."""
        pile, era = self.take_top(state.era_pile, doing)
        doing.report("ERA_GAINED_UNSEEN", state.seat)
        return self.eras_under(replace(state, era_pile=pile), state.seat, (era,))

    # Technologies

    def effect(self, state: State, kind: str, action: Action, doing: Doing) -> State:
        """Carry out a technology's effect."""
        simple = {
            "droid": self.turn_own_up,
            "courier": self.courier,
            "time_loop": self.time_loop,
            "scanner": self.scan,
            "storm": self.storm,
            "surge": self.surge,
            "workshop": self.workshop,
        }
        if kind in simple:
            return simple[kind](state, doing)
        if kind == "recycler":
            return self.recycle(state, action.cards[1], doing)
        assert action.target is not None
        aimed = {"veil": self.veil, "exchange": self.exchange, "exile": self.exile}
        return aimed[kind](state, action.target, doing)

    def veil(self, state: State, target: int, doing: Doing) -> State:
        """Veil: the opponent's top Era is turned down and its stack shuffled; the own turned up."""
        state = self.cloud(state, target, doing)
        return self.turn_own_up(state, doing)

    def cloud(self, state: State, target: int, doing: Doing) -> State:
        """Veil, Storm: a face-up top Era is turned face down, and the stack is shuffled."""
        if state.seats[target].face_up:
            doing.report("ERA_COVERED", target)
        return self.shuffle_eras(state, target, doing)

    def courier(self, state: State, doing: Doing) -> State:
        """Courier: the own top Era is turned face up, then 1 card is drawn."""
        return self.draw_cards(self.turn_own_up(state, doing), 1, doing)

    def exchange(self, state: State, target: int, doing: Doing) -> State:
        """Exchange: the two top Eras change places, each keeps its face; the own is turned up."""
        mine, theirs = self.tops(state, target, doing)
        own_face, other_face = self.faces(state, target)
        state = with_own(state, eras=self.new_top(mine, theirs.top[0]), face_up=own_face)
        eras = self.new_top(theirs, mine.top[0])
        state = with_seat(state, target, eras=eras, face_up=other_face)
        doing.report("ERAS_EXCHANGED", state.seat, target)
        return self.after_exchange(state, doing)

    def faces(self, state: State, target: int) -> tuple[bool, bool]:
        """Exchange: each card keeps its face; give that of the new own top, and the other's."""
        return state.seats[target].face_up, state.own.face_up

    def after_exchange(self, state: State, doing: Doing) -> State:
        """Exchange: the own new top Era is turned face up."""
        return self.turn_own_up(state, doing)

    def tops(self, state: State, target: int, doing: Doing) -> tuple[Pile, Pile]:
        """Exchange: the places of both top Eras are fixed, the own first."""
        mine = self.fix_eras(state.own.eras, 1, doing)
        return mine, self.fix_eras(state.seats[target].eras, 1, doing)

    def new_top(self, eras: Pile, era: str) -> Pile:
        """Exchange: another Era takes the place of the top one."""
        return replace(eras, top=(era, *eras.top[1:]))

    def recycle(self, state: State, gone: str, doing: Doing) -> State:
        """Recycler: the card is removed, the own top Era turned face up, 1 card drawn."""
        state = self.remove(state, gone, doing)
        return self.draw_cards(self.turn_own_up(state, doing), 1, doing)

    def time_loop(self, state: State, doing: Doing) -> State:
        """Time Loop: after this turn the seat takes one more."""
        return replace(state, looped=True)

    def storm(self, state: State, doing: Doing) -> State:
        """Storm: every opponent's stack is clouded; the own top turned up; 1 card drawn."""
        for target in state.opponents:
            if self.is_stormed(state.seats[target]):
                state = self.cloud(state, target, doing)
        return self.draw_cards(self.turn_own_up(state, doing), 1, doing)

    def is_stormed(self, seat: Seat) -> bool:
        """Storm: every opponent's stack that has Eras is shuffled."""
        return seat.eras.size > 0

    def surge(self, state: State, doing: Doing) -> State:
        """Surge: draw 5 cards."""
        return self.draw_cards(state, SURGE_DRAW, doing)

    def workshop(self, state: State, doing: Doing) -> State:
        """Workshop: the own top Era is turned face up, then 2 cards are drawn."""
        return self.draw_cards(self.turn_own_up(state, doing), WORKSHOP_DRAW, doing)

    def exile(self, state: State, target: int, doing: Doing) -> State:
        """Exile: the own top Era goes face down under the opponent's stack."""
        state, era = self.take_era(state, state.seat, doing)
        doing.report("ERA_EXILED", state.seat, target, cards_text((era,)))
        return self.after_exile(self.eras_under(state, target, (era,)), doing)

    def after_exile(self, state: State, doing: Doing) -> State:
        """Exile: the next own Era stays as it is."""
        return state

    # Scanner

    def scan(self, state: State, doing: Doing) -> State:
        """Scanner: the seat alone is shown its top two Eras, or the only one."""
        eras = self.fix_eras(state.own.eras, 2, doing)
        shown = eras.top[:2]
        doing.report("ERAS_SEEN", state.seat, len(shown), cards_text(shown))
        return replace(with_own(state, eras=eras), step="scan")

    def scanned(self, state: State) -> tuple[str, ...]:
        """Scanner: what the seat is shown until it has chosen."""
        return state.own.eras.top[:2] if state.step == "scan" else ()

    def put_on_top(self, state: State, place: int, doing: Doing) -> State:
        """Scanner: the chosen one goes on top, face up, the other face down below it."""
        shown = list(self.scanned(state))
        chosen = shown.pop(place)
        doing.report("PUT_ON_TOP", state.seat, place, cards_text((chosen,)))
        rest = replace(state.own.eras, top=state.own.eras.top[1 + len(shown) :])
        eras = self.put_back(rest, chosen, tuple(shown))
        return replace(with_own(state, eras=eras, face_up=True), step="play")

    def put_back(self, rest: Pile, chosen: str, others: Cards) -> Pile:
        """Scanner: the other Era goes face down below the chosen one."""
        return rest.on_top(chosen, *others)
