"""The files of deploy/ name only what there is, and say the same as the documents."""

import configparser
import dataclasses
import re
from pathlib import Path
from typing import Any

import yaml

from tablestate_service.settings import Limits, Settings
from tools.sources import ROOT

DEPLOY = ROOT / "deploy"
KNOWN = {
    f"TABLESTATE_{field.name.upper()}"
    for kind in (Settings, Limits)
    for field in dataclasses.fields(kind)
}


def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    return loaded


def unit() -> configparser.ConfigParser:
    parsed = configparser.ConfigParser(strict=False, interpolation=None)
    parsed.optionxform = str  # type: ignore[assignment, method-assign]
    parsed.read(DEPLOY / "tablestate.service")
    return parsed


def test_every_variable_is_a_setting() -> None:
    for path in DEPLOY.iterdir():
        named = set(re.findall(r"\bTABLESTATE_[A-Z_]+", path.read_text()))
        assert named <= KNOWN, path.name


def test_nodes_have_longer_to_stop_than_a_drain_takes() -> None:
    drain = Limits().drain_seconds
    assert float(unit()["Service"]["TimeoutStopSec"]) > drain
    for name in ("node1", "node2"):
        grace = compose()["services"][name]["stop_grace_period"]
        assert float(grace.removesuffix("s")) > drain


def test_nothing_but_envoy_can_be_reached_from_outside() -> None:
    services = compose()["services"]
    assert [name for name, each in services.items() if "ports" in each] == ["envoy"]
    assert compose()["networks"]["inside"] == {"internal": True}
    inside = [name for name, each in services.items() if each["networks"] == ["inside"]]
    assert inside == ["postgres", "node1", "node2"]


def test_no_password_is_written_down() -> None:
    text = (DEPLOY / "compose.yaml").read_text()
    assert text.count("${POSTGRES_PASSWORD:?") == 2
    assert not re.search(r"postgresql://[^/]*:[^/]*@", text)


def test_envoy_leads_to_the_nodes_of_the_composition() -> None:
    clusters = yaml.safe_load((DEPLOY / "envoy.yaml").read_text())["static_resources"]["clusters"]
    (endpoints,) = clusters[0]["load_assignment"]["endpoints"]
    addresses = [
        each["endpoint"]["address"]["socket_address"] for each in endpoints["lb_endpoints"]
    ]
    assert [each["address"] for each in addresses] == ["node1", "node2"]
    assert {each["port_value"] for each in addresses} == {Settings().port}


def test_the_container_runs_as_nobody_special_and_holds_no_compiler() -> None:
    stages = (DEPLOY / "Containerfile").read_text().split("\nFROM ")
    assert len(stages) == 3
    assert re.search(r"^USER 10001$", stages[-1], re.MULTILINE)
    assert "apt-get" not in stages[-1] and "pip" not in stages[-1]


def test_the_container_is_given_every_folder_that_it_is_built_from() -> None:
    ignored = (DEPLOY / "Containerfile.dockerignore").read_text().splitlines()
    given = [line.removeprefix("!") for line in ignored if line.startswith("!")]
    assert all((ROOT / each).exists() for each in given)
    assert ignored[0] == "**" and "data" not in given and Path(".git").name not in given


def test_the_unit_is_hardened() -> None:
    service = unit()["Service"]
    for name in ("DynamicUser", "NoNewPrivileges", "ProtectHome", "PrivateDevices"):
        assert service[name] == "yes"
    assert service["CapabilityBoundingSet"] == "" and service["ProtectSystem"] == "strict"
    assert service["ExecStart"].endswith("/tablestate serve")
