"""Write the lock files `requirements/*.txt` from the two pyproject files.

`requirements/bench.txt` is the whole, and `requirements/peers.txt` adds to it; the others are
parts of it. All have the same versions. Run it through `make lock`; `--upgrade` takes the newest
versions allowed.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = {
    "bench": ["build", "engine", "otel", "dev", "bench"],
    "dev": ["build", "engine", "otel", "dev"],
    "build": ["build", "engine"],
    "runtime": [],
    "peers": ["peers"],
    "mutants": ["build", "engine", "otel", "dev", "mutants"],
    "release": ["build", "release"],
}


def compile_lock(name: str, extras: list[str], options: list[str]) -> None:
    """Resolve one set for every supported Python and platform."""
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet"]
    command += ["--universal", "--python-version", "3.11", "--generate-hashes"]
    command += ["--no-header", "--no-annotate", "--no-emit-package", "tablestate"]
    command += [f"--extra={extra}" for extra in extras]
    command += ["--output-file", f"requirements/{name}.txt", *options]
    command += ["pyproject.toml"]
    subprocess.run(command, cwd=ROOT, check=True)


def main() -> None:
    """Lock the whole first, then the others within it."""
    upgrade = sys.argv[1:]
    for name, extras in EXTRAS.items():
        within = [] if name == "bench" else ["--constraint", "requirements/bench.txt"]
        compile_lock(name, extras, upgrade + within)
        print(f"locked requirements/{name}.txt")


if __name__ == "__main__":
    main()
