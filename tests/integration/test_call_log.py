"""What the log of calls tells, and what not."""

import asyncio
import logging

import pytest

from support.service import Client, refused, token
from tablestate.v1 import match_service_pb2 as pb


async def logged(caplog: pytest.LogCaptureFixture, count: int) -> list[tuple[str, str]]:
    """Match and code of so many calls; a caller may have its answer before the call is logged."""
    async with asyncio.timeout(60):
        while True:
            calls = [record.__dict__ for record in caplog.records if record.message == "call"]
            if len(calls) >= count:
                return [(call["match_id"], call["code"]) for call in calls]
            await asyncio.sleep(0.01)


async def test_a_call_is_logged_with_its_match_and_code(
    fake: Client, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await fake.create()
    with caplog.at_level(logging.DEBUG, "tablestate_service.calls"):
        await fake.matches.GetMatch(pb.GetMatchRequest(match_id=match_id))
        with refused():
            await fake.matches.GetMatch(pb.GetMatchRequest(match_id="f" * 32))
        assert await logged(caplog, 2) == [(match_id, "OK"), ("f" * 32, "NOT_FOUND")]


async def test_what_is_no_match_id_is_not_logged(
    fake: Client, caplog: pytest.LogCaptureFixture
) -> None:
    secret = token(7).hex()
    with caplog.at_level(logging.DEBUG, "tablestate_service.calls"):
        with refused() as refusal:
            await fake.matches.GetMatch(pb.GetMatchRequest(match_id=secret))
        assert refusal.reason == "INVALID_FIELD"
        assert await logged(caplog, 1) == [("", "INVALID_ARGUMENT")]
