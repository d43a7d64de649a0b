"""The port for Prometheus, beside a service that plays."""

import asyncio
import base64
import re
import urllib.request
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from support.fake_engine import FakeEngine
from support.service import refused, service, token
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.app import ListenError, Parts
from tablestate_service.settings import Settings, SettingsError
from tools.ports import free_port


def fetched(port: int) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        text: str = answer.read().decode()
    return text


def samples(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (each.name, tuple(sorted(each.labels.items()))): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


async def test_calls_watches_and_commits_are_shown_and_nothing_of_a_match(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    parts = Parts(engine=FakeEngine)
    async with service(tmp_path, parts, metrics="127.0.0.1:0") as (_, client):
        (port,) = [each.port for each in caplog.records if each.message == "metrics"]  # type: ignore[attr-defined]
        match_id = await client.create()
        with refused():
            await client.matches.GetMatch(pb.GetMatchRequest(match_id="f" * 32))
        watch = client.matches.WatchMatches(
            pb.WatchMatchesRequest(subscriptions=[pb.WatchSubscription(match_id=match_id)])
        )
        await watch.read()
        text = await asyncio.to_thread(fetched, port)
        watch.cancel()
    found = samples(text)
    name = "/tablestate.v1.MatchService/"
    read = name + "GetMatch"
    assert found["tablestate_rpc_seconds_count", (("code", "NOT_FOUND"), ("method", read))] == 1
    assert found["tablestate_rpc_in_flight", (("method", name + "WatchMatches"),)] == 1
    assert found["tablestate_watches", ()] == 1
    assert found["tablestate_matches_loaded", ()] == 1
    assert found["tablestate_store_group_size_count", ()] == 1
    append = (("operation", "append"), ("result", "OK"))
    assert found["tablestate_store_seconds_count", append] == 1
    assert match_id not in text and token(0).hex() not in text
    labels = {key for _, pairs in found for key, _ in pairs} - {"le", "generation"}
    assert labels == {
        *("method", "code", "operation", "result", "version"),
        *("implementation", "major", "minor", "patchlevel"),  # of Python itself
    }
    with pytest.raises(OSError):
        await asyncio.to_thread(fetched, port)


async def test_a_webhook_that_is_not_taken_shows(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    (tmp_path / "secret").write_text("whsec_" + base64.b64encode(bytes(32)).decode())
    hooks = tmp_path / "webhooks.toml"
    hooks.write_text(
        '[[webhook]]\nname = "away"\nsecret_file = "secret"\n'
        f'url = "http://127.0.0.1:{free_port()}/"\n'
    )
    parts, metrics = Parts(engine=FakeEngine), "127.0.0.1:0"
    settings = {"webhooks": str(hooks)}
    async with service(tmp_path, parts, metrics=metrics, settings=settings) as (_, client):
        (port,) = [each.port for each in caplog.records if each.message == "metrics"]  # type: ignore[attr-defined]
        found = samples(await asyncio.to_thread(fetched, port))
        assert found["tablestate_webhooks_failing", ()] == 0
        await client.create()
        async with asyncio.timeout(60):
            while not found["tablestate_webhooks_failing", ()]:
                await asyncio.sleep(0.05)
                found = samples(await asyncio.to_thread(fetched, port))
        assert found["tablestate_webhooks_delivering", ()] == 1


async def test_a_port_that_is_taken_keeps_the_service_from_starting(tmp_path: Path) -> None:
    server = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(ListenError, match=re.escape(f"127.0.0.1:{port} for metrics")):
        async with service(tmp_path, metrics=f"127.0.0.1:{port}"):
            pass
    server.close()
    await server.wait_closed()


@pytest.mark.parametrize("address", ["9464", ":9464", "127.0.0.1:", "127.0.0.1:65536", "x:-1"])
def test_what_is_no_address_for_metrics_is_refused(address: str) -> None:
    with pytest.raises(SettingsError, match="HOST:PORT"):
        Settings(metrics=address)
