"""The hand-written and the made parts of the client follow the contract."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import tablestate
from tablestate import _methods
from tablestate._settings import MatchSettings
from tablestate.v1 import catalog_service_pb2, engine_service_pb2, match_service_pb2

ROOT = Path(__file__).parents[2]
SERVICES = [
    *catalog_service_pb2.DESCRIPTOR.services_by_name.values(),
    *engine_service_pb2.DESCRIPTOR.services_by_name.values(),
    *match_service_pb2.DESCRIPTOR.services_by_name.values(),
]


def test_every_rpc_is_in_the_table_with_its_messages() -> None:
    table = {m.path: m for m in vars(_methods).values() if isinstance(m, _methods.Method)}
    rpcs = {f"/{s.full_name}/{m.name}": m for s in SERVICES for m in s.methods}
    assert table.keys() == rpcs.keys()
    for path, rpc in rpcs.items():
        assert table[path].request.DESCRIPTOR is rpc.input_type
        assert table[path].response.DESCRIPTOR is rpc.output_type


def test_the_synchronous_client_is_made_from_the_asynchronous_one() -> None:
    tool = ROOT / "clients/python/tools/make_sync.py"
    done = subprocess.run(
        [sys.executable, tool, "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("sync", "asynchronous"),
    [
        (tablestate.Client, tablestate.AsyncClient),
        (tablestate.HostedMatch, tablestate.AsyncHostedMatch),
        (tablestate.SeatedPlayer, tablestate.AsyncSeatedPlayer),
    ],
)
def test_both_clients_have_the_same_methods(sync: type, asynchronous: type) -> None:
    def public(kind: type) -> dict[str, list[str]]:
        members = inspect.getmembers(kind, inspect.isfunction)
        return {n: list(inspect.signature(f).parameters) for n, f in members if n[0] != "_"}

    assert public(sync) == public(asynchronous)


def test_a_fork_takes_every_setting_of_a_new_match() -> None:
    parameters = inspect.signature(tablestate.Client.create_match).parameters.values()
    keywords = {each.name for each in parameters if each.kind is each.KEYWORD_ONLY}
    assert keywords - {"intent", "timeout"} == MatchSettings.__annotations__.keys()


def test_everything_exported_exists_and_is_sorted() -> None:
    assert all(hasattr(tablestate, name) for name in tablestate.__all__)
    assert sorted(tablestate.__all__) == sorted(set(tablestate.__all__))
