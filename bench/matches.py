"""Matches of Offboard made through the API, and scripts of legal actions for them."""

import random
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import grpc

from bench.servers import Server
from tablestate.v1 import game_pb2, match_service_pb2_grpc, offboard_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service import engine

SERVICE = "/tablestate.v1.MatchService"
SEATS = 2
FIRST_VERSION = 4
"""The version of a match that has just started: created, joined twice, started."""

OPTIONS = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions())
_ANY_SEED = bytes(32)
"""Offboard draws nothing by chance."""


@dataclass(frozen=True, slots=True)
class Table:
    """A running match and the tokens of its seats."""

    match_id: str
    tokens: tuple[bytes, ...]


class Api:
    """The few calls that prepare a benchmark."""

    def __init__(self, channel: grpc.Channel) -> None:
        """Call over a channel."""
        self._channel: Any = channel
        self._stub: Any = match_service_pb2_grpc.MatchServiceStub(channel)

    def started(self) -> Table:
        """Create a match and take its seats, which starts it."""
        request = pb.CreateMatchRequest(
            request_id=request_id(), host_token=secrets.token_bytes(32), options=OPTIONS
        )
        match_id: str = self._stub.CreateMatch(request).match.match_id
        tokens = tuple(secrets.token_bytes(32) for _ in range(SEATS))
        for token in tokens:
            self._stub.JoinMatch(
                pb.JoinMatchRequest(request_id=request_id(), match_id=match_id, seat_token=token)
            )
        return Table(match_id, tokens)

    def reply(self, method: str, body: bytes) -> bytes:
        """The bytes that a method answers to the bytes of a request."""
        answer: bytes = self._channel.unary_unary(f"{SERVICE}/{method}")(body)
        return answer


@contextmanager
def api(server: Server) -> Iterator[Api]:
    """The API of a service, for as long as the benchmark prepares itself."""
    with grpc.insecure_channel(server.address) as channel:
        yield Api(channel)


def request_id() -> str:
    """A request id that nobody has used."""
    return secrets.token_hex(16)


def get_view(table: Table) -> bytes:
    """Ask for what seat 0 sees."""
    return pb.GetViewRequest(
        match_id=table.match_id, seat_token=table.tokens[0]
    ).SerializeToString()


def list_legal_actions(table: Table) -> bytes:
    """Ask what seat 0 may do."""
    return pb.ListLegalActionsRequest(
        match_id=table.match_id, seat_token=table.tokens[0]
    ).SerializeToString()


def submissions(table: Table, course: list[tuple[int, str]]) -> list[bytes]:
    """The requests that play a course on a match that has just started."""
    return [
        pb.SubmitActionRequest(
            request_id=request_id(),
            match_id=table.match_id,
            seat_token=table.tokens[seat],
            expected_version=FIRST_VERSION + ply,
            choice=game_pb2.ActionChoice(notation=notation),
        ).SerializeToString()
        for ply, (seat, notation) in enumerate(course)
    ]


def random_course(chance: random.Random, plies: int) -> list[tuple[int, str]]:
    """Seats and actions of a random game, up to its end or a number of plies."""
    options = engine.validate_options(OPTIONS.SerializeToString()).options
    state = engine.GameState.start(options, _ANY_SEED).state
    course: list[tuple[int, str]] = []
    while (actor := state.actor) is not None and len(course) < plies:
        notation = chance.choice(state.legal_notations())
        course.append((actor, notation))
        state = state.replay(notation, []).state
    return course
