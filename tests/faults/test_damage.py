"""Damaged files: no match is ever served otherwise than it was.

A bit that flips within an entry damages its match alone. Damage to a page may reach every
match that has a row there, and damage to the inner pages of a tree all that lie below; the
rest goes on. Only the pages that hold the schema, the first among them, can keep the service
from starting, which says so. A damaged or shortened WAL is another matter: SQLite takes the first
frame that does not fit for the end of it, as after a crash. The newest commits are lost
then and nobody can tell, but what is left is a state that was.
"""

import logging
import random
import shutil
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import apsw
import grpc
import pytest

from support.fake_engine import FakeEngine
from support.faults_load import Course, course, store_all
from support.faults_player import facts
from support.faults_report import by_form
from support.service import Client, Failure, service
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.adapters.sqlite_files import DATABASE_NAME, DataDirectoryError
from tablestate_service.adapters.sqlite_store import SqliteStore
from tablestate_service.app import Parts

PAGE = 4096
MATCHES, PLIES = 20, 40
TRIALS = by_form(8, 80)

Harm: TypeAlias = Callable[[bytearray, random.Random], None]


@pytest.fixture(scope="module")
async def stored(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[Course]]:
    """A whole database of some matches, and what is in it."""
    directory = tmp_path_factory.mktemp("whole")
    courses = [course(number, PLIES) for number in range(MATCHES)]
    await SqliteStore(directory).close()
    connection = apsw.Connection(str(directory / DATABASE_NAME))
    connection.execute("VACUUM")  # The schema before the entries, so that they can be cut off.
    connection.close()
    store = SqliteStore(directory)
    await store_all(store, courses)
    await store.close()
    return (directory / DATABASE_NAME).read_bytes(), courses


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL)


@asynccontextmanager
async def served(directory: Path, content: bytes | bytearray) -> AsyncIterator[Client]:
    """A service on a database with this content."""
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    (directory / DATABASE_NAME).write_bytes(content)
    async with service(directory, Parts(engine=FakeEngine)) as (_, client):
        yield client


async def is_served(client: Client, each: Course) -> bool:
    """Whether a match is served, just as it was; else it must be told as damaged."""
    try:
        match = await client.match(each.match_id)
        found = await facts(client, each.match_id)
    except grpc.aio.AioRpcError as error:
        failure = Failure(error)
        assert (failure.code, failure.reason) == (grpc.StatusCode.DATA_LOSS, "LOG_DAMAGED")
        return False
    assert match.version == len(found) == len(each.entries)
    assert [fact.amount for fact in found] == amounts(each)
    return True


def amounts(each: Course) -> list[int]:
    return [int(entry.draft.notation or 0) for entry in each.entries]


async def can_act(client: Client, each: Course) -> bool:
    """Whether a match goes on; else it must be told as damaged."""
    try:
        await client.submit(each.match_id, PLIES % 2, "1")
    except grpc.aio.AioRpcError as error:
        assert Failure(error).reason == "LOG_DAMAGED"
        return False
    return True


async def list_of(client: Client) -> set[str] | None:
    """The ids of all matches that are listed; None if the list is damaged."""
    try:
        response = await client.matches.ListMatches(pb.ListMatchesRequest(page_size=100))
    except grpc.aio.AioRpcError as error:
        assert Failure(error).reason == "LOG_DAMAGED"
        return None
    return {match.match_id for match in response.matches}


async def test_a_bit_flipped_in_an_entry_damages_its_match_alone(
    tmp_path: Path, stored: tuple[bytes, list[Course]], tally: Counter[str]
) -> None:
    content, courses = stored
    chooser = random.Random(5)
    for _ in range(TRIALS):
        harmed = chooser.choice(courses)
        damaged = bytearray(content)
        place = chooser.choice(entry_bytes(content, harmed, chooser))
        damaged[place] ^= 1 << chooser.randrange(8)
        async with served(tmp_path / "data", damaged) as client:
            for each in courses:
                assert await is_served(client, each) == (each is not harmed)
            others = [each for each in courses if each is not harmed]
            assert await can_act(client, chooser.choice(others))
            assert not await can_act(client, harmed)
            listed = await list_of(client)
            assert listed is not None
            assert listed >= {each.match_id for each in others}
        tally["bits flipped"] += 1
        tally["matches told as damaged"] += 1
        tally["matches served as they were"] += len(others)
    assert tally["bits flipped"] == TRIALS


def entry_bytes(content: bytes, each: Course, chooser: random.Random) -> range:
    """Where the columns of one of a match's entries lie, all but the id of the match."""
    # The hash of the last is in `matches` too, and pages that were split have stale copies.
    single = [entry for entry in each.entries if content.count(entry.hash) == 1]
    entry = chooser.choice(single)
    end = content.index(entry.hash) + len(entry.hash)
    start = content.rindex(each.match_id.encode(), 0, end) + len(each.match_id)
    return range(start, end)


def flip_a_bit(damaged: bytearray, chooser: random.Random) -> None:
    damaged[chooser.randrange(PAGE, len(damaged))] ^= 1 << chooser.randrange(8)


