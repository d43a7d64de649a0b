"""Every suite that `make test` runs."""

import sys

from tools import postgres
from tools.runner import Step, run_steps

# The extension module links against Python; the suite "Python" tests it.
RUST = "--workspace --exclude tablestate-pyext --locked"
STEPS = [
    Step("Rust", f"cargo test {RUST}"),
    Step("Python", "python -m pytest --ignore tests/bench -m 'not postgres'"),
    Step("PostgreSQL", "python -m pytest --ignore tests/bench -m postgres", postgres.PROGRAMS),
    Step(
        "benchmarks, short",
        "python -m pytest -o faulthandler_timeout=900 tests/bench",
        ("cc", "nghttp2/nghttp2.h", *postgres.PROGRAMS),
    ),
]

if __name__ == "__main__":
    sys.exit(run_steps(STEPS, whole="--whole" in sys.argv))
