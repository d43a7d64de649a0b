"""Webhooks against a receiver that fails, is slow, redirects or dies; and nodes that die."""

import asyncio
import logging
import os
import sys
import urllib.request
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest

from support.nodes import node
from support.receiver import SECRET, Receiver, receiving
from support.service import Client, request_id, token
from tablestate.v1 import feed_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.ports import HOOK_SECONDS
from tablestate_service.settings import Limits
from tablestate_service.usecases import webhooks
from tools.ports import free_port

TENANT = "shop"
TIMES = Limits(webhook_seconds=0.5)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with receiving() as receiver:
        yield receiver


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "_FIRST_DELAY", 0.01)
    monkeypatch.setattr(webhooks, "_LONGEST_DELAY", 0.1)


def write_file(directory: Path, url: str) -> str:
    """A file of one webhook, with its secret beside it."""
    (directory / "secret").write_text(SECRET + "\n")
    path = directory / "webhooks.toml"
    path.write_text(
        f'[[webhook]]\nname = "push"\ntenant = "{TENANT}"\nurl = "{url}"\nsecret_file = "secret"\n'
    )
    return str(path)


async def play(client: Client, plies: int = 2) -> str:
    """A match of which CREATED, so many turns, and OVER are told."""
    match_id = await client.create(tenant=TENANT)
    for seat in (0, 1):
        await client.join(match_id, seat, player_id=f"player-{seat}")
    await client.play(match_id, plies - 1)
    await client.matches.Resign(
        pb.ResignRequest(request_id=request_id(), match_id=match_id, seat_token=token(0))
    )
    return match_id


def metrics_address() -> str:
    return f"127.0.0.1:{free_port()}"


async def until_delivering(metrics: str) -> None:
    """Wait until the node with these metrics has claimed its webhook."""

    def read() -> str:
        with urllib.request.urlopen(f"http://{metrics}/metrics", timeout=10) as answer:
            text: str = answer.read().decode()
            return text

    async with asyncio.timeout(60):
        while "tablestate_webhooks_delivering 1.0" not in await asyncio.to_thread(read):
            await asyncio.sleep(0.02)


def told(receiver: Receiver) -> list[tuple[str, int, str]]:
    """What was taken: matches, versions, types."""
    return [(each.item.match_id, each.item.version, each.type) for each in receiver.taken]


def of_match(match_id: str, plies: int = 2) -> list[tuple[str, int, str]]:
    turns = [(match_id, 4 + ply, "match.turn") for ply in range(plies)]
    return [(match_id, 1, "match.created"), *turns, (match_id, 4 + plies, "match.over")]


async def test_news_are_posted_signed_and_in_order(tmp_path: Path, receiver: Receiver) -> None:
    async with node(tmp_path, webhooks=write_file(tmp_path, receiver.url)) as client:
        await client.create()  # Of another tenant.
        match_id = await play(client)
        await receiver.until(taken=4)
    assert told(receiver) == of_match(match_id)
    turn = receiver.taken[1].item
    assert (turn.kind, turn.seat, turn.player_id) == (feed_pb2.FEED_KIND_TURN, 0, "player-0")
    assert len({each.id for each in receiver.taken}) == 4
    assert receiver.headers[0]["content-type"] == "application/json"


async def test_what_is_not_taken_is_posted_again_and_nothing_overtakes_it(
    tmp_path: Path, receiver: Receiver
) -> None:
    receiver.script.extend([500, 302, 404, 0, 1.0, 200, 503])
    async with node(tmp_path, webhooks=write_file(tmp_path, receiver.url), limits=TIMES) as client:
        match_id = await play(client)
        await receiver.until(taken=5)
    assert not receiver.is_redirect_followed
    # The slow answer came too late: what it took came once more.
    once = [each.id for each in receiver.messages]
    assert once[:6] == [once[0]] * 6
    assert list(dict.fromkeys(once)) == [
        f"{match}-{version}-{kind.removeprefix('match.')}"
        for match, version, kind in of_match(match_id)
    ]


