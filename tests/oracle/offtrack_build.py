"""Built positions of OffTrack: random tables on which the rare rules are one decision away.

Each could come about in play: every card is there once, hands are full, marks are where the rules
put them, and what this turn has done already fits its step.
"""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass, replace

from .offtrack_cards import ACTIONS, Card, Cards, all_cards, sorted_actions
from .offtrack_state import FULL, HAND, Line, Options, State, fresh, position_text


@dataclass(frozen=True)
class Plan:
    """What built positions are like: what they are chosen from, and shares of the rest.

    `letters` are the actions to be decided on, `prime` and `sizes` the lengths of Prime and of
    branches that do not wait. `room` is the share of tables that may get one more branch; `waits`,
    `seals` and `pins` are shares of the lines; `flips` is the share of turns in which a held action
    has flipped a line, `falls` of those in which a branch has collapsed, `calls` of those after the
    call of the end; `short` of nearly empty decks, `level` of scores that tie, `lows` of tables
    with low cards on the lines, `redeems` of those with redeemed cards, `jams` of those on which
    little is open but what waits. The options have `branches` and `seats` at least, and always
    `every_turn` if that is set.
    """

    steps: str = "BCEA"
    letters: str = ACTIONS
    prime: tuple[int, ...] = (1, 2, 4, 6)
    sizes: tuple[int, ...] = (1, 2, 4, 6)
    room: float = 0.5
    waits: float = 0.1
    seals: float = 0.1
    pins: float = 0.4
    flips: float = 0.1
    falls: float = 0.2
    calls: float = 0.05
    short: float = 0.2
    level: float = 0.0
    lows: float = 0.1
    redeems: float = 0.3
    jams: float = 0.0
    branches: int = 1
    seats: int = 2
    every_turn: bool = False

    def fitted(self, options: Options) -> Options:
        """Give the options, changed where the plan needs others."""
        return replace(
            options,
            max_branches=max(self.branches, options.max_branches),
            seats=max(self.seats, options.seats),
            every_turn=self.every_turn or options.every_turn,
        )


def built(rng: random.Random, options: Options, plan: Plan) -> str:
    """Build a position of a match with these options, which must have cards of all kinds enough."""
    return position_text(_Builder(rng, options, plan).state())


