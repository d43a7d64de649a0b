"""The batches of one caller, and what they may cost."""

from collections.abc import Callable, Sequence
from threading import Lock

from tablestate_service.domain.errors import (
    DomainError,
    invalid_field,
    limit_reached,
    shutting_down,
)
from tablestate_service.ports.simulator import EngineBatch

MAX_SIZE = 4096
MAX_BATCHES = 64
MAX_REPLY_BYTES = 4 * 1024 * 1024 - 64 * 1024
"""Below what gRPC clients take by default, with room for the envelope."""


class SlotBudget:
    """The slots that all callers together may have. For any thread."""

    def __init__(self, most: int) -> None:
        """Let them have so many."""
        self._most = most
        self._taken = 0
        self._lock = Lock()

    @property
    def taken(self) -> int:
        """How many are taken."""
        return self._taken

    def take(self, slots: int) -> None:
        """Count slots; refuses LIMIT_REACHED."""
        with self._lock:
            if self._taken + slots > self._most:
                raise limit_reached("max_slots", self._most)
            self._taken += slots

    def give_back(self, slots: int) -> None:
        """Count slots that are free again."""
        with self._lock:
            self._taken -= slots


class Batches:
    """Batches by the numbers that their caller has chosen. For any thread."""

    def __init__(self, budget: SlotBudget) -> None:
        """Begin without any."""
        self._budget = budget
        self._held: dict[int, EngineBatch] = {}
        self._lock = Lock()
        self._is_closed = False

    def get(self, number: int, field: str = "batch") -> EngineBatch:
        """A batch; refuses INVALID_FIELD if there is none of this number."""
        found = self._held.get(number)
        if found is None:
            raise _no_batch(field, number)
        return found

    def size_of(self, number: int) -> int:
        """The slots of a batch; 0 if there is none of this number."""
        found = self._held.get(number)
        return 0 if found is None else found.size

    def add(self, number: int, size: int, make: Callable[[], EngineBatch]) -> EngineBatch:
        """Make a batch of a size under a new number.

        Refuses INVALID_FIELD for a number in use, LIMIT_REACHED beyond the budget.
        """
        if number in self._held:
            raise invalid_field("batch", number, "a number that no open batch has")
        if len(self._held) >= MAX_BATCHES:
            raise limit_reached("batches_per_stream", MAX_BATCHES)
        self._budget.take(size)
        try:
            made = make()
            with self._lock:
                if self._is_closed:
                    raise shutting_down()
                self._held[number] = made
        except BaseException:
            self._budget.give_back(size)
            raise
        return made

    def close(self, number: int) -> None:
        """Forget a batch; refuses INVALID_FIELD if there is none of this number."""
        with self._lock:
            closed = self._held.pop(number, None)
        if closed is None:
            raise _no_batch("batch", number)
        self._budget.give_back(closed.size)

    def close_all(self) -> None:
        """Forget all, and what is still being made as soon as it is."""
        with self._lock:
            self._is_closed = True
            sizes = [each.size for each in self._held.values()]
            self._held.clear()
        self._budget.give_back(sum(sizes))


def _no_batch(field: str, number: int) -> DomainError:
    return invalid_field(field, number, "the number of an open batch")


def check_slots(field: str, slots: Sequence[int], size: int) -> None:
    """Refuse INVALID_FIELD unless each slot exists."""
    for place, slot in enumerate(slots):
        if slot >= size:
            raise invalid_field(f"{field}[{place}]", slot, f"a slot below {size}")


def too_large(field: str, size: int) -> DomainError:
    """A reply would be larger than clients take."""
    expected = f"what fits a reply of {MAX_REPLY_BYTES} bytes; this takes {size}"
    return invalid_field(field, "", expected)