async def test_a_receiver_that_was_away_gets_all_that_it_missed(tmp_path: Path) -> None:
    async with receiving() as away:
        pass
    async with node(tmp_path, webhooks=write_file(tmp_path, away.url)) as client:
        match_id = await play(client)
        await asyncio.sleep(0.3)
    async with receiving() as back:
        async with node(tmp_path, webhooks=write_file(tmp_path, back.url)) as client:
            await back.until(taken=4)
            assert told(back) == of_match(match_id)
            again = await play(client)
            await back.until(taken=8)
        async with node(tmp_path, webhooks=write_file(tmp_path, back.url)):
            await asyncio.sleep(0.3)
    assert told(back) == of_match(match_id) + of_match(again)


async def test_a_new_webhook_is_not_told_of_the_past(
    tmp_path: Path, store: str, receiver: Receiver
) -> None:
    async with node(tmp_path, store) as client:
        await play(client)
    path, metrics = write_file(tmp_path, receiver.url), metrics_address()
    async with node(tmp_path, store, webhooks=path, metrics=metrics) as client:
        await until_delivering(metrics)
        match_id = await play(client)
        await receiver.until(taken=4)
    assert told(receiver) == of_match(match_id)


async def test_neither_secret_nor_url_nor_body_is_logged(
    tmp_path: Path, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    receiver.script.extend([500, 0])
    async with node(tmp_path, webhooks=write_file(tmp_path, receiver.url + "?key=k3y")) as client:
        await play(client)
        await receiver.until(taken=4)
    lines = [str(vars(record)) for record in caplog.records]
    lines = [line for line in lines if "tablestate_service" in line]
    assert any("webhook was not taken" in line for line in lines)
    for secret in (SECRET, SECRET.removeprefix("whsec_"), "k3y", "player-0", "whsec"):
        assert not [line for line in lines if secret in line]


@pytest.mark.postgres
async def test_of_two_nodes_one_delivers(
    tmp_path: Path, database_url: str, receiver: Receiver
) -> None:
    path, metrics = write_file(tmp_path, receiver.url), metrics_address()
    async with (
        node(tmp_path, database_url, webhooks=path, metrics=metrics) as one,
        node(tmp_path, database_url, webhooks=path) as other,
    ):
        await until_delivering(metrics)
        ids = await asyncio.gather(*(play([one, other][n % 2]) for n in range(10)))
        await receiver.until(taken=40)
        await asyncio.sleep(0.3)
    assert len(told(receiver)) == len(receiver.messages) == 40
    for match_id in ids:
        assert [each for each in told(receiver) if each[0] == match_id] == of_match(match_id)


async def start(url: str, webhooks_file: str, metrics: str) -> tuple[Process, str]:
    """A node as a process of its own, and where it listens."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tablestate_service", "serve", "--port", "0"),
        *("--log-level", "error", "--webhooks", webhooks_file, "--metrics", metrics),
        stdout=PIPE,
        env=os.environ | {"TABLESTATE_STORE": url},
    )
    assert process.stdout is not None
    async with asyncio.timeout(60):
        line = (await process.stdout.readline()).decode()
    return process, next(word for word in line.split() if word.startswith("127.0.0.1:"))


@pytest.mark.postgres
async def test_another_node_goes_on_where_one_was_killed(
    tmp_path: Path, database_url: str, receiver: Receiver
) -> None:
    path, metrics = write_file(tmp_path, receiver.url), metrics_address()
    delivering, _ = await start(database_url, path, metrics)
    await until_delivering(metrics)
    waiting, address = await start(database_url, path, metrics_address())
    try:
        async with grpc.aio.insecure_channel(address) as channel:
            receiver.script.extend([200, 9.0])
            match_id = await play(Client(channel))
            await receiver.until(taken=1, messages=2)
            delivering.kill()
            await receiver.until(taken=5, seconds=HOOK_SECONDS + 40)
    finally:
        for process in (delivering, waiting):
            if process.returncode is None:
                process.kill()
            await process.wait()
    ids = [each.id for each in receiver.messages]
    assert ids.count(f"{match_id}-4-turn") >= 2, "it was under way when the node was killed"
    assert list(dict.fromkeys(ids)) == [
        f"{match}-{version}-{kind.removeprefix('match.')}"
        for match, version, kind in of_match(match_id)
    ]
