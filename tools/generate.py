"""Write what is made from `proto/`, the page and its pictures, or check that it is in step.

`python -m tools.generate [--check] [NAME ...]`, a name being one of `LANGUAGES`. With `--check`
nothing is written: it fails if what is committed differs.
"""

import filecmp
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tools import golang, node, openapi
from tools.sources import ROOT

PROTO = ROOT / "proto"
GO_MODULE = "github.com/tablestate/tablestate/clients/go"
PROTOC = (sys.executable, "-m", "grpc_tools.protoc", f"-I{PROTO}")


class Language(NamedTuple):
    """Where the code of a language goes, what is generated there, and by what."""

    folder: str
    patterns: tuple[str, ...]
    write: Callable[[Path], None]


def proto_files() -> list[str]:
    """The files of the contract, as protoc names them."""
    return sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))


def write_python(out: Path) -> None:
    """Messages and service stubs, each with its types."""
    files = proto_files()
    services = [name for name in files if name.endswith("_service.proto")]
    scripts = Path(sysconfig.get_path("scripts"))
    base = list(PROTOC)
    base += [f"--plugin={scripts}/protoc-gen-mypy", f"--plugin={scripts}/protoc-gen-mypy_grpc"]
    messages = [f"--python_out={out}", f"--mypy_out=quiet:{out}"]
    stubs = [f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}"]
    subprocess.run([*base, *messages, *files], check=True)
    subprocess.run([*base, *stubs, *services], check=True)


def write_rust(out: Path) -> None:
    """Messages of game content, by the generator in the wire crate."""
    parts = ("game", "batch", "evaluate", "search")
    generate_rust("wire", [f"tablestate/v1/{part}.proto" for part in parts], out)


def write_rust_client(out: Path) -> None:
    """Messages and services, and what the client's JSON needs to know of them."""
    generate_rust("client", proto_files(), out)


def generate_rust(kind: str, files: list[str], out: Path) -> None:
    """Run the generator of Rust code on what protoc has read, comments included."""
    cargo = ["cargo", "run", "--quiet", "--locked", "--package", "tablestate-wire-generate"]
    # It runs for a moment only: building it fast is what counts.
    cargo += ["--config", "profile.dev.opt-level=0", "--config", "profile.dev.debug=false"]
    with tempfile.NamedTemporaryFile(suffix=".binpb") as descriptors:
        flags = ["--include_imports", "--include_source_info"]
        flags += [f"--descriptor_set_out={descriptors.name}"]
        subprocess.run([*PROTOC, *flags, *files], check=True)
        subprocess.run([*cargo, "--", kind, descriptors.name, str(out)], cwd=ROOT, check=True)


def write_typescript(out: Path) -> None:
    """Messages and services, and the details that errors carry."""
    files = proto_files()
    plugin = f"--plugin=protoc-gen-es={node.INSTALLED}/protoc-gen-es"
    options = ["--es_opt=target=ts,import_extension=js", f"--es_out={out}"]
    common = f"-I{sysconfig.get_path('purelib')}"
    command = [*PROTOC, common, plugin, *options, *files, "google/rpc/error_details.proto"]
    subprocess.run(command, check=True, env=node.environment())


def write_go(out: Path) -> None:
    """Messages and services, in one package."""
    files = sorted(str(path.relative_to(PROTO)) for path in PROTO.rglob("*.proto"))
    package = f"{GO_MODULE}/gen/tablestate/v1;tablestatev1"
    options = ["paths=source_relative", *(f"M{name}={package}" for name in files)]
    with tempfile.TemporaryDirectory() as plugins:
        golang.build_tools(Path(plugins))
        command = list(PROTOC)
        for plugin in ("go", "go-grpc"):
            command += [f"--plugin={plugins}/protoc-gen-{plugin}", f"--{plugin}_out={out}"]
            command += [f"--{plugin}_opt={option}" for option in options]
        subprocess.run([*command, *files], check=True)


def write_page(out: Path) -> None:
    """The page as browsers load it."""
    build = node.command("vite", "build", "--logLevel=warn", f"--outDir={out}")
    subprocess.run(build, cwd=node.CLIENTS / "web", env=node.environment(), check=True)


def write_pictures(out: Path) -> None:
    """The boards of the page, drawn for the rules."""
    web = node.CLIENTS / "web"
    with tempfile.TemporaryDirectory(dir=node.CLIENTS / "node_modules") as program:
        config = ("--config", "vite.pictures.config.ts")
        build = node.command("vite", "build", *config, "--logLevel=warn", f"--outDir={program}")
        subprocess.run(build, cwd=web, env=node.environment(), check=True)
        draw = node.command("node", f"{program}/main.js", f"{ROOT}/tests/data/vectors", str(out))
        subprocess.run(draw, env=node.environment(), check=True)


LANGUAGES = {
    "python": Language("clients/python/src", ("*_pb2.py*", "*_pb2_grpc.py*"), write_python),
    "rust": Language("core-rs/wire/src/generated", ("*.rs",), write_rust),
    "rust-client": Language("clients/rust/src/gen", ("*.rs", "*.binpb"), write_rust_client),
    "typescript": Language("clients/typescript/src/gen", ("*_pb.ts",), write_typescript),
    "go": Language("clients/go/gen", ("*.pb.go",), write_go),
    "openapi": Language("service/tablestate_service/gateway", ("openapi.json",), openapi.write),
    "page": Language("service/tablestate_service/gateway/page", ("*",), write_page),
    "pictures": Language("docs/rules/pictures", ("*.svg",), write_pictures),
}


def generated(root: Path, language: Language) -> dict[str, Path]:
    """The generated files under a directory, by their relative names."""
    found = (path for pattern in language.patterns for path in root.rglob(pattern))
    return {str(path.relative_to(root)): path for path in found if path.is_file()}


def differences(new: dict[str, Path], old: dict[str, Path]) -> list[str]:
    """The names of the files that are missing, left over or changed."""
    both = new.keys() & old.keys()
    changed = [name for name in both if not filecmp.cmp(new[name], old[name], shallow=False)]
    return sorted([*changed, *(new.keys() ^ old.keys())])


def replace(new: dict[str, Path], old: dict[str, Path], folder: Path) -> None:
    """Put the new files in the place of the old ones."""
    for name in old.keys() - new.keys():
        old[name].unlink()
    for name, path in new.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)


def in_step(language: Language, *, write: bool) -> bool:
    """Generate into a scratch directory, then copy or compare."""
    folder = ROOT / language.folder
    with tempfile.TemporaryDirectory() as scratch:
        language.write(Path(scratch))
        new, old = generated(Path(scratch), language), generated(folder, language)
        changed = differences(new, old)
        if write:
            replace(new, old, folder)
    print(f"{language.folder}: {len(new)} generated files, {len(changed)} out of step", *changed)
    return write or not changed


def main() -> int:
    """Generate, or check, the languages that are named; all by default."""
    names = [name for name in sys.argv[1:] if name in LANGUAGES] or list(LANGUAGES)
    write = "--check" not in sys.argv
    results = [in_step(LANGUAGES[name], write=write) for name in names]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
