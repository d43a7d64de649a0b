"""Retention of a service, and the commands that archive, purge, export and import."""

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest

from support.fake_engine import FakeEngine
from support.service import HOST, Client, FixedClock, refused, request_id, service
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts, open_store
from tablestate_service.cli import main
from tablestate_service.settings import Settings, SettingsError, duration
from tablestate_service.usecases.retention import Retention

LONG_AGO = 1_000_000_000_000_000_000
OLD = Parts(clock=FixedClock(LONG_AGO))


async def aborted(client: Client) -> str:
    match_id = await client.create()
    await client.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
    )
    return match_id


async def until_gone(client: Client, match_id: str) -> None:
    async with asyncio.timeout(60):
        while True:
            try:
                await client.match(match_id)
            except Exception:
                return
            await asyncio.sleep(0.05)


async def run(*arguments: object) -> int:
    """A command, beside the services of this loop."""
    return await asyncio.to_thread(main, [str(each) for each in arguments])


async def test_a_service_archives_and_removes_by_itself(tmp_path: Path) -> None:
    data, archive = tmp_path / "data", tmp_path / "archive"
    async with service(data, OLD) as (_, client):
        old, waits = await aborted(client), await client.create()
    clock = FixedClock(time.time_ns())
    kept = {"retention": "30d", "archive": str(archive)}
    async with service(data, Parts(clock=clock), settings=kept) as (_, client):
        young = await aborted(client)
        await until_gone(client, old)
        with refused() as gone:
            await client.match(old)
        assert gone.reason == "MATCH_NOT_FOUND"
        assert (await client.match(waits)).match_id == waits
        assert (await client.match(young)).match_id == young
    (file,) = archive.rglob("*.jsonl")
    assert file == archive / old[:2] / f"{old}.jsonl"
    assert file.stat().st_mode & 0o077 == 0
    assert await run("verify", file) == 0
    assert await run("import", file, "--data-dir", data) == 0
    async with service(data) as (_, client):
        assert (await client.match(old)).match_id == old


async def test_commands_work_on_a_data_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "data"
    async with service(data, OLD) as (_, client):
        first, second = [await aborted(client) for _ in range(2)]
        assert await run("purge", "--older-than", "30d", "--data-dir", data) == 1
        assert "in use by another service" in capsys.readouterr().err
    assert await run("export", first, "--data-dir", data, "-o", tmp_path / "one.jsonl") == 0
    assert await run("purge", "--older-than", "36500d", "--data-dir", data) == 0
    assert await run("purge", "--older-than", "30d", "--data-dir", data) == 0
    assert capsys.readouterr().out == "removed 0 matches\nremoved 2 matches\n"
    names = [each.name for each in data.iterdir()]
    text = b"".join((data / name).read_bytes() for name in names)
    assert first.encode() not in text and second.encode() not in text
    assert await run("purge", "--older-than", "30 days", "--data-dir", data) == 1
    assert "--older-than is '30 days', expected a time as 30d" in capsys.readouterr().err


@pytest.mark.postgres
async def test_commands_work_on_a_database_while_nodes_serve_it(
    tmp_path: Path,
    database_url: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TABLESTATE_STORE", database_url)
    archive = tmp_path / "archive"
    node = Parts(clock=FixedClock(LONG_AGO), engine=FakeEngine)
    async with (
        service(tmp_path, node, store=database_url) as (_, one),
        service(tmp_path, node, store=database_url) as (_, other),
    ):
        old, waits = await aborted(one), await one.create()
        assert (await other.match(old)).match_id == old  # Held in memory by both.
        assert await run("export", old, "-o", tmp_path / "old.jsonl") == 0
        assert await run("archive", "--older-than", "30d", "--out", archive) == 0
        assert "archived 1 matches, removed 1, left 0" in capsys.readouterr().out
        for client in (one, other):
            with refused() as gone:
                await client.match(old)
            assert gone.reason == "MATCH_NOT_FOUND"
            with refused() as gone:
                await aborted_again(client, old)
            assert gone.reason == "MATCH_NOT_FOUND"
            assert (await client.match(waits)).match_id == waits
    assert len(list(archive.rglob("*.jsonl"))) == 1


async def aborted_again(client: Client, match_id: str) -> None:
    await client.matches.AbortMatch(
        pb.AbortMatchRequest(request_id=request_id(), match_id=match_id, host_token=HOST)
    )


@pytest.mark.postgres
async def test_a_match_moves_from_files_to_a_database_and_back(
    tmp_path: Path, database_url: str
) -> None:
    data, file, back = tmp_path / "data", tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    async with service(data, OLD) as (_, client):
        match_id = await aborted(client)
    assert await run("export", match_id, "--data-dir", data, "-o", file) == 0
    assert await run("import", file, "--store", database_url) == 0
    assert await run("import", file, "--store", database_url) == 1
    assert await run("export", match_id, "--store", database_url, "-o", back) == 0
    assert file.read_bytes() == back.read_bytes()


@pytest.mark.parametrize(
    ("text", "seconds"), [("1s", 1), ("90m", 5400), ("12h", 43_200), ("30d", 2_592_000)]
)
def test_a_time_is_read_in_seconds(text: str, seconds: float) -> None:
    assert duration("retention", text) == seconds


@pytest.mark.parametrize("text", ["", "d", "30", "0d", "-1d", "1.5h", "36501d", "1w", "٣d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match=r"retention is .*, expected a time"):
        duration("retention", text)


def test_an_archive_without_a_retention_is_refused() -> None:
    check: Callable[[], Settings] = lambda: Settings(archive="/var/archive")  # noqa: E731
    with pytest.raises(SettingsError, match="nothing would be archived"):
        check()


async def played(client: Client, runs: list[str], stop: asyncio.Event) -> int:
    """Play matches until told to stop; every second one is ended. How many calls were answered."""
    answered = 0
    while not stop.is_set():
        match_id = await client.started()
        await client.play(match_id, 2)
        answered += 1
        if answered % 2:
            runs.append(match_id)
        else:
            await aborted_again(client, match_id)
    return answered


@pytest.mark.postgres
async def test_what_has_ended_is_removed_under_load_and_nothing_else(
    tmp_path: Path, database_url: str
) -> None:
    runs, stop = list[str](), asyncio.Event()
    fake = Parts(engine=FakeEngine)
    async with (
        service(tmp_path, fake, store=database_url) as (_, one),
        service(tmp_path, fake, store=database_url) as (_, other),
    ):
        stores = [await open_store(tmp_path, database_url) for _ in range(2)]
        playing = [
            asyncio.ensure_future(played(client, runs, stop)) for client in (one, other, one)
        ]
        swept = 0
        for _ in range(12):
            await asyncio.sleep(0.15)
            both = (Retention(each).sweep(time.time_ns()) for each in stores)
            swept += sum(each.removed for each in await asyncio.gather(*both))
        stop.set()
        answered = sum(await asyncio.gather(*playing))
        swept += (await Retention(stores[0]).sweep(time.time_ns() + 1_000_000_000)).removed
        assert swept == answered - len(runs) > 3
        for match_id in runs:
            await other.play(match_id, 1)
        for store in stores:
            await store.close()
    connection = await asyncpg.connect(database_url)
    left = "SELECT count(DISTINCT match_id) FROM tablestate.entries"
    assert await connection.fetchval(left) == len(runs)
    await connection.close()
