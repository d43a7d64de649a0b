"""Power cuts: what the store acknowledged survives, whatever the disk had not yet synced.

A kill proves nothing here, since the page cache outlives the process. These tests drop
what was not synced, and show that they would notice: without syncs, rows are lost.
"""

import itertools
import random
from collections import Counter
from pathlib import Path

from support.faults_load import Course, course, examine, store_all, store_course
from support.faults_report import by_form
from support.faults_vfs import SURVIVALS, Disk, DiskVfs, Survival
from tablestate_service.adapters.sqlite_files import DataDirectoryError
from tablestate_service.adapters.sqlite_store import SqliteStore

SMALL_WAL = 24
"""Pages after which to checkpoint: so few that short runs have several checkpoints."""


class Groups:
    """Counts transactions."""

    def __init__(self) -> None:
        self.commits = 0

    def reach(self, point: str) -> None:
        self.commits += point == "after_commit"


async def run(
    disk: Disk, directory: Path, courses: list[Course], *, synchronous: str = "FULL"
) -> int:
    """Store matches on a disk until all is stored or the power fails; the commits."""
    groups, vfs = Groups(), DiskVfs(disk)
    try:
        store = SqliteStore(directory, vfs=vfs.vfs_name, faults=groups)
    except DataDirectoryError:
        return 0
    connection = store._writer._connection
    connection.pragma("wal_autocheckpoint", SMALL_WAL)
    connection.pragma("synchronous", synchronous)
    if len(courses) == 1:
        await store_course(store, courses[0])
    else:
        await store_all(store, courses)
    await store.close()
    return groups.commits


async def lost_after_cut(
    disk: Disk, directory: Path, courses: list[Course], survival: Survival, seed: int
) -> int:
    """Acknowledged entries that are not found when the power is back."""
    disk.save(directory, survival, seed)
    return (await examine(directory, courses)).lost


async def test_cut_at_every_operation_nothing_acknowledged_is_lost(
    tmp_path: Path, tally: Counter[str]
) -> None:
    """From the creation of the database over commits and checkpoints to the closing."""
    for cut in itertools.count():
        disk, played = Disk(), course(1, by_form(2, 40))
        disk.cut_after(cut)
        await run(disk, tmp_path / f"{cut}", [played])
        if disk.is_on:
            break
        tally[f"cut at a {disk.cut_during}"] += 1
        for survival in SURVIVALS:
            found = tmp_path / f"{cut} {survival}"
            assert await lost_after_cut(disk, found, [played], survival, cut) == 0
            tally[f"reopened with {survival} of the unsynced"] += 1
        tally["acknowledged entries looked for"] += len(SURVIVALS) * played.acknowledged_entries
    assert played.acknowledged == len(played.steps)
    for operation, count in disk.operations.items():
        assert tally[f"cut at a {operation}"] == count > 0
    assert set(disk.operations) == {"write", "sync", "truncate", "delete"}


def under_load(number: int) -> list[Course]:
    """Matches to be played at once; each run has its own."""
    return [course(100 * number + each, plies=by_form(15, 30)) for each in range(64)]


async def operations_under_load(directory: Path) -> int:
    """About how many operations a run has that is not cut."""
    disk = Disk()
    await run(disk, directory, under_load(0))
    return disk.operations.total()


async def test_cut_under_load_nothing_acknowledged_is_lost(
    tmp_path: Path, tally: Counter[str]
) -> None:
    chooser = random.Random(3)
    operations = await operations_under_load(tmp_path)
    cuts = by_form(5, 60)
    for cut in range(cuts):
        disk, courses = Disk(), under_load(cut)
        disk.cut_after(chooser.randrange(operations // 10, operations * 3 // 4))
        tally["commits"] += await run(disk, tmp_path / f"{cut}", courses)
        tally["appends acknowledged"] += sum(each.acknowledged for each in courses)
        tally[f"cut at a {disk.cut_during}"] += 1
        for survival in SURVIVALS:
            found = tmp_path / f"{cut} {survival}"
            assert await lost_after_cut(disk, found, courses, survival, cut) == 0
    assert sum(tally[f"cut at a {each}"] for each in ("write", "sync", "truncate")) == cuts
    assert tally["appends acknowledged"] > 8 * tally["commits"], "no groups were committed"


async def test_without_syncs_a_cut_loses_what_was_acknowledged(
    tmp_path: Path, tally: Counter[str]
) -> None:
    """The proof that the tests above can fail; a kill alone would lose nothing."""
    chooser = random.Random(4)
    operations = await operations_under_load(tmp_path)
    for cut in range(by_form(3, 20)):
        disk, courses = Disk(), under_load(cut)
        disk.cut_after(chooser.randrange(operations // 4, operations * 3 // 4))
        await run(disk, tmp_path / f"{cut}", courses, synchronous="OFF")
        assert not disk.is_on
        acknowledged = sum(each.acknowledged_entries for each in courses)
        lost = await lost_after_cut(disk, tmp_path / f"{cut} nothing", courses, "nothing", cut)
        assert 0 < lost <= acknowledged
        assert await lost_after_cut(disk, tmp_path / f"{cut} all", courses, "all", cut) == 0
        tally["acknowledged entries"] += acknowledged
        tally["of them lost when nothing unsynced survives"] += lost
        tally["cut"] += 1
