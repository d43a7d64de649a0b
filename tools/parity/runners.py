"""The runners of the SDKs: which command starts each, and what it needs."""

import shlex
import shutil
import sys
from typing import NamedTuple

from tools.sources import ROOT

_PYTHON = shlex.quote(sys.executable)
_PYTHON_HOME = "tools/parity/python_runner"
_PYTHON_RUN = f"{_PYTHON} -m tools.parity.python_runner"
_NODE = f"{_PYTHON} -m tools.node"
_TYPESCRIPT_HOME = "clients/typescript/conformance"
_TYPESCRIPT_BUILD = f"{_NODE} npm run build --silent --workspace @tablestate/client"
_GO_HOME = "clients/go/conformance"
_JAVA_HOME = "clients/java/src/test/java/dev/tablestate/parity"
_TYPESCRIPT_RUN = f"{_NODE} node typescript/conformance/runner.ts"
_RUST_HOME = "clients/rust/conformance"
_RUST_TARGET = "target/client-rust"
_RUST_BUILD = (
    "cargo build --quiet --locked --manifest-path clients/rust/Cargo.toml"
    f" --target-dir {_RUST_TARGET} --all-features --example conformance"
)
BIDIRECTIONAL = frozenset(
    {
        "tablestate.v1.MatchService/Play",
        "tablestate.v1.EngineService/Simulate",
        "tablestate.v1.EngineService/Evaluate",
    }
)


class Runner(NamedTuple):
    """A program that uses an SDK, and replays the vectors with it."""

    name: str
    """How it is asked for."""
    title: str
    """The head of its column."""
    home: str
    """The folder that it is in; where there is none, as in the pack, it is left out."""
    command: str
    """Of a shell, in the root of the repository."""
    build: str = ""
    """Of a shell too: what is not counted as the run."""
    needs: tuple[str, ...] = ()
    """Programs that must be on the path, the same for all of one home."""
    cannot: frozenset[str] = frozenset()
    """Methods that browsers cannot call."""

    def missing(self) -> list[str]:
        """What of its needs this machine lacks."""
        home = [] if (ROOT / self.home).is_dir() else [self.home]
        return home + [each for each in self.needs if shutil.which(each) is None]


RUNNERS = [
    Runner("python", "Python", _PYTHON_HOME, _PYTHON_RUN),
    Runner("python-sync", "Python, sync", _PYTHON_HOME, f"{_PYTHON_RUN} --sync"),
    Runner(
        "typescript",
        "TypeScript, Node",
        _TYPESCRIPT_HOME,
        f"{_TYPESCRIPT_RUN} grpc",
        build=_TYPESCRIPT_BUILD,
    ),
    Runner(
        "typescript-gateway",
        "TypeScript, browsers",
        _TYPESCRIPT_HOME,
        f"{_TYPESCRIPT_RUN} gateway",
        build=_TYPESCRIPT_BUILD,
        cannot=BIDIRECTIONAL,
    ),
    Runner(
        "go",
        "Go",
        _GO_HOME,
        "target/go/conformance",
        build=f"{_PYTHON} -m tools.golang build conformance",
        needs=("go",),
    ),
    Runner(
        "rust",
        "Rust",
        _RUST_HOME,
        f"{_RUST_TARGET}/debug/examples/conformance",
        build=_RUST_BUILD,
        needs=("cargo",),
    ),
    Runner(
        "java",
        "Java",
        _JAVA_HOME,
        f"{_PYTHON} -m tools.java run dev.tablestate.parity.Runner",
        build=f"{_PYTHON} -m tools.java build",
        needs=("java", "mvn"),
    ),
]
"""In the order of the columns of the table."""
