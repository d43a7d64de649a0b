"""`tablestate serve --store` as operators run it: what it says, and what it never says."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process

import grpc
import pytest

from support.command import run
from support.service import Client
from tools.postgres import Postgres

pytestmark = pytest.mark.postgres
SERVE = (sys.executable, "-m", "tablestate_service", "serve", "--port", "0")


async def start(*arguments: str, **variables: str) -> Process:
    environment = {**os.environ, **variables}
    return await asyncio.create_subprocess_exec(
        *SERVE, *arguments, stdout=PIPE, stderr=PIPE, env=environment
    )


async def first_line(process: Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(60):
        return (await process.stdout.readline()).decode()


async def said_until_its_end(process: Process) -> str:
    process.terminate()
    stdout, stderr = await process.communicate()
    return (stdout + stderr).decode()


async def test_the_password_is_in_no_line_that_a_node_writes(
    mortal: Postgres, mortal_url: str
) -> None:
    by_argument = await start("--store", mortal_url, "--log-level", "debug")
    by_variable = await start(TABLESTATE_STORE=mortal_url, TABLESTATE_STORE_LISTEN=mortal_url)
    lines = [await first_line(each) for each in (by_argument, by_variable)]
    where = mortal_url.rpartition("@")[2]
    for line in lines:
        assert line.endswith(f" and stores matches in postgresql://{where}\n")
        address = next(word for word in line.split() if word.startswith("127.0.0.1:"))
        async with grpc.aio.insecure_channel(address) as channel:
            await Client(channel).create()
    await asyncio.to_thread(mortal.stop)
    await asyncio.sleep(1.5)
    await asyncio.to_thread(mortal.start)
    for process, line in zip((by_argument, by_variable), lines, strict=True):
        said = line + await said_until_its_end(process)
        assert "stopped" in said
        assert mortal.password not in said


def test_what_cannot_be_a_store_is_refused_without_being_told(postgres: Postgres) -> None:
    for url, told in (
        ("mysql://ada:se/cret@db/games", "no URL of PostgreSQL"),
        (f"postgresql://tablestate:{postgres.password}@127.0.0.1:1/games", "cannot use"),
        (postgres.url("elsewhere"), 'database "elsewhere" does not exist'),
    ):
        done = run("serve", "--port", "0", "--store", url)
        assert done.returncode == 1
        assert told in done.stderr
        assert "cret" not in done.stderr and postgres.password not in done.stderr
