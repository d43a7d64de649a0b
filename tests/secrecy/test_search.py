"""A search for secrets in all that is sent and logged, in every form they could have."""

import base64
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from secrecy.needles import Found, Needles
from secrecy.scenario import Scenario
from secrecy.service_leaks import replays_are_revealed
from secrecy.tape import Taped
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.match import Match, Transition
from tablestate_service.gateway.connect import ConnectUnary
from tablestate_service.rpc import messages, wrapper
from tablestate_service.rpc.wire import delimited, tag

PUBLISHED = {
    Found(name, surface)
    for name in ("secret", "seed", "entropy", "hash of an entropy")
    for surface in ("GetReplay", "GetReplay by the gateway")
}


@pytest.fixture
async def scenario(tmp_path: Path) -> Scenario:
    scenario = Scenario(seed=5)
    await scenario.run(tmp_path)
    return scenario


def found(scenario: Scenario) -> set[Found]:
    """What may never be found anywhere."""
    haystack = [*scenario.before_end, *scenario.after_end["never"], *scenario.logged]
    return scenario.needles.find(haystack)


async def test_secrets_appear_only_in_a_replay_after_the_end_where_that_was_agreed(
    scenario: Scenario, capfd: pytest.CaptureFixture[str]
) -> None:
    assert found(scenario) == set()
    for name in ("at end", "at end, with a bot"):
        assert scenario.needles.find(scenario.after_end[name]) == PUBLISHED
    written = "".join(capfd.readouterr()).encode()
    assert scenario.needles.find([Taped("output", written)]) == set()
    surfaces = {taped.surface for taped in scenario.before_end}
    assert surfaces >= {"GetView", "GetView refused", "SubmitAction refused", "GetReplay", "Play"}
    assert {"VerifyReplay", "RevealEntropy", "RevealEntropy refused"} <= surfaces
    assert {"GetView by the gateway", "GetView refused by the gateway"} <= surfaces
    assert len(scenario.logged) > 100


@pytest.mark.parametrize(
    "write",
    [
        bytes,
        lambda secret: secret.hex().encode(),
        lambda secret: secret.hex().upper().encode(),
        base64.b64encode,
        base64.urlsafe_b64encode,
        lambda secret: base64.b64encode(b"x" + secret + b"yz"),
        lambda secret: base64.b64encode(b"xy" + secret + b"z"),
        lambda secret: str(secret).encode(),
        lambda secret: str(list(secret)).encode(),
        lambda secret: json.dumps(str(secret)).encode(),
        lambda secret: str(pb.GetViewRequest(seat_token=secret)).encode(),
        lambda secret: secret[:16],
        lambda secret: secret[16:].hex().encode(),
    ],
)
def test_a_secret_is_found_in_every_form(write: Callable[[bytes], bytes]) -> None:
    secret = bytes(range(200, 232))
    needles = Needles()
    needles.add("secret", secret)
    hidden = Taped("somewhere", b"before " + write(secret) + b" after")
    assert needles.find([hidden]) == {Found("secret", "somewhere")}
    assert needles.find([Taped("somewhere", bytes(100))]) == set()


def tokens_are_logged(patch: pytest.MonkeyPatch) -> None:
    """The log of calls writes the whole request."""
    end = wrapper._Call.end

    def faulty(call: Any, request: Any) -> None:
        end(call, request)
        wrapper.log.debug("request", extra={"request": str(request)})

    patch.setattr(wrapper._Call, "end", faulty)


def wrong_tokens_are_named(patch: pytest.MonkeyPatch) -> None:
    """The refusal of a token quotes what the right one hashes to."""
    require_host = decide.require_host

    def faulty(match: Match, host_hash: bytes) -> None:
        try:
            require_host(match, host_hash)
        except DomainError as error:
            error.metadata["expected"] = match.terms.host_token_hash.hex()
            raise

    patch.setattr(decide, "require_host", faulty)


def hashes_are_sent(patch: pytest.MonkeyPatch) -> None:
    """An update carries the hash of its entry."""
    update_bytes = messages.update_bytes

    def faulty(transition: Transition, viewer: int | None, **included: bool) -> bytes:
        sent = update_bytes(transition, viewer, **included)
        return sent + delimited(tag(2000), transition.entry.hash)

    patch.setattr(messages, "update_bytes", faulty)


def seeds_are_logged(patch: pytest.MonkeyPatch) -> None:
    """A line of the log has the seed in base64."""
    started = decide._set_up

    def faulty(match: Match, *args: Any) -> Transition:
        seed = base64.b64encode(match.seed()).decode()
        logging.getLogger("tablestate_service.planted").info("start", extra={"seed": seed})
        return started(match, *args)

    patch.setattr(decide, "_set_up", faulty)


def requests_are_echoed(patch: pytest.MonkeyPatch) -> None:
    """The gateway sends the request back in a header."""
    message = ConnectUnary.message

    def faulty(exchange: ConnectUnary, body: bytes) -> bytes:
        request = message(exchange, body)
        exchange.headers["x-request"] = request.hex()
        return request

    patch.setattr(ConnectUnary, "message", faulty)


@pytest.mark.parametrize(
    ("plant", "expected"),
    [
        (tokens_are_logged, Found("seat token", "log")),
        (wrong_tokens_are_named, Found("hash of a host token", "GetMatch refused")),
        (hashes_are_sent, Found("hash of an entry", "GetReplay")),
        (seeds_are_logged, Found("seed", "log")),
        (replays_are_revealed, Found("secret", "GetReplay")),
        (replays_are_revealed, Found("secret", "GetReplay by the gateway")),
        (requests_are_echoed, Found("seat token", "GetView by the gateway")),
    ],
    ids=lambda each: getattr(each, "__name__", ""),
)
async def test_a_secret_that_is_let_out_on_purpose_is_found(
    plant: Callable[[pytest.MonkeyPatch], None],
    expected: Found,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plant(monkeypatch)
    scenario = Scenario(seed=5)
    await scenario.run(tmp_path, ["never"])
    assert expected in found(scenario)
