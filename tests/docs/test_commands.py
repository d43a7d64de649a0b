"""The commands that the documents show can be given as they stand: programs, options, targets."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from support.code_blocks import CodeBlock, blocks_for, documents
from tablestate_service import settings
from tablestate_service.cli.main import argument_parser
from tools.sources import ROOT

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
ASSIGNMENT = re.compile(r"[A-Z_]+=")
INLINE = re.compile(r"(?<!`)`(tablestate [^`\n]+|make [^`\n]+)`(?!`)")


class Command(NamedTuple):
    """A line of a block, or of several that are one, after what was done before it."""

    folder: Path
    variables: Mapping[str, str]
    program: str
    arguments: list[str]


def commands(code: str) -> Iterator[Command]:
    """The commands of a block; what may be left out, in brackets, is left in."""
    folder = ROOT
    for line in code.replace("\\\n", " ").splitlines():
        words = shlex.split(re.sub(r" \[(-.*?)\]", r" \1", line), comments=True)
        variables = {}
        while words and ASSIGNMENT.match(words[0]):
            name, _, value = words.pop(0).partition("=")
            variables[name] = value
        if words and words[0] == "cd":
            folder /= words[1]
            assert folder.is_dir(), line
        elif words:
            yield Command(folder, variables, words[0].removeprefix(".venv/bin/"), words[1:])


def check_make(command: Command) -> None:
    """The targets are there, and variables mean something."""
    for word in command.arguments:
        name, is_variable, _ = word.partition("=")
        known = rf"\$[({{]{name}\b|ifdef {name}\b" if is_variable else rf"^{name}:"
        assert re.search(known, MAKEFILE, re.MULTILINE), f"make knows no {name}"
    settings.from_environment(command.variables)


def check_tablestate(command: Command) -> None:
    """The arguments are taken."""
    argument_parser().parse_args(command.arguments)
    settings.from_environment(command.variables)


def check_pip(command: Command) -> None:
    """What is installed is one of our packages, with extras that it has."""
    verb, *packages = command.arguments
    assert verb == "install"
    for package in packages:
        name, _, extras = package.rstrip("]").partition("[")
        project = {"tablestate": "clients/python/pyproject.toml"}.get(name, "pyproject.toml")
        table = tomllib.loads((ROOT / project).read_text(encoding="utf-8"))["project"]
        assert table["name"] == name
        assert set(filter(None, extras.split(","))) <= table["optional-dependencies"].keys()


def check_python(command: Command) -> None:
    """The program or module is there and knows the options."""
    words = command.arguments
    program = tuple(words[:2] if words[0] == "-m" else words[:1])
    named = {word for word in words if word.startswith("--")}
    assert named <= options_told(program, command.variables.get("PYTHONPATH", ""))


@cache
def options_told(program: tuple[str, ...], path: str) -> set[str]:
    """The options that a program tells of."""
    done = subprocess.run(
        [sys.executable, *program, "--help"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([path, str(ROOT)])},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"--[a-z][a-z-]*", done.stdout))


def check_mvn(command: Command) -> None:
    """There is a project, and what is wanted is a phase of its life cycle."""
    assert (command.folder / "pom.xml").is_file()
    assert set(command.arguments) <= {"compile", "test", "package", "verify", "install"}


def check_npm(command: Command) -> None:
    """The scripts and workspaces are there."""
    words = command.arguments
    workspaces = json.loads((command.folder / "package.json").read_text())["workspaces"]
    packages = [
        json.loads((command.folder / each / "package.json").read_text()) for each in workspaces
    ]
    named = {each["name"]: each for each in packages}
    chosen = named[words[words.index("--workspace") + 1]] if "--workspace" in words else {}
    assert words[0] in ("ci", "pack") or words[1] in chosen["scripts"], words


CHECKS: dict[str, Callable[[Command], None]] = {
    "make": check_make,
    "mvn": check_mvn,
    "npm": check_npm,
    "pip": check_pip,
    "python": check_python,
    "tablestate": check_tablestate,
}


@pytest.mark.parametrize("block", blocks_for(__file__), ids=lambda block: block.title)
def test_every_command_of_a_block_can_be_given(block: CodeBlock) -> None:
    shown = list(commands(block.code))
    assert shown
    for command in shown:
        CHECKS[command.program](command)


@pytest.mark.parametrize("name", documents())
def test_what_the_text_names_is_there(name: str) -> None:
    """Commands in a sentence may leave arguments out or name them in capitals."""
    text = (ROOT / name).read_text(encoding="utf-8")
    for program, *words in (found.split() for found in INLINE.findall(text)):
        if program == "make":
            target = re.escape(words[0].replace(".venv/stamps", "$(STAMPS)"))
            assert re.search(rf"^(\S+ )*{target}[ :]", MAKEFILE, re.MULTILINE), words
        elif not words[0].startswith("-"):
            known = options_of(words[0])
            for word in words[1:]:
                assert not word.startswith("--") or word.partition("=")[0] in known, words


def options_of(name: str) -> set[str]:
    """The options of a command of `tablestate`."""
    parser = argument_parser()
    (commands,) = (each.choices for each in parser._actions if isinstance(each.choices, dict))
    return set(commands[name]._option_string_actions)
