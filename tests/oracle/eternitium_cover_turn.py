"""What the coverage of Eternitium counts of set-up, turns, draws, the market and the end."""

from __future__ import annotations

from collections.abc import Iterator

from .common import Event
from .coverage import Step
from .eternitium import RULES
from .eternitium_actions import (
    ADVANCED,
    BASIC,
    END_PLAY,
    KEEP,
    PORTAL,
    REFIT,
    REMOVE,
    TAKE_BASIC,
    UNSEEN,
    Action,
    find,
)
from .eternitium_cards import SYMBOLS
from .eternitium_state import Seat, State

EXPECTED_TURNS: tuple[str, ...] = (
    *("TAKE_BASIC FROM ROW", "TAKE_BASIC UNSEEN", "FIRST HANDS"),
    *("PORTAL TAKEN", "LAST OF A SYMBOL", "LAST PORTAL", "NO PORTAL LEFT"),
    *("END WITHOUT PLAY", "END AFTER PLAY", "END WITH EMPTY HAND", "REFIT", "REFIT IN EXTRA TURN"),
    *("REMOVE PORTAL", "REMOVE TECHNOLOGY", "REMOVE TO SIX"),
    *("KEEP NONE", "KEEP PORTAL", "KEEP TECHNOLOGY", "KEEP OF TWO EQUAL"),
    *("REFILL TO 4", "REFILL TO 5", "REFILL TO 6", "REFILL TO 6 WITH KEPT"),
    *("RESHUFFLE IN REFILL", "RESHUFFLE IN PLAY", "NEW TECHNOLOGY DRAWN", "NO DRAW LEFT"),
    *("EXTRA TURN", "EXTRA TURN WITHOUT ERAS", "EXTRA TURN AFTER LOST", "EXTRA TURN ENDS"),
    *("EXTRA TURN BEFORE ROUND ENDS", "NEXT ROUND", "NEXT AFTER ONE WITHOUT ERAS"),
)

EXPECTED_MARKET: tuple[str, ...] = (
    *(f"{name} {place}" for name in ("BASIC", "ADVANCED") for place in ("ROW", "UNSEEN")),
    *(f"{name} WITH {number} VISIBLE" for name in ("BASIC", "ADVANCED") for number in (0, 1, 2)),
    *("BASIC LEFT", "BASIC RIGHT", "NO_TECHNOLOGY", "TECHNOLOGY AFTER LOST"),
    *("TECHNOLOGY AFTER REFIT", "ERA AGAIN", "ONE PLACE OF TWO REFILLED", "PILE RUNS OUT"),
    *("BASIC PUT UNDER", "ADVANCED PUT UNDER", "SEVERAL PUT UNDER"),
    *("BASIC PLACE LEFT EMPTY", "ADVANCED PLACE LEFT EMPTY", "OTHER PLACE STAYS EMPTY"),
    *("TAKEN FROM UNDER", "FILLED FROM UNDER", "ERA FROM UNDER"),
)

EXPECTED_END: tuple[str, ...] = (
    *("END BY ERAS", "END BY ERAS OF SEVERAL", "END BY ROUNDS", "END BY ROUNDS OF SEVERAL"),
    *("WON BY POINTS", "WON BY ADVANCED", "VICTORY SHARED", "WON BY ROUNDS BY ADVANCED"),
    *("VICTORY SHARED BY ROUNDS", "LOSER HAS MORE POINTS"),
    *("FORFEITED ENDS NOTHING", "FORFEITED WINS NOTHING"),
)


# The step's own names


def choice_names(before: State, action: Action) -> Iterator[str]:
    """Name what a decision is, but for playing a card."""
    if action.kind == TAKE_BASIC:
        yield f"TAKE_BASIC {'UNSEEN' if action.place == UNSEEN else 'FROM ROW'}"
    if action.kind == PORTAL:
        yield from portal_names(before, action.cards[0])
    if action.kind == END_PLAY:
        yield "END AFTER PLAY" if before.played else "END WITHOUT PLAY"
        if not before.own.hand:
            yield "END WITH EMPTY HAND"
    if action.kind == REFIT:
        yield "REFIT IN EXTRA TURN" if before.extra else "REFIT"
    if action.kind == REMOVE:
        yield from remove_names(before, action.cards[0])
    if action.kind == KEEP:
        yield from keep_names(before.own, action)


