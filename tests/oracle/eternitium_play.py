"""Biased play of Eternitium: policies that bring the rare rules about."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from .eternitium_actions import (
    ADVANCED,
    BASIC,
    END_PLAY,
    KEEP,
    NO_TECHNOLOGY,
    PLAY,
    REFIT,
    REMOVE,
    UNSEEN,
    Action,
    candidates,
)
from .eternitium_cards import LETTERS, is_advanced, is_portal
from .eternitium_cover import target_names
from .eternitium_state import State

GARBAGE = (
    "",
    "-",
    "c0",
    "V",
    "V9",
    "R",
    "RR",
    "b",
    "b0x",
    "b4l",
    "a4",
    "^2",
    "+3",
    "@",
    "@D",
    "==",
)
"""Texts that are no decision in any state."""


@dataclass(frozen=True)
class Bias:
    """What a policy prefers: shares of the choices of each step."""

    refits: float = 0.15
    removes: float = 0.5
    ends: float = 0.05
    gambles: float = 0.5
    opens: float = 1.0
    takes: float = 0.6
    advanced: float = 0.5
    unseen: float = 0.3


class Player:
    """Chooses by step and bias; of the cards to play, the one whose use was seen least."""

    def __init__(self, bias: Bias, seen: Counter[str]) -> None:
        """Take the bias, and the uses of cards seen so far, kept over games."""
        self.bias = bias
        self.seen = seen

    def choose(self, state: State, legal: list[str], rng: random.Random) -> str:
        """Choose an action."""
        if len(legal) == 1:
            return legal[0]
        wanted = set(legal)
        actions = [action for action in candidates(state) if action.text in wanted]
        steps = {"play": self.play, "refit": self.refit, "technology": self.technology}
        choose = steps.get(state.step, self.any)
        return choose(state, actions, rng).text

    def any(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Choose any action."""
        return rng.choice(actions)

    # The play step

    def play(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Refit, play a card or end the step."""
        others = {action.kind: action for action in actions if action.kind != PLAY}
        if REFIT in others and rng.random() < self.bias.refits:
            return others[REFIT]
        plays = [action for action in actions if action.kind == PLAY]
        plays = [action for action in plays if self.likes(state, action, rng)]
        if not plays or rng.random() < self.bias.ends:
            return others[END_PLAY]
        return self.rarest(state, plays, rng)

    def likes(self, state: State, action: Action, rng: random.Random) -> bool:
        """Say whether to think of playing a card; Portals only as often as the bias says."""
        if not is_portal(action.cards[0]):
            return True
        share = self.bias.opens if state.own.face_up else self.bias.gambles
        return rng.random() < share

    def rarest(self, state: State, plays: list[Action], rng: random.Random) -> Action:
        """Choose the play that was seen least, at times any play."""
        if rng.random() < 0.1:
            return rng.choice(plays)
        rng.shuffle(plays)
        names = {play: list(target_names(state, play)) for play in plays}
        best = min(plays, key=lambda play: min(self.seen[name] for name in names[play]))
        self.seen.update(names[best])
        return best

    # The other steps

    def refit(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Remove a card, or keep one or none."""
        removes = [action for action in actions if action.kind == REMOVE]
        if removes and rng.random() < self.bias.removes:
            return rng.choice(removes)
        return rng.choice([action for action in actions if action.kind == KEEP])

    def technology(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Take a technology or none."""
        if rng.random() >= self.bias.takes:
            return next(action for action in actions if action.kind == NO_TECHNOLOGY)
        wanted = ADVANCED if rng.random() < self.bias.advanced else BASIC
        unseen = rng.random() < self.bias.unseen
        found = [action for action in actions if action.kind == wanted]
        best = [action for action in found if (action.place == UNSEEN) == unseen]
        return rng.choice(best or found or actions)

    def stray(self, rng: random.Random) -> str:
        """Give any action text, at times no action at all."""
        return rng.choice(GARBAGE) if rng.random() < 0.2 else stray_text(rng)


class Racer(Player):
    """Turns its Eras up and gets rid of them; takes no technology when it has none left."""

    def technology(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Stay without Eras, most of the time."""
        if not state.own.eras.size and rng.random() < 0.8:
            return next(action for action in actions if action.kind == NO_TECHNOLOGY)
        return super().technology(state, actions, rng)


class Looper(Player):
    """Plays Time Loops first, holds a lost gamble or its last Era for the turn of a Time Loop."""

    def rarest(self, state: State, plays: list[Action], rng: random.Random) -> Action:
        """Play a Time Loop as soon as there is one."""
        loops = [play for play in plays if play.cards == ("time_loop",)]
        return loops[0] if loops else super().rarest(state, plays, rng)


class Refiner(Player):
    """Removes cards whenever it can, so that seats come down to six cards."""

    def refit(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Remove Portals first, and keep technologies."""
        removes = [action for action in actions if action.kind == REMOVE]
        portals = [action for action in removes if not is_advanced(action.cards[0])]
        if portals and rng.random() < 0.9:
            return rng.choice(portals)
        return super().refit(state, actions, rng)


def stray_text(rng: random.Random) -> str:
    """Write a well-formed decision."""
    letters = "".join(LETTERS.values())
    kind, other = rng.choice(letters), rng.choice(letters)
    seat, place, side = rng.randrange(5), rng.choice("012?"), rng.choice(("l", "r", ""))
    texts = (kind, kind, f"{rng.choice('VXE')}{seat}", f"R{other}", f"b{place}{side}", f"a{place}")
    rest = (f"-{kind}", f"={kind}", "=", ".", "*", "n", f"@{rng.choice('cstd')}", f"+{place}")
    return rng.choice((*texts, *rest, f"^{rng.randrange(2)}"))
