"""The Java client, by its own tests, its example and its README, against a service that runs."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from support import command
from support.code_blocks import DOCUMENTED_TARGET, CodeBlock, blocks_for
from support.tls_service import tls_service
from tools import java

TIMEOUT_SECONDS = 300
NOTHING: Mapping[str, str] = {}
JUNIT = "org.junit.platform.console.ConsoleLauncher"
IMPORTS = re.compile(r"^import .*\n", re.MULTILINE)
BLOCK = """{imports}
public class Block{number} {{
  public static void main(String[] arguments) throws Exception {{
{code}
  }}
}}
"""
ALL = """public class Blocks {{
  public static void main(String[] arguments) throws Exception {{
{calls}
  }}
}}
"""


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


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    assert java.build() == 0


@pytest.fixture(scope="module")
def behind_tls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    with tls_service(tmp_path_factory.mktemp("tls")) as environment:
        yield environment


def run(*program: str, target: str = "", environment: Mapping[str, str] = NOTHING) -> str:
    """Run a program in the client's folder; its output."""
    done = subprocess.run(
        program,
        cwd=java.CLIENT,
        env={**os.environ, "TABLESTATE_TARGET": target, **environment},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_tests_of_the_client_pass_with_a_service_and_without(
    target: str, behind_tls: Mapping[str, str]
) -> None:
    scanned = f"--scan-classpath={java.TARGET / 'test-classes'}"
    told = run(*java.command(JUNIT, "execute", scanned), target=target, environment=behind_tls)
    assert "LiveTest" in told
    assert "TlsTest" in told
    assert " 0 tests failed" in told


def test_the_example_plays_a_match_to_its_end(target: str) -> None:
    example = java.command("dev.tablestate.examples.PlayMatch", target, "eternitium")
    assert "scores" in run(*example)


def class_of(number: int, block: CodeBlock, target: str) -> str:
    """A class whose main method is a block."""
    code = block.code.replace(DOCUMENTED_TARGET, target)
    imports = "".join(IMPORTS.findall(code))
    return BLOCK.format(imports=imports, number=number, code=IMPORTS.sub("", code))


def test_every_program_of_the_readme_runs(target: str, tmp_path: Path) -> None:
    blocks = blocks_for(__file__)
    for number, block in enumerate(blocks):
        text = class_of(number, block, target)
        (tmp_path / f"Block{number}.java").write_text(text, encoding="utf-8")
    # One start of Java for all of them; each says before which it is.
    calls = [
        f'System.out.println("# {block.title}"); Block{number}.main(arguments);'
        for number, block in enumerate(blocks)
    ]
    (tmp_path / "Blocks.java").write_text(ALL.format(calls="\n".join(calls)), encoding="utf-8")
    sources = sorted(map(str, tmp_path.glob("*.java")))
    run("javac", "-cp", java.classpath(), "-d", str(tmp_path), *sources)
    path = f"{tmp_path}:{java.classpath()}"
    told = run("java", *java.JVM, "-cp", path, "Blocks", target=target)
    assert all(f"# {block.title}\n" in told for block in blocks)