def portal_names(before: State, symbol: str) -> Iterator[str]:
    """Name what is taken from the supply."""
    yield "PORTAL TAKEN"
    if before.supply.count(symbol) == 1:
        yield "LAST PORTAL" if len(before.supply) == 1 else "LAST OF A SYMBOL"


def remove_names(before: State, kind: str) -> Iterator[str]:
    """Name what a refit removes."""
    yield "REMOVE PORTAL" if kind in SYMBOLS else "REMOVE TECHNOLOGY"
    if len(before.own.owned) == 7:
        yield "REMOVE TO SIX"


def keep_names(own: Seat, action: Action) -> Iterator[str]:
    """Name what a refit keeps."""
    if not action.cards:
        yield "KEEP NONE"
        return
    kind = action.cards[0]
    yield "KEEP PORTAL" if kind in SYMBOLS else "KEEP TECHNOLOGY"
    if own.hand.count(kind) > 1:
        yield "KEEP OF TWO EQUAL"


# The market


def market_names(step: Step[State], action: Action) -> Iterator[str]:
    """Name what is acquired in step d."""
    before = step.before
    if before.step != "technology":
        return
    if action.kind not in (BASIC, ADVANCED):
        yield "NO_TECHNOLOGY"
        return
    name = "BASIC" if action.kind == BASIC else "ADVANCED"
    visible = sum(era is not None for era in before.visible)
    yield f"{name} {'UNSEEN' if action.place == UNSEEN else 'ROW'}"
    yield f"{name} WITH {visible} VISIBLE"
    if action.era is not None:
        yield f"BASIC {'RIGHT' if action.era else 'LEFT'}"
    yield from circumstance_names(step, visible)
    yield from deck_names(step, action)


def circumstance_names(step: Step[State], visible: int) -> Iterator[str]:
    """Name under what circumstances a technology is taken."""
    before = step.before
    if before.refill != 5:
        yield f"TECHNOLOGY AFTER {'LOST' if before.refill == 4 else 'REFIT'}"
    if visible and not before.own.eras.size:
        yield "ERA AGAIN"
    shown = sum(event[0] == "VISIBLE_ERA" for event in step.events)
    if shown == 1 and visible == 2 and None in step.after.visible:
        yield "ONE PLACE OF TWO REFILLED"
    if before.era_pile.size and not step.after.era_pile.size:
        yield "PILE RUNS OUT"


def deck_names(step: Step[State], action: Action) -> Iterator[str]:
    """Name what is special about the deck that a card comes from."""
    before, advanced = step.before, action.kind == ADVANCED
    deck, row = RULES.deck(before, advanced), RULES.row(before, advanced)
    if action.place == UNSEEN:
        if not deck.pool and deck.size:
            yield "TAKEN FROM UNDER"
    elif None in row and RULES.row(step.after, advanced)[action.place or 0] is not None:
        yield "OTHER PLACE STAYS EMPTY"


def filling_names(step: Step[State]) -> Iterator[str]:
    """Name what happened while places of rows were filled."""
    under = [event for event in step.events if event[0] == "TECHNOLOGY_UNDER"]
    yield from {f"{event[1]} PUT UNDER" for event in under}
    if len(under) > 1:
        yield "SEVERAL PUT UNDER"
    for name, advanced in (("BASIC", False), ("ADVANCED", True)):
        lost = RULES.row(step.before, advanced).count(None)
        if RULES.row(step.after, advanced).count(None) > lost:
            yield f"{name} PLACE LEFT EMPTY"
        turned = [event for event in step.events if event[:2] == ("TECHNOLOGY_TURNED", name)]
        if turned and not RULES.deck(step.before, advanced).pool:
            yield "FILLED FROM UNDER"


# Turns and draws


def of_turn(events: list[Event]) -> list[Event]:
    """List the events up to the end of the turn."""
    names = [event[0] for event in events]
    return events[: names.index("TURN_ENDED")] if "TURN_ENDED" in names else events


