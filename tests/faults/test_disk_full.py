"""A full disk: writes are refused and leave no trace, reads go on, and it passes."""

import itertools
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import grpc
import pytest

from support.fake_engine import FakeEngine
from support.faults_disk import SmallDisk, can_mount, on_small_disk
from support.faults_process import running
from support.faults_report import by_form
from support.faults_vfs import Disk, DiskVfs
from support.faults_watchers import LONG_GAME, act
from support.service import Client, refused, service
from tablestate_service.app import Parts

ROUNDS = by_form(3, 20)


class Full:
    """A disk of a service: `fill` takes the room, `empty` gives it back."""

    def __init__(self, client: Client, fill: Callable[[], None], empty: Callable[[], None]) -> None:
        self.client, self.fill, self.empty = client, fill, empty


Opened: TypeAlias = Callable[[Path], AbstractAsyncContextManager[Full]]


@asynccontextmanager
async def on_vfs(directory: Path) -> AsyncIterator[Full]:
    """A service on a disk in memory."""
    disk = Disk()
    vfs = DiskVfs(disk)

    def fill() -> None:
        disk.is_full = True

    def empty() -> None:
        disk.is_full = False

    async with service(directory, Parts(engine=FakeEngine, vfs=vfs.vfs_name)) as (_, client):
        yield Full(client, fill, empty)


@asynccontextmanager
async def on_tmpfs(directory: Path) -> AsyncIterator[Full]:
    """A service on a file system of 8 MiB: the kernel's own ENOSPC."""
    data = directory / "data"
    async with (
        running(data, wrapper=on_small_disk(data, "8m")) as process,
        grpc.aio.insecure_channel(process.address) as channel,
    ):
        disk = SmallDisk(process.pid, data)
        yield Full(Client(channel), disk.fill, disk.empty)


DISKS: list[Opened] = [on_vfs, on_tmpfs] if can_mount() else [on_vfs]
"""Not everybody may mount; the report shows which were filled."""


async def act_until_refused(full: Full, match_id: str, ply: int) -> int:
    """Act until the disk is full; how many actions there are then."""
    with refused() as got:
        while True:
            await full.client.submit(match_id, ply % 2, "1")
            ply += 1
    assert got.failure.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert got.reason == "STORAGE_FULL"
    return ply


@pytest.mark.parametrize("open_disk", DISKS)
async def test_without_room_reads_go_on_and_with_room_writes_work_again(
    tmp_path: Path, tally: Counter[str], open_disk: Opened
) -> None:
    async with open_disk(tmp_path) as full:
        matches = [await full.client.started(options=LONG_GAME) for _ in range(ROUNDS + 1)]
        for match_id, untouched in itertools.pairwise(matches):
            full.fill()
            ply = 0
            for _ in range(3):
                # Some may fit again: a WAL that is full is begun anew where it can be.
                ply = await act_until_refused(full, match_id, ply)
                tally["writes refused"] += 1
            tally["reads while full"] += await read_everything(full.client, match_id, ply)
            assert (await full.client.match(untouched)).version == 4
            full.empty()
            await act(full.client, match_id, 20, first=ply)
            tally["writes when there was room again"] += 20
            assert (await full.client.match(match_id)).ply == ply + 20
            tally["disk filled"] += 1
    assert tally["disk filled"] == ROUNDS


async def read_everything(client: Client, match_id: str, ply: int) -> int:
    """Read a match in every way while the disk is full; how many reads that were."""
    assert (await client.match(match_id)).ply == ply
    assert (await client.view(match_id, 0)).ply == ply
    assert len((await client.legal(match_id, ply % 2)).legal_actions.actions) == 3
    assert (await client.view(match_id, 0, version=3)).version == 3
    watch = aiter(client.watch(match_id))
    assert (await anext(watch)).update.version == 1
    return 5
