"""What a module may import, and that the contract type for it works."""

import subprocess
import sys
from pathlib import Path

import pytest

from tools.sources import ROOT

CONTRACT = """
[tool.importlinter]
root_package = "house"
include_external_packages = true
contract_types = ["only: tools.only_contract.OnlyContract"]

[[tool.importlinter.contracts]]
name = "inner"
type = "only"
source_module = "house.inner"
allowed_modules = ["house.friend"]
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    package = tmp_path / "house"
    for name in ("", "inner", "friend", "stranger"):
        (package / name).mkdir()
        (package / name / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(CONTRACT)
    return package


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("import asyncio", 0),
        ("from house import friend", 0),
        ("from house.inner import other", 0),
        ("from house import VERSION", 0),
        ("from house import stranger", 1),
        ("import grpc", 1),
    ],
)
def test_only_listed_modules_may_be_imported(house: Path, line: str, code: int) -> None:
    (house / "inner" / "other.py").write_text(line + "\n")
    # A process of its own: import-linter switches the loggers of its process off.
    program = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports())"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=house.parent, env={"PYTHONPATH": str(ROOT)}
    )
    assert done.returncode == code


def test_the_engine_for_python_users_loads_no_grpc() -> None:
    program = "import sys, tablestate_service.engine; print('grpc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
