"""A service for tests, and a client that speaks to it with the raw stubs."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import grpc
from google.rpc import error_details_pb2, status_pb2

from tablestate.v1 import catalog_service_pb2_grpc, game_pb2, match_service_pb2_grpc, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts, RunningService, running_service
from tablestate_service.settings import Limits, Settings

_counter = itertools.count(1)


def request_id() -> str:
    """A request id that was not used before in this run."""
    return f"test-request-{next(_counter):08d}"


def token(number: int) -> bytes:
    """A token; the same number gives the same."""
    return number.to_bytes(32, "big")


HOST = token(1000)


class FixedClock:
    """A clock that a test sets."""

    def __init__(self, time: int = 1_700_000_000_000_000_000) -> None:
        self.time = time

    def now(self) -> int:
        self.time += 1_000_000
        return self.time


class CountingEntropy:
    """Bytes that a test can foretell."""

    def __init__(self) -> None:
        self.count = 0

    def token_bytes(self, size: int) -> bytes:
        self.count += 1
        return self.count.to_bytes(size, "big")


class Failure:
    """A status as a caller reads it."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        self.code = error.code()
        self.message = error.details() or ""
        self.info = error_details_pb2.ErrorInfo()
        self.violations: dict[str, str] = {}
        for key, value in error.trailing_metadata() or ():
            if key == "grpc-status-details-bin":
                self._read(status_pb2.Status.FromString(value))

    def _read(self, status: status_pb2.Status) -> None:
        for detail in status.details:
            if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
                detail.Unpack(self.info)
            else:
                request = error_details_pb2.BadRequest()
                detail.Unpack(request)
                self.violations = {
                    each.field: each.description for each in request.field_violations
                }

    @property
    def reason(self) -> str:
        return str(self.info.reason)

    @property
    def metadata(self) -> dict[str, str]:
        return dict(self.info.metadata)


class Refused(contextlib.AbstractContextManager["Refused"]):
    """Expects a call to be refused: `with refused() as got: await call`."""

    failure: Failure

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        if not isinstance(error, grpc.aio.AioRpcError):
            assert error is not None, "the call was not refused"
            return False
        self.failure = Failure(error)
        return True

    @property
    def reason(self) -> str:
        return self.failure.reason


refused = Refused


