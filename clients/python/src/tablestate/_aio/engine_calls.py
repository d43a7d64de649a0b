"""Calls for those who train and analyse: batches, evaluators, playouts, search, perft."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tablestate import _methods as methods
from tablestate._aio.transport import AsyncTransport
from tablestate._arguments import message
from tablestate._content import PARTS, Options, set_start
from tablestate._searching import OnProgress, before_the_answer, search_request
from tablestate.v1.engine_service_pb2 import (
    PerftRequest,
    PerftResponse,
    PlayoutRequest,
    PlayoutResponse,
)
from tablestate.v1.game_pb2 import GameOptions, GameState, GameView
from tablestate.v1.search_pb2 import SearchResponse

if TYPE_CHECKING:
    from tablestate._aio.batches import AsyncBatch, AsyncSimulation
    from tablestate._aio.tree_search import AsyncTreeSearch


class AsyncEngineCalls:
    """The calls of a client that have nothing to do with matches."""

    _transport: AsyncTransport

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
