"""Build what is released, into `dist/`: `make release`.

The client as wheel and sdist; the service as sdist, and from that sdist its wheels for Linux on
x86-64 and ARM; the pack of conformance; a bill of materials; checksums. At the end the wheels for
x86-64 are installed into a fresh environment, where matches are played with each core, the stores
of earlier releases are opened, and the pack is tried.

The wheel for x86-64 holds the core twice, see `tablestate_service/_cores.py`. Zig links against an
old C library, so that a wheel runs on every distribution since 2018 (glibc 2.28).
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path

from tablestate_service._cores import V3_NAME
from tools.parity.pack import write_pack
from tools.sources import ROOT

DIST = ROOT / "dist"
WORK = ROOT / "target/release-build"
CLIENT = ROOT / "clients/python"
X86, ARM = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
MANYLINUX = "manylinux_2_28"
SUMS = "SHA256SUMS"
BUILD_CLIENT = """
import sys
from flit_core import buildapi
buildapi.build_sdist(sys.argv[1])
buildapi.build_wheel(sys.argv[1])
"""
TELL_CORE = "from tablestate_service import _core; print(_core.__file__)"
PERFT_DEPTH, PERFT = 4, "8,680,318"
"""Decision sequences of Offboard: docs/rules/offboard.md."""
UPGRADE = "tests/integration/test_upgrade.py"


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> None:
    """Run a command; raises CalledProcessError."""
    print("$", *command, flush=True)
    subprocess.run(
        [str(each) for each in command], cwd=cwd, check=True, env={**os.environ, **variables}
    )


def output(*command: str | Path, cwd: Path) -> str:
    """What a command prints; raises CalledProcessError."""
    return subprocess.run(
        [str(each) for each in command], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def build_client() -> None:
    """Wheel and sdist of the client."""
    run(sys.executable, "-c", BUILD_CLIENT, DIST, cwd=CLIENT)


def build_sdist() -> Path:
    """The sdist of the service; where it is unpacked, to be built from."""
    run("maturin", "sdist", "--out", DIST)
    [archive] = DIST.glob("tablestate_service-*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(WORK, filter="data")
    return WORK / archive.name.removesuffix(".tar.gz")


def build_wheel(source: Path, target: str, processor: str, out: Path) -> Path:
    """A wheel of the service for one kind of processor."""
    run(
        *("maturin", "build", "--release", "--zig", "--target", target),
        *("--compatibility", MANYLINUX, "--out", out),
        cwd=source,
        RUSTFLAGS=f"-C target-cpu={processor}",
        # Made anew: files of an sdist have one time, by which cargo sees no changes.
        CARGO_TARGET_DIR=str(WORK / "target"),
    )
    [wheel] = out.glob(f"tablestate_service-*{target.partition('-')[0]}.whl")
    return wheel


def add_second_core(source: Path) -> None:
    """Put the core for newer processors of x86-64 where the wheel takes it from."""
    wheel = build_wheel(source, X86, "x86-64-v3", WORK / "v3")
    with zipfile.ZipFile(wheel) as files:
        [core] = [name for name in files.namelist() if name.endswith("_core.abi3.so")]
        (source / "service/tablestate_service" / V3_NAME).write_bytes(files.read(core))


def build_wheels(source: Path) -> None:
    """The wheels of the service."""
    build_wheel(source, ARM, "generic", DIST)
    add_second_core(source)
    build_wheel(source, X86, "x86-64", DIST)


def write_sums(files: Iterable[Path]) -> None:
    """Checksums, as `sha256sum --check` reads them."""
    lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files]
    (DIST / SUMS).write_text("".join(lines), encoding="ascii")


def try_out() -> None:
    """Install the wheels for x86-64 into a fresh environment, and use each core."""
    fresh = WORK / "fresh"
    run(sys.executable, "-m", "venv", "--clear", fresh)
    pip = (fresh / "bin/pip", "--quiet", "--disable-pip-version-check")
    run(*pip, "install", "--require-hashes", "-r", ROOT / "requirements/runtime.txt")
    wheels = [*DIST.glob("*-any.whl"), *DIST.glob("*_x86_64.whl")]
    run(*pip, "install", "--no-index", "--no-deps", *wheels)
    run(*pip, "check")
    [second_core] = fresh.rglob(V3_NAME)
    play(fresh, second_core.name)
    second_core.rename(fresh / V3_NAME)
    play(fresh, "_core.abi3.so")
    (fresh / V3_NAME).rename(second_core)
    # Before what is installed here comes what is installed there: pytest is not.
    [packages] = fresh.glob("lib/python3*/site-packages")
    run(sys.executable, "-m", "pytest", UPGRADE, PYTHONPATH=str(packages))
    try_out_pack(packages)


def try_out_pack(packages: Path) -> None:
    """Replay the vectors with the pack, as others do, by the client that is installed there."""
    [archive] = DIST.glob("tablestate-conformance-*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(WORK, filter="data")
    pack = WORK / archive.name.removesuffix(".tar.gz")
    run(sys.executable, "-m", "tools.parity", "python", cwd=pack, PYTHONPATH=str(packages))


def play(environment: Path, core: str) -> None:
    """With this core loaded serve, play a match of every game by the client, and count."""
    python, tablestate = environment / "bin/python", environment / "bin/tablestate"
    loaded = Path(output(python, "-c", TELL_CORE, cwd=environment).strip())
    if loaded.name != core or not loaded.is_relative_to(environment):
        raise SystemExit(f"{loaded} was loaded in place of {core}")
    run(tablestate, "demo", "--board-every", "1000", cwd=environment)
    counted = output(tablestate, "perft", "offboard", "--depth", str(PERFT_DEPTH), cwd=environment)
    if PERFT not in counted.split():
        raise SystemExit(f"{core} counts wrongly:\n{counted}")
    print(f"{core} plays and counts rightly", flush=True)


def main() -> int:
    """Build everything anew; the exit code."""
    for folder in (DIST, WORK):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    build_client()
    build_wheels(build_sdist())
    write_pack(DIST)
    run(sys.executable, "-m", "tools.sbom")
    for file in DIST.iterdir():
        file.chmod(0o644)
    write_sums(sorted(DIST.iterdir()))
    try_out()
    print(*sorted(path.name for path in DIST.iterdir()), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
