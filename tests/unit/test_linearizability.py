"""The check of histories, against one that tries every order, and against planted anomalies."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement, permutations

import pytest

from support.histories import (
    FIRST_VERSION,
    Acted,
    Course,
    MatchModel,
    Read,
    Shown,
    Stale,
    Submit,
    is_possible,
)
from support.linearizability import UNKNOWN, Operation

V = FIRST_VERSION
SUBMITS = [Submit(request, V + number % 2, 1) for number, request in enumerate("abcd")]
MODEL = MatchModel()
ANSWERED = [
    *((Read(), Shown(V + count, count)) for count in range(3)),
    *((submit, result) for submit in SUBMITS for result in (Acted(V + 1), Stale(V), UNKNOWN)),
    *((submit, Acted(V + 2)) for submit in SUBMITS[1::2]),
]


def is_possible_in_some_order(history: Sequence[Operation]) -> bool:
    """The same by trying every order of every choice of calls."""
    known = [each for each in history if each.result is not UNKNOWN]
    unknown = [each for each in history if each.result is UNKNOWN]
    for chosen in range(1 << len(unknown)):
        happened = known + [each for place, each in enumerate(unknown) if chosen >> place & 1]
        if any(explains(order) for order in permutations(happened)):
            return True
    return False


def explains(order: Sequence[Operation]) -> bool:
    state = MODEL.begin()
    for place, each in enumerate(order):
        if any(later.end < each.begin for later in order[place:]):
            return False
        result, state = MODEL.apply(state, each.call)
        if each.result not in (UNKNOWN, result):
            return False
    return True


def overlaps(count: int) -> Iterator[list[tuple[int, int]]]:
    """Every way in which so many calls can overlap, as begins and ends."""
    for order in sorted(set(permutations([*range(count)] * 2))):
        places = [[place for place, each in enumerate(order) if each == n] for n in range(count)]
        yield [(begin, end) for begin, end in places]


def operation(answered: tuple[object, object], span: tuple[int, int]) -> Operation:
    call, result = answered
    return Operation(call, span[0], math.inf if result is UNKNOWN else span[1], result)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_tiny_history_is_judged_as_by_trying_every_order(count: int) -> None:
    spans = list(overlaps(count))
    judged = {True: 0, False: 0}
    for answered in combinations_with_replacement(ANSWERED, count):
        for span in spans:
            history = [*map(operation, answered, span)]
            expected = is_possible_in_some_order(history)
            assert is_possible(history) == expected
            judged[expected] += 1
    assert min(judged.values()) > 3


def test_larger_histories_are_judged_as_by_trying_every_order() -> None:
    chooser = random.Random(5)
    judged = {True: 0, False: 0}
    for _ in range(3_000):
        ends = chooser.sample(range(12), 12)
        spans = [(min(pair), max(pair)) for pair in zip(ends[::2], ends[1::2], strict=True)]
        history = [operation(chooser.choice(ANSWERED), span) for span in spans[:5]]
        expected = is_possible_in_some_order(history)
        assert is_possible(history) == expected
        judged[expected] += 1
    assert min(judged.values()) > 50


class Server:
    """A match that is served well, or with a fault."""

    def __init__(self, fault: str, chooser: random.Random) -> None:
        self._fault, self._chooser = fault, chooser
        self._states: list[Course] = [MODEL.begin()]

    def call(self, call: Read | Submit) -> object:
        result, after = MODEL.apply(self._states[-1], call)
        is_faulty = self._chooser.random() < 0.1
        if is_faulty and self._fault == "stale read" and isinstance(call, Read):
            return MODEL.apply(self._states[-2 if len(self._states) > 1 else -1], call)[0]
        if after == self._states[-1]:
            return result
        if is_faulty and self._fault == "doubled effect":
            after = replace(after, version=after.version + 1, total=2 * after.total + 1)
        if not (is_faulty and self._fault == "lost acknowledgement"):
            self._states.append(after)
        return result


def recorded(fault: str, seed: int) -> list[Operation]:
    """A history of some clients at once, each call carried out at some moment within its span."""
    chooser = random.Random(seed)
    server, version, history = Server(fault, chooser), V, []
    for number in range(80):
        call = Read() if chooser.random() < 0.5 else Submit(f"r{number}", version, 1)
        begin, end = number - chooser.uniform(0, 1.2), number + chooser.uniform(0, 1.2)
        result = server.call(call)
        version = getattr(result, "version", version)
        if chooser.random() < 0.08:
            result, end = UNKNOWN, math.inf
        history.append(Operation(call, begin, end, result))
    return history


@pytest.mark.parametrize("seed", range(20))
def test_what_a_sound_server_does_is_linearizable(seed: int) -> None:
    history = recorded("none", seed)
    assert is_possible(history)


@pytest.mark.parametrize("fault", ["stale read", "lost acknowledgement", "doubled effect"])
def test_a_planted_anomaly_is_found(fault: str) -> None:
    histories = [recorded(fault, seed) for seed in range(20)]
    found = [not is_possible(each) for each in histories]
    # A read that overlaps the write may show what was before, and some anomalies nobody sees.
    assert sum(found) >= 18
