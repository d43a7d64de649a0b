"""Acting for seats without a player: bots, and players who left."""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.match import Match
from tablestate_service.ports import Engine, MatchStore, Workers
from tablestate_service.usecases.matches import Matches

log = logging.getLogger(__name__)

_RETRY_SECONDS = 1.0
_TRANSIENT = (Reason.STORAGE_FULL, Reason.STORAGE_UNAVAILABLE)


class BotRunner:
    """Plays the matches whose actor has no player, one action a turn of the queue.

    An action is chosen outside the match's lock and written only if the match still
    is at the version it was chosen on: so nothing is played twice.
    """

    def __init__(
        self, matches: Matches, engine: Engine, store: MatchStore, workers: Workers, lanes: int
    ) -> None:
        """Work on at most `lanes` matches at a time."""
        self._matches = matches
        self._engine = engine
        self._store = store
        self._workers = workers
        self._lanes = lanes
        self._due: set[str] = set()
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        self._tasks: list[asyncio.Task[None]] = []
        matches.on_automatic = self.wake

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
                log.exception("bot failed", extra={"match_id": match_id})

    async def _act(self, match_id: str) -> None:
        match = (await self._matches.get(match_id)).match
        if not match.standing.is_automatic:
            return
        choice = self._engine.choice(await self._choose(match))
        version = match.standing.version
        await self._matches.change(
            match_id, None, partial(decide.act_for_absent, choice=choice, version=version)
        )

    async def _choose(self, match: Match) -> str:
        state = decide.require_running(match)
        bot = decide.substitute_bot(match)
        if bot is None:
            return state.default_action()
        return await self._workers.run(
            partial(state.choose, bot, match.terms.seed(), match.standing.ply)
        )

    def _refused(self, match_id: str, refusal: DomainError) -> None:
        if refusal.reason in _TRANSIENT:
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.wake, match_id)
        elif refusal.reason is not Reason.STALE_VERSION:
            log.error("bot refused", extra={"match_id": match_id, "reason": refusal.reason.name})
