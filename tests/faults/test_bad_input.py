"""A storm of bad requests: each is told what is wrong, at once, and the server goes on."""

import asyncio
import itertools
import random
import socket
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from support.faults_mutation import MUTATIONS, Mutation
from support.faults_process import running
from support.faults_report import by_form
from support.faults_watchers import clients
from support.service import HOST, Client, Failure, request_id, token
from tablestate.v1 import catalog_service_pb2, game_pb2, match_service_pb2, offboard_pb2
from tablestate_service.domain.errors import Reason
from tablestate_service.rpc.error_table import CODES, DOMAIN

SERVICES = (
    match_service_pb2.DESCRIPTOR.services_by_name["MatchService"],
    catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"],
)
METHODS = [method for service in SERVICES for method in service.methods]
EACH = by_form(20, 200)
"""Requests of each kind to each method."""
IN_FLIGHT = 16
HANGS = 20.0
"""Seconds after which a call that got no answer counts as hanging."""


class Target(NamedTuple):
    """Matches that requests are about: one that is over, one that runs, one that waits."""

    over: str
    running: str
    waiting: str


async def make_target(client: Client) -> Target:
    over = await client.started()
    await client.matches.Resign(
        match_service_pb2.ResignRequest(request_id=request_id(), match_id=over, seat_token=token(0))
    )
    return Target(over, await client.started(), await client.create())


def valid_request(method: MethodDescriptor, target: Target, chooser: random.Random) -> Message:
    """A request that would be carried out, or refused for the state of the match alone."""
    kind = GetMessageClass(method.input_type)
    if method.name == "WatchMatches":
        # Of a match that is over, so that a watch always ends.
        subscription = {"match_id": target.over, "seat_token": token(0), "include_view": True}
        return kind(subscriptions=[subscription])
    values: dict[str, Any] = {
        "request_id": request_id(),
        "match_id": chooser.choice(target),
        "host_token": HOST,
        "seat_token": token(chooser.randint(0, 1)),
        "options": game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions()),
        "choice": game_pb2.ActionChoice(index=chooser.randrange(430)),
        "bot": "random",
        "game": "offboard",
        "page_size": 10,
        "version": 2,
        "include_view": True,
        "include_legal_actions": True,
        "include_observation": True,
    }
    known = method.input_type.fields_by_name
    return kind(**{name: value for name, value in values.items() if name in known})


class Storm:
    """Sends bad requests and looks at what comes back."""

    def __init__(self, client: Client, target: Target, tally: Counter[str]) -> None:
        self._client, self._target, self._tally = client, target, tally
        self._chooser = random.Random(12)

    async def send(self, method: MethodDescriptor, mutation: Mutation) -> None:
        request = mutation(valid_request(method, self._target, self._chooser), self._chooser)
        path = f"/{method.containing_service.full_name}/{method.name}"
        try:
            await self._call(path, method.server_streaming, request)
            self._tally["answered OK all the same"] += 1
        except grpc.aio.AioRpcError as error:
            require_proper(Failure(error), path, request)
            self._tally[f"refused: {Failure(error).reason}"] += 1
        self._tally[f"sent: {mutation.__name__}"] += 1

    async def _call(self, path: str, streaming: bool, request: bytes) -> None:
        if not streaming:
            await self._client.raw(path)(request, timeout=HANGS)
            return
        async for _ in self._client.raw(path, streaming=True)(request, timeout=HANGS):
            pass


def require_proper(failure: Failure, path: str, request: bytes) -> None:
    """A status as the table of errors has it, and none that stands for a fault."""
    shown = (path, request[:200].hex(), failure.code, failure.message)
    assert failure.info.domain == DOMAIN, shown
    reason = Reason[failure.reason]
    assert failure.code is CODES[reason], shown
    assert reason not in (Reason.INTERNAL, Reason.STORAGE_UNAVAILABLE, Reason.LOG_DAMAGED), shown


async def test_every_bad_request_gets_a_proper_status_and_the_server_goes_on(
    tmp_path: Path, tally: Counter[str]
) -> None:
    async with (
        running(tmp_path, engine="core") as service,
        clients(service.address, 1) as [client],
    ):
        for _ in range(EACH // 5):
            storm = Storm(client, await make_target(client), tally)
            sending = [
                storm.send(method, mutation)
                for method, mutation in itertools.product(METHODS, MUTATIONS)
                for _ in range(5)
            ]
            for start in range(0, len(sending), IN_FLIGHT):
                await asyncio.gather(*sending[start : start + IN_FLIGHT])
        assert service.process.returncode is None
        assert await client.play(await client.started(), plies=10) == 10
        tally["actions taken afterwards"] += 10
    for mutation in MUTATIONS:
        assert tally[f"sent: {mutation.__name__}"] >= EACH * len(METHODS)


async def test_what_is_no_grpc_at_all_does_no_harm(tmp_path: Path, tally: Counter[str]) -> None:
    chooser = random.Random(13)
    async with (
        running(tmp_path, engine="core") as service,
        clients(service.address, 1) as [client],
    ):
        host, _, port = service.address.rpartition(":")
        preface = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
        for _ in range(by_form(30, 300)):
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(chooser.choice((b"", preface)) + chooser.randbytes(500))
            tally["connections of noise"] += 1
        with_too_much = client.raw("/tablestate.v1.MatchService/GetMatch")
        for _ in range(5):
            try:
                await with_too_much(bytes(2 << 20), timeout=HANGS)
            except grpc.aio.AioRpcError as error:
                assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
                tally["requests of 2 MiB refused"] += 1
        assert await client.play(await client.started(), plies=10) == 10
    assert tally["connections of noise"] == by_form(30, 300)
    assert tally["requests of 2 MiB refused"] == 5
