"""Every suite that `make test` runs."""

import os
import sys

from tools import postgres
from tools.check import RUST_CLIENT
from tools.parity.runners import RUNNERS
from tools.runner import Step, run_steps

# The extension module links against Python; the suite "Python" tests it. What generates code
# has no tests and needs much that takes long to compile.
RUST = "--workspace --exclude tablestate-pyext --exclude tablestate-wire-generate --locked"
PYTEST = "python -m pytest"
# One more than there are cores: many tests wait, for servers and for syncs.
WORKERS = (os.cpu_count() or 1) + 1
# These know nothing of stores and nodes.
GAMES = ("adapters", "examples", "laws", "oracle", "players", "secrecy")
# These can bear company, which would disturb the others: they wait for answers in haste.
SOCIABLE = (
    *GAMES,
    *("contract", "docs", "fuzz", "gateway", "integration", "limits", "sdk", "simulation"),
    *("tools", "unit"),
)


def without(*suites: str) -> str:
    """Leave suites out, and those that have steps of their own."""
    return " ".join(
        f"--ignore tests/{suite}"
        for suite in (
            "bench",
            "browser",
            "conformance",
            "deploy",
            "go",
            "go_programs",
            "rust",
            "java",
            "wall_clock",
            *suites,
        )
    )


SIDE_BY_SIDE = " ".join(f"tests/{suite}" for suite in SOCIABLE)


def parity(home: str) -> Step:
    """The runners of an SDK, which share what is built."""
    runners = [each for each in RUNNERS if each.home == home]
    names = " ".join(each.name for each in runners)
    title = f"parity of {runners[0].title}"
    return Step(title, f"python -m tools.parity {names}", runners[0].needs)


# Those that do not run alone mostly wait, for syncs and for their clocks: two run at once.
STEPS = [
    Step("Rust", f"cargo test {RUST}", alone=True),
    # What compiles runs alone.
    Step(
        "Rust client",
        f"cargo test {RUST_CLIENT} --all-features --lib --test unit && {PYTEST} tests/rust",
        alone=True,
    ),
    Step(
        "Python, side by side",
        f"{PYTEST} -n {WORKERS} --dist loadfile -m 'not postgres' {SIDE_BY_SIDE}",
        alone=True,
    ),
    Step("Python", f"{PYTEST} {without(*SOCIABLE)} -m 'not postgres'", alone=True),
    Step("PostgreSQL", f"{PYTEST} {without(*GAMES)} -m postgres", postgres.PROGRAMS),
    Step(
        "benchmarks, short",
        f"{PYTEST} --timeout=900 -o faulthandler_timeout=1000 tests/bench",
        ("cc", "nghttp2/nghttp2.h", "chromium", *postgres.PROGRAMS),
    ),
    Step("fuzzers, short", "python -m tools.fuzz --seconds 4", ("c++",)),
    Step("browser", f"{PYTEST} tests/browser", ("chromium",)),
    Step("deployment", f"{PYTEST} tests/deploy", ("envoy", *postgres.PROGRAMS)),
    Step("programs of others", f"{PYTEST} tests/go_programs", ("go", "envoy")),
    Step("conformance of the gateway", f"{PYTEST} tests/conformance", ("go", "curl")),
    Step("Go client", f"{PYTEST} tests/go", ("go",)),
    Step("Java client", f"{PYTEST} tests/java", ("java", "mvn")),
    Step("wall clock", f"{PYTEST} tests/wall_clock", ("faketime",)),
    *map(parity, dict.fromkeys(each.home for each in RUNNERS)),
]

if __name__ == "__main__":
    sys.exit(run_steps(STEPS, whole="--whole" in sys.argv, at_once=2))
