"""The matches in use: loaded from their logs, changed one entry at a time."""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import TypeAlias
from weakref import WeakValueDictionary

from tablestate_service.domain import errors
from tablestate_service.domain.entry import Entry, Request, Stamp
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.match import Match, Transition, length_of_answer, open_match, replay
from tablestate_service.domain.news import News, news_of
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import Terms, from_payload
from tablestate_service.ports import (
    Append,
    Clock,
    Engine,
    Log,
    MatchFeed,
    MatchStore,
    RequestTakenError,
    VersionConflictError,
    Workers,
    Writing,
)

Decide: TypeAlias = Callable[[Match, Stamp], tuple[Transition, ...]]

log = logging.getLogger(__name__)

_RECENT = 16
"""How many transitions of a watched match are kept, so that watchers need no store."""

_WRONG_END = "the log does not end as the store says"

_TRIES = 8
"""How often a change is decided on anew because another node was quicker."""

_BATCH = 64
"""How many entries are folded at once: more would hold too many positions in memory."""


class LoadedMatch:
    """A match in memory. Small: a server holds very many."""

    __slots__ = ("__weakref__", "_lock", "match", "recent")

    def __init__(self, match: Match) -> None:
        """Hold a match as its log gives it."""
        self.match = match
        self.recent: deque[Transition] | None = None
        self._lock: asyncio.Lock | None = None

    @property
    def lock(self) -> asyncio.Lock:
        """What makes changes of this match wait for one another."""
        if self._lock is None:
            self._lock = asyncio.Lock()
        return self._lock


