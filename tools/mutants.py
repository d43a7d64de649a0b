"""Change the code and see whether tests notice: `python -m tools.mutants [AREA ...]`.

For the code that must not be wrong unnoticed: what a viewer is shown, who may do what, and that a
repeated request has one effect. Python code is changed by mutmut, the rules by cargo-mutants. Of
each area the score is printed: changes that tests noticed, of all that they could. It is long; a
change that nobody noticed is shown by the command that is printed beside it.
"""

import argparse
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from tools.sources import ROOT

WORK = ROOT / "target/mutants"
LEAST = 80
"""Per cent of the changes that tests must notice."""
NOTICED, MISSED = ("killed", "timeout"), ("survived", "no tests", "suspicious")


class Area(NamedTuple):
    """Code that is changed, and the tests that are to notice."""

    files: tuple[str, ...]
    functions: tuple[str, ...]
    """Patterns of their names in mutmut; a method is `xǁClassǁmethod`."""
    tests: tuple[str, ...]


class Score(NamedTuple):
    """How many changes were noticed, and where to look at the others."""

    noticed: int
    missed: int
    look: str

    @property
    def per_cent(self) -> float:
        """Of 100."""
        return 100 * self.noticed / max(1, self.noticed + self.missed)


UNIT = "tests/unit/test_"
DECIDING = (
    "clocks",
    "deadlines",
    "decide",
    "entropy",
    "forkable",
    "gate",
    "joining",
    "match",
    "proposals",
    "seating",
)
PYTHON: Mapping[str, Area] = {
    "authorisation": Area(
        (
            "domain/access.py",
            "domain/decide.py",
            "domain/seats.py",
            "rpc/callers.py",
            "rpc/gate.py",
        ),
        ("*",),
        tuple(f"{UNIT}{each}.py" for each in DECIDING),
    ),
    "idempotency": Area(
        (
            "usecases/matches.py",
            "domain/entry.py",
            "domain/match.py",
            "adapters/sqlite_store.py",
        ),
        (
            "*.matches.*ǁcreate__*",
            "*.matches.*ǁchange__*",
            "*.matches.*ǁ_change__*",
            "*.matches.*answered*",
            "*.match.x_length_of_answer__*",
            "*.match.x__is_part_of_answer__*",
            "*.matches.x__outlast__*",
            "*.entry.x_request_key__*",
            "*.sqlite_store.*find_request__*",
        ),
        (
            f"{UNIT}matches.py",
            f"{UNIT}entry.py",
            f"{UNIT}match.py",
            "tests/contract/test_match_store.py",
            "tests/contract/test_sqlite_store.py",
        ),
    ),
}
RULES = "views"
VIEWS = ("view.rs", "seen.rs", "observe.rs")
"""Files of `core-rs/rules` in which views are made, and read back."""
CHANGED, TESTED = "tablestate-rules", ("tablestate-rules", "tablestate-wire")


def of_python(name: str) -> Score:
    """Change the Python code of an area."""
    area, stage = PYTHON[name], WORK / name
    _stage(stage, area)
    command = ["mutmut", "run", "--max-children=2", *area.functions]
    subprocess.run(command, cwd=stage, stdout=subprocess.DEVNULL)
    counts = _results(stage, area)
    noticed = sum(counts[each] for each in NOTICED)
    missed = sum(counts[each] for each in MISSED)
    where = stage.relative_to(ROOT)
    return Score(noticed, missed, f"cd {where} && mutmut results, then mutmut show NAME")


def _results(stage: Path, area: Area) -> Counter[str]:
    """How often each came out of the changes of an area's functions."""
    command = ["mutmut", "results", "--all", "true"]
    told = subprocess.run(command, cwd=stage, check=True, capture_output=True, text=True).stdout
    found = (line.strip().rsplit(": ", 1) for line in told.splitlines() if ": " in line)
    return Counter(
        outcome
        for name, outcome in found
        if any(fnmatchcase(name, pattern) for pattern in area.functions)
    )


def _stage(stage: Path, area: Area) -> None:
    """Copy what the tests need: mutmut knows packages in `src` only, and changes copies."""
    shutil.rmtree(stage, ignore_errors=True)
    ignored = shutil.ignore_patterns("__pycache__", "data")
    package = "tablestate_service"
    shutil.copytree(ROOT / "service" / package, stage / "src" / package, ignore=ignored)
    for folder in ("tests", "tools"):
        shutil.copytree(ROOT / folder, stage / folder, ignore=ignored)
    (stage / "proto").symlink_to(ROOT / "proto")
    settings = {
        "source_paths": ["src"],
        "only_mutate": [f"src/{package}/{file}" for file in area.files],
        "also_copy": ["tools", "proto"],
        "pytest_add_cli_args_test_selection": [*area.tests, "-m", "not postgres"],
        "process_isolation": "forkserver",
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    whole = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    mutmut = "\n[tool.mutmut]\n" + "\n".join(lines) + "\n"
    (stage / "pyproject.toml").write_text(whole + mutmut, encoding="utf-8")


def of_rules(shard: str) -> Score:
    """Change the functions of the rules that make views, or a part of them."""
    out = WORK / RULES
    out.mkdir(parents=True, exist_ok=True)
    command = ["cargo", "mutants", "--output", str(out), "--no-shuffle", "--package", CHANGED]
    command += [f"--file=**/{file}" for file in VIEWS]
    command += [f"--test-package={package}" for package in TESTED]
    command += ["--shard", shard] if shard else []
    subprocess.run(command, cwd=ROOT)
    told = json.loads((out / "mutants.out/outcomes.json").read_text(encoding="utf-8"))
    counts = Counter(each["summary"] for each in told["outcomes"])
    noticed = counts["CaughtMutant"] + counts["Timeout"]
    return Score(noticed, counts["MissedMutant"], f"{out.relative_to(ROOT)}/mutants.out/missed.txt")


def main() -> int:
    """Change the areas that the command line names, by default all; the exit code."""
    names = (*PYTHON, RULES)
    parser = argparse.ArgumentParser(description="See whether tests notice changes of the code.")
    parser.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(names))
    parser.add_argument("--shard", default="", metavar="K/N", help="of the views, one N-th alone")
    arguments = parser.parse_args()
    if unknown := set(arguments.areas) - set(names):
        parser.error(f"no such area: {', '.join(sorted(unknown))}")
    scores = {
        name: of_rules(arguments.shard) if name == RULES else of_python(name)
        for name in arguments.areas or names
    }
    for name, score in scores.items():
        total = score.noticed + score.missed
        print(f"{name}: {score.per_cent:.1f} % of {total} changes noticed ({score.look})")
    return 0 if all(score.per_cent >= LEAST for score in scores.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
