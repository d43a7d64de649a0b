"""What the log of calls tells, and what not."""

import logging

import pytest

from support.service import Client, refused, token
from tablestate.v1 import match_service_pb2 as pb


async def test_a_call_is_logged_with_its_match_and_code(
    fake: Client, caplog: pytest.LogCaptureFixture
) -> None:
    match_id = await fake.create()
    with caplog.at_level(logging.DEBUG, "tablestate_service.calls"):
        await fake.matches.GetMatch(pb.GetMatchRequest(match_id=match_id))
        with refused():
            await fake.matches.GetMatch(pb.GetMatchRequest(match_id="f" * 32))
    calls = [record.__dict__ for record in caplog.records if record.message == "call"]
    logged = [(call["match_id"], call["code"]) for call in calls]
    assert logged == [(match_id, "OK"), ("f" * 32, "NOT_FOUND")]


async def test_what_is_no_match_id_is_not_logged(
    fake: Client, caplog: pytest.LogCaptureFixture
) -> None:
    secret = token(7).hex()
    with caplog.at_level(logging.DEBUG, "tablestate_service.calls"), refused() as refusal:
        await fake.matches.GetMatch(pb.GetMatchRequest(match_id=secret))
    assert refusal.reason == "INVALID_FIELD"
    calls = [record.__dict__ for record in caplog.records if record.message == "call"]
    assert [(call["match_id"], call["code"]) for call in calls] == [("", "INVALID_ARGUMENT")]