class _Builder:
    """Builds one position: the turn, the lines with their marks, then where the rest lies."""

    def __init__(self, rng: random.Random, options: Options, plan: Plan) -> None:
        """Sort the cards by value, more or less: hands are low and lines are high, or reversed."""
        self.rng, self.options, self.plan = rng, options, plan
        blur, sign = rng.choice((0, 3, 9)), -1 if self.chance(plan.lows) else 1
        cards = all_cards(options.eras, options.decks)
        self.shelf = sorted(cards, key=lambda card: sign * card.printed + blur * rng.random())
        self.pool = list(ACTIONS * options.action_copies)
        self.spent: list[str] = []
        self.level = self.chance(plan.level)

    def chance(self, share: float) -> bool:
        """Say yes in this share of the cases."""
        return self.rng.random() < share

    def state(self) -> State:
        """Build the state."""
        state = self.with_turn(fresh(self.options))
        state = self.with_lines(self.with_hands(state))
        state = self.with_decks(self.with_piles(state))
        return self.with_actions(self.with_redeemed(state))

    def with_turn(self, state: State) -> State:
        """Choose the round, the seat to act and its step, and whether the end is called."""
        seats, number = self.options.seats, self.rng.randint(1, self.options.rounds)
        order = [(number - 1 + place) % seats for place in range(seats)]
        step, called = self.step(), self.chance(self.plan.calls)
        if called and step in "BC":
            order = order[1:]
        last = called and self.chance(0.6)
        return replace(
            state,
            round=number,
            seat=order[-1] if last else self.rng.choice(order),
            step=step,
            called=called,
            collapsed=self.chance(self.plan.falls),
            cycled=tuple(self.chance(0.5) for _ in range(seats)),
        )

    def step(self) -> str:
        """Choose a step; with every_turn nothing is held and nothing is offered."""
        step = self.rng.choice(self.plan.steps)
        return {"B": "C", "E": "A"}.get(step, step) if self.options.every_turn else step

    def with_hands(self, state: State) -> State:
        """Deal full hands."""
        hands = tuple(tuple(sorted(self.take(HAND))) for _ in state.hands)
        return replace(state, hands=hands)

    def take(self, number: int) -> Cards:
        """Take cards from the near end of the shelf."""
        taken, self.shelf = self.shelf[:number], self.shelf[number:]
        return tuple(taken)

    # The lines

    def with_lines(self, state: State) -> State:
        """Lay out Prime and some branches, then mark them."""
        most = self.options.max_branches
        branches = self.rng.randint(1, max(1, most - 1)) if self.chance(self.plan.room) else most
        fallen = self.rng.randint(1, branches) if state.collapsed else 0
        self.spend("S", branches)
        lines = [self.line(self.plan.prime)]
        for place in range(1, branches + 1):
            lines.append(Line() if place == fallen else self.branch(state.seat + 1))
        return self.with_marks(replace(state, lines=tuple(lines)))

    def line(self, sizes: tuple[int, ...]) -> Line:
        """Lay out cards from the far end of the shelf in any order."""
        cut = len(self.shelf) - self.rng.choice(sizes)
        self.shelf, cards = self.shelf[:cut], self.shelf[cut:]
        self.rng.shuffle(cards)
        return Line(tuple(cards))

    def branch(self, following: int) -> Line:
        """Lay out a branch, at times one that waits, often for the seat that follows."""
        if not self.chance(self.plan.waits):
            return self.line(self.plan.sizes)
        seats = self.options.seats
        waiting_for = self.rng.choice((following % seats, self.rng.randrange(seats)))
        return replace(self.line((FULL, FULL, FULL + 1)), waiting_for=waiting_for)

    def with_marks(self, state: State) -> State:
        """Seal and pin lines, then do what this turn has done; with none open it ends at once."""
        seals = 2 * [seat for seat in range(self.options.seats) if seat != state.seat]
        self.rng.shuffle(seals)
        jammed = self.chance(self.plan.jams)
        lines = [self.pinned(self.sealed(line, seals, jammed)) for line in state.lines]
        if state.step != "B" and not self.options.every_turn:
            place = self.rng.randrange(len(lines))
            lines[place] = self.turned(state, lines[place])
        if state.step in "EA" and not any(line.open for line in lines):
            lines[0] = replace(lines[0], sealed_by=None)
        return replace(state, lines=tuple(self.due_later(state, line) for line in lines))

    def sealed(self, line: Line, seals: list[int], jammed: bool) -> Line:
        """Seal a line, by a seat that has a seal left."""
        share = 0.95 - 0.8 * line.waiting if jammed else self.plan.seals
        if not seals or not self.chance(share):
            return line
        self.spend("K")
        return replace(line, sealed_by=seals.pop())

    def spend(self, letter: str, number: int = 1) -> None:
        """Put action cards that were played on the discards."""
        for _ in range(number):
            self.pool.remove(letter)
            self.spent.append(letter)

    def pinned(self, line: Line) -> Line:
        """Pin any card of a line."""
        if len(line.cards) < 2 or not self.chance(self.plan.pins):
            return line
        return replace(line, pin=self.rng.choice(line.cards))

    def turned(self, state: State, line: Line) -> Line:
        """Flip or seal a line by the action that the seat held, or leave it."""
        if self.chance(self.plan.flips):
            self.spend("L")
            return replace(line, flipped=True, pin=self.slid(state, line))
        if line.open and self.chance(0.1):
            self.spend("K")
            return replace(line, sealed_by=state.seat)
        return line

    def slid(self, state: State, line: Line) -> Card | None:
        """Give what an append to the flipped line may have pinned after the main step."""
        beside = line.cards[:2]
        slides = state.step in "EA" and len(line.cards) > 2 and beside[0].era == beside[1].era
        return beside[1] if slides else None

    def due_later(self, state: State, line: Line) -> Line:
        """Let an open branch wait for another seat, unless one has collapsed in this turn."""
        if line.waiting_for != state.seat or state.collapsed or not line.open:
            return line
        return replace(line, waiting_for=(state.seat + 1) % self.options.seats)

    # Where the rest lies

    def with_piles(self, state: State) -> State:
        """Give each seat a score pile, and scores of the rounds before this one."""
        self.rng.shuffle(self.shelf)
        most = min(6, len(self.shelf) // (self.options.seats + 2))
        piles = [self.take(self.rng.randint(min(1, most), most)) for _ in state.piles]
        if self.level:
            piles[1:] = [self.levelled(piles[0], pile) for pile in piles[1:]]
        scores = tuple(self.scores() for _ in range(1, state.round))
        return replace(state, piles=tuple(piles), scores=scores)

    def levelled(self, model: Cards, pile: Cards) -> Cards:
        """Change a pile for one that is worth as much as the model, if one is found soon."""
        everything = [*pile, *self.shelf]
        for _ in range(40 * self.chance(0.7)):
            tried = self.rng.sample(everything, min(len(everything), self.rng.randint(1, 4)))
            if worth(tried) == worth(model):
                self.shelf = [card for card in everything if card not in tried]
                return tuple(tried)
        return pile

    def scores(self) -> tuple[int, ...]:
        """Give the scores of a round, all the same if they shall tie."""
        scores = [self.rng.randint(-4, 12) for _ in range(self.options.seats)]
        return tuple(scores[:1] * len(scores) if self.level else scores)

    def with_decks(self, state: State) -> State:
        """Deal the rest to the deck, the discards and the box; after the call little is left."""
        box = self.take(FULL - 1 if state.collapsed and len(self.shelf) > FULL else 0)
        if state.called:
            first = state.seat == (state.round - 1) % self.options.seats
            deck, discards = self.take(0), self.take(0 if first else self.rng.choice((0, 0, 2)))
        elif self.chance(self.plan.short):
            deck, discards = self.take(self.rng.randint(1, 3)), self.take(self.rng.randint(0, 3))
        else:
            deck, discards = self.take(1 + len(self.shelf) // 2), self.take(len(self.shelf) // 4)
        return replace(
            state,
            deck=tuple(sorted(deck)),
            discards=tuple(sorted(discards)),
            box=(*box, *self.shelf),
        )

    def with_redeemed(self, state: State) -> State:
        """Redeem some of the cards that were ever on a line, at times."""
        piles = () if self.level else state.piles
        places = (*(line.cards for line in state.lines), state.box, *piles)
        cards = [card for place in places for card in place]
        if not self.chance(self.plan.redeems):
            return state
        self.spend("P")
        share = self.rng.choice((0.3, 0.8))
        redeemed = (card for card in cards if card.printed < 0 and self.chance(share))
        return replace(state, redeemed=frozenset(redeemed))

    def with_actions(self, state: State) -> State:
        """Deal the action cards; there is one to draw when one is offered."""
        held = [None if seat == state.seat else self.held() for seat in range(len(state.held))]
        drawn = self.any_action(self.plan.letters) if state.step == "A" else None
        if state.step == "B":
            held[state.seat] = self.any_action(self.plan.letters)
        self.rng.shuffle(self.pool)
        left = self.rng.choice((0, 1, len(self.pool) // 2, len(self.pool)))
        left = max(left, state.step == "E")
        return replace(
            state,
            held=tuple(held),
            drawn=drawn,
            action_deck=sorted_actions(self.pool[:left]),
            action_discards=sorted_actions((*self.pool[left:], *self.spent)),
        )

    def any_action(self, letters: str = ACTIONS) -> str:
        """Take an action card, each of those that are left as likely."""
        letter = self.rng.choice([letter for letter in letters if letter in self.pool])
        self.pool.remove(letter)
        return letter

    def held(self) -> str | None:
        """Give what another seat holds."""
        holds = self.chance(0.3) and not self.options.every_turn
        return self.any_action() if holds else None


def worth(cards: Collection[Card]) -> int:
    """Add up printed values."""
    return sum(card.printed for card in cards)