def draw_names(step: Step[State]) -> Iterator[str]:
    """Name how cards were drawn in the turn of the seat to act."""
    before = step.before
    refills = before.step == "technology"
    events = of_turn(step.events)
    if any(event[0] == "RESHUFFLED" for event in events):
        yield "RESHUFFLE IN REFILL" if refills else "RESHUFFLE IN PLAY"
    if refills:
        yield f"REFILL TO {before.refill}"
        if before.own.hand:
            yield "REFILL TO 6 WITH KEPT"
        if any(event[0] == "TECHNOLOGY_TAKEN" for event in events):
            yield "NEW TECHNOLOGY DRAWN"
    played = any(event[0] == "PLAYED" for event in events)
    draws = step.action[:1] in "CRMW" and played
    if draws and not any(event[0] == "DRAWN" for event in events):
        yield "NO DRAW LEFT"


def turn_end_names(step: Step[State]) -> Iterator[str]:
    """Name how a turn ended and what began."""
    before, after = step.before, step.after
    if not any(event[0] == "TURN_ENDED" for event in step.events):
        return
    if before.looped:
        yield from extra_names(before)
    if before.extra:
        yield "EXTRA TURN ENDS"
    if after.actor is None:
        yield from end_names(after)
        return
    if after.round > before.round:
        yield "NEXT ROUND"
        if any(not after.seats[seat].eras.size for seat in after.forfeited):
            yield "FORFEITED ENDS NOTHING"
    elif after.seat != before.seat and not after.seats[before.seat].eras.size:
        yield "NEXT AFTER ONE WITHOUT ERAS"
    if after.step == "play":
        yield "NO PORTAL LEFT"


def extra_names(before: State) -> Iterator[str]:
    """Name how an extra turn came about."""
    yield "EXTRA TURN"
    if not before.own.eras.size:
        yield "EXTRA TURN WITHOUT ERAS"
    if before.refill == 4:
        yield "EXTRA TURN AFTER LOST"
    if before.seat == before.options.seats - 1:
        yield "EXTRA TURN BEFORE ROUND ENDS"


def end_names(after: State) -> Iterator[str]:
    """Name how a match ended."""
    result = RULES.outcome(after)
    assert result is not None
    among = RULES.candidates(after)
    by_eras = result.reason == "ERAS_GONE"
    yield f"END BY {'ERAS' if by_eras else 'ROUNDS'}{' OF SEVERAL' if len(among) > 1 else ''}"
    if max(result.scores) > result.scores[result.winners[0]]:
        yield "LOSER HAS MORE POINTS"
    fewest = after.seats[among[0]].eras.size
    if any(after.seats[seat].eras.size <= fewest for seat in after.forfeited):
        yield "FORFEITED WINS NOTHING"
    if len(among) > 1:
        yield from rank_names(after, among, by_eras)


def rank_names(after: State, among: list[int], by_eras: bool) -> Iterator[str]:
    """Name what decided between several seats."""
    first, second = sorted((RULES.rank(after, seat) for seat in among), reverse=True)[:2]
    if first == second:
        yield "VICTORY SHARED" if by_eras else "VICTORY SHARED BY ROUNDS"
    elif first[0] == second[0]:
        yield "WON BY ADVANCED" if by_eras else "WON BY ROUNDS BY ADVANCED"
    elif by_eras:
        yield "WON BY POINTS"


def other_names(step: Step[State]) -> Iterator[str]:
    """Name what does not belong to one decision."""
    before, after = step.before, step.after
    if before.step == "basic" and after.step != "basic":
        yield "FIRST HANDS"
    fixed, left = below(before.own), below(after.seats[before.seat])
    if len(left) < len(fixed) and not after.seats[before.seat].eras.pool:
        yield "ERA FROM UNDER"


def below(seat: Seat) -> tuple[str, ...]:
    """List the Eras of a fixed place below the top when no others are left."""
    return () if seat.eras.pool else seat.eras.bottom


def turn_names(step: Step[State]) -> Iterator[str]:
    """Name the rule events of set-up, turns, draws, the market and the end."""
    action = find(step.before, step.action)
    assert action is not None
    yield from choice_names(step.before, action)
    yield from market_names(step, action)
    yield from filling_names(step)
    yield from draw_names(step)
    yield from turn_end_names(step)
    yield from other_names(step)
