"""Fuzz the core with what comes from outside: `python -m tools.fuzz [--seconds N] [TARGET ...]`.

libFuzzer, guided by coverage, begins with messages of the recorded games (`tests/data/vectors`).
What it finds of interest stays in `target/fuzz/corpus`, and what it breaks in
`target/fuzz/found`; a fix brings a test with the bytes that were found.
"""

import argparse
import hashlib
import itertools
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from google.protobuf import json_format

from tablestate.v1.batch_pb2 import WantedParts
from tablestate.v1.game_pb2 import ActionChoice, GameAction, GameOptions, GameView
from tablestate_service import engine
from tools.sources import ROOT

CRATE = ROOT / "core-rs/fuzz"
BUILT = ROOT / "target/fuzz"
TARGETS = tuple(
    each["name"] for each in tomllib.loads((CRATE / "Cargo.toml").read_text("utf-8"))["bin"]
)
EVERY = 8
"""Plies between two messages out of one game."""
VIEWERS = (0, 1, None)
SPECTATOR = 255
# Of stable Rust: what libFuzzer needs to see where it comes. Not the sanitizers: but for the
# binding, which is not fuzzed, the core has no unsafe code.
FLAGS = (
    "--cfg fuzzing -Cpasses=sancov-module "
    "-Cllvm-args=-sanitizer-coverage-level=4 "
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters "
    "-Cllvm-args=-sanitizer-coverage-pc-table "
    "-Cllvm-args=-sanitizer-coverage-trace-compares"
)
# Seconds for one input, MiB for all.
BOUNDS = ("-timeout=10", "-rss_limit_mb=1024", "-max_len=16384", "-print_final_stats=1")


def build() -> Path:
    """Build the fuzzers; the folder that they are in."""
    host = _host()
    # With a target named, the flags are not those of build scripts and macros.
    command = ["cargo", "build", "--release", "--locked", "--quiet", "--target", host]
    command += ["--manifest-path", str(CRATE / "Cargo.toml"), "--target-dir", str(BUILT)]
    subprocess.run(command, check=True, env={**os.environ, "RUSTFLAGS": FLAGS})
    return BUILT / host / "release"


def _host() -> str:
    told = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    return next(line.split()[1] for line in told.splitlines() if line.startswith("host:"))


def write_seeds() -> None:
    """Write what fuzzing begins with: a folder for each target."""
    for path in sorted((ROOT / "tests/data/vectors").glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        for target, data in itertools.chain(_of_options(file), _of_steps(file)):
            _write_seed(target, data)
    wanted = WantedParts(actors=True, flags=True, masks=True, observations=True, observer=1)
    for game, form in itertools.product(range(4), range(4)):
        _write_seed("batches", bytes([game, form, 16, *range(16)]) + wanted.SerializeToString())


def _of_options(file: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    for name in ("options", "complete_options"):
        message = json_format.ParseDict(file[name], GameOptions())
        yield "options", message.SerializeToString()


def _of_steps(file: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    options = json_format.ParseDict(file["complete_options"], GameOptions()).SerializeToString()
    step = engine.GameState.replay_start(options, file["steps"][0]["draws"])
    for number, told in enumerate(file["steps"][1:]):
        step = step.state.replay(told["action"]["notation"], told["draws"])
        if number % EVERY == 0:
            yield "states", step.state.dump()
            yield from _of_views(options, step.state)
            yield from _of_action(number, told)


def _of_views(options: bytes, state: engine.GameState) -> Iterator[tuple[str, bytes]]:
    for viewer in VIEWERS:
        head = bytes([SPECTATOR if viewer is None else viewer]) + len(options).to_bytes(2, "little")
        view = GameView.FromString(state.view(viewer))
        yield "views", head + options + view.SerializeToString()


def _of_action(number: int, told: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    notation, place = told["action"]["notation"], number % 256
    typed = json_format.ParseDict(told["action"]["action"], GameAction())
    for choice in (
        ActionChoice(notation=notation),
        ActionChoice(index=told["action"].get("index", 0)),
        ActionChoice(action=typed),
    ):
        yield "choices", bytes([place, 0]) + choice.SerializeToString()
    yield "choices", bytes([place, 1, *told["draws"]]) + b"\n" + notation.encode()


def _write_seed(target: str, data: bytes) -> None:
    folder = BUILT / "seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha256(data).hexdigest()[:16]).write_bytes(data)


def fuzz(programs: Path, target: str, seconds: int) -> bool:
    """Fuzz one target, and print how far it came; whether nothing was found."""
    corpus, found = BUILT / "corpus" / target, BUILT / "found"
    corpus.mkdir(parents=True, exist_ok=True)
    found.mkdir(parents=True, exist_ok=True)
    folders = [str(corpus), str(BUILT / "seeds" / target)]
    bounds = [*BOUNDS, f"-max_total_time={seconds}", f"-artifact_prefix={found}/{target}-"]
    command = [str(programs / target), *bounds, *folders]
    ran = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if ran.returncode:
        print(f"{target}: FAILED\n{ran.stderr[-4000:]}", flush=True)
        return False
    print(f"{target}: {_summary(ran.stderr)}", flush=True)
    return True


def _summary(log: str) -> str:
    executed = re.findall(r"number_of_executed_units:\s*(\d+)", log)[-1]
    edges = re.findall(r"cov: (\d+)", log)[-1]
    return f"{executed} inputs, {edges} edges covered, nothing found"


def main() -> int:
    """Fuzz as the command line asks; the exit code."""
    parser = argparse.ArgumentParser(description="Fuzz what the core reads.")
    parser.add_argument("--seconds", type=int, default=30, help="for each target")
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    arguments = parser.parse_args()
    targets = arguments.targets or TARGETS
    if unknown := set(targets) - set(TARGETS):
        parser.error(f"no such target: {', '.join(sorted(unknown))}")
    programs = build()
    write_seeds()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        went = list(pool.map(lambda target: fuzz(programs, target, arguments.seconds), targets))
    return 0 if all(went) else 1


if __name__ == "__main__":
    sys.exit(main())
