"""The oracle of Eternitium: slow, plain, and written from the rules' text alone.

Piles are in `eternitium_piles`, what cards do in `eternitium_effects`, the middle of the table in
`eternitium_market`, the end in `eternitium_end`; here are the set-up, the turn, what is legal and
what is told. Each rule is a small method of `Rules`, so that a planted fault is a subclass
overriding one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from . import eternitium_views
from .chance import Draws
from .common import Event, Illegal, Refused, SetupFault
from .eternitium_actions import (
    ADVANCED,
    BASIC,
    END_PLAY,
    KEEP,
    NO_TECHNOLOGY,
    PLAY,
    PORTAL,
    PUT_ON_TOP,
    REFIT,
    REMOVE,
    TAKE_BASIC,
    Action,
    candidates,
    find,
    index_of,
    number_of,
)
from .eternitium_cards import ADVANCED as ADVANCED_KINDS
from .eternitium_cards import BASICS as BASIC_KINDS
from .eternitium_cards import (
    ERAS,
    STARTERS,
    SYMBOLS,
    Cards,
    Pile,
    cards_text,
    shuffled,
    sorted_cards,
    without,
)
from .eternitium_end import EndRules
from .eternitium_piles import Doing
from .eternitium_read import read_position
from .eternitium_state import (
    HAND,
    ROW,
    Options,
    Seat,
    State,
    option_faults,
    position_text,
    with_own,
    with_seat,
)

__all__ = [
    "RULES",
    "Illegal",
    "Options",
    "Refused",
    "Rules",
    "State",
    "apply",
    "default_action",
    "index_of",
    "legal_actions",
    "outcome",
    "position",
    "returns",
    "start",
    "validate",
]

REFIT_REFILL = 6


class Rules(EndRules):
    """The rules of Eternitium, one small method for each thing that the text says."""

    # Set-up

    def validate(self, options: Options) -> list[SetupFault]:
        """List all faults of a set-up (Options); never raises."""
        return option_faults(options)

    def start(self, options: Options, draws: Draws) -> tuple[State, list[Event]]:
        """Set a match up, as far as the first choice of a Basic; raises Refused for faults."""
        if faults := self.validate(options):
            raise Refused(faults)
        doing = Doing(draws)
        state = self.deal(self.fresh(options), doing)
        state = self.show_eras(state, doing)
        return self.fill_rows(state, doing), doing.events

    def load(self, options: Options, position: str) -> State:
        """Go on from a position."""
        return read_position(options, position)

    def fresh(self, options: Options) -> State:
        """Set-up 1: starter decks, the supply, and three shuffled piles."""
        return State(
            options=options,
            seats=(Seat(deck=shuffled(STARTERS)),) * options.seats,
            supply=sorted_cards(SYMBOLS * self.portals(options)),
            basic_deck=self.technologies(options, BASIC_KINDS),
            advanced_deck=self.technologies(options, ADVANCED_KINDS),
            era_pile=shuffled(SYMBOLS * ERAS),
        )

    def portals(self, options: Options) -> int:
        """Set-up 1: the supply has 2 x seats Portals of each symbol."""
        return 2 * options.seats

    def technologies(self, options: Options, kinds: Cards) -> Pile:
        """Set-up 3: a deck of technologies."""
        return shuffled(kind for kind in kinds for _ in range(options.copies(kind)))

    def deal(self, state: State, doing: Doing) -> State:
        """Set-up 2: the contents of each Era stack, then each seat's top Era out of it."""
        for number in range(state.options.seats):
            state = self.deal_eras(state, number, doing)
        for number in range(state.options.seats):
            state = self.turn_up(state, number, doing)
        return state

    def deal_eras(self, state: State, number: int, doing: Doing) -> State:
        """Set-up 2: a seat is dealt its stack."""
        pile, dealt = state.era_pile, []
        for _ in range(state.options.eras):
            pile, era = self.take_top(pile, doing)
            dealt.append(era)
        doing.report("ERAS_DEALT", number, len(dealt))
        return with_seat(replace(state, era_pile=pile), number, eras=shuffled(dealt))

    def fill_rows(self, state: State, doing: Doing) -> State:
        """Set-up 3: the Basic row, then the Advanced row."""
        for advanced in (False, True):
            for place in range(ROW):
                state = self.fill(state, advanced, place, doing)
        return state

    def take_basic(self, state: State, action: Action, doing: Doing) -> State:
        """Set-up 4: each seat takes one Basic; no Era comes with it."""
        state = self.take(state, False, action.place or 0, doing)
        if state.seat + 1 < state.options.seats:
            return replace(state, seat=state.seat + 1)
        return self.begin_turn(self.first_hands(state, doing), 0, doing)

    def first_hands(self, state: State, doing: Doing) -> State:
        """Set-up 5: each seat, in order, shuffles its six cards and draws 5."""
        for number in range(state.options.seats):
            state = with_seat(state, number, deck=self.shuffle(state.seats[number].deck))
            state = self.draw_cards(replace(state, seat=number), HAND, doing)
        return state

    # A turn

    def begin_turn(self, state: State, seat: int, doing: Doing, extra: bool = False) -> State:
        """a. Portal: the first step of a turn, left out when the supply is empty."""
        doing.report("TURN_STARTED", seat, state.round, int(extra))
        state = replace(state, seat=seat, extra=extra, looped=False, played=False, refill=HAND)
        return replace(state, step="portal" if state.supply else "play")

    def portal_step(self, state: State, action: Action, doing: Doing) -> State:
        """a. Portal: taken into the hand."""
        return replace(self.take_portal(state, action.cards[0], doing), step="play")

    def play_step(self, state: State, action: Action, doing: Doing) -> State:
        """b. Play: a card, a refit, or the end of the step."""
        if action.kind == REFIT:
            doing.report("REFITTED", state.seat)
            return replace(state, step="refit", refill=self.refill_after_refit())
        if action.kind == END_PLAY:
            doing.report("PLAY_ENDED", state.seat)
            return self.discard_step(state, None, doing)
        state = self.play(state, action, doing)
        return self.discard_step(state, None, doing) if state.step == "discard" else state

    def refill_after_refit(self) -> int:
        """b. Refit: the refill will be to 6."""
        return REFIT_REFILL

    def scan_step(self, state: State, action: Action, doing: Doing) -> State:
        """b. Play, Scanner: a decision of its own."""
        return self.put_on_top(state, action.place or 0, doing)

    def refit_step(self, state: State, action: Action, doing: Doing) -> State:
        """b. Refit: cards are removed one after another, then one is kept or none."""
        if action.kind == REMOVE:
            return self.remove(state, action.cards[0], doing)
        doing.report("KEPT", state.seat, len(action.cards), cards_text(action.cards))
        return self.discard_step(state, action.cards[0] if action.cards else None, doing)

    def discard_step(self, state: State, kept: str | None, doing: Doing) -> State:
        """c. Discard: the play area and the hand, but a kept card."""
        own = state.own
        gone = own.hand if kept is None else without(own.hand, kept)
        hand = () if kept is None else (kept,)
        if gone:
            doing.report("DISCARDED", state.seat, cards_text(gone))
        discard = sorted_cards((*own.discard, *own.area, *gone))
        return replace(with_own(state, hand=hand, area=(), discard=discard), step="technology")

    def technology_step(self, state: State, action: Action, doing: Doing) -> State:
        """d. Technology: one or none, then e. Refill and the end of the turn."""
        if action.kind != NO_TECHNOLOGY:
            state = self.buy(state, action, doing)
        else:
            doing.report("NO_TECHNOLOGY", state.seat)
        return self.end_turn(self.refill_hand(state, doing), doing)

    def buy(self, state: State, action: Action, doing: Doing) -> State:
        """R14: the technology is taken, then the Eras, whose places are refilled."""
        advanced = action.kind == ADVANCED
        state = self.take(state, advanced, action.place or 0, doing)
        state = self.gain_eras(state, self.era_places(advanced, action.era), doing)
        return self.show_eras(state, doing)

    def refill_hand(self, state: State, doing: Doing) -> State:
        """e. Refill: to 5, 4 after a lost gamble, 6 after a refit, a kept card counting."""
        return self.draw_cards(state, self.missing(state), doing)

    def missing(self, state: State) -> int:
        """e. Refill: how many cards the hand lacks."""
        return max(0, state.refill - len(state.own.hand))

    def end_turn(self, state: State, doing: Doing) -> State:
        """f. An extra turn after a Time Loop, the next seat's turn, or the end of the round."""
        doing.report("TURN_ENDED", state.seat)
        if self.has_extra(state):
            return self.begin_turn(state, state.seat, doing, extra=True)
        if state.seat + 1 < state.options.seats:
            return self.begin_turn(state, state.seat + 1, doing)
        state = self.end_round(state, doing)
        return state if state.step == "over" else self.begin_turn(state, 0, doing)

    def has_extra(self, state: State) -> bool:
        """f. An extra turn, even with no Eras left or after a lost gamble."""
        return state.looped

    # What is legal

    def legal(self, state: State) -> list[str]:
        """List the legal actions in index order."""
        return [notation for _, notation in self.choices(state)]

    def choices(self, state: State) -> list[tuple[int, str]]:
        """List the legal actions with their indices, rising."""
        found = (action for action in candidates(state) if self.allowed(state, action))
        return sorted((number_of(state, action), action.text) for action in found)

    def allowed(self, state: State, action: Action) -> bool:
        """Say whether a decision of the state's step is legal."""
        conditions: dict[str, Callable[[State, Action], bool]] = {
            TAKE_BASIC: self.may_take_basic,
            PORTAL: self.may_take_portal,
            PLAY: self.may_play,
            PUT_ON_TOP: self.may_put_on_top,
            REFIT: self.may_refit,
            REMOVE: self.may_remove,
            KEEP: self.may_keep,
            BASIC: self.may_acquire_basic,
            ADVANCED: self.may_acquire_advanced,
        }
        return action.kind not in conditions or conditions[action.kind](state, action)

    def may_take_basic(self, state: State, action: Action) -> bool:
        """Set-up 4: from the row or the top of the deck."""
        return self.takes(state, False, action.place or 0)

    def may_take_portal(self, state: State, action: Action) -> bool:
        """a. Portal: a symbol that the supply has."""
        return action.cards[0] in state.supply

    def may_put_on_top(self, state: State, action: Action) -> bool:
        """Scanner: one of the Eras shown."""
        return (action.place or 0) < len(self.scanned(state))

    def may_refit(self, state: State, action: Action) -> bool:
        """b. Refit: only as the first choice of the step."""
        return not state.played

    def may_remove(self, state: State, action: Action) -> bool:
        """b. Refit: a hand card, while at least seven cards are owned."""
        return action.cards[0] in state.own.hand and self.owns_enough(state.own)

    def may_keep(self, state: State, action: Action) -> bool:
        """b. Refit: one of the other hand cards, or none."""
        return not action.cards or action.cards[0] in state.own.hand

    def may_acquire_basic(self, state: State, action: Action) -> bool:
        """d. Technology: a Basic, with an Era."""
        takes = self.takes(state, False, action.place or 0)
        return takes and self.may_choose_era(state, action.era)

    def may_acquire_advanced(self, state: State, action: Action) -> bool:
        """d. Technology: an Advanced."""
        return self.takes(state, True, action.place or 0)

    # Doing it

    def apply(self, state: State, notation: str, draws: Draws) -> tuple[State, list[Event]]:
        """Do an action; raises Illegal when it is not legal. The old state is left alone."""
        action = find(state, notation)
        if action is None or not self.allowed(state, action):
            raise Illegal(f"not legal: {notation!r}")
        doing = Doing(draws)
        steps = {
            "basic": self.take_basic,
            "portal": self.portal_step,
            "play": self.play_step,
            "scan": self.scan_step,
            "refit": self.refit_step,
            "technology": self.technology_step,
        }
        return steps[state.step](state, action, doing), doing.events

    # Reading a state

    def actor(self, state: State) -> int | None:
        """Give the seat that must decide, None when the match is over."""
        return state.actor

    def default_action(self, state: State) -> str:
        """Default action: the first of a Basic or a Portal; else nothing more than must be."""
        default = {
            "play": Action(END_PLAY),
            "scan": Action(PUT_ON_TOP, place=0),
            "refit": Action(KEEP),
            "technology": Action(NO_TECHNOLOGY),
        }
        if state.step in default:
            return default[state.step].text
        return next(action for action in candidates(state) if self.allowed(state, action)).text

    # Who sees what

    def position(self, state: State) -> str:
        """Write the position."""
        return position_text(state)

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell an event to a seat, or to a spectator (None)."""
        return eternitium_views.shown(event, viewer)

    def viewers(self, state: State) -> list[int | None]:
        """List the seats and, as None, the spectator."""
        return [*range(state.options.seats), None]

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Give all that each viewer may know of a state."""
        return eternitium_views.views(state)


RULES = Rules()
validate = RULES.validate
start = RULES.start
legal_actions = RULES.legal
apply = RULES.apply
outcome = RULES.outcome
returns = RULES.returns
position = RULES.position
default_action = RULES.default_action
