"""The oracle of Off the Rails: slow, plain, and written from the rules' text alone.

Carts are in `off_the_rails_carts`, moves in `off_the_rails_move`, collisions in
`off_the_rails_collision`, deposits and the Chasm in `off_the_rails_chasm`, missions and the end in
`off_the_rails_end`; here are the set-up, the action phase, what is legal and what is told. Each
rule is a small method of `Rules`, so that a planted fault is a subclass overriding one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache

from . import off_the_rails_views
from .chance import Draws
from .common import Event, Illegal, Refused, SetupFault
from .off_the_rails_actions import LARGER, Action, Choice, action_text, choice
from .off_the_rails_board import (
    COLOURS,
    CROSS,
    SIMPLE,
    TEES,
    Place,
    place_text,
    underground,
)
from .off_the_rails_end import EndRules
from .off_the_rails_read import read_position
from .off_the_rails_state import (
    ACTIONS,
    CHASM,
    FIRST_SPEED,
    MISSIONS,
    NUMBERS,
    SPEEDS,
    Cart,
    Doing,
    Options,
    Seat,
    State,
    all_jewels,
    asks,
    cart_text,
    is_centre,
    option_faults,
    own_surface,
    with_cart,
    with_changes,
)
from .off_the_rails_text import position_text

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

Step = Callable[[State, Action, Doing], State]


class Rules(EndRules):
    """The rules of Off the Rails, one small method for each thing that the text says."""

    # Set-up

    def validate(self, options: Options) -> list[SetupFault]:
        """List all faults of a set-up (Options); never raises."""
        return list(option_faults(options))

    def start(self, options: Options, draws: Draws) -> tuple[State, list[Event]]:
        """Set a match up, as far as the first turn; raises Refused for faults."""
        if faults := self.validate(options):
            raise Refused(faults)
        doing = Doing(draws)
        state = self.fresh(options)
        for colour in range(len(COLOURS)):
            state = self.turn_card(state, colour, doing)
        state = self.deal_missions(state, doing)
        return self.begin_turn(state, 0, doing), doing.events

    def load(self, options: Options, position: str) -> State:
        """Go on from a position."""
        return read_position(options, position)

    def fresh(self, options: Options) -> State:
        """Jewels and decks: everything before the first card is turned."""
        return State(
            options=options,
            seats=(Seat(),) * options.seats,
            tracks={},
            deposits={},
            tokens={},
            bag=all_jewels(),
            decks=self.decks(options),
            unseen=(tuple(NUMBERS),) * len(COLOURS),
            left_tokens=self.tokens(),
        )

    def decks(self, options: Options) -> tuple[tuple[int, ...], ...]:
        """Jewels and decks: one card of each colour in each, the Chasm Card in Deck 4."""
        plain = tuple(range(len(COLOURS)))
        number = options.cards // len(COLOURS)
        decks = [plain] * number
        decks[-2] = (*plain, CHASM)
        return tuple(decks)

    def tokens(self) -> tuple[int, ...]:
        """Jewels and decks: 20 tokens, of which one of each colour is kept."""
        return tuple(colour for colour in range(len(COLOURS)) for _ in range(4))

    def deal_missions(self, state: State, doing: Doing) -> State:
        """Missions: seats + 1 are dealt; 6 and 7 are left out with `bumper_cars`."""
        if not state.options.missions:
            return state
        left = [number for number in MISSIONS if self.is_in_shuffle(state.options, number)]
        dealt = []
        for _ in range(state.options.seats + 1):
            dealt.append(left.pop(doing.draws.draw(len(left))))
        doing.report("MISSIONS_DEALT", ",".join(map(str, sorted(dealt))))
        return with_changes(state, missions=tuple(sorted(dealt)))

    def is_in_shuffle(self, options: Options, mission: int) -> bool:
        """Missions: 6 and 7 are left out of the shuffle with `bumper_cars`."""
        return not (options.bumper_cars and mission in (6, 7))

    # A turn

    def begin_turn(self, state: State, seat: int, doing: Doing) -> State:
        """A turn begins with up to four actions."""
        doing.report("TURN_STARTED", seat)
        return asks(with_changes(state, seat=seat, actions=ACTIONS), "actions")

    def end_turn(self, state: State, doing: Doing) -> State:
        """The next seat's turn, or the end of the match (R16)."""
        doing.report("TURN_ENDED", state.seat)
        if self.is_over(state):
            return self.end_match(state, doing)
        return self.begin_turn(state, self.next_seat(state), doing)

    def next_seat(self, state: State) -> int:
        """R20: in turn order, clockwise."""
        return (state.seat + 1) % state.options.seats

    # 1. Actions

    def action_step(self, state: State, action: Action, doing: Doing) -> State:
        """1. Actions: up to four; the end is automatic after the fourth."""
        if action.kind == "END_ACTIONS":
            return self.end_actions(state, doing)
        does: dict[str, Step] = {
            "PLACE_TRACK": self.place_track,
            "UPGRADE": self.upgrade,
            "PLACE_CART": self.place_cart,
            "SPEED": self.change_speed,
        }
        state = does[action.kind](state, action, doing)
        state = with_changes(state, actions=state.actions - 1)
        return state if state.actions else self.end_actions(state, doing)

    def end_actions(self, state: State, doing: Doing) -> State:
        """1. Actions: then the carts move."""
        doing.report("ACTIONS_ENDED", state.seat)
        return self.begin_moves(with_changes(state, actions=0))

    def place_track(self, state: State, action: Action, doing: Doing) -> State:
        """`PLACE_TRACK`: jewels there come to lie on the track."""
        assert action.place is not None
        text = place_text(state.options.board, action.place)
        doing.report("TRACK_PLACED", state.seat, text, action.exits)
        return with_changes(state, tracks={**state.tracks, action.place: action.exits})

    def upgrade(self, state: State, action: Action, doing: Doing) -> State:
        """`UPGRADE`: the new track takes the old one's place."""
        assert action.place is not None
        text = place_text(state.options.board, action.place)
        doing.report("TRACK_UPGRADED", state.seat, text, action.exits)
        return with_changes(state, tracks={**state.tracks, action.place: action.exits})

    def place_cart(self, state: State, action: Action, doing: Doing) -> State:
        """`PLACE_CART`: it faces in, speed 3."""
        cart = self.cart_to_place(state)
        assert cart is not None and action.place is not None
        spot = state.seat, cart
        doing.report("CART_PLACED", cart_text(spot), place_text(state.options.board, action.place))
        facing = self.exits(state, action.place)
        return with_cart(state, spot, place=action.place, facing=facing, speed=FIRST_SPEED)

    def change_speed(self, state: State, action: Action, doing: Doing) -> State:
        """`SPEED`: one more or one less."""
        spot = state.seat, action.number
        speed = self.changed(state.cart(spot), action)
        doing.report("SPEED_CHANGED", cart_text(spot), speed)
        return with_cart(state, spot, speed=speed)

    def changed(self, cart: Cart, action: Action) -> int:
        """`SPEED`: what a cart's speed becomes."""
        return cart.speed + (1 if action.faster else -1)

    # What is legal in the action phase

    def actions(self, state: State) -> Iterator[Action]:
        """1. Actions: all that may be done."""
        for place in underground(state.options.board):
            if self.may_place_track(state, place):
                yield from placements(place)
            elif place in state.tracks and self.may_touch(state, place):
                yield from self.upgrades(state, place)
        if self.cart_to_place(state) is not None:
            for place in own_surface(state):
                if self.may_place_cart(state, place):
                    yield Action("PLACE_CART", place)
        yield from self.speeds(state)
        yield Action("END_ACTIONS")

    def may_place_track(self, state: State, place: Place) -> bool:
        """`PLACE_TRACK`: no mine centre, neither track nor token."""
        free = place not in state.tracks and place not in state.tokens
        return free and not is_centre(state, place)

    def may_touch(self, state: State, place: Place) -> bool:
        """`UPGRADE`: no cart on it."""
        return state.cart_at(place) is None

    def upgrades(self, state: State, place: Place) -> Iterator[Action]:
        """`UPGRADE`: a straight or corner to a T, a T to a cross."""
        old = state.tracks[place]
        yield from (Action("UPGRADE", place, new) for new in LARGER if self.may_become(old, new))

    def may_become(self, old: str, new: str) -> bool:
        """`UPGRADE`: every exit must stay."""
        larger = new in TEES if old in SIMPLE else old in TEES and new == CROSS
        return larger and set(old) <= set(new)

    def cart_to_place(self, state: State) -> int | None:
        """R6: the white cart if it is in supply, else the black one."""
        carts = enumerate(state.own.carts)
        in_supply = (number for number, cart in carts if cart.place is None and not cart.out)
        return next(in_supply, None)

    def may_place_cart(self, state: State, place: Place) -> bool:
        """`PLACE_CART`: on a square without a cart."""
        return state.cart_at(place) is None

    def speeds(self, state: State) -> Iterator[Action]:
        """`SPEED`: own carts on the board, within 1 to 6."""
        for number, cart in enumerate(state.own.carts):
            for faster in (True, False):
                action = Action("SPEED", number=number, faster=faster)
                if cart.place is not None and self.changed(cart, action) in SPEEDS:
                    yield action

    # What is legal elsewhere

    def answers(self, state: State) -> Iterator[Action]:
        """Decisions: the possible answers of the state's step."""
        if state.step == "actions":
            yield from self.actions(state)
        elif state.step == "first":
            yield from (Action("FIRST", number=number) for number in (0, 1))
        elif state.step == "take":
            yield from (Action("TAKE", number=kind) for kind in self.takeable(state))
            yield Action("TAKE_NOTHING")
        elif state.step == "face":
            yield from (Action("FACE", exits=exit) for exit in self.ahead(state))
        elif state.step == "token":
            yield from (Action("TOKEN", place) for place in self.token_squares(state))
        elif state.step == "claim":
            yield from (Action("CLAIM", number=number) for number in self.met(state))
            yield Action("CLAIM_NONE")
        else:
            yield from self.collision_answers(state)

    def collision_answers(self, state: State) -> Iterator[Action]:
        """Decisions: the possible answers in a collision."""
        if state.step == "odd":
            kinds = sorted(set(state.cart(state.collision.opposing).hold))
            yield from (Action("ODD", number=kind) for kind in kinds)
        elif state.step == "split":
            yield from (Action("SPLIT", jewels=left) for left in self.left_hands(state))
        elif state.step == "hand":
            yield from (Action("HAND", number=hand) for hand in (0, 1))
        elif state.step == "turn":
            yield from (Action("TURN", exits=exit) for exit in self.turn_exits(state))

    def legal(self, state: State) -> list[str]:
        """List the legal actions in index order."""
        return [notation for _, notation in self.choices(state)]

    def choices(self, state: State) -> list[tuple[int, str]]:
        """List the legal actions with their indices, rising."""
        return [(number, text) for number, text, _ in numbered(self, state)]

    # Doing it

    def apply(self, state: State, notation: str, draws: Draws) -> tuple[State, list[Event]]:
        """Do an action; raises Illegal when it is not legal. The old state is left alone."""
        action = self.find(state, notation)
        if action is None:
            raise Illegal(f"not legal: {notation!r}")
        doing = Doing(draws)
        return self.advance(self.decide(state, action, doing), doing), doing.events

    def find(self, state: State, notation: str) -> Action | None:
        """Find a legal action by its notation."""
        found = (action for _, text, action in numbered(self, state) if text == notation)
        return next(found, None)

    def decide(self, state: State, action: Action, doing: Doing) -> State:
        """Do what a decision says."""
        nothing = action.kind in ("TAKE_NOTHING", "CLAIM_NONE")
        number = None if nothing else action.number
        does: dict[str, Callable[[], State]] = {
            "actions": lambda: self.action_step(state, action, doing),
            "first": lambda: self.choose_first(state, action.number, doing),
            "take": lambda: self.take(state, number, doing),
            "face": lambda: self.face(state, action.exits, doing),
            "odd": lambda: self.dropped_odd(state, action.number, doing),
            "split": lambda: self.split(state, action.jewels, doing),
            "hand": lambda: self.choose_hand(state, bool(action.number), doing),
            "turn": lambda: self.turn(state, action.exits, doing),
            "claim": lambda: self.claim(state, number, doing),
            "token": lambda: self.settle(state, action.place or Place(0, 0), doing),
        }
        return does[state.step]()

    def advance(self, state: State, doing: Doing) -> State:
        """Go on as long as nothing is to be decided."""
        goes: dict[str, Callable[[State, Doing], State]] = {
            "moved": self.next_cart,
            "step": self.step,
            "taking": self.taking,
            "facing": self.facing,
            "turning": self.turn_next,
            "missions": self.missions_step,
            "deposit": self.deposit_step,
            "opening": self.open_chasm,
            "end_turn": self.end_turn,
        }
        while state.step in goes:
            state = goes[state.step](state, doing)
        return state

    # Reading a state

    def actor(self, state: State) -> int | None:
        """Give the seat that must decide, None when the match is over."""
        return state.actor

    def default_action(self, state: State) -> str:
        """Give the default action."""
        default = {
            "actions": Action("END_ACTIONS"),
            "take": Action("TAKE_NOTHING"),
            "claim": Action("CLAIM_NONE"),
        }
        if state.step in default:
            return action_text(state.options.board, default[state.step])
        return numbered(self, state)[0][1]

    # Who sees what

    def position(self, state: State) -> str:
        """Write the position."""
        return position_text(state)

    def shown(self, event: Event, viewer: int | None) -> Event:
        """Tell an event to a seat, or to a spectator (None)."""
        return off_the_rails_views.shown(event, viewer)

    def viewers(self, state: State) -> list[int | None]:
        """List the seats and, as None, the spectator."""
        return [*range(state.options.seats), None]

    def views(self, state: State) -> dict[int | None, dict[str, object]]:
        """Give all that each viewer may know of a state."""
        scores = tuple(self.points(state, seat) for seat in range(state.options.seats))
        return off_the_rails_views.views(state, scores)


@cache
def placements(place: Place) -> tuple[Action, ...]:
    """List the tracks that can be placed on a square."""
    return tuple(Action("PLACE_TRACK", place, exits) for exits in SIMPLE)


@lru_cache(16)
def numbered(rules: Rules, state: State) -> tuple[Choice, ...]:
    """List the legal actions with their indices and notations, rising."""
    if state.actor is None:
        return ()
    board = state.options.board
    return tuple(sorted(choice(board, action) for action in rules.answers(state)))


RULES = Rules()
validate = RULES.validate
start = RULES.start
legal_actions = RULES.legal
apply = RULES.apply
outcome = RULES.outcome
returns = RULES.returns
position = RULES.position
default_action = RULES.default_action


def index_of(state: State, notation: str) -> int:
    """Give the index of a legal decision; raises ValueError for another text."""
    for number, text, _ in numbered(RULES, state):
        if text == notation:
            return number
    raise ValueError(f"not legal: {notation!r}")
