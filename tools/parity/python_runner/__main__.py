"""`python -m tools.parity.python_runner [--sync]`: what a runner does, by the Python SDK."""

import asyncio
import json
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

from google.protobuf import json_format

import tablestate
from tablestate import GameOptions
from tools.parity.python_runner.awaited import Awaited
from tools.parity.python_runner.calls import Clients, make_calls
from tools.parity.python_runner.checks import expect
from tools.parity.python_runner.replay import replay
from tools.parity.python_runner.roundtrip import edge_lines, lines

AT_ONCE = 4
THREADS = 64
PASSED = "passed"


def connected(key: str, *, synchronous: bool) -> Any:
    """A client with a key."""
    target, metadata = os.environ["TABLESTATE_TARGET"], [("authorization", f"Bearer {key}")]
    if synchronous:
        return Awaited(tablestate.Client(target, metadata=metadata))
    return tablestate.AsyncClient(target, metadata=metadata)


def read(folder: Path) -> dict[str, Any]:
    """The vectors by their names, in byte order."""
    paths = sorted(folder.glob("*.json"), key=lambda path: path.name.encode())
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


async def replay_all(client: Any, vectors: Mapping[str, Any]) -> dict[str, str]:
    """Create all matches in order, then play some at once; how each went."""
    created = [await create(client, vector) for vector in vectors.values()]
    turns = asyncio.Semaphore(AT_ONCE)

    async def outcome(hosted: Any, vector: Any) -> str:
        async with turns:
            try:
                expect("match id", hosted.match_id, vector["match_id"])
                await replay(client, hosted, vector)
            except Exception as error:
                return f"{type(error).__name__}: {error}"
            return PASSED

    played = map(outcome, created, vectors.values())
    return dict(zip(vectors, await asyncio.gather(*played), strict=True))


async def create(client: Any, vector: Any) -> Any:
    """Create the match of a vector."""
    options = json_format.ParseDict(vector["options"], GameOptions())
    game = vector["game"]
    return await client.create_match(game, getattr(options, game))


def write_lines(out: Path, vectors: Mapping[str, Any]) -> None:
    """Write the messages of every vector, and those made by hand."""
    out.mkdir()
    edges = Path(os.environ["TABLESTATE_VECTORS"], "edges.jsonl").read_text(encoding="utf-8")
    (out / "edges.jsonl").write_text("".join(edge_lines(edges)), encoding="utf-8")
    for name, vector in vectors.items():
        (out / f"{name}.jsonl").write_text("".join(lines(vector)), encoding="utf-8")


async def run(arguments: Sequence[str]) -> bool:
    """Do all that a runner does; whether all passed."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(THREADS))
    synchronous = "--sync" in arguments
    vectors = read(Path(os.environ["TABLESTATE_VECTORS"]))
    out = Path(os.environ["TABLESTATE_OUT"])
    async with (
        connected(os.environ["TABLESTATE_KEY"], synchronous=synchronous) as player,
        connected(os.environ["TABLESTATE_OPERATOR_KEY"], synchronous=synchronous) as operator,
    ):
        replayed = await replay_all(player, vectors)
        calls = await make_calls(Clients(player, operator))
    write_lines(out / "json", vectors)
    report = {
        "sdk": "python",
        "version": version("tablestate"),
        "vectors": replayed,
        "calls": calls,
    }
    (out / "report.json").write_text(json.dumps(report, indent=1), encoding="utf-8")
    return {*replayed.values(), *calls.values()} == {PASSED}


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(run(sys.argv[1:])) else 1)
