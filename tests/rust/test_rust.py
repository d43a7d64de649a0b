"""The Rust client, by its live tests, its example and its README, against a service that runs.

The step of `make test` that runs this has built the client before, and run its unit tests.
"""

import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.code_blocks import DOCUMENTED_TARGET, blocks_for
from support.cut_proxy import CutProxy
from support.tls_service import tls_service
from tablestate_service.cli.embedded import embedded_service
from tools.check import RUST_CLIENT
from tools.sources import ROOT

CARGO_SECONDS = 250
CUT_EVERY_SECONDS = 0.1


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


def cargo(*arguments: str, environment: Mapping[str, str]) -> str:
    """Run cargo on the client; its output."""
    command, *rest = arguments
    done = subprocess.run(
        ["cargo", command, *RUST_CLIENT.split(), "--all-features", *rest],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=CARGO_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_call_works(target: str) -> None:
    told = cargo("test", "--test", "live", environment={"TABLESTATE_TARGET": target})
    assert "test result: ok" in told


def test_clients_and_servers_are_those_of_their_authorities(tmp_path: Path) -> None:
    with tls_service(tmp_path) as environment:
        told = cargo("test", "--test", "tls", environment=environment)
    assert "test result: ok. 1 passed" in told


@contextmanager
def cut_again_and_again(proxy: CutProxy) -> Iterator[None]:
    """Cut all connections, as long as it lasts."""
    done = threading.Event()

    def cut() -> None:
        while not done.wait(CUT_EVERY_SECONDS):
            proxy.cut()

    thread = threading.Thread(target=cut)
    thread.start()
    yield
    done.set()
    thread.join()


def test_matches_are_watched_and_played_over_connections_that_are_cut(target: str) -> None:
    with CutProxy(target) as proxy, cut_again_and_again(proxy):
        where = {"TABLESTATE_TARGET": proxy.address}
        told = cargo("test", "--test", "live", "a_match_is", environment=where)
    assert "2 passed" in told
    assert proxy.accepted > 3


@pytest.mark.parametrize("game", ["eternitium", "off_the_rails", "offboard", "offtrack"])
def test_the_example_plays_a_match_to_its_end(game: str, target: str) -> None:
    told = cargo("run", "--quiet", "--example", "play", "--", target, game, environment={})
    assert "scores" in told


def test_the_examples_of_the_documents_run(target: str, tmp_path: Path) -> None:
    """As tests in the documentation of the client, each with the address of the service."""
    examples = [block.code.replace(DOCUMENTED_TARGET, target) for block in blocks_for(__file__)]
    copy = tmp_path / "README.md"
    copy.write_text("".join(f"```\n{example}```\n\n" for example in examples), encoding="utf-8")
    live = {"RUSTDOCFLAGS": "--cfg live_readme", "TABLESTATE_README": str(copy)}
    assert f"{len(examples)} passed" in cargo("test", "--doc", environment=live)
