"""What a module may import, and that the contract type for it works."""

import subprocess
import sys
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

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
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "house"
    for name in ("", "inner", "friend", "stranger"):
        (package / name).mkdir()
        (package / name / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(CONTRACT)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
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
    config = str(house.parent / "pyproject.toml")
    assert lint_imports(config_filename=config, no_cache=True) == code


def test_the_engine_for_python_users_loads_no_grpc() -> None:
    program = "import sys, tablestate_service.engine; print('grpc' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")
