"""Everything that `make check` looks at."""

import sys

from tools.runner import Step, run_steps

PROMISED = "tests/data/contract.binpb"
FUZZ = "core-rs/fuzz/Cargo.toml"
RUST_CLIENT = "--manifest-path clients/rust/Cargo.toml --locked --target-dir target/client-rust"
WORKSPACE = "--workspace --all-targets --all-features --locked"
NPM_RUN = "python -m tools.node npm run --silent"
# The longest first: two run at once.
STEPS = [
    Step("Rust lint", f"cargo clippy {WORKSPACE} -- -D warnings", ("cargo-clippy",)),
    Step("Python types", "mypy"),
    Step(
        "Rust client lint",
        f"cargo clippy {RUST_CLIENT} --all-targets --all-features -- -D warnings",
        ("cargo-clippy",),
    ),
    Step("words of the tree", "python -m tools.check_tree"),
    Step("sizes of files and functions", "python -m tools.check_sizes"),
    Step("Python format", "ruff format --check"),
    Step("Python lint", "ruff check"),
    Step("Python imports", "lint-imports --no-logo"),
    Step("Python packages agree", "python -m pip check"),
    Step("stub of the core", "python -m mypy.stubtest tablestate_service._core"),
    Step("contract format", "buf format --diff --exit-code"),
    Step("contract lint", "buf lint"),
    Step("contract as promised", f"buf breaking --against {PROMISED}"),
    Step("generated Python code in step", "python -m tools.generate --check python"),
    Step("generated Rust code in step", "python -m tools.generate --check rust"),
    Step("generated Rust client in step", "python -m tools.generate --check rust-client"),
    Step("generated TypeScript code in step", "python -m tools.generate --check typescript"),
    Step("generated Go code in step", "python -m tools.generate --check go", ("go",)),
    Step("generated OpenAPI in step", "python -m tools.generate --check openapi"),
    Step("page in step", "python -m tools.generate --check page"),
    Step("pictures of the rules in step", "python -m tools.generate --check pictures"),
    Step("TypeScript format and lint", "python -m tools.node biome check --error-on-warnings ."),
    Step("TypeScript types of the client", f"{NPM_RUN} check --workspace @tablestate/client"),
    Step("TypeScript types of the page", f"{NPM_RUN} check --workspace @tablestate/web"),
    Step("docs site", "NO_MKDOCS_2_WARNING=1 python -m mkdocs build --strict --quiet"),
    Step("Go format and lint", "python -m tools.golang lint", ("go",)),
    Step("Java format", "python -m tools.java lint", ("java", "mvn")),
    Step("access table in step", "python -m tools.access_table --check"),
    Step(
        "Rust format",
        "cargo fmt --all --check && "
        f"cargo fmt --manifest-path {FUZZ} --check && "
        "cargo fmt --manifest-path clients/rust/Cargo.toml --check",
        ("cargo-fmt",),
    ),
    Step("licences", "python -m tools.check_licences"),
]

if __name__ == "__main__":
    sys.exit(run_steps(STEPS, whole="--whole" in sys.argv, at_once=2))
