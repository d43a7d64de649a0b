"""What the host of a match and the player on a seat can do."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from dataclasses import replace
from hashlib import sha256

from tablestate import _methods as methods
from tablestate._aio.entropy import learning, reveal, revealing
from tablestate._aio.manners import AsyncManners
from tablestate._aio.play import AsyncPlay, play
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message, require_kind, seconds
from tablestate._content import Action, action_choice
from tablestate._cursor import Cursor, OnBreak, Watched, subscription
from tablestate._entropy import entropy_hash
from tablestate.credentials import HostCredential, Intent, SeatCredential
from tablestate.replays import Replay, to_replay
from tablestate.v1.match_pb2 import Match, MatchUpdate
from tablestate.v1.match_service_pb2 import (
    AbortMatchRequest,
    AddBotRequest,
    AddBotResponse,
    GetMatchRequest,
    GetReplayRequest,
    GetViewRequest,
    GetViewResponse,
    JoinMatchRequest,
    LeaveSeatRequest,
    ListLegalActionsRequest,
    ListLegalActionsResponse,
    RematchRequest,
    ResignRequest,
    StartMatchRequest,
    SubmitActionRequest,
)


async def join(
    transport: AsyncTransport,
    match_id: str,
    seat: int | None,
    display_name: str,
    player_id: str,
    entropy: bool,
    invitation_code: str,
    intent: Intent | None,
    timeout: float | None,
) -> AsyncSeatedPlayer:
    """Take a seat with the token of an intent, made here if there is none."""
    intent = intent or Intent()
    promised = intent.entropy if entropy else b""
    request = message(
        JoinMatchRequest,
        request_id=intent.request_id,
        match_id=match_id,
        seat_token=intent.token,
        seat=seat,
        display_name=display_name,
        player_id=player_id,
        entropy_hash=entropy_hash(match_id, promised) if promised else b"",
        invitation_code=invitation_code,
    )
    answer = await transport.mutate(methods.JOIN_MATCH, request, intent, timeout)
    credential = SeatCredential(match_id, answer.seat, intent.token, promised)
    return AsyncSeatedPlayer(transport, credential)


def watch(
    transport: AsyncTransport,
    matches: Iterable[Watched],
    after_version: int,
    include_view: bool,
    include_legal_actions: bool,
    on_break: OnBreak,
    timeout: float | None,
) -> AsyncGenerator[MatchUpdate, None]:
    """Watch matches from their cursors; raises InvalidArgumentError.

    What the seats among them have promised to reveal is revealed when it is due.
    """
    if timeout is not None:
        seconds("timeout", timeout)
    matches = list(matches)
    subscriptions = [
        subscription(match, after_version, include_view, include_legal_actions) for match in matches
    ]
    updates = transport.watch(Cursor(subscriptions), timeout, on_break)
    seats = [each for each in matches if isinstance(each, SeatCredential) and each.entropy]
    return revealing(transport, seats, updates) if seats else updates


class AsyncHostedMatch:
    """A match, in the hands of its host."""

    def __init__(self, transport: AsyncTransport, credential: HostCredential) -> None:
        """Made by `AsyncClient.create_match` and `AsyncClient.host`."""
        require_kind("credential", credential, HostCredential)
        self._transport = transport
        self._credential = credential

    def __repr__(self) -> str:
        """Return which match it is; never its token."""
        return f"<{type(self).__name__} of match {self.match_id}>"

    @property
    def match_id(self) -> str:
        """The match's id, to be given to players."""
        return self._credential.match_id

    @property
    def credential(self) -> HostCredential:
        """The key to the match, to be kept over a restart and from others."""
        return self._credential

    async def get(self, *, timeout: float | None = None) -> Match:
        """Return the match as its host sees it: with metadata and player ids."""
        request = message(
            GetMatchRequest, match_id=self.match_id, host_token=self._credential.token
        )
        return (await self._transport.unary(methods.GET_MATCH, request, timeout)).match

    async def join(
        self,
        *,
        seat: int | None = None,
        display_name: str = "",
        player_id: str = "",
        entropy: bool = False,
        invitation_code: str = "",
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> AsyncSeatedPlayer:
        """Take a seat oneself; see `AsyncClient.join`."""
        return await join(
            self._transport,
            self.match_id,
            seat,
            display_name,
            player_id,
            entropy,
            invitation_code,
            intent,
            timeout,
        )

    async def add_bot(
        self,
        bot: str,
        *,
        seat: int | None = None,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> AddBotResponse:
        """Put a bot (one of `GameInfo.bots`) on a seat, the lowest open one by default."""
        intent = intent or Intent()
        request = message(
            AddBotRequest,
            request_id=intent.request_id,
            match_id=self.match_id,
            host_token=self._credential.token,
            bot=bot,
            seat=seat,
        )
        return await self._transport.mutate(methods.ADD_BOT, request, intent, timeout)

    async def start(
        self, *, intent: Intent | None = None, timeout: float | None = None
    ) -> MatchUpdate:
        """Start a match that was created with START_POLICY_BY_HOST.

        Raises SeatsOpenError while seats are open, MatchPhaseError after the start.
        """
        intent = intent or Intent()
        request = message(
            StartMatchRequest,
            request_id=intent.request_id,
            match_id=self.match_id,
            host_token=self._credential.token,
        )
        return (await self._transport.mutate(methods.START_MATCH, request, intent, timeout)).update

    async def abort(
        self, *, intent: Intent | None = None, timeout: float | None = None
    ) -> MatchUpdate:
        """End the match without an outcome; raises MatchPhaseError if it has ended."""
        intent = intent or Intent()
        request = message(
            AbortMatchRequest,
            request_id=intent.request_id,
            match_id=self.match_id,
            host_token=self._credential.token,
        )
        return (await self._transport.mutate(methods.ABORT_MATCH, request, intent, timeout)).update

    def watch(
        self,
        *,
        after_version: int = 0,
        include_view: bool = False,
        on_break: OnBreak = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yield every entry after `after_version`, as a spectator; see `AsyncClient.watch`."""
        matches = [self.match_id]
        return watch(
            self._transport, matches, after_version, include_view, False, on_break, timeout
        )


class AsyncSeatedPlayer(AsyncManners):
    """A seat of a match, in the hands of its player."""

    def __init__(self, transport: AsyncTransport, credential: SeatCredential) -> None:
        """Made by `join` and `AsyncClient.player`."""
        require_kind("credential", credential, SeatCredential)
        self._transport = transport
        self._credential = credential

    def __repr__(self) -> str:
        """Return which seat it is; never its token."""
        return f"<{type(self).__name__} of seat {self.seat} of match {self.match_id}>"

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self._credential.match_id

    @property
    def seat(self) -> int:
        """The place at the table, from 0, as far as this handle knows.

        Where seats are drawn (SEATING_RANDOM) it is another one from the start on. The handle
        learns it from `view` and from the updates that `watch`, `play` and `submit` give out.
        """
        return self._credential.seat

    @property
    def credential(self) -> SeatCredential:
        """The key to the seat, to be kept over a restart and from others."""
        return self._credential

    def _learn(self, update: MatchUpdate) -> None:
        """Take note of the seat that was drawn."""
        if update.HasField("your_seat") and update.match_id == self.match_id:
            self._credential = replace(self._credential, seat=update.your_seat)

    async def reveal_entropy(self, *, timeout: float | None = None) -> None:
        """Reveal what the seat has promised to add to the chance of the match, if it is due.

        `watch` and `play` do it by themselves; else call it when an update, or the match, names
        the seat in `entropy_awaited`. It may be called again: what was revealed stays.
        """
        await reveal(self._transport, self._credential, timeout)

    async def get(self, *, min_version: int | None = None, timeout: float | None = None) -> Match:
        """Return the match as it is now, also where spectators see it later or not at all."""
        request = message(
            GetMatchRequest,
            match_id=self.match_id,
            seat_token=self._credential.token,
            min_version=min_version,
        )
        return (await self._transport.unary(methods.GET_MATCH, request, timeout)).match

    async def view(
        self,
        *,
        version: int | None = None,
        min_version: int | None = None,
        include_legal_actions: bool = False,
        include_observation: bool = False,
        timeout: float | None = None,
    ) -> GetViewResponse:
        """Return what the seat may see, now or at a version.

        Raises VersionNotReachedError if the match is not yet at a version asked for.
        """
        request = message(
            GetViewRequest,
            match_id=self.match_id,
            seat_token=self._credential.token,
            version=version,
            min_version=min_version,
            include_legal_actions=include_legal_actions,
            include_observation=include_observation,
        )
        answer = await self._transport.unary(methods.GET_VIEW, request, timeout)
        if answer.HasField("seat"):
            self._credential = replace(self._credential, seat=answer.seat)
        return answer

    async def legal_actions(
        self, *, min_version: int | None = None, timeout: float | None = None
    ) -> ListLegalActionsResponse:
        """Return the seat's legal actions (none when another must decide) and their version."""
        request = message(
            ListLegalActionsRequest,
            match_id=self.match_id,
            seat_token=self._credential.token,
            min_version=min_version,
        )
        return await self._transport.unary(methods.LIST_LEGAL_ACTIONS, request, timeout)

    async def submit(
        self,
        action: Action,
        *,
        expected_version: int | None = None,
        include_view: bool = False,
        include_legal_actions: bool = False,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> MatchUpdate:
        """Take an action, by its notation, index or message, and return what it brought about.

        When this returns, the action is stored. Raises IllegalActionError, NotTheActorError,
        MatchPhaseError; StaleVersionError if the match is not at `expected_version`.
        """
        intent = intent or Intent()
        request = message(
            SubmitActionRequest,
            request_id=intent.request_id,
            match_id=self.match_id,
            seat_token=self._credential.token,
            expected_version=expected_version,
            choice=action_choice(action),
            include_view=include_view,
            include_legal_actions=include_legal_actions,
        )
        answer = await self._transport.mutate(methods.SUBMIT_ACTION, request, intent, timeout)
        self._learn(answer.update)
        return answer.update

    async def resign(
        self, *, intent: Intent | None = None, timeout: float | None = None
    ) -> MatchUpdate:
        """Forfeit."""
        intent = intent or Intent()
        request = message(
            ResignRequest,
            request_id=intent.request_id,
            match_id=self.match_id,
            seat_token=self._credential.token,
        )
        return (await self._transport.mutate(methods.RESIGN, request, intent, timeout)).update

    async def rematch(
        self, *, intent: Intent | None = None, timeout: float | None = None
    ) -> AsyncSeatedPlayer:
        """Play the match, which has ended, again; return the handle to one's seat there.

        Terms are the same and seats are moved on by one. It starts when all players have called
        this. Raises PreconditionError (MATCH_NOT_ENDED).
        """
        intent = intent or Intent()
        request = message(
            RematchRequest,
            request_id=intent.request_id,
            match_id=self.match_id,
            seat_token=self._credential.token,
            new_seat_token=intent.token,
            # The same for every retry, and as hard to guess.
            new_host_token=sha256(b"host " + intent.token).digest(),
        )
        answer = await self._transport.mutate(methods.REMATCH, request, intent, timeout)
        credential = SeatCredential(answer.match.match_id, answer.seat, intent.token)
        return AsyncSeatedPlayer(self._transport, credential)

    async def leave(
        self, *, intent: Intent | None = None, timeout: float | None = None
    ) -> MatchUpdate:
        """Give the seat up; after the start the match's `on_leave` says what becomes of it."""
        intent = intent or Intent()
        request = message(
            LeaveSeatRequest,
            request_id=intent.request_id,
            match_id=self.match_id,
            seat_token=self._credential.token,
        )
        return (await self._transport.mutate(methods.LEAVE_SEAT, request, intent, timeout)).update

    def watch(
        self,
        *,
        after_version: int = 0,
        include_view: bool = False,
        include_legal_actions: bool = False,
        on_break: OnBreak = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yield every entry after `after_version`, as the seat may know it.

        See `AsyncClient.watch`.
        """
        updates = watch(
            self._transport,
            [self._credential],
            after_version,
            include_view,
            include_legal_actions,
            on_break,
            timeout,
        )
        return learning(updates, self._learn)

    def play(
        self,
        *,
        after_version: int | None = None,
        include_view: bool = False,
        include_legal_actions: bool = True,
        on_break: OnBreak = None,
        timeout: float | None = None,
    ) -> AsyncPlay:
        """Play the seat over one stream; see `AsyncClient.play`."""
        return play(
            self._transport,
            self._credential,
            after_version,
            include_view,
            include_legal_actions,
            on_break,
            timeout,
            self._learn,
        )

    async def replay(self, *, timeout: float | None = None) -> Replay:
        """Return the whole match so far as the seat may know it; see `AsyncClient.replay`."""
        request = message(
            GetReplayRequest, match_id=self.match_id, seat_token=self._credential.token
        )
        return to_replay(await self._transport.collect(methods.GET_REPLAY, request, timeout))
