"""The client: the server, its games and its matches."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import Self

import grpc

from tablestate import _methods as methods
from tablestate._aio.engine_calls import AsyncEngineCalls
from tablestate._aio.fairness_calls import AsyncFairnessCalls
from tablestate._aio.handles import AsyncHostedMatch, AsyncSeatedPlayer, join, watch
from tablestate._aio.operator_calls import AsyncOperatorCalls
from tablestate._aio.play import AsyncPlay, play
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message, seconds
from tablestate._backoff import RetryPolicy
from tablestate._connection import DEFAULT_TIMEOUT, ConnectionSettings, Metadata
from tablestate._content import Options, game_options
from tablestate._cursor import OnBreak, Watched
from tablestate._settings import create_request
from tablestate.credentials import HostCredential, Intent, SeatCredential
from tablestate.replays import Replay, to_replay
from tablestate.v1.catalog_service_pb2 import (
    GetServerInfoRequest,
    GetServerInfoResponse,
    ListGamesRequest,
)
from tablestate.v1.feed_pb2 import WatchFeedRequest, WatchFeedResponse
from tablestate.v1.game_pb2 import GameInfo
from tablestate.v1.match_pb2 import (
    AbsencePolicy,
    Match,
    MatchPhase,
    MatchUpdate,
    RevealPolicy,
    Seating,
    SpectatorPolicy,
    StartPolicy,
    TimeControl,
    Visibility,
)
from tablestate.v1.match_service_pb2 import (
    GetMatchRequest,
    GetReplayRequest,
    GetViewRequest,
    GetViewResponse,
    ListMatchesRequest,
)


class AsyncClient(AsyncEngineCalls, AsyncFairnessCalls, AsyncOperatorCalls):
    """A connection to a Tablestate server.

    Every call takes `timeout`, in seconds, for all its attempts together (default: the
    client's), and raises a `TablestateError` when it fails. Calls that change something
    take an `intent` too: repeated with the same one, they have one effect. The error of such
    a call has the `intent` it was made with.
    """

    def __init__(
        self,
        target: str,
        *,
        credentials: grpc.ChannelCredentials | None = None,
        metadata: Metadata = (),
        timeout: float = DEFAULT_TIMEOUT,
        retry: RetryPolicy | None = None,
    ) -> None:
        """Prepare a connection to `target` ("host:port"); the first call opens it.

        `credentials` switches TLS on, `metadata` is sent with every call.
        """
        settings = ConnectionSettings(
            target, credentials, metadata, timeout, retry or RetryPolicy()
        )
        self._transport = AsyncTransport(settings)

    def __repr__(self) -> str:
        """Return where the server is; nothing of the headers."""
        return f"<{type(self).__name__} of {self._transport.target}>"

    async def __aenter__(self) -> Self:
        """Return the client itself."""
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the connection."""
        await self.close()

    async def close(self) -> None:
        """Close the connection; calls still open, and later ones, raise ClientClosedError."""
        await self._transport.close()

    async def server_info(self, *, timeout: float | None = None) -> GetServerInfoResponse:
        """Return the server's version and the names of its games."""
        request = GetServerInfoRequest()
        return await self._transport.unary(methods.GET_SERVER_INFO, request, timeout)

    async def games(self, *, timeout: float | None = None) -> Sequence[GameInfo]:
        """Return the games with their options, bots and action index, by name."""
        request = ListGamesRequest()
        return (await self._transport.unary(methods.LIST_GAMES, request, timeout)).games

    async def game(self, game: str, *, timeout: float | None = None) -> GameInfo:
        """Return one game; raises NotFoundError."""
        request = message(ListGamesRequest, game=game)
        return (await self._transport.unary(methods.LIST_GAMES, request, timeout)).games[0]

    async def create_match(
        self,
        game: str,
        options: Options = None,
        *,
        on_leave: AbsencePolicy.ValueType | str = AbsencePolicy.ABSENCE_POLICY_UNSPECIFIED,
        on_timeout: AbsencePolicy.ValueType | str = AbsencePolicy.ABSENCE_POLICY_UNSPECIFIED,
        reveal_policy: RevealPolicy.ValueType | str = RevealPolicy.REVEAL_POLICY_UNSPECIFIED,
        start_policy: StartPolicy.ValueType | str = StartPolicy.START_POLICY_UNSPECIFIED,
        metadata: Mapping[str, str] | None = None,
        tenant: str = "",
        time_control: TimeControl | None = None,
        waiting_limit: float | None = None,
        visibility: Visibility.ValueType | str = Visibility.VISIBILITY_UNSPECIFIED,
        invitation_code: str = "",
        spectator_policy: SpectatorPolicy.ValueType
        | str = SpectatorPolicy.SPECTATOR_POLICY_UNSPECIFIED,
        spectator_delay: float | None = None,
        entropy_limit: float | None = None,
        seating: Seating.ValueType | str = Seating.SEATING_UNSPECIFIED,
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> AsyncHostedMatch:
        """Create a match of a game and return the host's handle to it.

        `options` is the game's options message or a mapping of its fields; policies
        left out take the server's defaults; `metadata` is the operator's own data,
        `tenant` its name for whom the match belongs to (see `watch_feed`). A
        `time_control` is made by `tablestate.time_control`; without one players have what the
        server gives each decision, or all the time they like. `waiting_limit` is for how many
        seconds the match waits for its start, the server's default if left out, and
        `entropy_limit` for how many, when all seats are taken, for their entropies. `visibility`
        says who finds the match and may join; with VISIBILITY_INVITE whoever knows the
        `invitation_code`, which `new_invitation_code` makes. Spectators see the match
        `spectator_delay` seconds later. With SEATING_RANDOM nobody chooses a seat, and players are
        seated by chance when the match starts.
        Raises InvalidRequestError for options that are not acceptable, NotFoundError for a
        game that the client does not know.
        """
        intent = intent or Intent()
        request = create_request(
            intent,
            game_options(game, options),
            on_leave=on_leave,
            on_timeout=on_timeout,
            reveal_policy=reveal_policy,
            start_policy=start_policy,
            metadata=metadata,
            tenant=tenant,
            time_control=time_control,
            waiting_limit=waiting_limit,
            visibility=visibility,
            invitation_code=invitation_code,
            spectator_policy=spectator_policy,
            spectator_delay=spectator_delay,
            entropy_limit=entropy_limit,
            seating=seating,
        )
        answer = await self._transport.mutate(methods.CREATE_MATCH, request, intent, timeout)
        credential = HostCredential(answer.match.match_id, intent.token)
        return AsyncHostedMatch(self._transport, credential)

    def host(self, credential: HostCredential) -> AsyncHostedMatch:
        """Go on as the host of a match; no call is made."""
        return AsyncHostedMatch(self._transport, credential)

    async def join(
        self,
        match_id: str,
        *,
        seat: int | None = None,
        display_name: str = "",
        player_id: str = "",
        entropy: bool = False,
        invitation_code: str = "",
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> AsyncSeatedPlayer:
        """Take a seat, the lowest open one by default, and return the player's handle to it.

        With `entropy` the seat adds random bytes of its own to the chance of the match, so that
        not even the server can have chosen it. They are revealed when all seats are taken, by
        `watch`, `play` or `reveal_entropy`; a seat that does none of these in time adds nothing
        and holds up the start. Raises SeatTakenError when the seat is taken,
        PermissionDeniedError if the match is by invitation and the code is not its own.
        """
        return await join(
            self._transport,
            match_id,
            seat,
            display_name,
            player_id,
            entropy,
            invitation_code,
            intent,
            timeout,
        )

    def player(self, credential: SeatCredential) -> AsyncSeatedPlayer:
        """Go on as the player on a seat; no call is made."""
        return AsyncSeatedPlayer(self._transport, credential)

    async def get_match(
        self, match_id: str, *, min_version: int | None = None, timeout: float | None = None
    ) -> Match:
        """Return a match as everybody sees it; raises NotFoundError.

        Raises VersionNotReachedError if it has not reached `min_version`.
        """
        request = message(GetMatchRequest, match_id=match_id, min_version=min_version)
        return (await self._transport.unary(methods.GET_MATCH, request, timeout)).match

    async def list_matches(
        self,
        *,
        game: str = "",
        phases: Sequence[MatchPhase.ValueType | str] = (),
        player_id: str = "",
        page_size: int = 0,
        timeout: float | None = None,
    ) -> AsyncGenerator[Match, None]:
        """Yield matches, the newest first, asking for further pages as needed.

        With a `player_id` those in which that player has a seat: for the player whom the
        client's key or token names, and for operators. `timeout` holds for each page.
        """
        request = message(
            ListMatchesRequest,
            game=game,
            phases=phases,  # type: ignore[arg-type]  # Short names are made long.
            player_id=player_id,
            page_size=page_size,
        )
        while True:
            page = await self._transport.unary(methods.LIST_MATCHES, request, timeout)
            for match in page.matches:
                yield match
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def view(
        self,
        match_id: str,
        *,
        version: int | None = None,
        min_version: int | None = None,
        timeout: float | None = None,
    ) -> GetViewResponse:
        """Return what a spectator may see, now or at a version."""
        request = message(
            GetViewRequest, match_id=match_id, version=version, min_version=min_version
        )
        return await self._transport.unary(methods.GET_VIEW, request, timeout)

    def watch(
        self,
        *matches: Watched,
        after_version: int = 0,
        include_view: bool = False,
        include_legal_actions: bool = False,
        on_break: OnBreak = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[MatchUpdate, None]:
        """Yield every entry of the matches after `after_version` once, in order.

        A match is given by its id (a spectator's view), by a `SeatCredential` (that
        seat's view), or by a `WatchSubscription` with a cursor of its own. A broken
        stream is opened anew where it broke; `on_break` is told the error each time.
        Ends when all matches have ended, and with DeadlineExceededError after `timeout`
        seconds (default: never).
        """
        return watch(
            self._transport,
            matches,
            after_version,
            include_view,
            include_legal_actions,
            on_break,
            timeout,
        )

    def watch_feed(
        self,
        feed_secret: str = "",
        *,
        tenant: str = "",
        cursor: str = "",
        on_break: OnBreak = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[WatchFeedResponse, None]:
        """Yield what happens to all matches of a tenant: created, a player's turn, ended.

        Each comes once, in one order; `cursor` of what was received last is where to go on,
        also later. A broken stream is opened anew where it broke; `on_break` is told the error
        each time. It ends with an error only: UnavailableError when the server was away for longer
        than `watch_patience` of the client's `retry`, DeadlineExceededError after `timeout` seconds
        (default: never). The feed is for operators: a client with an operator's key needs no
        secret. Raises PermissionDeniedError if the server has no feed of that secret.
        """
        if timeout is not None:
            seconds("timeout", timeout)
        request = message(WatchFeedRequest, feed_secret=feed_secret, tenant=tenant, cursor=cursor)
        return self._transport.watch_feed(request, timeout, on_break)

    def play(
        self,
        credential: SeatCredential,
        *,
        after_version: int | None = None,
        include_view: bool = False,
        include_legal_actions: bool = True,
        on_break: OnBreak = None,
        timeout: float | None = None,
    ) -> AsyncPlay:
        """Play a seat over one stream: iterate for its turns, and `act` in each.

        The updates begin behind `after_version`, or with the last one there is. A broken stream
        is opened anew where it broke, and an action without an answer is sent again;
        `on_break` is told the error each time. It ends when the match has ended, and with
        DeadlineExceededError after `timeout` seconds (default: never).
        """
        return play(
            self._transport,
            credential,
            after_version,
            include_view,
            include_legal_actions,
            on_break,
            timeout,
        )

    async def replay(self, match_id: str, *, timeout: float | None = None) -> Replay:
        """Return the whole match so far as a spectator may know it, with the full
        record once it has ended."""
        request = message(GetReplayRequest, match_id=match_id)
        return to_replay(await self._transport.collect(methods.GET_REPLAY, request, timeout))