class Matches:
    """Loads matches, keeps those last used, and carries changes through."""

    def __init__(
        self,
        *,
        store: MatchStore,
        engine: Engine,
        feed: MatchFeed,
        workers: Workers,
        clock: Clock,
        capacity: int,
        is_followed: bool,
    ) -> None:
        """Keep at most `capacity` matches in memory; news are written if anybody follows them."""
        self._store = store
        self._engine = engine
        self._feed = feed
        self._workers = workers
        self._clock = clock
        self._capacity = capacity
        self._is_followed = is_followed
        self._kept: OrderedDict[str, LoadedMatch] = OrderedDict()
        # All that anybody still holds, kept or not: there must never be two of one match, or
        # one would miss what is written through the other.
        self._live: WeakValueDictionary[str, LoadedMatch] = WeakValueDictionary()
        self._loading: dict[str, asyncio.Task[LoadedMatch]] = {}
        self.on_automatic: Callable[[str], None] | None = None
        """Called with each match whose actor has no player any more, or never had."""
        self.on_deadline: Callable[[int], None] | None = None
        """Called with each deadline, in the store's time, that a match has come to have."""

    @property
    def loaded(self) -> int:
        """How many matches are kept in memory."""
        return len(self._kept)

    async def get(self, match_id: str) -> LoadedMatch:
        """A match as this node knows it; refuses MATCH_NOT_FOUND, LOG_DAMAGED.

        That is enough to write to it, since the store refuses what comes too late. Those who
        only read it want `current`.
        """
        loaded = self._live.get(match_id)
        if loaded is None:
            return await self._load_once(match_id)
        self._keep(match_id, loaded)
        return loaded

    def peek(self, match_id: str) -> Match | None:
        """A match that is in memory already, as this node knows it."""
        loaded = self._live.get(match_id)
        return loaded.match if loaded else None

    def now(self) -> int:
        """The time by which entries are stamped."""
        return self._clock.now()

    async def current(self, match_id: str) -> LoadedMatch:
        """A match with all that any node acknowledged before this call; refuses as `get` does."""
        known = (await self.get(match_id)).match.standing.version
        version = await self._store.head_version(match_id, known)
        if version == 0:
            raise self._gone(match_id)
        return await self.reach(match_id, version)

    async def reach(self, match_id: str, version: int) -> LoadedMatch:
        """A match at a version, which some node has written, or at a later one."""
        loaded = await self.get(match_id)
        if loaded.match.standing.version < version:
            async with loaded.lock:
                if loaded.match.standing.version < version:
                    await self._catch_up(loaded)
        return loaded

    async def create(self, terms: Terms, request: Request | None) -> tuple[Transition, ...]:
        """Write the first entry of a match, or give the one this request wrote before.

        Raises VersionConflictError if there is a match of this id.
        """
        stamp = Stamp(
            terms.create_time, request, await self._store.time() if terms.is_timed else None
        )
        created = open_match(terms, stamp)
        append = Append((created.entry,), created.match, self._news(None, (created,)))
        try:
            cancelled = await _outlast(self._store.append(append))
        except RequestTakenError:
            if request is None:
                raise
            return await self._answered_before(request)
        if terms.match_id not in self._loading:
            # Else a reader was quicker, and is about to hold what it has read.
            self._adopt(terms.match_id, created.match)
        self._feed.publish(terms.match_id, 1)
        self._tell_deadline(created.match)
        if cancelled:
            raise cancelled
        return (created,)

    async def change(
        self, match_id: str, request: Request | None, decide: Decide
    ) -> tuple[Transition, ...]:
        """Carry a change through, once for each request.

        A request that was answered before has no second effect: it is told apart by the
        store, which costs a read only when the change is refused.
        """
        loaded = await self.get(match_id)
        async with loaded.lock:
            for _ in range(_TRIES):
                try:
                    return await self._change(loaded, request, decide)
                except VersionConflictError:
                    # Another node has written: decide again on what it wrote.
                    await self._catch_up(loaded)
            raise errors.stale_version(loaded.match.standing.version, None)

    async def at_version(self, match_id: str, version: int) -> Match:
        """A match as it was; refuses VERSION_NOT_REACHED."""
        loaded = await self.get(match_id)
        if version == loaded.match.standing.version:
            return loaded.match
        if version > loaded.match.standing.version:
            raise errors.version_not_reached(loaded.match.standing.version, version)
        match = loaded.match
        async for batch in self.history(match_id, version - 1, version):
            match = batch[-1].match
        return match

    async def history(
        self, match_id: str, after: int, until: int
    ) -> AsyncGenerator[Sequence[Transition], None]:
        """The transitions of a match after one version up to another, in batches.

        Each is read when it is due: a slow watcher must not hold a whole log meanwhile.
        """
        match: Match | None = None
        for start in range(0, until, _BATCH):
            entries = (await self._log(match_id, start, min(_BATCH, until - start))).entries
            if not entries:
                return
            batch = await self._replay(match_id, match, entries)
            match = batch[-1].match
            if wanted := [transition for transition in batch if transition.entry.version > after]:
                yield wanted

    async def answered(self, request: Request) -> tuple[Transition, ...] | None:
        """What a request brought about when it was sent before; None if it never was.

        Refuses REQUEST_ID_REUSED.
        """
        stored = await self._store.find_request(request.key)
        if stored is None:
            return None
        if stored.content_hash != request.content_hash:
            raise errors.request_id_reused()
        answer: list[Transition] = []
        async for batch in self.history(stored.match_id, stored.version - 1, stored.version + 2):
            answer.extend(batch)
        return tuple(answer[: length_of_answer(answer)])

    async def _change(
        self, loaded: LoadedMatch, request: Request | None, decide: Decide
    ) -> tuple[Transition, ...]:
        try:
            store_time = await self._store_time(loaded.match)
            transitions = decide(loaded.match, Stamp(self._clock.now(), request, store_time))
        except Exception:
            if request and (answer := await self.answered(request)):
                return answer
            if await self._is_outdated(loaded.match):
                raise VersionConflictError from None
            raise
        entries = tuple(transition.entry for transition in transitions)
        try:
            append = Append(entries, transitions[-1].match, self._news(loaded.match, transitions))
            cancelled = await _outlast(self._store.append(append))
        except RequestTakenError:
            if request is None:
                raise
            return await self._answered_before(request)
        self._committed(loaded, transitions)
        if cancelled:
            raise cancelled
        return transitions

    async def _store_time(self, match: Match) -> int | None:
        # Whether a match that waits has to measure time may follow from the change itself.
        is_waiting = match.standing.phase is MatchPhase.WAITING
        return await self._store.time() if is_waiting or match.terms.is_timed else None

    def _news(self, before: Match | None, transitions: Sequence[Transition]) -> tuple[News, ...]:
        return news_of(before, transitions) if self._is_followed else ()

    def _committed(self, loaded: LoadedMatch, transitions: tuple[Transition, ...]) -> None:
        self._move_on(loaded, transitions)
        standing, match_id = loaded.match.standing, loaded.match.terms.match_id
        self._feed.publish(match_id, standing.version)
        if self.on_automatic and standing.is_automatic:
            self.on_automatic(match_id)
        self._tell_deadline(loaded.match)

    def _tell_deadline(self, match: Match) -> None:
        if self.on_deadline and match.standing.deadline is not None:
            self.on_deadline(match.standing.deadline)

    def _move_on(self, loaded: LoadedMatch, transitions: Sequence[Transition]) -> None:
        """Hold a match with what was written behind it."""
        loaded.match = transitions[-1].match
        if not self._feed.is_watched(loaded.match.terms.match_id):
            loaded.recent = None
            return
        if loaded.recent is None:
            loaded.recent = deque(maxlen=_RECENT)
        loaded.recent.extend(transitions)

    async def _is_outdated(self, match: Match) -> bool:
        """Whether the store has another end of a log than this node knows."""
        version = match.standing.version
        return await self._store.head_version(match.terms.match_id, version) != version

    async def _catch_up(self, loaded: LoadedMatch) -> None:
        """Read what other nodes have written; the caller holds the lock."""
        match_id, known = loaded.match.terms.match_id, loaded.match.standing.version
        stored = await self._log(match_id, known)
        if stored.head_version < known:
            # The store has forgotten what was acknowledged: an older backup was restored.
            loaded.match, loaded.recent = await self._read(match_id), None
            return
        for start in range(0, len(stored.entries), _BATCH):
            entries = stored.entries[start : start + _BATCH]
            self._move_on(loaded, await self._replay(match_id, loaded.match, entries))
        if loaded.match.head_hash != stored.head_hash:
            raise _damaged(match_id, _WRONG_END)

    async def _answered_before(self, request: Request) -> tuple[Transition, ...]:
        answer = await self.answered(request)
        if answer is None:
            raise errors.storage_unavailable()
        return answer

    async def _load_once(self, match_id: str) -> LoadedMatch:
        begun = self._loading.get(match_id)
        if begun is not None:
            try:
                return await asyncio.shield(begun)
            except DomainError as refusal:
                if refusal.reason is not errors.Reason.MATCH_NOT_FOUND:
                    raise
                # It may have looked before the match was made: what begins from now on has not.
        return await asyncio.shield(self._loading.get(match_id) or self._begin_loading(match_id))

    def _begin_loading(self, match_id: str) -> asyncio.Task[LoadedMatch]:
        loading = asyncio.ensure_future(self._load(match_id))
        self._loading[match_id] = loading
        loading.add_done_callback(partial(self._load_done, match_id))
        return loading

    def _load_done(self, match_id: str, loading: asyncio.Task[LoadedMatch]) -> None:
        del self._loading[match_id]
        if not loading.cancelled():
            loading.exception()  # Those who wait for it see it; there may be none left.

    async def _load(self, match_id: str) -> LoadedMatch:
        return self._adopt(match_id, await self._read(match_id))

    async def _read(self, match_id: str) -> Match:
        stored = await self._log(match_id)
        match: Match | None = None
        for start in range(0, len(stored.entries), _BATCH):
            entries = stored.entries[start : start + _BATCH]
            match = (await self._replay(match_id, match, entries))[-1].match
        if match is None or match.head_hash != stored.head_hash:
            raise _damaged(match_id, _WRONG_END)
        return match

    def _adopt(self, match_id: str, match: Match) -> LoadedMatch:
        """Hold a match, unless it is held already: then that may have gone on meanwhile."""
        loaded = self._live.setdefault(match_id, LoadedMatch(match))
        self._keep(match_id, loaded)
        return loaded

    def drop(self, match_id: str) -> None:
        """Hold a match no longer, which the store has no more."""
        self._kept.pop(match_id, None)
        self._live.pop(match_id, None)

    def drop_ended(self) -> None:
        """Hold no match that has ended, unless somebody does."""
        ended = [key for key, each in self._kept.items() if each.match.standing.has_ended]
        for match_id in ended:
            self.drop(match_id)

    def _gone(self, match_id: str) -> DomainError:
        self.drop(match_id)
        return errors.match_not_found(match_id)

    def _keep(self, match_id: str, loaded: LoadedMatch) -> None:
        """Note that a match is used now, and let go of the one longest unused."""
        self._kept[match_id] = loaded
        self._kept.move_to_end(match_id)
        if len(self._kept) > self._capacity:
            self._kept.popitem(last=False)

    async def _log(self, match_id: str, after: int = 0, limit: int | None = None) -> Log:
        stored = await self._store.load(match_id, after, limit)
        if stored is None:
            raise self._gone(match_id)
        there = max(0, stored.head_version - after)
        if len(stored.entries) != (there if limit is None else min(there, limit)):
            raise _damaged(match_id, "entries are missing")
        return stored

    async def _replay(
        self, match_id: str, match: Match | None, entries: Sequence[Entry]
    ) -> list[Transition]:
        try:
            return await self._workers.run(partial(_replay, self._engine, match, entries))
        except DomainError as refusal:
            if refusal.reason is errors.Reason.RULES_VERSION_UNSUPPORTED:
                raise
            raise _damaged(match_id, refusal.message) from refusal
        except Exception as error:
            raise _damaged(match_id, type(error).__name__) from error


def _replay(engine: Engine, match: Match | None, entries: Sequence[Entry]) -> list[Transition]:
    if match is None:
        _require_rules(engine, entries[0])
    transitions = []
    for entry in entries:
        transition = replay(engine, match, entry)
        match = transition.match
        transitions.append(transition)
    return transitions


def _require_rules(engine: Engine, created: Entry) -> None:
    terms = from_payload(created.match_id, created.stamp.time, created.draft.payload)
    supported = engine.rules_version(terms.game)
    if terms.rules_version != supported:
        raise errors.rules_version_unsupported(terms.rules_version, supported)


def _damaged(match_id: str, detail: str) -> DomainError:
    log.error("log damaged", extra={"match_id": match_id, "detail": detail})
    return errors.log_damaged()


async def _outlast(writing: Writing) -> asyncio.CancelledError | None:
    """Wait until something is written, even if the caller is cancelled meanwhile.

    Returns the cancellation, to be raised when what was written has taken effect.
    """
    try:
        await writing
    except asyncio.CancelledError as error:
        writing.result()
        return error
    return None
