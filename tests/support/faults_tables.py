"""Tables that play matches with every mutating call, and send each again and again."""

import asyncio
import random
from collections import Counter
from typing import Any, NamedTuple

from google.protobuf.message import Message

from support.faults_report import by_form
from support.service import HOST, Client, request_id, token
from tablestate.v1 import game_pb2, match_pb2, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb

CALLS = by_form(150, 2_000)
TABLES = 8
PLIES = 5
METADATA = {f"key {number}": "value" for number in range(8)}
OPTIONS = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions())
MUTATING = (
    *("CreateMatch", "JoinMatch", "LeaveSeat", "AddBot"),
    *("StartMatch", "SubmitAction", "Resign", "AbortMatch"),
)


class Answered(NamedTuple):
    """A call, as bytes, and its answer."""

    method: str
    request: bytes
    answer: bytes


class Table:
    """Plays matches with every call, and sends each again and again."""

    def __init__(self, clients: list[Client], number: int, tally: Counter[str]) -> None:
        self.answered: list[Answered] = []
        self.versions: dict[str, int] = {}
        """How many entries each match must have: each call brings about its own, once."""
        self._clients, self._tally = clients, tally
        self._chooser = random.Random(number)

    async def call(self, kind: Any, **fields: Any) -> bytes:
        """Send a new request two to five times at once, and sometimes an old one."""
        request: Message = kind(request_id=request_id(), **fields)
        method = kind.__name__.removesuffix("Request")
        copies = self._chooser.randint(2, 5)
        answer = await self.send(method, request.SerializeToString(), copies)
        self.answered.append(Answered(method, request.SerializeToString(), answer))
        self._tally[f"{method} called"] += 1
        if self._chooser.random() < 0.3:
            old = self._chooser.choice(self.answered)
            assert await self.send(old.method, old.request, 1) == old.answer
            self._tally["sent again late"] += 1
        return answer

    async def send(self, method: str, request: bytes, copies: int) -> bytes:
        """Send bytes over several connections at once; the one answer to all."""
        senders = self._chooser.sample(self._clients, k=copies)
        path = f"/tablestate.v1.MatchService/{method}"
        answers = await asyncio.gather(*(each.raw(path)(request) for each in senders))
        self._tally["requests sent"] += copies
        assert len(set(answers)) == 1
        answer: bytes = answers[0]
        return answer

    async def seat_call(self, kind: Any, match_id: str, seat: int, **fields: Any) -> bytes:
        return await self.call(kind, match_id=match_id, seat_token=token(seat), **fields)

    async def create(self, **fields: Any) -> str:
        answer = await self.call(
            pb.CreateMatchRequest, host_token=HOST, options=OPTIONS, metadata=METADATA, **fields
        )
        match_id: str = pb.CreateMatchResponse.FromString(answer).match.match_id
        return match_id

    async def play(self) -> None:
        """Play a match of players to a resignation, and start one of bots and abort it."""
        match_id = await self.create()
        await self.seat_call(pb.JoinMatchRequest, match_id, 0, player_id="p")
        await self.seat_call(pb.LeaveSeatRequest, match_id, 0)
        await self.seat_call(pb.JoinMatchRequest, match_id, 0)
        await self.seat_call(pb.JoinMatchRequest, match_id, 1)
        for _ in range(PLIES):
            await self.act(match_id)
        await self.seat_call(pb.ResignRequest, match_id, self._chooser.randint(0, 1))
        self.versions[match_id] = 7 + PLIES
        match_id = await self.create(start_policy=match_pb2.START_POLICY_BY_HOST)
        await self.seat_call(pb.JoinMatchRequest, match_id, 0)
        for kind, fields in (
            (pb.AddBotRequest, {"bot": "random", "seat": 1}),
            (pb.StartMatchRequest, {}),
            (pb.AbortMatchRequest, {}),
        ):
            await self.call(kind, match_id=match_id, host_token=HOST, **fields)
        self.versions[match_id] = 5

    async def act(self, match_id: str) -> None:
        client = self._clients[0]
        [seat] = (await client.match(match_id)).actors
        legal = (await client.legal(match_id, seat)).legal_actions.actions
        notation = self._chooser.choice(legal).notation
        await self.seat_call(
            pb.SubmitActionRequest,
            match_id,
            seat,
            choice=game_pb2.ActionChoice(notation=notation),
            include_view=True,
            include_legal_actions=True,
        )


async def play_tables(
    clients: list[Client], tally: Counter[str], calls: int = CALLS
) -> list[Table]:
    """Play at many tables at once until so many calls were made."""
    tables = [Table(clients, number, tally) for number in range(TABLES)]
    while sum(len(each.answered) for each in tables) < calls:
        await asyncio.gather(*(each.play() for each in tables))
    return tables


async def require_versions(client: Client, tables: list[Table]) -> None:
    """Every call has had its effect once, and there is no match that none asked for."""
    for table in tables:
        for match_id, version in table.versions.items():
            assert (await client.match(match_id)).version == version
