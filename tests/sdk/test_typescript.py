"""The TypeScript client, by its own tests and by its examples, against a service that runs."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from support import command
from support.code_blocks import blocks_for
from support.tls_service import tls_service
from tools import node

NO_COLOURS = {"NO_COLOR": "1"}
PACKAGE = node.CLIENTS / "typescript"


class Running(NamedTuple):
    """Where a service is."""

    grpc: str
    gateway: str


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    data = str(tmp_path_factory.mktemp("data"))
    serve = ("serve", "--port", "0", "--gateway", "127.0.0.1:0", "--data-dir", data)
    with command.start(*serve, "--log-level", "error") as process:
        assert process.stdout is not None
        first, second = process.stdout.readline(), process.stdout.readline()
        address = re.search(r"127\.0\.0\.1:\d+", first)
        page = re.search(r"http://127\.0\.0\.1:\d+", second)
        assert address and page, first + second
        yield Running(f"http://{address[0]}", page[0])
        process.terminate()


@pytest.fixture(scope="module")
def built() -> Path:
    """The package as it is published, which is what `node` loads."""
    run("npm", "run", "build", "--silent")
    return PACKAGE / "dist"


def run(*program: str, environment: Mapping[str, str] = NO_COLOURS) -> str:
    """Run a program in the package's folder; its output."""
    done = subprocess.run(
        node.command(*program),
        cwd=PACKAGE,
        env={**node.environment(), **NO_COLOURS, **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_unit_tests_pass() -> None:
    assert "passed" in run("npm", "run", "test", "--silent")


def test_every_call_works_over_grpc_and_over_the_gateway(service: Running, tmp_path: Path) -> None:
    where = {"TABLESTATE_GRPC": service.grpc, "TABLESTATE_GATEWAY": service.gateway}
    with tls_service(tmp_path) as behind_tls:
        where |= behind_tls
        assert "passed" in run("npm", "run", "test:live", "--silent", environment=where)


@pytest.mark.parametrize("game", ["eternitium", "off_the_rails", "offboard", "offtrack"])
def test_the_example_plays_a_match_to_its_end(game: str, service: Running, built: Path) -> None:
    assert "scores" in run("node", "examples/play.ts", service.gateway, game)


def test_the_examples_of_the_documents_run(service: Running, built: Path) -> None:
    examples = [block.code for block in blocks_for(__file__)]
    assert len(examples) >= 8
    for number, example in enumerate(examples):
        example = example.replace("http://127.0.0.1:8080", service.gateway)
        example = example.replace("http://127.0.0.1:50051", service.grpc)
        file = built / f"readme-{os.getpid()}-{number}.ts"
        file.write_text(example)
        assert run("node", str(file)), example
        file.unlink()
