"""Faults that can be planted in the service, each of which the simulation must find."""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

import pytest

from simulation.store import SimulatedFeed
from support.memory_store import MemoryDatabase, MemoryStore
from tablestate_service.domain.entry import Entry
from tablestate_service.domain.errors import DomainError, Reason, stale_version
from tablestate_service.domain.match import Transition
from tablestate_service.ports import RequestTakenError, VersionConflictError, Writing
from tablestate_service.usecases import matches, watching
from tablestate_service.usecases.bots import BotRunner
from tablestate_service.usecases.matches import LoadedMatch, Matches
from tablestate_service.usecases.watching import Cursor

Patch = pytest.MonkeyPatch


def cache_not_brought_up_to_date(patch: Patch) -> None:
    patch.setattr(Matches, "current", Matches.get)


def notifications_trusted(patch: Patch) -> None:
    """Reads believe that no news means that there are none."""

    async def current(self: Matches, match_id: str) -> LoadedMatch:
        told: Any = self._feed
        watched = told._watched.get(match_id)
        return await self.reach(match_id, watched.version if watched else 0)

    patch.setattr(Matches, "current", current)


def notifications_not_heeded(patch: Patch) -> None:
    """A watcher is woken and does not read what another node has written."""

    async def reach(self: Matches, match_id: str, version: int) -> LoadedMatch:
        return await self.get(match_id)

    patch.setattr(watching, "_unsent", _unsent_of(reach))


def _unsent_of(reach: Callable[..., Any]) -> Callable[..., Any]:
    original = watching._unsent

    class Shortsighted:
        def __init__(self, whole: Matches) -> None:
            self._whole = whole
            self.history = whole.history

        async def reach(self, match_id: str, version: int) -> LoadedMatch:
            found: LoadedMatch = await reach(self._whole, match_id, version)
            return found

    def unsent(whole: Matches, each: Cursor) -> AsyncGenerator[Transition, None]:
        shortsighted: Any = Shortsighted(whole)
        return original(shortsighted, each)

    return unsent


def poll_forgotten(patch: Patch) -> None:
    async def keep_polling(self: SimulatedFeed) -> None:
        return

    patch.setattr(SimulatedFeed, "keep_polling", keep_polling)


def cursor_one_too_low(patch: Patch) -> None:
    original = watching.watch_matches

    def watch(
        whole: Matches, feed: Any, cursors: Sequence[Cursor]
    ) -> AsyncGenerator[tuple[Cursor, Transition], None]:
        for each in cursors:
            each.version = max(0, each.version - 1)
        return original(whole, feed, cursors)

    patch.setattr("tablestate_service.rpc.stream_servicer.watch_matches", watch)


def steps_of_others_not_remembered(patch: Patch) -> None:
    """What is kept for watchers has a gap where another node has written."""

    def move_on(self: Matches, loaded: LoadedMatch, steps: Sequence[Transition]) -> None:
        loaded.match = steps[-1].match
        loaded.recent = loaded.recent or deque(maxlen=16)
        loaded.recent.append(steps[-1])

    patch.setattr(Matches, "_move_on", move_on)


def request_not_looked_for(patch: Patch) -> None:
    async def find_answer(self: Matches, request: object) -> None:
        return None

    patch.setattr(Matches, "answered", find_answer)


def request_key_not_unique(patch: Patch) -> None:
    patch.setattr(MemoryDatabase, "require_new", lambda self, first: None)


def answer_of_now(patch: Patch) -> None:
    """A repeated call is answered with the match as it is, not as it was."""
    original = Matches.answered

    async def find_answer(self: Matches, request: Any) -> tuple[Transition, ...] | None:
        answer = await original(self, request)
        if answer is None:
            return None
        entry, now = answer[0].entry, (await self.current(answer[0].entry.match_id)).match
        return (Transition(entry, now, answer[0].step),)

    patch.setattr(Matches, "answered", find_answer)


def answered_before_the_commit(patch: Patch) -> None:
    async def outlast(writing: Writing) -> None:
        writing.add_done_callback(lambda done: done.exception())

    patch.setattr(matches, "_outlast", outlast)


def conflict_taken_for_success(patch: Patch) -> None:
    original = matches._outlast

    async def outlast(writing: Writing) -> Any:
        try:
            return await original(writing)
        except VersionConflictError:
            return None

    patch.setattr(matches, "_outlast", outlast)


def unknown_taken_for_refusal(patch: Patch) -> None:
    """What may have been written is said not to have been."""
    original = matches._outlast

    async def outlast(writing: Writing) -> Any:
        try:
            return await original(writing)
        except DomainError as refusal:
            if refusal.reason is Reason.STORAGE_UNAVAILABLE:
                raise stale_version(0, None) from None
            raise

    patch.setattr(matches, "_outlast", outlast)


def version_not_compared(patch: Patch) -> None:
    """The last of two nodes that write at once wins."""

    def require_next(self: MemoryDatabase, first: Entry) -> None:
        if len(self.logs.get(first.match_id, ())) < first.version - 1:
            raise VersionConflictError
        del self.logs.get(first.match_id, [])[first.version - 1 :]

    patch.setattr(MemoryDatabase, "require_next", require_next)


def claim_ignored(patch: Patch) -> None:
    original = MemoryStore.claim_turn

    async def claim_turn(self: MemoryStore, match_id: str, version: int) -> bool:
        await original(self, match_id, version)
        return True

    patch.setattr(MemoryStore, "claim_turn", claim_turn)


def claim_not_kept(patch: Patch) -> None:
    async def keep(self: BotRunner, match_id: str, version: int) -> None:
        return

    patch.setattr(BotRunner, "_keep", keep)


def turns_not_taken_over(patch: Patch) -> None:
    async def look_around(self: BotRunner, seconds: float) -> None:
        return

    patch.setattr(BotRunner, "_look_around", look_around)


def lost_race_not_decided_again(patch: Patch) -> None:
    """A node that was too slow says that it was, though the request was carried out elsewhere."""
    original = Matches._change

    async def change(self: Matches, loaded: LoadedMatch, request: Any, decide: Any) -> Any:
        try:
            return await original(self, loaded, request, decide)
        except (VersionConflictError, RequestTakenError):
            raise stale_version(loaded.match.standing.version, None) from None

    patch.setattr(Matches, "_change", change)


PLANTED = (
    cache_not_brought_up_to_date,
    notifications_trusted,
    notifications_not_heeded,
    poll_forgotten,
    cursor_one_too_low,
    steps_of_others_not_remembered,
    request_not_looked_for,
    request_key_not_unique,
    answer_of_now,
    answered_before_the_commit,
    conflict_taken_for_success,
    unknown_taken_for_refusal,
    version_not_compared,
    claim_ignored,
    claim_not_kept,
    turns_not_taken_over,
    lost_race_not_decided_again,
)
