"""What earlier releases stored opens, says the same, goes on and can be verified.

The stores are in `tests/data/stores`, written by `tools/stores.py` with the code of the release
that their folder is named after.
"""

import gzip
import json
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from support.service import Client, service
from tablestate.v1 import match_service_pb2 as pb
from tablestate.v1.match_pb2 import MatchPhase, SeatOccupant
from tablestate_service import app, matchfile
from tablestate_service.adapters.sqlite_files import DATABASE_NAME
from tools import postgres as programs
from tools.postgres import Postgres
from tools.stores import CALLS, DUMP, FOLDER, SERVICE, SQLITE, Call

RELEASES = sorted(path.name for path in FOLDER.iterdir())
METHODS = pb.DESCRIPTOR.services_by_name["MatchService"].methods_by_name
PLIES = 6


def unpacked(release: str, file: str) -> bytes:
    return gzip.decompress((FOLDER / release / file).read_bytes())


def calls_of(release: str, store: str) -> list[Call]:
    return [Call.load(each) for each in json.loads(unpacked(release, CALLS))[store]]


def data_directory(release: str, directory: Path) -> Path:
    """A data directory as the release left it."""
    (directory / DATABASE_NAME).write_bytes(unpacked(release, SQLITE))
    return directory


def database(release: str, server: Postgres) -> str:
    """The URL of a database as the release left it."""
    url, psql = server.url(server.create_database()), programs.program("psql")
    assert psql
    command = [psql, url, "--quiet", "--no-psqlrc", "--output=/dev/null"]
    subprocess.run(command, input=unpacked(release, DUMP), check=True, capture_output=True)
    return url


def missing(old: Any, new: Any) -> str:
    """Where a new message does not say what an old one said; fields that are new are left alone."""
    for field, value in old.ListFields():
        now = getattr(new, field.name)
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            if now != value:
                return str(field.name)
            continue
        olds, news = (value, now) if field.is_repeated else ([value], [now])
        if len(olds) != len(news):
            return str(field.name)
        for found in filter(None, map(missing, olds, news)):
            return f"{field.name}: {found}"
    return ""


async def check_call(client: Client, call: Call) -> None:
    method = METHODS[call.method]
    invoke = client.raw(SERVICE + call.method, streaming=method.server_streaming)(call.request)
    answers = [each async for each in invoke] if method.server_streaming else [await invoke]
    kind: type[Message] = GetMessageClass(method.output_type)
    assert len(answers) == len(call.answers), call.method
    for old, new in zip(call.answers, answers, strict=True):
        assert not missing(kind.FromString(old), kind.FromString(new)), call.method


async def ids_of(client: Client) -> AsyncIterator[tuple[str, int]]:
    listed = await client.matches.ListMatches(pb.ListMatchesRequest(page_size=100))
    for match in listed.matches:
        yield match.match_id, match.phase


async def check_going_on(client: Client) -> list[str]:
    """Every match that is not over is brought to its end; the ids of all."""
    matches = [each async for each in ids_of(client)]
    assert {phase for _, phase in matches} >= {1, 2, 3}
    for match_id, phase in matches:
        if phase == MatchPhase.MATCH_PHASE_WAITING:
            await client.join(match_id, 1)
        if phase in (MatchPhase.MATCH_PHASE_WAITING, MatchPhase.MATCH_PHASE_RUNNING):
            await check_playing(client, match_id)
            await client.resign(match_id, 0)
    return [match_id for match_id, _ in matches]


async def check_playing(client: Client, match_id: str) -> None:
    before = await client.match(match_id)
    if {seat.occupant for seat in before.seats} == {SeatOccupant.SEAT_OCCUPANT_PLAYER}:
        assert await client.play(match_id, PLIES) == PLIES
        assert (await client.match(match_id)).ply == before.ply + PLIES


@pytest.mark.parametrize("release", RELEASES)
async def test_a_data_directory_of_an_earlier_release_serves_goes_on_and_verifies(
    release: str, tmp_path: Path
) -> None:
    directory = data_directory(release, tmp_path)
    async with service(directory) as (_, client):
        for call in calls_of(release, "sqlite"):
            await check_call(client, call)
        match_ids = await check_going_on(client)
    store = await app.open_store(directory)
    for match_id in match_ids:
        stored = await store.load(match_id)
        assert stored
        _, verified = matchfile.record(app.core_engine(), stored.entries)
        assert verified.standing.version == stored.head_version
    await store.close()


@pytest.mark.postgres
@pytest.mark.parametrize("release", RELEASES)
async def test_a_database_of_an_earlier_release_serves_and_goes_on(
    release: str, tmp_path: Path, postgres: Postgres
) -> None:
    async with service(tmp_path, store=database(release, postgres)) as (_, client):
        for call in calls_of(release, "postgres"):
            await check_call(client, call)
        for match_id in await check_going_on(client):
            assert [each async for each in ids_of(client) if each[0] == match_id]


def test_what_is_missing_is_found() -> None:
    old = pb.GetMatchResponse()
    old.match.seats.add(display_name="Ada")
    new = pb.GetMatchResponse()
    new.CopyFrom(old)
    new.match.ply = 3
    assert not missing(old, new)
    new.match.seats[0].display_name = "Bea"
    assert missing(old, new) == "match: seats: display_name"
    del new.match.seats[:]
    assert missing(old, new) == "match: seats"
