"""Faults inside the service: the caller hears of them at once, and nothing of their text."""

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

import grpc
import pytest

from support.fake_engine import FakeEngine, FakePanicError
from support.service import refused, service
from tablestate_service import _core
from tablestate_service.app import Parts
from tablestate_service.ports import GameSetup

SECRET = "what the exception says"


class BrokenEngine(FakeEngine):
    """Fails where a match is created."""

    def __init__(self, fail: Callable[[], None]) -> None:
        super().__init__()
        self.fail = fail

    def validate_options(self, options: bytes) -> GameSetup:
        self.fail()
        return super().validate_options(options)


def raise_error() -> None:
    raise RuntimeError(SECRET)


def raise_cancelled() -> None:
    raise asyncio.CancelledError(SECRET)


def raise_panic() -> None:
    raise FakePanicError(SECRET)


def panic() -> None:
    """A real panic of the core, where it is built with faults."""
    _core.provoke_panic()


@pytest.mark.parametrize("fail", [raise_error, raise_cancelled, raise_panic, panic])
async def test_a_fault_is_told_at_once_with_an_incident(
    tmp_path: Path, fail: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    async with service(tmp_path, Parts(engine=lambda: BrokenEngine(fail))) as (_, client):
        started = time.monotonic()
        with caplog.at_level(logging.ERROR), refused() as got:
            await client.create()
        assert time.monotonic() - started < 1
        assert got.failure.code is grpc.StatusCode.INTERNAL
        assert got.reason == "INTERNAL"
        assert SECRET not in got.failure.message
        incident = got.failure.metadata["incident"]
        assert incident in [getattr(record, "incident", None) for record in caplog.records]


async def test_a_panic_in_an_action_leaves_the_match_as_it_was(tmp_path: Path) -> None:
    async with service(tmp_path, Parts(engine=FakeEngine)) as (_, client):
        match_id = await client.started()
        with refused() as got:
            await client.submit(match_id, 0, "panic")
        assert got.reason == "INTERNAL"
        await client.submit(match_id, 0, "1")
        assert (await client.match(match_id)).ply == 1
