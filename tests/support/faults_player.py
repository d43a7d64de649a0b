"""A client that keeps its own record of what was acknowledged, and repeats what was not."""

import random
from dataclasses import dataclass, field
from typing import NamedTuple

import grpc
from google.protobuf.message import Message

from support.service import HOST, Client, token
from tablestate.v1 import game_pb2, match_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb

GOAL = 100
OPTIONS = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=GOAL))
CALL_SECONDS = 20


class Fact(NamedTuple):
    """An entry as a client can know it; `amount` is what an action added."""

    change: int
    seat: int | None
    amount: int = 0


CREATED = Fact(match_pb2.MATCH_CHANGE_CREATED, None)
STARTED = Fact(match_pb2.MATCH_CHANGE_STARTED, None)


class Call(NamedTuple):
    """A request, and the entries that it is to bring about in a match."""

    match_id: str
    request: Message
    effect: tuple[Fact, ...]


@dataclass
class Player:
    """Plays match after match of the fake game, both seats."""

    number: int
    matches: dict[str, list[Fact]] = field(default_factory=dict)
    """What was acknowledged."""
    pending: Call | None = None
    """What was sent and not acknowledged."""
    retried: int = 0
    survived: int = 0
    """Calls that took effect and were never acknowledged: the server died in between."""
    actions: int = 0
    _sent: int = 0
    _settled: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._chooser = random.Random(self.number)

    async def play(self, client: Client) -> None:
        """Send one request after another until the server is gone."""
        self.retried += self.pending is not None
        try:
            while True:
                await self.step(client)
        except grpc.aio.AioRpcError as error:
            assert error.code() is grpc.StatusCode.UNAVAILABLE, error.details()

    async def step(self, client: Client) -> None:
        """Send what is pending, or else what comes next."""
        self.pending = self.pending or self._next()
        call = self.pending
        name = type(call.request).__name__.removesuffix("Request")
        send = client.raw(f"/tablestate.v1.MatchService/{name}")
        answer = await send(call.request.SerializeToString(), timeout=CALL_SECONDS)
        match_id = call.match_id or pb.CreateMatchResponse.FromString(answer).match.match_id
        self.matches.setdefault(match_id, []).extend(call.effect)
        self.actions += isinstance(call.request, pb.SubmitActionRequest)
        self.pending = None

    async def verify(self, client: Client, *, all_again: bool = False) -> int:
        """Assert that what is stored is what was acknowledged, and at most what is pending.

        Matches that were over when last looked at are left out, unless `all_again`. Gives
        the number of entries looked at.
        """
        seen = 0
        for match_id, acknowledged in self.matches.items():
            if match_id in self._settled and not all_again:
                continue
            stored = await facts(client, match_id)
            if is_over(stored):
                self._settled.add(match_id)
            seen += len(stored)
            pending = self.pending
            effect = list(pending.effect) if pending and pending.match_id == match_id else []
            assert stored in (acknowledged, acknowledged + effect)
            self.survived += stored != acknowledged
        return seen

    def _next(self) -> Call:
        match_id = next(reversed(self.matches), "")
        facts = self.matches.get(match_id, [])
        if not facts or is_over(facts):
            request = pb.CreateMatchRequest(
                request_id=self._request_id(), host_token=HOST, options=OPTIONS
            )
            return Call("", request, (CREATED,))
        if len(facts) < 3:
            return self._join(match_id, seat=len(facts) - 1)
        return self._submit(match_id, len(facts))

    def _join(self, match_id: str, seat: int) -> Call:
        joined = Fact(match_pb2.MATCH_CHANGE_JOINED, seat)
        request = pb.JoinMatchRequest(
            request_id=self._request_id(), match_id=match_id, seat_token=token(seat), seat=seat
        )
        return Call(match_id, request, (joined, STARTED) if seat else (joined,))

    def _submit(self, match_id: str, version: int) -> Call:
        seat, amount = version % 2, self._chooser.randint(1, 3)
        request = pb.SubmitActionRequest(
            request_id=self._request_id(),
            match_id=match_id,
            seat_token=token(seat),
            expected_version=version,
            choice=game_pb2.ActionChoice(notation=str(amount)),
        )
        return Call(match_id, request, (Fact(match_pb2.MATCH_CHANGE_ACTION, seat, amount),))

    def _request_id(self) -> str:
        self._sent += 1
        return f"player-{self.number:04d}-{self._sent:08d}"


def is_over(facts: list[Fact]) -> bool:
    """Whether the goal is reached."""
    return sum(each.amount for each in facts) >= GOAL


async def facts(client: Client, match_id: str) -> list[Fact]:
    """The entries of a match, as anybody may see them."""
    parts = client.matches.GetReplay(pb.GetReplayRequest(match_id=match_id))
    return [fact_of(part.update) async for part in parts if part.HasField("update")]


def fact_of(update: match_pb2.MatchUpdate) -> Fact:
    seat = update.seat if update.HasField("seat") else None
    amount = update.events[0].offboard.moved.group if update.events else 0
    return Fact(update.change, seat, amount)


async def count_matches(client: Client) -> int:
    """How many matches there are."""
    count, page = 0, ""
    while True:
        response = await client.matches.ListMatches(
            pb.ListMatchesRequest(page_size=100, page_token=page)
        )
        count += len(response.matches)
        page = response.next_page_token
        if not page:
            return count
