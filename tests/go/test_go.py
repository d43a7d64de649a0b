"""The Go client, by its own tests, its example and its README, against a service that runs."""

import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support import command
from support.code_blocks import DOCUMENTED_TARGET, CodeBlock, blocks_for
from support.tls_service import tls_service
from tools import golang

TIMEOUT_SECONDS = 300
NOTHING: Mapping[str, str] = {}


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a service is."""
    data = str(tmp_path_factory.mktemp("data"))
    with command.start(
        "serve", "--port", "0", "--data-dir", data, "--log-level", "error"
    ) as process:
        assert process.stdout is not None
        address = re.search(r"127\.0\.0\.1:\d+", process.stdout.readline())
        assert address
        yield address[0]
        process.terminate()


@pytest.fixture(scope="module")
def behind_tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    with tls_service(tmp_path_factory.mktemp("tls")) as environment:
        yield environment


def run_go(*arguments: str, target: str = "", environment: Mapping[str, str] = NOTHING) -> str:
    """Run `go` in the client's folder; its output."""
    done = subprocess.run(
        ["go", *arguments],
        cwd=golang.CLIENT,
        env={**golang.environment(), "TABLESTATE_TARGET": target, **environment},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tests_of_the_client_pass_with_a_service_and_without(
    target: str, behind_tls: Mapping[str, str]
) -> None:
    assert "ok" in run_go("test", "-tags", "live", ".", target=target, environment=behind_tls)


def test_the_example_plays_a_match_to_its_end(target: str) -> None:
    assert "scores" in run_go("run", "./examples/against-a-bot", target)


@pytest.mark.parametrize("block", blocks_for(__file__), ids=lambda block: block.title)
def test_every_program_of_the_readme_runs(block: CodeBlock, target: str, tmp_path: Path) -> None:
    program = tmp_path / "main.go"
    program.write_text(block.code.replace(DOCUMENTED_TARGET, target), encoding="utf-8")
    assert run_go("run", str(program))