def page_of_zeros(damaged: bytearray, chooser: random.Random) -> None:
    start = PAGE * chooser.randrange(1, len(damaged) // PAGE)
    damaged[start : start + PAGE] = bytes(PAGE)


def page_of_noise(damaged: bytearray, chooser: random.Random) -> None:
    start = PAGE * chooser.randrange(1, len(damaged) // PAGE)
    damaged[start : start + PAGE] = chooser.randbytes(PAGE)


def cut_off(damaged: bytearray, chooser: random.Random) -> None:
    del damaged[chooser.randrange(len(damaged) * 7 // 8, len(damaged)) :]


@pytest.fixture
def schema(tmp_path: Path, stored: tuple[bytes, list[Course]]) -> Sequence[int]:
    """Where the pages begin that hold the definitions of the tables."""
    path = tmp_path / "looked_at.db"
    path.write_bytes(stored[0])
    connection = apsw.Connection(str(path))
    pages = connection.execute("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'").fetchall()
    connection.close()
    return [PAGE * (int(str(page)) - 1) for (page,) in pages]


@pytest.mark.parametrize("harm", [flip_a_bit, page_of_zeros, page_of_noise, cut_off])
async def test_damage_anywhere_is_told_and_never_served(
    tmp_path: Path,
    stored: tuple[bytes, list[Course]],
    schema: Sequence[int],
    tally: Counter[str],
    harm: Harm,
) -> None:
    """Anywhere but in the schema."""
    content, courses = stored
    chooser = random.Random(6)
    for _ in range(TRIALS):
        damaged = bytearray(content)
        harm(damaged, chooser)
        if any(content[at : at + PAGE] != damaged[at : at + PAGE] for at in schema):
            tally["schemas damaged"] += 1  # See the next test.
            continue
        async with served(tmp_path / "data", damaged) as client:
            intact = [each for each in courses if await is_served(client, each)]
            tally["matches served as they were"] += len(intact)
            tally["matches told as damaged"] += len(courses) - len(intact)
            for each in intact:
                acted = await can_act(client, each)
                tally["of those served, could go on" if acted else "of those, could not"] += 1
            listed = await list_of(client)
            tally["lists told as damaged"] += listed is None
            tally["matches missing in lists"] += len(courses) - len(listed or courses)
        tally["files damaged"] += 1
    assert tally["files damaged"] + tally["schemas damaged"] == TRIALS
    assert tally["matches told as damaged"] > 0
    assert tally["matches served as they were"] > 0


async def test_a_damaged_schema_keeps_the_service_from_starting_and_says_so(
    tmp_path: Path,
    stored: tuple[bytes, list[Course]],
    schema: Sequence[int],
    tally: Counter[str],
) -> None:
    content, courses = stored
    chooser = random.Random(7)
    for _ in range(TRIALS):
        damaged = bytearray(content)
        page = chooser.choice(schema)
        used = [place for place in range(page, page + PAGE) if content[place]]
        damaged[chooser.choice(used)] ^= 1 << chooser.randrange(8)
        try:
            async with served(tmp_path / "data", damaged) as client:
                for each in courses:
                    assert await is_served(client, each)
            tally["bits that did no harm"] += 1
        except DataDirectoryError:
            tally["starts refused"] += 1
    assert tally["starts refused"] > 0
    with pytest.raises(DataDirectoryError, match="damaged"):
        async with served(tmp_path / "data", bytes(PAGE) + content[PAGE:]):
            pass


async def test_a_damaged_wal_loses_the_newest_commits_and_nothing_else(
    tmp_path: Path, tally: Counter[str]
) -> None:
    courses, chooser = [course(number, 10) for number in range(4)], random.Random(8)
    store = SqliteStore(tmp_path / "live")
    await store_all(store, courses)
    for trial in range(TRIALS):
        copy = tmp_path / f"{trial}"
        shutil.copytree(tmp_path / "live", copy)  # As a kill would leave it.
        wal = bytearray((copy / f"{DATABASE_NAME}-wal").read_bytes())
        if trial % 2:
            wal[chooser.randrange(len(wal))] ^= 1 << chooser.randrange(8)
        else:
            del wal[chooser.randrange(len(wal)) :]
        (copy / f"{DATABASE_NAME}-wal").write_bytes(wal)
        await look_at_what_is_left(copy, courses, tally)
        tally["WALs shortened" if trial % 2 == 0 else "bits flipped"] += 1
    await store.close()
    assert tally["bits flipped"] + tally["WALs shortened"] == TRIALS
    assert tally["entries lost"] > 0
    assert tally["entries left"] > 0


async def look_at_what_is_left(directory: Path, courses: list[Course], tally: Counter[str]) -> None:
    async with service(directory, Parts(engine=FakeEngine)) as (_, client):
        for each in courses:
            try:
                found = await facts(client, each.match_id)
            except grpc.aio.AioRpcError as error:
                assert Failure(error).reason == "MATCH_NOT_FOUND"
                found = []
            assert [fact.amount for fact in found] == amounts(each)[: len(found)]
            tally["entries left"] += len(found)
            tally["entries lost"] += len(each.entries) - len(found)
