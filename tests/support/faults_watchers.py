"""Watchers in numbers, and what they saw."""

import asyncio
import contextlib
import itertools
from collections.abc import AsyncIterator
from typing import Any

import grpc

from support.service import Client, Failure
from tablestate.v1 import game_pb2, offboard_pb2

LONG_GAME = game_pb2.GameOptions(offboard=offboard_pb2.OffboardOptions(points_to_win=10_000))
NEVER_READING = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 1024))
"""A client with these options takes 62 KiB from a stream that it does not read."""


@contextlib.asynccontextmanager
async def clients(
    address: str, count: int, options: tuple[tuple[str, int], ...] = ()
) -> AsyncIterator[list[Client]]:
    """Clients with a connection each."""
    own = (("grpc.use_local_subchannel_pool", 1), *options)
    channels = [grpc.aio.insecure_channel(address, options=own) for _ in range(count)]
    try:
        yield [Client(channel, address) for channel in channels]
    finally:
        await asyncio.gather(*(channel.close() for channel in channels))


async def open_watches(clients: list[Client], match_ids: list[str], **fields: Any) -> list[Any]:
    """One open watch for each of some matches, spread over the clients."""
    watches = [
        client.watch(match_id, **fields)
        for client, match_id in zip(itertools.cycle(clients), match_ids, strict=False)
    ]
    await asyncio.gather(*(each.initial_metadata() for each in watches))
    return watches


async def read_to_end(watch: Any) -> tuple[list[int], Failure | None]:
    """The versions that a watch of one match gives, and how it fails if it does."""
    versions: list[int] = []
    try:
        async for message in watch:
            versions.append(message.update.version)
    except grpc.aio.AioRpcError as error:
        return versions, Failure(error)
    return versions, None


async def read_some(watch: Any, count: int) -> list[int]:
    """The next versions of a watch of one match; it is cancelled then."""
    versions: list[int] = []
    async for message in watch:
        versions.append(message.update.version)
        if len(versions) == count:
            break
    watch.cancel()
    return versions


async def act(client: Client, match_id: str, plies: int, first: int = 0) -> None:
    """Take so many actions in a match of the fake game, one after the other."""
    for ply in range(first, first + plies):
        await client.submit(match_id, ply % 2, "1")
