"""Acting for seats without a player: bots, and players who left."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial

from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.match import Match
from tablestate_service.ports import CLAIM_SECONDS, Engine, MatchStore, Workers
from tablestate_service.usecases.matches import Matches

log = logging.getLogger(__name__)

_RETRY_SECONDS = 1.0
_RENEW_SECONDS = CLAIM_SECONDS / 3
_LOOKS_SET_ASIDE = 60
"""For how many looks around a match stays set aside after its bot has failed."""

_TRANSIENT = (Reason.STORAGE_FULL, Reason.STORAGE_UNAVAILABLE)


class BotRunner:
    """Plays the matches whose actor has no player, one action a turn of the queue.

    An action is chosen outside the match's lock and written only if the match still
    is at the version it was chosen on: so nothing is played twice. A turn is claimed before
    it is thought about: so no two nodes think about the same.
    """

    def __init__(
        self,
        matches: Matches,
        engine: Engine,
        store: MatchStore,
        workers: Workers,
        lanes: int,
        look_seconds: float | None = None,
    ) -> None:
        """Work on at most `lanes` matches at a time.

        Every `look_seconds` it looks for turns that another node has left lying; None: never.
        """
        self._matches = matches
        self._engine = engine
        self._store = store
        self._workers = workers
        self._lanes = lanes
        self._look_seconds = look_seconds
        self._set_aside: set[str] = set()
        self._thinking: dict[str, int] = {}
        self._due: set[str] = set()
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        matches.on_automatic = self.wake

    @property
    def thinking(self) -> int:
        """How many turns are being thought about."""
        return len(self._thinking)

    @property
    def waiting(self) -> int:
        """How many matches wait for a lane."""
        return len(self._due)

    def wake(self, match_id: str) -> None:
        """Have an action taken in a match, soon."""
        if match_id not in self._due:
            self._due.add(match_id)
            self._queue.put_nowait(match_id)

    async def start(self) -> None:
        """Begin, with the matches that were waiting for the server when it stopped."""
        for match_id in await self._waiting():
            self.wake(match_id)
        self._tasks = [asyncio.ensure_future(self._run_lane()) for _ in range(self._lanes)]
        if self._look_seconds is not None:
            self._tasks.append(asyncio.ensure_future(self._look_around(self._look_seconds)))

    async def _look_around(self, seconds: float) -> None:
        """Take over what others have left: a node that died, or one that cannot write."""
        while True:
            self._set_aside.clear()
            for _ in range(_LOOKS_SET_ASIDE):
                await asyncio.sleep(seconds)
                try:
                    for match_id in await self._waiting():
                        if match_id not in self._set_aside:
                            self.wake(match_id)
                except DomainError:
                    pass  # The store has told of it.
                except Exception:
                    log.exception("cannot tell which matches wait for bots")

    async def _waiting(self) -> Sequence[str]:
        try:
            return await self._store.automatic_matches()
        except DomainError as refusal:
            if refusal.reason is not Reason.LOG_DAMAGED:
                raise
            # What is damaged must not keep the service from all matches that are not.
            log.error("cannot tell which matches wait for bots")
            return ()

    async def stop(self) -> None:
        """Stop; an action that is being written still is."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _run_lane(self) -> None:
        while True:
            match_id = await self._queue.get()
            self._due.discard(match_id)
            try:
                await self._act(match_id)
            except asyncio.CancelledError:
                raise
            except DomainError as refusal:
                self._refused(match_id, refusal)
            except BaseException:
                # A panic of the core is no Exception, and must not end the lane either.
                self._set_aside.add(match_id)
                log.exception("bot failed", extra={"match_id": match_id})

    async def _act(self, match_id: str) -> None:
        match = (await self._matches.current(match_id)).match
        if not match.standing.is_automatic:
            return
        version = match.standing.version
        async with self._turn(match_id, version) as is_ours:
            if is_ours:
                choice = self._engine.choice(await self._choose(match))
                await self._matches.change(
                    match_id, None, partial(decide.act_for_absent, choice=choice, version=version)
                )

    @asynccontextmanager
    async def _turn(self, match_id: str, version: int) -> AsyncGenerator[bool, None]:
        """Whether to act at a version; if so it stays claimed, however long the bot thinks."""
        if self._thinking.get(match_id) == version:
            yield False  # Another lane has it.
            return
        self._thinking[match_id] = version
        keeping = asyncio.ensure_future(self._keep(match_id, version))
        try:
            yield await self._store.claim_turn(match_id, version)
        finally:
            keeping.cancel()
            if self._thinking.get(match_id) == version:
                del self._thinking[match_id]

    async def _keep(self, match_id: str, version: int) -> None:
        while True:
            await asyncio.sleep(_RENEW_SECONDS)
            with suppress(DomainError):
                await self._store.claim_turn(match_id, version)

    async def _choose(self, match: Match) -> str:
        state = decide.require_running(match)
        bot = decide.substitute_bot(match)
        if bot is None:
            return state.default_action()
        return await self._workers.run(partial(state.choose, bot, match.seed(), match.standing.ply))

    def _refused(self, match_id: str, refusal: DomainError) -> None:
        if refusal.reason in _TRANSIENT:
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.wake, match_id)
        elif refusal.reason is not Reason.STALE_VERSION:
            self._set_aside.add(match_id)
            log.error("bot refused", extra={"match_id": match_id, "reason": refusal.reason.name})
