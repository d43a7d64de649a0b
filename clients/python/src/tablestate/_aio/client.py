"""The client: the server, its games and its matches."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Self

import grpc

from tablestate import _methods as methods
from tablestate._aio.handles import AsyncHostedMatch, AsyncSeatedPlayer, join, watch
from tablestate._aio.play import AsyncPlay, play
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message, seconds
from tablestate._backoff import RetryPolicy
from tablestate._connection import DEFAULT_TIMEOUT, ConnectionSettings, Metadata
from tablestate._content import PARTS, Options, game_options, set_start
from tablestate._cursor import OnBreak, Watched
from tablestate._searching import OnProgress, before_the_answer, search_request
from tablestate.credentials import HostCredential, Intent, SeatCredential
from tablestate.replays import Replay, to_replay
from tablestate.v1.catalog_service_pb2 import (
    GetServerInfoRequest,
    GetServerInfoResponse,
    ListGamesRequest,
)
from tablestate.v1.engine_service_pb2 import (
    PerftRequest,
    PerftResponse,
    PlayoutRequest,
    PlayoutResponse,
)
from tablestate.v1.feed_pb2 import WatchFeedRequest, WatchFeedResponse
from tablestate.v1.game_pb2 import GameInfo, GameOptions, GameState, GameView
from tablestate.v1.match_pb2 import (
    AbsencePolicy,
    Match,
    MatchPhase,
    MatchUpdate,
    RevealPolicy,
    StartPolicy,
)
from tablestate.v1.match_service_pb2 import (
    CreateMatchRequest,
    GetMatchRequest,
    GetReplayRequest,
    GetViewRequest,
    GetViewResponse,
    ListMatchesRequest,
)
from tablestate.v1.search_pb2 import SearchResponse

if TYPE_CHECKING:
    from tablestate._aio.batches import AsyncBatch, AsyncSimulation
    from tablestate._aio.tree_search import AsyncTreeSearch


class AsyncClient:
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
        on_leave: AbsencePolicy.ValueType = AbsencePolicy.ABSENCE_POLICY_UNSPECIFIED,
        on_timeout: AbsencePolicy.ValueType = AbsencePolicy.ABSENCE_POLICY_UNSPECIFIED,
        reveal: RevealPolicy.ValueType = RevealPolicy.REVEAL_POLICY_UNSPECIFIED,
        start: StartPolicy.ValueType = StartPolicy.START_POLICY_UNSPECIFIED,
        metadata: Mapping[str, str] | None = None,
        tenant: str = "",
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> AsyncHostedMatch:
        """Create a match of a game and return the host's handle to it.

        `options` is the game's options message or a mapping of its fields; policies
        left out take the server's defaults; `metadata` is the operator's own data,
        `tenant` its name for whom the match belongs to (see `watch_feed`).
        Raises InvalidRequestError for options that are not acceptable, NotFoundError for a
        game that the client does not know.
        """
        intent = intent or Intent()
        request = message(
            CreateMatchRequest,
            request_id=intent.request_id,
            host_token=intent.token,
            options=game_options(game, options),
            on_leave=on_leave,
            on_timeout=on_timeout,
            reveal=reveal,
            start=start,
            metadata=metadata,
            tenant=tenant,
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
        intent: Intent | None = None,
        timeout: float | None = None,
    ) -> AsyncSeatedPlayer:
        """Take a seat, the lowest open one by default, and return the player's handle to it.

        Raises SeatTakenError when it is taken.
        """
        return await join(self._transport, match_id, seat, display_name, player_id, intent, timeout)

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
        phases: Sequence[MatchPhase.ValueType] = (),
        page_size: int = 0,
        timeout: float | None = None,
    ) -> AsyncGenerator[Match, None]:
        """Yield matches, the newest first, asking for further pages as needed.

        `timeout` holds for each page.
        """
        request = message(ListMatchesRequest, game=game, phases=phases, page_size=page_size)
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
        feed_secret: str,
        *,
        tenant: str = "",
        cursor: str = "",
        on_break: OnBreak = None,
        timeout: float | None = None,
    ) -> AsyncGenerator[WatchFeedResponse, None]:
        """Yield what happens to all matches of a tenant: created, a player's turn, ended.

        Each comes once, in one order; `cursor` of what was received last is where to go on,
        also later. A broken stream is opened anew where it broke; `on_break` is told the error
        each time. It never ends by itself, and with DeadlineExceededError after `timeout` seconds
        (default: never). Raises PermissionDeniedError if the server has no feed of that secret.
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

    def simulation(self) -> AsyncSimulation:
        """Open a stream for batches of games; needs NumPy (`pip install tablestate[batch]`)."""
        from tablestate._aio.batches import AsyncSimulation

        return AsyncSimulation(self._transport)

    async def batch(
        self,
        game: str | GameOptions,
        size: int,
        *,
        options: Options = None,
        seed: int = 0,
        seeds: Sequence[int] | None = None,
        auto_reset: bool = False,
        observer: int | None = None,
        parts: Sequence[str] = PARTS,
        bots: Sequence[str | None] = (),
    ) -> AsyncBatch:
        """Set up new games on a stream of their own, as `AsyncSimulation.batch` does.

        The stream ends when the batch is closed. Needs NumPy.
        """
        simulation = self.simulation()
        try:
            batch = await simulation.batch(
                game,
                size,
                options=options,
                seed=seed,
                seeds=seeds,
                auto_reset=auto_reset,
                observer=observer,
                parts=parts,
                bots=bots,
            )
        except BaseException:
            await simulation.close()
            raise
        batch.owns_stream = True
        return batch

    async def evaluate(
        self,
        game: str | GameOptions | None = None,
        *,
        views: Sequence[GameView] = (),
        seats: Sequence[int] = (),
        states: Sequence[GameState] = (),
        simulations: int,
        leaves: int = 8,
        exploration: float = 1.25,
        seed: int = 0,
    ) -> AsyncTreeSearch:
        """Begin a tree search at each of the roots, whose leaves you judge; needs NumPy.

        Give either `views`, with their `game` and the `seats` that see them and decide, or full
        `states`, as their actors see them. The rest is as for the `TreeSearch` of an engine.
        """
        from tablestate._aio.tree_search import begin

        settings = (simulations, leaves, exploration, seed)
        return await begin(self._transport, (game, views, seats, states), settings)

    async def playout(
        self,
        start: str | GameOptions | GameState,
        *,
        games: int,
        seed: int = 0,
        player: str = "",
        max_plies: int = 0,
        threads: int = 0,
        timeout: float | None = None,
    ) -> PlayoutResponse:
        """Let the server play games to their ends, and return the results added up.

        `start` is a game's name, for its default options, its options or a full state; `player`
        is a bot's name (default: random). `threads` share the games (default: one); the results do
        not depend on it. When the timeout is over, or the caller gives up, the
        work stops.
        """
        request = message(
            PlayoutRequest,
            games=games,
            seed=seed,
            player=player,
            max_plies=max_plies,
            threads=threads,
        )
        set_start(request, start)
        return await self._transport.unary(methods.PLAYOUT, request, timeout)

    async def search(
        self,
        game: str | GameOptions,
        view: GameView,
        seat: int,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        seed: int = 0,
        threads: int = 0,
        on_progress: OnProgress | None = None,
        progress_seconds: float = 0.25,
        timeout: float | None = None,
    ) -> SearchResponse:
        """Let the server search for the best action of the seat that must decide.

        `game` is a game's name, for its default options, or the options of the match; `view` is
        what `seat` sees, and all that the search is told. Give either `iterations`, for an answer
        that is the same on any machine, or `seconds`, which come on top of the client's
        timeout. `on_progress` is called with what has been found so far, every `progress_seconds`
        at most. When the timeout is over, or the caller gives up, the work stops.
        """
        pause = None if on_progress is None else progress_seconds
        request = search_request(game, view, seat, iterations, seconds, seed, threads, pause)
        if timeout is None:
            timeout = self._transport.timeout + (seconds or 0)
        parts = await self._transport.collect(
            methods.SEARCH, request, timeout, before_the_answer(on_progress)
        )
        return parts[-1]

    async def perft(
        self,
        start: str | GameOptions | GameState,
        depth: int,
        *,
        divide: bool = False,
        timeout: float | None = None,
    ) -> PerftResponse:
        """Let the server count the sequences of decisions of a length from `start`.

        With `divide` it tells the count for each first action too. When the timeout is over, or
        the caller gives up, the work stops.
        """
        request = message(PerftRequest, depth=depth, divide=divide)
        set_start(request, start)
        return await self._transport.unary(methods.PERFT, request, timeout)
