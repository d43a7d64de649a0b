"""For every rule event of OffTrack the built positions that show it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from .offtrack_build import Plan
from .offtrack_cards import ACTIONS
from .offtrack_cover import DECISIONS, EVENTS, NAMES, TARGETS

SOME, SIX, MANY, NO_CARDS = (2, 3, 4, 6), (6,), (8, 9), (0,)
"""Lengths of lines."""

TARGET_PLANS: dict[str, Plan] = {
    "SHEAR PRIME INTO BRANCH": Plan(prime=SOME, room=1, branches=2),
    "SHEAR BRANCH INTO BRANCH": Plan(sizes=SOME, room=1, branches=2),
    "SHEAR OFF PRIME": Plan(prime=SOME, room=0),
    "SHEAR OFF BRANCH": Plan(sizes=SOME, room=0),
    "MEND ALONE": Plan(sizes=(1,)),
    "MEND ONTO PRIME": Plan(sizes=SOME),
    "MEND ONTO BRANCH": Plan(sizes=(2, 3), room=0, branches=2),
    "SHUNT PRIME TO BRANCH": Plan(prime=SOME),
    "SHUNT BRANCH TO PRIME": Plan(sizes=SOME),
    "SHUNT BRANCH TO BRANCH": Plan(sizes=SOME, room=0, branches=2),
    "RECALL EDGE": Plan(),
    "RECALL OTHER": Plan(),
    "RECALL ON SEALED": Plan(seals=0.7),
    "LOOP PLAIN": Plan(),
    "LOOP SEALED": Plan(seals=0.7),
    "LOOP WAITING": Plan(waits=0.8),
    "LOOP EMPTY": Plan(sizes=NO_CARDS),
    "REDEEM OPEN": Plan(lows=1, redeems=0),
    "REDEEM SEALED": Plan(lows=1, redeems=0, seals=0.7),
    "QUARANTINE PRIME": Plan(),
    "QUARANTINE BRANCH": Plan(),
    "BREACH BRANCH": Plan(sizes=SOME),
    "BREACH SEALED": Plan(seals=0.7),
}
"""Where each kind of target is found, whether the action is held or drawn."""

TURN_PLANS: dict[str, Plan] = {
    "COLLAPSE BY APPEND": Plan("C", sizes=SIX, falls=0),
    "COLLAPSE BY SHUNT": Plan("BA", "Q", sizes=SIX, falls=0),
    "COLLAPSE BY SHEAR": Plan("BA", "S", prime=MANY, room=1, seals=0, falls=0, branches=2),
    "COLLAPSE AT START": Plan("E", waits=0.8, seals=0),
    "WAITING BY APPEND": Plan("C", sizes=SIX, falls=1, branches=2),
    "WAITING BY SHUNT": Plan("BA", "Q", sizes=SIX, room=0, falls=1, branches=2),
    "WAITING BY SHEAR": Plan("BA", "S", prime=MANY, room=1, seals=0, falls=1, branches=2),
    "WAITING LIFTED": Plan("BA", "SMQRB", waits=0.8),
    "TWO WAITING": Plan("CA", "Q", sizes=SIX, room=0, waits=0.5, seals=0, falls=1, branches=3),
    "ONE OF TWO COLLAPSES": Plan("E", room=0, waits=1, seals=0, falls=0, branches=2),
    "WAITING AFTER ONE AT START": Plan(
        "E", sizes=SIX, room=0, waits=0.5, seals=0, falls=0, branches=2
    ),
    "WAITING SEALED AT START": Plan("E", waits=0.8, seals=0.7, seats=3),
    "OWN SEAL LIFTS BEFORE COLLAPSE": Plan("E", waits=0.8, seals=0.9),
    "SKIP R11": Plan("C", seals=1),
    "SKIP R11B": Plan("C", waits=0.7, jams=1),
    "SKIP WITH MARK": Plan("C", seals=1),
}
"""What brings about collapses, waiting and skips."""

PIN_PLANS: dict[str, Plan] = {
    "SLIDE": Plan("C", prime=SOME, sizes=SOME),
    "SLIDE TAKES OVER": Plan("C", prime=SOME, sizes=SOME, pins=1),
    "SLIDE TO THE SAME": Plan("C", prime=SOME, sizes=SOME, pins=1),
    "FLIP ENDS PIN": Plan("BA", "L", pins=1),
    "PIN OUTLASTS FLIP": Plan("CE", prime=SOME, sizes=SOME, flips=1),
    "PIN LEAVES": Plan("C", pins=1),
    "PIN SHIFTS": Plan("BA", "Q", prime=SOME, sizes=SOME, pins=1),
    "COLLAPSE OF PINNED": Plan("C", sizes=SIX, pins=1, falls=0),
    "MEND OF PINNED": Plan("BA", "M", sizes=SOME, pins=1),
    "BREACH OF PINNED": Plan("BA", "B", sizes=SOME, pins=1),
}
"""What brings about slides and what becomes of pins."""

IN_FLIP = Plan("A", prime=SOME, sizes=SOME, seals=0, flips=1)

FLIP_PLANS: dict[str, Plan] = {
    "APPEND FLIPPED": replace(IN_FLIP, steps="C"),
    "SLIDE FLIPPED": replace(IN_FLIP, steps="C"),
    "COLLAPSE FLIPPED": replace(
        IN_FLIP, steps="CA", letters="Q", sizes=SIX, room=0, waits=0, falls=0, branches=3
    ),
    "SHEAR FLIPPED": replace(IN_FLIP, letters="S"),
    "MEND FROM FLIPPED": replace(IN_FLIP, letters="M"),
    "MEND ONTO FLIPPED": replace(IN_FLIP, letters="M"),
    "SHUNT ONTO FLIPPED": replace(IN_FLIP, letters="Q"),
    "RECALL FLIPPED": replace(IN_FLIP, letters="R"),
    "BREACH FLIPPED": replace(IN_FLIP, letters="B"),
}
"""What happens on flipped lines."""

AT_END = Plan("CE", calls=1)

ROUND_PLANS: dict[str, Plan] = {
    "REDEEMED COLLECTED": Plan("C", lows=1, redeems=1),
    "REDEEMED AT SCORING": replace(AT_END, lows=0.5, redeems=1),
    "NO TARGET": Plan("BA", seals=1),
    "SECOND COPY": Plan("BA", "SQR"),
    "RESHUFFLE": Plan("C", short=1),
    "EMPTY DECK LEFT": Plan("C", short=1),
    "END CALLED": Plan("C", short=1),
    "CYCLE AFTER CALL": replace(AT_END, steps="C"),
    "DRAWS RUN OUT": replace(AT_END, steps="C"),
    "EVERY TURN": Plan("C", every_turn=True),
    "NO ACTION DECK": Plan("C"),
    "NEXT ROUND": AT_END,
    "TIED ROUND": replace(AT_END, steps="E", level=1),
    "TIED MATCH": replace(AT_END, steps="E", level=1),
    "SHARED VICTORY": replace(AT_END, steps="E", level=1, seats=3),
    "LOW DECIDES": AT_END,
}
"""What has to do with the decks, the round and the match."""


LIKE: dict[str, str] = {
    **dict.fromkeys(("ROUND_STARTED", "DEALT", "ROUND_SCORED"), "NEXT ROUND"),
    **dict.fromkeys(("SKIP", "SKIPPED"), "SKIP R11"),
    "SEAL_LIFTED": "WAITING SEALED AT START",
    "COLLAPSED": "COLLAPSE BY APPEND",
    "WAITING": "WAITING BY APPEND",
    "SHEARED": "DRAWN SHEAR OFF PRIME",
    "BOXED": "DRAWN SHEAR OFF PRIME",
    "SCORED": "HELD BREACH BRANCH",
    "MOVED": "DRAWN SHUNT BRANCH TO PRIME",
    "RECALLED": "HELD RECALL OTHER",
    "FLIPPED": "HELD LOOP PLAIN",
    "REDEEMED": "DRAWN REDEEM OPEN",
    "SEALED": "HELD QUARANTINE PRIME",
    "OPENED": "HELD BREACH SEALED",
    "RESHUFFLED": "RESHUFFLE",
    "END_CALLED": "END CALLED",
}
"""Decisions and events that other names have a plan for; the rest comes about anywhere."""


def _plans() -> Iterator[tuple[str, Plan]]:
    """Give the plan of every rule event."""
    for letter, action in zip(ACTIONS, TARGETS, strict=True):
        for kind in TARGETS[action]:
            plan = replace(TARGET_PLANS[f"{action} {kind}"], letters=letter)
            yield f"HELD {action} {kind}", replace(plan, steps="B")
            yield f"DRAWN {action} {kind}", replace(plan, steps="A")
    for letter in "SMQRPKB":
        yield (
            f"{NAMES[letter]} OF WAITING",
            Plan("BA", letter, waits=0.8, lows=0.7 * (letter == "P")),
        )
    for plans in (TURN_PLANS, PIN_PLANS, FLIP_PLANS, ROUND_PLANS):
        yield from plans.items()


_NAMED = dict(_plans())

PLANS = {name: _NAMED[LIKE[name]] if name in LIKE else Plan() for name in (*DECISIONS, *EVENTS)}
PLANS |= _NAMED
"""The plan of every rule event."""


class Aim:
    """Aims at the rule events seen least, and less often at those that were missed often."""

    def __init__(self, seen: Counter[str]) -> None:
        """Take what counts the rule events seen, kept over games."""
        self.seen = seen
        self.tries: Counter[str] = Counter()

    def next(self) -> Plan:
        """Give the next plan."""
        name = min(PLANS, key=lambda name: self.seen[name] + self.tries[name] / 4)
        self.tries[name] += 1
        return PLANS[name]