class Client:
    """The raw stubs, with the fields that a test does not care for filled in."""

    def __init__(self, channel: grpc.aio.Channel, address: str = "") -> None:
        self.channel = channel
        self.address = address
        self.matches: Any = match_service_pb2_grpc.MatchServiceStub(channel)
        self.catalog: Any = catalog_service_pb2_grpc.CatalogServiceStub(channel)

    def raw(self, path: str, streaming: bool = False) -> Any:
        """A method that takes and gives bytes."""
        channel: Any = self.channel
        return channel.unary_stream(path) if streaming else channel.unary_unary(path)

    async def create(self, **fields: Any) -> str:
        """Create a match of Offboard; its id."""
        options = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions())
        request: dict[str, Any] = {
            "request_id": request_id(),
            "host_token": HOST,
            "options": options,
        } | fields
        response = await self.matches.CreateMatch(pb.CreateMatchRequest(**request))
        match_id: str = response.match.match_id
        return match_id

    async def join(
        self, match_id: str, seat: int | None = None, **fields: Any
    ) -> pb.JoinMatchResponse:
        """Take a seat with the token of the seat's number, or any with a token that is given."""
        own = {} if seat is None else {"seat_token": token(seat), "seat": seat}
        request: dict[str, Any] = {"request_id": request_id(), **own} | fields
        response: pb.JoinMatchResponse = await self.matches.JoinMatch(
            pb.JoinMatchRequest(match_id=match_id, **request)
        )
        return response

    async def started(self, seats: int = 2, **fields: Any) -> str:
        """Create a match and take all its seats; its id."""
        match_id = await self.create(**fields)
        for seat in range(seats):
            await self.join(match_id, seat)
        return match_id

    async def legal(self, match_id: str, seat: int) -> pb.ListLegalActionsResponse:
        """The legal actions of a seat."""
        response: pb.ListLegalActionsResponse = await self.matches.ListLegalActions(
            pb.ListLegalActionsRequest(match_id=match_id, seat_token=token(seat))
        )
        return response

    async def view(self, match_id: str, seat: int, **fields: Any) -> pb.GetViewResponse:
        """What a seat sees."""
        response: pb.GetViewResponse = await self.matches.GetView(
            pb.GetViewRequest(match_id=match_id, seat_token=token(seat), **fields)
        )
        return response

    async def reveal(self, match_id: str, seat: int, entropy: bytes, **fields: Any) -> Any:
        """Reveal the entropy of a seat; the update."""
        request: dict[str, Any] = {"request_id": request_id(), "seat_token": token(seat)} | fields
        response = await self.matches.RevealEntropy(
            pb.RevealEntropyRequest(match_id=match_id, entropy=entropy, **request)
        )
        return response.update

    async def add_bot(self, match_id: str, bot: str, seat: int) -> None:
        """Put a bot on a seat."""
        await self.matches.AddBot(
            pb.AddBotRequest(
                request_id=request_id(), match_id=match_id, host_token=HOST, bot=bot, seat=seat
            )
        )

    async def resign(self, match_id: str, seat: int) -> None:
        """Forfeit."""
        await self.matches.Resign(
            pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(seat))
        )

    async def submit(self, match_id: str, seat: int, notation: str, **fields: Any) -> Any:
        """Take an action; the update."""
        request: dict[str, Any] = {"request_id": request_id(), "seat_token": token(seat)} | fields
        response = await self.matches.SubmitAction(
            pb.SubmitActionRequest(
                match_id=match_id, choice=game_pb2.ActionChoice(notation=notation), **request
            )
        )
        return response.update

    async def play(self, match_id: str, plies: int | None = None) -> int:
        """Take the first legal action again and again; the number of plies taken."""
        taken = 0
        while plies is None or taken < plies:
            match = await self.match(match_id)
            if not match.actors:
                break
            seat = match.actors[0]
            legal = await self.legal(match_id, seat)
            await self.submit(
                match_id,
                seat,
                legal.legal_actions.actions[taken % len(legal.legal_actions.actions)].notation,
                expected_version=legal.version,
            )
            taken += 1
        return taken

    async def match(self, match_id: str, **fields: Any) -> Any:
        """The match."""
        response = await self.matches.GetMatch(pb.GetMatchRequest(match_id=match_id, **fields))
        return response.match

    async def ended(self, match_id: str, seconds: float = 60) -> Any:
        """The match once it has ended."""
        async with asyncio.timeout(seconds):
            async for _ in self.watch(match_id):
                pass
        return await self.match(match_id)

    def watch(self, *match_ids: str, **fields: Any) -> Any:
        """A watch of matches, each with the same fields."""
        subscriptions = [pb.WatchSubscription(match_id=each, **fields) for each in match_ids]
        return self.matches.WatchMatches(pb.WatchMatchesRequest(subscriptions=subscriptions))


@contextlib.asynccontextmanager
async def service(
    directory: Path,
    parts: Parts | None = None,
    reflection: bool = False,
    store: str = "",
    store_listen: str = "",
    metrics: str = "",
    settings: Mapping[str, Any] | None = None,
    **limits: Any,
) -> AsyncIterator[tuple[RunningService, Client]]:
    """A service on a free port, and a client of it."""
    chosen = Settings(
        port=0,
        data_dir=directory,
        store=store,
        store_listen=store_listen,
        reflection=reflection,
        metrics=metrics,
        limits=Limits(**limits),
        **(settings or {}),
    )
    # The channel outlives the service, so that a test can see how it ends.
    async with contextlib.AsyncExitStack() as channels, running_service(chosen, parts) as running:
        channel = grpc.aio.insecure_channel(running.address)
        await channels.enter_async_context(channel)
        yield running, Client(channel, running.address)
