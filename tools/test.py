"""Every suite that `make test` runs."""

import sys

from tools import postgres
from tools.runner import Step, run_steps

# The extension module links against Python; the suite "Python" tests it.
RUST = "--workspace --exclude tablestate-pyext --locked"
PYTEST = "python -m pytest"
# These keep a processor busy and depend on no time; the others would be disturbed by company.
COUNTING = tuple(
    f"tests/{name}" for name in ("adapters", "examples", "laws", "oracle", "players", "secrecy")
)
WITHOUT = " ".join(f"--ignore {path}" for path in ("tests/bench", *COUNTING))
STEPS = [
    Step("Rust", f"cargo test {RUST}"),
    Step("Python, side by side", f"{PYTEST} -n logical --dist loadfile {' '.join(COUNTING)}"),
    Step("Python", f"{PYTEST} {WITHOUT} -m 'not postgres'"),
    Step("PostgreSQL", f"{PYTEST} {WITHOUT} -m postgres", postgres.PROGRAMS),
    Step(
        "benchmarks, short",
        f"{PYTEST} -o faulthandler_timeout=900 tests/bench",
        ("cc", "nghttp2/nghttp2.h", *postgres.PROGRAMS),
    ),
]

if __name__ == "__main__":
    sys.exit(run_steps(STEPS, whole="--whole" in sys.argv))
