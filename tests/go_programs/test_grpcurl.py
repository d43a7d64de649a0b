"""grpcurl works with the service as with any other, directly and through Envoy."""

import base64
import json
from pathlib import Path
from typing import Any

from go_programs.programs import Grpcurl
from support.envoy import envoy
from support.service import service
from tablestate_service import __version__
from tablestate_service.serving import ALL_SERVICES
from tools.sources import ROOT

PROTO = ("-import-path", str(ROOT / "proto"), "-proto", "tablestate/v1/match_service.proto")
NOBODY = {"matchId": "0" * 32}
NOT_FOUND = 5


def creation(number: int) -> dict[str, Any]:
    token = base64.b64encode(bytes([number]) * 32).decode()
    options = {"offboard": {"pointsToWin": 2}}
    return {"requestId": f"grpcurl-request-{number}", "hostToken": token, "options": options}


async def test_services_and_messages_are_told_by_reflection(tmp_path: Path) -> None:
    async with service(tmp_path, reflection=True) as (running, _):
        grpcurl = Grpcurl(running.address)
        listed = (await grpcurl("list")).out.split()
        assert {each.full_name for each in ALL_SERVICES} <= {*listed}
        methods = (await grpcurl("list", "tablestate.v1.EngineService")).out.split()
        assert "tablestate.v1.EngineService.Simulate" in methods
        described = (await grpcurl("describe", "tablestate.v1.SubmitActionRequest")).out
        assert ".tablestate.v1.ActionChoice choice" in described
        told = await grpcurl.answer("CatalogService/GetServerInfo", {})
        assert told["version"] == __version__
        match = (await grpcurl.answer("MatchService/CreateMatch", creation(1)))["match"]
        assert match["phase"] == "MATCH_PHASE_WAITING"
        assert match["options"]["offboard"]["pointsToWin"] == 2


async def test_a_refusal_is_shown_with_its_details(tmp_path: Path) -> None:
    async with service(tmp_path, reflection=True) as (running, _):
        grpcurl = Grpcurl(running.address, "-format-error")
        refused = await grpcurl("tablestate.v1.MatchService/GetMatch", data=NOBODY)
        status = json.loads(refused.error)
        assert status["code"] == NOT_FOUND
        (detail,) = status["details"]
        assert (detail["reason"], detail["domain"]) == ("MATCH_NOT_FOUND", "tablestate")
        shown = await Grpcurl(running.address)("tablestate.v1.MatchService/GetMatch", data=NOBODY)
        assert "Code: NotFound" in shown.error and "MATCH_NOT_FOUND" in shown.error


async def test_without_reflection_the_protos_are_enough(tmp_path: Path) -> None:
    async with service(tmp_path) as (running, _):
        refused = await Grpcurl(running.address)("list")
        assert refused.code != 0 and "reflection API" in refused.error
        match = await Grpcurl(running.address, *PROTO).answer(
            "MatchService/CreateMatch", creation(2)
        )
        assert match["match"]["matchId"]


async def test_envoy_passes_calls_and_refusals_on(tmp_path: Path) -> None:
    async with (
        service(tmp_path / "one") as (one, _),
        service(tmp_path / "two") as (two, _),
        envoy(tmp_path, [one.port, two.port]) as port,
    ):
        grpcurl = Grpcurl(f"127.0.0.1:{port}", *PROTO)
        created = await grpcurl.answer("MatchService/CreateMatch", creation(3))
        assert created["match"]["game"] == "offboard"
        refused = await grpcurl("tablestate.v1.MatchService/GetMatch", data=NOBODY)
        assert refused.code == 64 + NOT_FOUND and "Code: NotFound" in refused.error
