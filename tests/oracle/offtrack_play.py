"""Biased play of OffTrack: policies that bring the rare rules about."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from .offtrack import RULES
from .offtrack_actions import APPEND, CYCLE, DISCARD, HOLD, Action, candidates
from .offtrack_cards import ACTIONS, ERA_LETTERS
from .offtrack_cover import target_names
from .offtrack_state import FULL, Line, State

GARBAGE = (
    "",
    "-",
    "a9>0",
    "i0>0",
    "c4",
    "c4>",
    "~~",
    "S0",
    "M0>1",
    "Q0:0",
    "L9",
    "..",
    "x",
    "~a0a",
)


@dataclass(frozen=True)
class Bias:
    """What a policy prefers: shares of the choices, and how strongly lines are built."""

    cycles: float = 0.3
    holds: float = 0.5
    ends: float = 0.05
    discards: float = 0.03
    builds: float = 1.0
    keeps: bool = True
    stock: int = 2
    reserves: bool = False


class Player:
    """Chooses by step: rare uses of actions, lines that keep their cards, and the bias."""

    def __init__(self, bias: Bias, seen: Counter[str]) -> None:
        """Take the bias, and the uses of actions seen so far, kept over games."""
        self.bias = bias
        self.seen = seen

    def choose(self, state: State, legal: list[str], rng: random.Random) -> str:
        """Choose an action."""
        if len(legal) == 1:
            return legal[0]
        if state.step == "E":
            return "D" if self.draws(state, rng) else "E"
        named = {action.text: action for action in candidates(state)}
        actions = [named[text] for text in legal]
        if state.step == "C":
            return self.main(state, actions, rng).text
        return self.decide(state, actions, rng).text

    def draws(self, state: State, rng: random.Random) -> bool:
        """Say whether to draw an action."""
        return rng.random() >= self.bias.ends

    # Action cards

    def decide(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Play, hold or discard an action card."""
        others = {action.kind: action for action in actions if action.kind not in ACTIONS}
        plays = self.plays(state, [action for action in actions if action.kind in ACTIONS])
        if HOLD in others and self.holds(state, plays, rng):
            return others[HOLD]
        if not plays or rng.random() < self.bias.discards:
            return others[DISCARD]
        return self.rarest(state, plays, rng)

    def plays(self, state: State, plays: list[Action]) -> list[Action]:
        """Leave the plays that the policy has a use for."""
        return plays

    def holds(self, state: State, plays: list[Action], rng: random.Random) -> bool:
        """Say whether to hold the action drawn."""
        return rng.random() < self.bias.holds

    def rarest(self, state: State, plays: list[Action], rng: random.Random) -> Action:
        """Choose the play that was seen least, at times any play."""
        if rng.random() < 0.1:
            return rng.choice(plays)
        rng.shuffle(plays)
        names = {play: use_names(state, play) for play in plays}
        best = min(plays, key=lambda play: min(self.seen[name] for name in names[play]))
        self.seen.update(names[best])
        return best

    # Main step

    def main(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Append or cycle."""
        appends = [action for action in actions if action.kind == APPEND]
        cycles = [action for action in actions if action.kind == CYCLE]
        worths = [self.worth(state, action) for action in appends]
        if cycles and (not appends or rng.random() < self.cycling(state, max(worths))):
            return rng.choice(cycles[-3:])
        if not appends:
            return rng.choice(actions)
        return rng.choices(appends, [2 ** (self.bias.builds * worth) for worth in worths])[0]

    def cycling(self, state: State, best: float) -> float:
        """Say how often to cycle when it is allowed and the best append is worth so much."""
        return self.bias.cycles

    def worth(self, state: State, action: Action) -> float:
        """Say how much an append is liked: it keeps cards on the line, best on a long branch."""
        assert action.onto is not None
        line, card = state.lines[action.onto], action.cards[0]
        lost = len(RULES.collected(state, line, card))
        size = len(line.cards) + 1 - lost
        lowest = min((RULES.value(state, other) for other in line.cards), default=5)
        worth = 0.5 * min(card.printed - lowest, 0) - 1.5 * lost
        if action.onto > 0:
            worth += 1 + 0.3 * size
            if size >= FULL:
                worth += 8 if state.collapsed else -4
        return worth

    def stray(self, rng: random.Random) -> str:
        """Give any action text, at times no action at all."""
        return rng.choice(GARBAGE) if rng.random() < 0.2 else stray_text(rng)


class Piler(Player):
    """Lets branches grow to 6 until two come to 7 in one turn; then one of them waits."""

    def draws(self, state: State, rng: random.Random) -> bool:
        """Save actions until there is a branch to open, or one to wait."""
        some = is_waiting(state) or len(nearly_full(state)) >= self.bias.stock
        opens = self.wants_branches(state) and rng.random() < 0.8
        return some or state.collapsed or opens or rng.random() < 0.02

    def plays(self, state: State, plays: list[Action]) -> list[Action]:
        """Leave what makes a branch wait, else what breaks no branch, or all while one waits."""
        ripe = [play for play in plays if self.is_ripe(state, play)]
        if ripe:
            return ripe
        if not is_waiting(state):
            return [play for play in plays if self.is_gentle(state, play)]
        return [play for play in plays if keeps_waiting(state, play)] if self.bias.keeps else plays

    def holds(self, state: State, plays: list[Action], rng: random.Random) -> bool:
        """Hold what is not ripe until the next turn."""
        if any(self.is_ripe(state, play) for play in plays):
            return False
        return (
            not is_waiting(state) or state.action in ("S", "Q") or super().holds(state, plays, rng)
        )

    def wants_branches(self, state: State) -> bool:
        """Say whether fewer branches stand than the policy wants to fill."""
        wanted = min(self.bias.stock, state.options.max_branches)
        return len(state.lines) <= wanted

    def is_gentle(self, state: State, play: Action) -> bool:
        """Say whether a play leaves all branches as long as they are."""
        if play.kind == "Q":
            return play.line == 0 and len(state.lines[play.onto or 0].cards) < FULL - 1
        if play.kind == "S":
            past = len(RULES.past(state.lines[0], play.at)) if play.line == 0 else 0
            return self.wants_branches(state) and 3 <= past < FULL
        return play.kind in "LP"

    def cycling(self, state: State, best: float) -> float:
        """Cycle rather than break a line."""
        return 0.9 if best < 0 else self.bias.cycles

    def is_ripe(self, state: State, play: Action) -> bool:
        """Say whether a play brings a branch to 7 so that another one comes to wait."""
        if not any(overflows(state, play)):
            return False
        full = nearly_full(state)
        stock = 2 if is_waiting(state) else self.bias.stock
        follows = state.step == "B" and len(full) >= stock - (play.onto not in full)
        follows = follows and not (self.bias.reserves and play.kind == "S")
        return play.line not in full and (state.collapsed or follows)

    def worth(self, state: State, action: Action) -> float:
        """Collapse a branch only when another one is nearly full."""
        worth = super().worth(state, action)
        full = nearly_full(state)
        if action.onto in full and not state.collapsed:
            spare = 4 if len(full) > self.bias.stock else -20
            worth += -3 if state.lines[action.onto].flipped else spare
        return worth


class Jammer(Piler):
    """Seals all lines but those that wait, so that a seat which has just cycled is stuck."""

    def plays(self, state: State, plays: list[Action]) -> list[Action]:
        """While a branch waits, seal the others and do nothing else."""
        if not is_waiting(state):
            return super().plays(state, plays)
        return [play for play in plays if play.kind == "K" and not state.lines[play.line].waiting]

    def holds(self, state: State, plays: list[Action], rng: random.Random) -> bool:
        """Hold no Quarantine while a branch waits."""
        return not plays if is_waiting(state) else super().holds(state, plays, rng)

    def cycling(self, state: State, best: float) -> float:
        """Cycle while a branch waits."""
        ripe = is_waiting(state) or len(nearly_full(state)) > 1
        return 0.8 if ripe else super().cycling(state, best)


class Flipper(Player):
    """Flips lines from hold, then appends and plays there."""

    def holds(self, state: State, plays: list[Action], rng: random.Random) -> bool:
        """Hold a Paradox Loop; play on a flipped line at once."""
        return state.action == "L" or (
            not any(line.flipped for line in state.lines) and rng.random() < self.bias.holds
        )

    def plays(self, state: State, plays: list[Action]) -> list[Action]:
        """Flip a long line; play on a flipped line if that is possible."""
        good = [play for play in plays if self.is_liked(state, play)]
        return good or plays

    def is_liked(self, state: State, play: Action) -> bool:
        """Say whether a play flips a long line or has to do with a flipped one."""
        line = state.lines[play.line]
        if play.kind == "L":
            return 1 < len(line.cards) < FULL and line.open
        return line.flipped or (play.onto is not None and state.lines[play.onto].flipped)

    def worth(self, state: State, action: Action) -> float:
        """Append to a flipped line, best beside a card of the same era."""
        assert action.onto is not None
        line = state.lines[action.onto]
        worth = super().worth(state, action)
        if line.flipped:
            worth += 8 if makes_slide(state, line, action) else 4
        return worth


# What a play may bring about


def is_waiting(state: State) -> bool:
    """Say whether any branch waits."""
    return any(line.waiting for line in state.lines)


def nearly_full(state: State) -> list[int]:
    """List the open branches that one more card brings to 7."""
    return [
        number
        for number, line in enumerate(state.lines)
        if number > 0 and line.open and len(line.cards) == FULL - 1
    ]


def keeps_waiting(state: State, play: Action) -> bool:
    """Say whether a play takes no card from a branch, nor opens one."""
    return play.kind in "LPK" or (play.kind in "SQ" and play.line == 0)


def makes_slide(state: State, line: Line, action: Action) -> bool:
    """Say whether an append to a line pins its neighbour."""
    card = action.cards[0]
    added = RULES.add(line, card)
    return RULES.slides(added, RULES.take(added, RULES.collected(state, added, card)), card)


def overflows(state: State, action: Action) -> Iterator[str]:
    """Name what a Shear or a Shunt does to a branch that comes to 7 cards."""
    line = state.lines[action.line]
    what = "WAITING" if state.collapsed else "COLLAPSE"
    shears = action.kind == "S" and RULES.may_open_branch(state)
    if shears and len(RULES.past(line, action.at)) >= FULL:
        yield f"{what} BY SHEAR"
    if action.kind == "Q" and action.onto and len(state.lines[action.onto].cards) >= FULL - 1:
        yield f"{what} BY SHUNT"


def seals(state: State, action: Action) -> Iterator[str]:
    """Name what a Quarantine may lead to."""
    line = state.lines[action.line]
    if line.waiting_for not in (None, state.seat):
        yield "WAITING SEALED AT START"
    if line.waiting_for == state.seat:
        yield "OWN SEAL LIFTS BEFORE COLLAPSE"
    if RULES.may_redeem(state, line):
        yield "SEALED NEGATIVE"
    others = [other for other in state.lines if other.open and other is not line]
    if all(other.waiting for other in others):
        yield "SKIP R11B" if others else "SKIP R11"


def use_names(state: State, play: Action) -> list[str]:
    """Name all that a play is good for."""
    names = [*target_names(state, play), *overflows(state, play)]
    if play.kind == "L" and state.step == "B" and play.line in nearly_full(state):
        names.append("COLLAPSE FLIPPED")
    return names + list(seals(state, play)) if play.kind == "K" else names


def stray_text(rng: random.Random) -> str:
    """Write a well-formed decision."""
    card = rng.choice(ERA_LETTERS) + str(rng.randrange(9))
    line, onto, index = rng.randrange(4), rng.randrange(4), rng.randrange(5)
    letter = rng.choice(ACTIONS)
    texts = {"S": f"S{line}:{index}", "R": f"R{line}:{index}", "Q": f"Q{line}:{index}>{onto}"}
    texts["M"] = rng.choice((f"M{line}", f"M{line}>{onto}"))
    play = texts.get(letter, f"{letter}{line}")
    return rng.choice((play, play, f"{card}>{line}", f"~{card}", "~", ".", "X", "H", "D", "E"))
