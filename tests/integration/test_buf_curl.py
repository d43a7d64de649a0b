"""A whole match played by a client that is not Python: `buf curl`, with the protos alone.

Its calls go by gRPC to the one port, and by Connect and gRPC-Web to that of the gateway.
"""

import asyncio
import base64
import itertools
import json
import sysconfig
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from support.service import service
from tablestate_service.app import RunningService

ROOT = Path(__file__).parents[2]
BUF = Path(sysconfig.get_path("scripts")) / "buf"
SERVICE = "tablestate.v1.MatchService"


def token(number: int) -> str:
    return base64.b64encode(bytes([number]) * 32).decode()


class BufCurl:
    """Calls by JSON, as a person at a shell would make them; each by another protocol."""

    def __init__(self, running: RunningService) -> None:
        gateway = running.page.rstrip("/")
        ways = {
            "grpc": [f"http://{running.address}", "--http2-prior-knowledge"],
            "connect": [gateway],
            "grpcweb": [gateway],
        }
        self.used: Counter[str] = Counter()
        self._ways = itertools.cycle(ways.items())
        self._count = 0

    async def call(self, method: str, **request: Any) -> list[Any]:
        """The answers of a call; raises AssertionError with what buf says if it fails."""
        protocol, (base, *flags) = next(self._ways)
        self.used[protocol] += 1
        flags += ["--schema", str(ROOT / "proto"), "--protocol", protocol]
        url = f"{base}/{SERVICE}/{method}"
        command = [str(BUF), "curl", *flags, "--data", json.dumps(request), url]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
        out, error = await process.communicate()
        assert process.returncode == 0, error.decode()
        return list(values(out.decode()))

    async def change(self, method: str, **request: Any) -> Any:
        """A mutating call, with a request id of its own."""
        self._count += 1
        (answer,) = await self.call(method, requestId=f"buf-curl-{self._count:08}", **request)
        return answer


def values(text: str) -> Any:
    """The JSON values that stand one after the other in a text."""
    decoder, rest = json.JSONDecoder(), text.lstrip()
    while rest:
        value, end = decoder.raw_decode(rest)
        yield value
        rest = rest[end:].lstrip()


async def seated(buf: BufCurl, options: Any) -> str:
    """Create a match and take both seats; gives its id."""
    created = await buf.change("CreateMatch", hostToken=token(9), options=options)
    match_id: str = created["match"]["matchId"]
    for seat in (0, 1):
        await buf.change("JoinMatch", matchId=match_id, seatToken=token(seat), seat=seat)
    return match_id


async def test_a_match_is_played_from_creation_to_result_by_every_protocol(tmp_path: Path) -> None:
    async with service(tmp_path, settings={"gateway": "127.0.0.1:0"}) as (running, _):
        await play(BufCurl(running))


async def play(buf: BufCurl) -> None:
    match_id = await seated(buf, {"offboard": {"quietLimit": 10}})
    version, plies = "4", 0
    while True:
        (match,) = await buf.call("GetMatch", matchId=match_id)
        if match["match"]["phase"] == "MATCH_PHASE_OVER":
            break
        actor = match["match"].get("actors", [0])[0]
        (legal,) = await buf.call("ListLegalActions", matchId=match_id, seatToken=token(actor))
        way = ("notation", "index", "action")[plies % 3]
        first = legal["legalActions"]["actions"][0]
        answer = await buf.change(
            "SubmitAction",
            matchId=match_id,
            seatToken=token(actor),
            expectedVersion=legal["version"],
            choice={way: first.get(way, 0)},
        )
        version, plies = answer["update"]["version"], plies + 1
    assert match["match"]["version"] == version
    assert plies == 10
    outcome = match["match"]["outcome"]
    assert outcome["reason"] == "OUTCOME_REASON_OFFBOARD_QUIET_LIMIT"
    parts = await buf.call("GetReplay", matchId=match_id)
    actions = [part["recorded"] for part in parts if "recorded" in part]
    assert [entry.get("notation") for entry in actions if "notation" in entry] != []
    assert "seed" in parts[-1]["secrets"]
    assert min(buf.used.values()) >= 10
    for _ in buf.used:
        with pytest.raises(AssertionError, match='"code": "not_found"'):
            await buf.call("GetMatch", matchId="0" * 32)
