"""A raw `Play` stream, for tests."""

from collections.abc import AsyncIterator
from typing import Any

import grpc

from support.service import Client, request_id, token
from tablestate.v1 import game_pb2
from tablestate.v1 import play_pb2 as pb


class Playing:
    """A stream of one seat; iterating gives what comes in."""

    def __init__(self, client: Client, match_id: str, seat: int, **begin: Any) -> None:
        self.call: Any = client.matches.Play()
        self._begin = pb.PlayBegin(match_id=match_id, seat_token=token(seat), **begin)

    async def begin(self) -> "Playing":
        await self.send(begin=self._begin)
        return self

    async def send(self, **message: Any) -> None:
        await self.call.write(pb.PlayRequest(**message))

    async def act(self, notation: str, **fields: Any) -> str:
        """Send an action; its request id."""
        fields = {"request_id": request_id()} | fields
        choice = game_pb2.ActionChoice(notation=notation)
        await self.send(action=pb.PlayAction(choice=choice, **fields))
        sent: str = fields["request_id"]
        return sent

    async def resign(self) -> None:
        await self.send(resign=pb.PlayResign(request_id=request_id()))

    async def __aiter__(self) -> AsyncIterator[pb.PlayResponse]:
        # One way to read a call: gRPC lets nobody mix them.
        while (response := await self.call.read()) is not grpc.aio.EOF:
            yield response

    async def next(self) -> pb.PlayResponse:
        response = await self.call.read()
        assert isinstance(response, pb.PlayResponse), "the stream has ended"
        return response

    async def answer(self) -> pb.PlayAnswer:
        """The next answer, whatever updates come before it."""
        while True:
            response = await self.next()
            if response.HasField("answer"):
                return response.answer


async def play(client: Client, match_id: str, seat: int, **begin: Any) -> Playing:
    """Begin to play a seat with the token of its number."""
    return await Playing(client, match_id, seat, **begin).begin()
