"""Whether a history of calls can be true: linearizability after Wing, Gong and Lowe.

A history is linearizable if each call can be given a moment between its beginning and its end
so that, carried out in the order of these moments, one after the other, the calls have the
results that they had. A call of which nobody knows the result may have happened at any moment
after its beginning, or never.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

State = TypeVar("State", bound=Hashable)

UNKNOWN = object()
"""The result of a call that was never answered; it ends at infinity."""


class Model(Protocol[State]):
    """What the calls do when there is one at a time.

    A call that has had its effect has no second one, however often it is carried out.
    """

    def begin(self) -> State:
        """The state before all calls."""

    def apply(self, state: State, call: object) -> tuple[object, State]:
        """The result of a call, and the state after it."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A call: when it began and ended, and its result."""

    call: object
    begin: float
    end: float = math.inf
    result: object = UNKNOWN


def is_linearizable(history: Sequence[Operation], model: Model[State]) -> bool:
    """Search for an order, along each way to a state no more than once."""
    by_begin = sorted(history, key=lambda each: each.begin)
    known = [each for each in by_begin if each.result is not UNKNOWN]
    # Of those that are the same the first can do all that the others can.
    unknown = {each.call: each.begin for each in reversed(by_begin) if each.result is UNKNOWN}
    everything = (1 << len(known)) - 1
    start = (0, model.begin())
    seen, waiting = {start}, [start]
    while waiting:
        done, state = waiting.pop()
        if done == everything:
            return True
        for reached in _steps(known, unknown, done, state, model):
            if reached not in seen:
                seen.add(reached)
                waiting.append(reached)
    return False


def _steps(
    known: Sequence[Operation],
    unknown: Mapping[object, float],
    done: int,
    state: State,
    model: Model[State],
) -> list[tuple[int, State]]:
    """What may come next: the known calls that are done then, as bits, and the state."""
    steps = []
    places, until = _next(known, done)
    for place in places:
        result, after = model.apply(state, known[place].call)
        if result == known[place].result:
            step = (done | 1 << place, after)
            if after == state:
                # It fits and changes nothing: in any order that goes on from here it may be first.
                return [step]
            steps.append(step)
    for call, begin in unknown.items():
        # Where one changes nothing, it may as well never have happened.
        if begin <= until and (after := model.apply(state, call)[1]) != state:
            steps.append((done, after))
    return steps


def _next(known: Sequence[Operation], done: int) -> tuple[list[int], float]:
    """The places of those that may come next, and when the first of all that are left ends.

    What begins later than that cannot come next.
    """
    places, until = [], math.inf
    first = (~done & (done + 1)).bit_length() - 1
    for place in range(first, len(known)):
        if known[place].begin > until:
            break
        if not done >> place & 1:
            until = min(until, known[place].end)
            places.append(place)
    return [place for place in places if known[place].begin <= until], until
