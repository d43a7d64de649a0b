"""Backups that are taken while it is played, and put back."""

import asyncio
import subprocess
from pathlib import Path

import pytest

from support.fake_engine import FakeEngine
from support.service import Client, refused, service, token
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import Parts
from tablestate_service.cli import main
from tools.postgres import Postgres, program

FAKE = Parts(engine=FakeEngine)


async def run(*arguments: object) -> int:
    """A command, beside the services of this loop."""
    return await asyncio.to_thread(main, [str(each) for each in arguments])


async def keep_playing(client: Client, stop: asyncio.Event) -> dict[str, int]:
    """Play until told to stop; the version of each match that was acknowledged last."""
    acknowledged: dict[str, int] = {}
    while not stop.is_set():
        match_id = await client.started()
        acknowledged[match_id] = (await client.match(match_id)).version
        await client.play(match_id, 2)
    return acknowledged


async def test_a_backup_beside_play_holds_all_that_was_acknowledged_before(
    tmp_path: Path,
) -> None:
    data, copy, restored = tmp_path / "data", tmp_path / "copy.db", tmp_path / "restored"
    async with service(data, FAKE) as (_, client):
        stop = asyncio.Event()
        playing = asyncio.ensure_future(keep_playing(client, stop))
        before = await client.started()
        assert await client.play(before, 2) == 2
        version = (await client.match(before)).version
        assert await run("backup", copy, "--data-dir", data) == 0
        after = await client.create()
        stop.set()
        assert await playing
    assert copy.stat().st_mode & 0o077 == 0
    assert not copy.with_name("copy.db-wal").exists()
    assert await run("restore", copy, "--data-dir", restored) == 0
    async with service(restored, FAKE) as (_, client):
        assert (await client.match(before)).version == version
        assert await client.play(before, 1) == 1
        with refused() as gone:
            await client.match(after)
        assert gone.reason == "MATCH_NOT_FOUND"


async def test_those_who_know_more_than_a_restored_backup_are_told(tmp_path: Path) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    async with service(data, FAKE) as (_, client):
        match_id = await client.started()
        assert await run("backup", copy, "--data-dir", data) == 0
        await client.play(match_id, 3)
        known = (await client.match(match_id)).version
    for path in data.iterdir():
        path.unlink()
    assert await run("restore", copy, "--data-dir", data) == 0
    async with service(data, FAKE) as (_, client):
        with refused() as late:
            await client.view(match_id, 0, min_version=known)
        assert late.reason == "VERSION_NOT_REACHED"
        actor = (await client.match(match_id)).actors[0]
        notation = (await client.legal(match_id, actor)).legal_actions.actions[0].notation
        with refused() as stale:
            await client.submit(match_id, actor, notation, expected_version=known)
        assert stale.reason == "STALE_VERSION"
        with refused() as ahead:
            await client.watch(match_id, seat_token=token(0), after_version=known).read()
        assert ahead.reason == "VERSION_NOT_REACHED"


async def test_where_matches_are_in_postgresql_no_files_are_copied_by_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    async with service(data, FAKE) as (_, client):
        await client.create()
    monkeypatch.setenv("TABLESTATE_STORE", "postgresql://tablestate@db.example/tablestate")
    monkeypatch.setenv("TABLESTATE_DATA_DIR", str(data))
    for command in ("backup", "restore"):
        assert await run(command, copy) == 1
        assert "pg_dump" in capsys.readouterr().err
    monkeypatch.delenv("TABLESTATE_STORE")
    assert await run("backup", copy) == 0


async def test_what_cannot_be_backed_up_or_restored_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, copy = tmp_path / "data", tmp_path / "copy.db"
    assert await run("backup", copy, "--data-dir", data) == 1
    assert "there is no" in capsys.readouterr().err
    async with service(data, FAKE) as (_, client):
        await client.create()
        assert await run("backup", copy, "--data-dir", data) == 0
        assert await run("backup", copy, "--data-dir", data) == 1
        assert "is there already" in capsys.readouterr().err
        assert await run("restore", copy, "--data-dir", data) == 1
        assert "in use by another service" in capsys.readouterr().err
    assert await run("restore", copy, "--data-dir", data) == 1
    assert "move it away first" in capsys.readouterr().err
    content = bytearray(copy.read_bytes())
    content[4096:] = b"\0" * len(content[4096:])
    copy.write_bytes(content)
    fresh = tmp_path / "fresh"
    assert await run("restore", copy, "--data-dir", fresh) == 1
    assert "copy.db is" in capsys.readouterr().err
    assert [each.name for each in fresh.iterdir()] == ["lock"]


@pytest.mark.postgres
async def test_a_dump_of_postgresql_beside_play_is_a_backup(
    tmp_path: Path, postgres: Postgres
) -> None:
    url, other = (postgres.url(postgres.create_database()) for _ in range(2))
    dump = tmp_path / "dump"
    async with service(tmp_path, FAKE, store=url) as (_, client):
        stop = asyncio.Event()
        playing = asyncio.ensure_future(keep_playing(client, stop))
        match_id = await client.started()
        await client.play(match_id, 2)
        version = (await client.match(match_id)).version
        await command("pg_dump", "--format=custom", "--file", dump, url)
        stop.set()
        await playing
    await command("pg_restore", "--exit-on-error", "--no-owner", "--dbname", other, dump)
    async with service(tmp_path, FAKE, store=other) as (_, client):
        assert (await client.match(match_id)).version == version
        assert await client.play(match_id, 1) == 1
        listed = await client.matches.ListMatches(pb.ListMatchesRequest())
        assert match_id in {each.match_id for each in listed.matches}
        await client.create()  # Numbers go on where they were.


async def command(name: str, *arguments: object) -> None:
    found = program(name)
    assert found is not None
    words = [found, *map(str, arguments)]
    done = await asyncio.to_thread(subprocess.run, words, capture_output=True)
    assert done.returncode == 0, done.stderr
