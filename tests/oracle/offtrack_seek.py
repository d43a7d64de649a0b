"""Play of OffTrack that looks one decision ahead for the rule events seen least."""

from __future__ import annotations

import random
from math import inf

from .chance import Draws
from .coverage import Step
from .offtrack import RULES
from .offtrack_actions import CYCLE, DRAW
from .offtrack_cover import step_names
from .offtrack_play import Player
from .offtrack_state import State

CYCLES, OTHERS = 2, 8
"""How many cycles are tried, and how many other decisions of each kind."""


class Seeker(Player):
    """Tries some of the decisions by the oracle and does what shows the rarest rule event."""

    def choose(self, state: State, legal: list[str], rng: random.Random) -> str:
        """Choose an action; an action card is drawn when nothing else is to be seen."""
        if len(legal) == 1:
            return legal[0]
        names = {text: self.names(state, text, rng) for text in self.tried(legal, rng)}
        rarity = {text: min(map(self.seen.__getitem__, names[text]), default=inf) for text in names}
        best = min(rarity, key=rarity.__getitem__)
        if rarity[best] == inf:
            return DRAW if DRAW in legal else rng.choice(legal)
        self.seen.update(names[best])
        return best

    def tried(self, legal: list[str], rng: random.Random) -> list[str]:
        """Leave some of each kind of decisions, in any order."""
        rng.shuffle(texts := list(legal))
        cycles = [text for text in texts if text[0] == CYCLE]
        others = [text for text in texts if text[0] != CYCLE]
        ends = [text for text in others if len(text) == 1]
        return [*cycles[:CYCLES], *ends, *[text for text in others if len(text) > 1][:OTHERS]]

    def names(self, state: State, text: str, rng: random.Random) -> list[str]:
        """Name the rule events that a decision may show."""
        after, events = RULES.apply(state, text, Draws.random(rng))
        return step_names(Step(state, text, events, after))
