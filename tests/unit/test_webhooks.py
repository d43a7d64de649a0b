import asyncio
import base64
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from support.domain import Bench
from tablestate.v1 import feed_pb2
from tablestate.webhooks import WebhookError, verify
from tablestate_service.domain.news import News, NewsKind
from tablestate_service.ports import HOOK_SECONDS, Hook
from tablestate_service.rpc.messages import webhook_body
from tablestate_service.settings import Limits, SettingsError, from_environment
from tablestate_service.usecases import webhooks
from tablestate_service.usecases.webhooks import HookRunner, message_id, signed_headers
from tablestate_service.webhook_file import read_webhooks

# Published by the project Standard Webhooks: secret, id, second, body, signature.
VECTORS = [
    (
        *("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330),
        *(b'{"test": 2432232314}', "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="),
    ),
    (
        *("whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD", "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1649367553),
        b'{"email":"test@example.com","username":"test_user"}',
        "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
    ),
]
SECRET = "whsec_" + base64.b64encode(bytes(range(32))).decode()
KEY = bytes(range(32))
NEWS = News(NewsKind.TURN, "shop", "offboard", f"{7:032x}", 5, 1_700_000_000_250_000_000, 1, "ada")
NOW = 1_700_000_000


@pytest.mark.parametrize(("secret", "name", "second", "body", "signature"), VECTORS)
def test_signatures_are_those_of_standard_webhooks(
    secret: str, name: str, second: int, body: bytes, signature: str
) -> None:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    headers = signed_headers([key], name, second, body)
    assert headers["webhook-signature"] == signature


def signed(keys: tuple[bytes, ...] = (KEY,), second: int = NOW) -> tuple[Mapping[str, str], bytes]:
    body = webhook_body(NEWS)
    return signed_headers(keys, message_id(NEWS), second, body), body


def test_a_message_says_what_the_feed_says() -> None:
    headers, body = signed()
    assert json.loads(body) == {
        "type": "match.turn",
        "timestamp": "2023-11-14T22:13:20.250Z",
        "data": {
            "matchId": f"{7:032x}",
            "version": "5",
            "kind": "FEED_KIND_TURN",
            "time": "2023-11-14T22:13:20.250Z",
            "tenant": "shop",
            "game": "offboard",
            "seat": 1,
            "playerId": "ada",
        },
    }
    webhook = verify(
        {name.title(): value for name, value in headers.items()}, body, SECRET, now=NOW
    )
    assert (webhook.id, webhook.type) == (f"{7:032x}-5-turn", "match.turn")
    assert (webhook.item.kind, webhook.item.player_id) == (feed_pb2.FEED_KIND_TURN, "ada")


def test_while_a_secret_is_replaced_both_serve() -> None:
    headers, body = signed((bytes(32), KEY))
    old = "whsec_" + base64.b64encode(bytes(32)).decode()
    assert verify(headers, body, SECRET, now=NOW) == verify(headers, body, old, now=NOW)


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_a_message_without_or_with_another_header_is_refused(name: str) -> None:
    headers, body = signed()
    with pytest.raises(WebhookError):
        verify({key: value for key, value in headers.items() if key != name}, body, SECRET, now=NOW)
    with pytest.raises(WebhookError):
        verify({**headers, name: headers[name] + "1"}, body, SECRET, now=NOW)


def test_what_is_changed_old_or_of_another_secret_is_refused() -> None:
    headers, body = signed()
    with pytest.raises(WebhookError):
        verify(headers, body + b" ", SECRET, now=NOW)
    with pytest.raises(WebhookError):
        verify(headers, body, VECTORS[0][0], now=NOW)
    for now in (NOW - 301, NOW + 301):
        with pytest.raises(WebhookError, match="time"):
            verify(headers, body, SECRET, now=now)
    with pytest.raises(WebhookError, match="secret"):
        verify(headers, body, "whsec_?", now=NOW)
    for key in (b"", b"A", bytes(23)):
        # Whoever is told no secret, or half of one, takes nothing for true.
        forged = signed_headers([key], "x", NOW, body)
        for secret in ("whsec_" + base64.b64encode(key).decode(), base64.b64encode(key).decode()):
            with pytest.raises(WebhookError, match="secret"):
                verify(forged, body, secret, now=NOW)
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        for header in ("\udcff", "\ud800", 5_000 * "1"):
            with pytest.raises(WebhookError):
                verify({**headers, name: header}, body, SECRET, now=NOW)
    for wrong in (b'{"type": 1, "data": {}}', b'{"type": "x", "data": []}', 100_000 * b"["):
        with pytest.raises(WebhookError, match="body"):
            verify(signed_headers([KEY], "x", NOW, wrong), wrong, SECRET, now=NOW)
    foreign = signed_headers([KEY], "x", NOW, b"[]")
    with pytest.raises(WebhookError, match="body"):
        verify(foreign, b"[]", SECRET, now=NOW)


class ScriptedCourier:
    """Answers with the next status of a script, then with 204."""

    def __init__(self, *script: int | None) -> None:
        self.script = list(script)
        self.ids: list[str] = []

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int | None:
        await asyncio.sleep(0)
        self.ids.append(headers["webhook-id"])
        return self.script.pop(0) if self.script else 204


def runner(bench: Bench, courier: ScriptedCourier) -> HookRunner:
    hook = Hook("push", "", "https://push.example", (KEY,))
    return HookRunner(hook, bench.store, bench.feed, courier, bench.clock, webhook_body)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FIRST_DELAY", "_LOOK_SECONDS"):
        monkeypatch.setattr(webhooks, name, 0.01)


async def until(bench: Bench, number: int) -> None:
    async with asyncio.timeout(60):
        while bench.store.hooks.get("push") != number:
            await asyncio.sleep(0.001)


async def test_the_cursor_moves_behind_what_was_taken_and_no_further() -> None:
    bench, courier = Bench(), ScriptedCourier(500, None, 302)
    running = asyncio.ensure_future(runner(bench, courier).run())
    await asyncio.sleep(0.01)
    match_id = await bench.started()
    await until(bench, 2)
    assert courier.ids == [f"{match_id}-1-created"] * 4 + [f"{match_id}-4-turn"]
    bench.feed.close()
    await running


async def test_a_node_that_has_lost_its_hook_delivers_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webhooks, "_CLAIM_SECONDS", 0.0)
    bench, courier = Bench(), ScriptedCourier()
    running = asyncio.ensure_future(runner(bench, courier).run())
    await asyncio.sleep(0.01)
    bench.store.lost_hooks.add("push")
    match_id = await bench.started()
    await asyncio.sleep(0.1)
    assert courier.ids == []
    bench.store.lost_hooks.clear()
    bench.store.hooks["push"] = 1  # As far as the other has got.
    await until(bench, 2)
    assert courier.ids == [f"{match_id}-4-turn"]
    running.cancel()


async def test_a_hook_that_was_lost_while_it_failed_is_not_failing_when_it_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(webhooks, "_CLAIM_SECONDS", 0.0)
    bench, courier = Bench(), ScriptedCourier(*100 * [500])
    failing = runner(bench, courier)
    running = asyncio.ensure_future(failing.run())
    await asyncio.sleep(0.01)
    await bench.started()
    async with asyncio.timeout(60):
        while not failing.is_failing:
            await asyncio.sleep(0.001)
        bench.store.lost_hooks.add("push")
        while failing.delivers:
            await asyncio.sleep(0.001)
        bench.store.hooks["push"] = 2  # The other has delivered all.
        bench.store.lost_hooks.clear()
        while not failing.delivers:
            await asyncio.sleep(0.001)
    await asyncio.sleep(0.05)
    assert not failing.is_failing
    running.cancel()


def test_pauses_grow_to_a_limit_and_are_never_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "_FIRST_DELAY", 1.0)
    for failures, longest in ((1, 1.0), (2, 2.0), (4, 8.0), (7, 60.0), (10_000, 60.0)):
        pauses = [webhooks._delay_after(failures) for _ in range(50)]
        assert all(longest / 2 <= each <= longest for each in pauses)
        assert len(set(pauses)) > 40


