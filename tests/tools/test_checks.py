"""The checks find what they are there to find."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools.check import PROMISED
from tools.check_licences import allows
from tools.check_sizes import python_functions
from tools.check_tree import rules_for
from tools.runner import Step, run_steps
from tools.rust_functions import Function, rust_functions
from tools.sources import ROOT

RUST = """
/// Says `fn not_this() {`.
pub fn with_text<'a>(text: &'a str) -> [u8; 2] {
    // A brace in a comment: {
    let brace = '{';

    let raw = r#"a "quoted" { brace"#;
    /* and { here
       too */
    [brace as u8, raw.len() as u8 + text.len() as u8]
}

trait Named {
    fn name(&self) -> String;
    fn shout(&self) -> String { self.name() + "\\"{" }
}
"""

PYTHON = '''
async def outer():
    """A docstring
    of two lines."""

    # A comment.
    def inner():
        return 1

    return inner
'''


def test_rust_functions_are_measured_without_blank_lines_and_comments() -> None:
    assert list(rust_functions(RUST)) == [Function("with_text", 3, 5), Function("shout", 15, 1)]


def test_python_functions_are_measured_without_docstrings_and_comments() -> None:
    sizes = {size.what: size.lines for size in python_functions("a.py", PYTHON)}
    assert sizes == {"a.py:2 outer": 4, "a.py:7 inner": 2}


@pytest.mark.parametrize(
    ("expression", "allowed"),
    [
        ("MIT", True),
        ("MIT/Apache-2.0", True),
        ("GPL-3.0-only OR MIT", True),
        ("MIT AND GPL-3.0-only", False),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", True),
        ("(MIT OR Apache-2.0) AND SSPL-1.0", False),
        ("Apache-2.0 WITH LLVM-exception", True),
        ("none stated", False),
    ],
)
def test_a_licence_expression_must_be_met_by_allowed_licences(
    expression: str, allowed: bool
) -> None:
    assert allows(expression) is allowed


@pytest.mark.parametrize(
    ("name", "line", "wrong"),
    [
        ("service/a.py", "x = 1  # TO" + "DO: more", "unfinished work"),
        ("core-rs/rules/src/a.rs", "to" + "do!()", "unfinished work"),
        ("tests/unit/test_a.py", "@pytest.mark." + "skip", "test left out"),
        ("core-rs/rules/src/a.rs", "#[" + "ignore]", "test left out"),
        ("docs/a.md", "see /ho" + "me/ada/notes", "path or address of one machine"),
        ("docs/a.md", "ask 10.1." + "2.3", "path or address of one machine"),
        ("requirements/dev.txt", "--index-url x", "registry's address"),
        ("Cargo.lock", 'source = "registry+https://mirror.example"', "not from crates.io"),
        (
            "clients/package-lock.json",
            '"resolved": "https://mirror.example/a"',
            "registry's address",
        ),
        ("clients/web/tests/a.ts", "it." + "skip()", "test left out"),
    ],
)
def test_words_that_must_not_be_in_the_tree_are_found(name: str, line: str, wrong: str) -> None:
    assert [why for why, pattern in rules_for(name) if pattern.search(line)] == [wrong]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("docs/a.md", "TO" + "DO in prose is no code"),
        ("service/a.py", 'HOST = "127.0.0.1"'),
        ("Makefile", "https://example.org/home/page"),
        ("Cargo.lock", 'source = "registry+https://github.com/rust-lang/crates.io-index"'),
        ("clients/package-lock.json", '"resolved": "web",'),
    ],
)
def test_innocent_lines_pass(name: str, line: str) -> None:
    assert [why for why, pattern in rules_for(name) if pattern.search(line)] == []


def test_a_step_that_lacks_a_program_is_named_and_fails_only_the_whole(
    capfd: pytest.CaptureFixture[str],
) -> None:
    steps = [Step("fine", f"{sys.executable} -c ''"), Step("odd", "exit 0", ("no-such-program",))]
    assert run_steps(steps, whole=False, at_once=2) == 0
    assert run_steps(steps, whole=True, at_once=2) == 1
    assert "LEFT OUT: odd (this machine has no no-such-program)" in capfd.readouterr().out


def test_a_step_that_fails_fails_the_run(capfd: pytest.CaptureFixture[str]) -> None:
    for alone in (False, True):
        steps = [Step("bad", "echo why; exit 3", alone=alone), Step("fine", "echo well")]
        assert run_steps(steps, whole=False, at_once=2) == 1
        told, _, end = capfd.readouterr().out.partition("--- the last of what failed: bad\n")
        assert "why" in told and "well" in told
        assert end.startswith("why\n\nFAILED: bad (0 s)\npassed: fine")


def test_what_runs_alone_comes_first_and_in_order(tmp_path: Path) -> None:
    file = tmp_path / "order"
    names = {"a": False, "b": True, "c": False, "d": True}
    steps = [Step(name, f"echo {name} >> {file}", alone=alone) for name, alone in names.items()]
    assert run_steps(steps, whole=True, at_once=2) == 0
    order = file.read_text().split()
    assert order[:2] == ["b", "d"]
    assert sorted(order[2:]) == ["a", "c"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("  uint32 ply = 8;", "  uint32 plies = 8;"),
        ("  uint32 ply = 8;", "  uint64 ply = 8;"),
        ("  uint32 ply = 8;", "  uint32 ply = 80;"),
        ("MATCH_CHANGE_UNDONE", "MATCH_CHANGE_TAKEN_BACK"),
    ],
)
def test_the_contract_may_only_grow(before: str, after: str, tmp_path: Path) -> None:
    proto = shutil.copytree(ROOT / "proto", tmp_path / "proto")
    shutil.copy(ROOT / "buf.yaml", tmp_path)
    file = proto / "tablestate/v1/match.proto"
    text = file.read_text(encoding="utf-8")
    compare = ["buf", "breaking", "--against", str(ROOT / PROMISED)]
    added = text.replace(before, f"{before}\n  bool added = 4000;", 1) if ";" in before else text
    for content, is_kept in ((added, True), (text.replace(before, after), False)):
        file.write_text(content, encoding="utf-8")
        assert (subprocess.run(compare, cwd=tmp_path).returncode == 0) == is_kept