def test_a_delivery_ends_while_its_claim_holds() -> None:
    with pytest.raises(SettingsError):
        Limits(webhook_seconds=HOOK_SECONDS - webhooks._CLAIM_SECONDS)
    assert from_environment({"TABLESTATE_WEBHOOK_SECONDS": "3"}).limits.webhook_seconds == 3


GOOD = '[[webhook]]\nname = "push"\ntenant = "shop"\nurl = "https://a.example/x"\n'


def read(directory: Path, text: str, environment: Mapping[str, str]) -> list[Hook]:
    path = directory / "webhooks.toml"
    path.write_text(text)
    return list(read_webhooks(path, environment))


def test_webhooks_are_read_with_their_secrets_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text(f"{SECRET}\n{VECTORS[0][0]}\n")
    (hook,) = read(tmp_path, GOOD + 'secret_file = "keys"\n', {})
    assert (hook.name, hook.tenant, hook.url) == ("push", "shop", "https://a.example/x")
    assert hook.keys == (KEY, base64.b64decode(VECTORS[0][0].removeprefix("whsec_")))
    (hook,) = read(tmp_path, GOOD + 'secret_env = "PUSH"\n', {"PUSH": SECRET})
    assert hook.keys == (KEY,)
    assert "a.example" not in repr(hook) and "keys" not in repr(hook)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[webhook]", "no TOML"),
        ("other = 1", "something else"),
        ('[[webhook]]\nname = "a b"\n', "name"),
        (GOOD, "secret_env or secret_file"),
        (GOOD + 'secret_env = "S"\nsecret_file = "f"\n', "either"),
        (GOOD + 'secret_file = "missing"\n', "secret_file: No such file"),
        (GOOD + 'secret_env = "UNSET"\n', "is not set"),
        (GOOD + 'secret_env = "SHORT"\n', "24 to 64 bytes"),
        (GOOD + 'secret_env = "PLAIN"\n', "24 to 64 bytes"),
        (GOOD + 'secret = "s3cret"\n', "expected name, secret_env"),
        (GOOD.replace("https", "http") + 'secret_env = "S"\n', "no https"),
        (GOOD.replace("https://a.example/x", "s3cret") + 'secret_env = "S"\n', "no https"),
        (2 * (GOOD + 'secret_env = "S"\n'), "two webhooks"),
        ("webhook = [1]", "as texts"),
        ("webhook = [[]]", "as texts"),
        ("webhook = " + 9_000 * "[", "no TOML"),
        (GOOD.replace("shop", "a\\u0000b") + 'secret_env = "S"\n', "tenant"),
        (GOOD.replace("shop", "s\\u200bhop") + 'secret_env = "S"\n', "tenant"),
        (GOOD.replace("shop", 65 * "s") + 'secret_env = "S"\n', "tenant"),
        (GOOD.replace("a.example", "a .example") + 'secret_env = "S"\n', "no https"),
        (GOOD.replace("a.example", "a..example") + 'secret_env = "S"\n', "no https"),
        (GOOD.replace("a.example", "a\\u0000") + 'secret_env = "S"\n', "no https"),
        (GOOD.replace("a.example", "a\\\\@b.example") + 'secret_env = "S"\n', "no https"),
    ],
)
def test_webhooks_that_cannot_be_are_refused_and_not_told(
    tmp_path: Path, text: str, expected: str
) -> None:
    environment = {"S": SECRET, "SHORT": "whsec_czNjcmV0", "PLAIN": "s3cret" * 10}
    with pytest.raises(SettingsError, match=expected) as got:
        read(tmp_path, text, environment)
    assert "s3cret" not in str(got.value) and SECRET not in str(got.value)


def test_a_file_of_webhooks_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot read"):
        read_webhooks(tmp_path / "none.toml", {})
