"""Which build of the core is loaded."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablestate_service import _core, _cores

V3 = sorted(_cores._V3_FLAGS)
LOAD = """
import sys
from pathlib import Path
from tablestate_service import _cores
assert _cores.choose(Path(sys.argv[1]), Path(sys.argv[2]))
import tablestate_service
from tablestate_service import engine
assert engine.games()
print(tablestate_service._core.__file__)
"""


def cpu_info(directory: Path, flags: list[str]) -> Path:
    """What Linux tells of a processor with these flags."""
    file = directory / "cpuinfo"
    file.write_text(f"processor\t: 0\nflags\t\t: fpu {' '.join(flags)}\nvmx flags\t: x\n\n" * 2)
    return file


def test_a_core_built_for_its_machine_is_the_only_one(tmp_path: Path) -> None:
    assert not _cores.choose(cpu_info=cpu_info(tmp_path, V3))
    assert not _cores.choose(tmp_path, cpu_info(tmp_path, V3))


@pytest.mark.parametrize("missing", V3)
def test_a_processor_that_lacks_something_gets_the_core_for_all(
    missing: str, tmp_path: Path
) -> None:
    (tmp_path / _cores.V3_NAME).write_bytes(b"not to be loaded")
    flags = [flag for flag in V3 if flag != missing]
    assert not _cores.choose(tmp_path, cpu_info(tmp_path, flags))


def test_where_nothing_is_told_of_the_processor_the_core_for_all_is_loaded(tmp_path: Path) -> None:
    (tmp_path / _cores.V3_NAME).write_bytes(b"not to be loaded")
    assert not _cores.choose(tmp_path, tmp_path / "nothing")
    (tmp_path / "of-arm").write_text("processor : 0\nFeatures : fp asimd\n")
    assert not _cores.choose(tmp_path, tmp_path / "of-arm")


def test_a_processor_with_wide_vectors_gets_the_second_core(tmp_path: Path) -> None:
    shutil.copy(str(_core.__file__), tmp_path / _cores.V3_NAME)
    command = [sys.executable, "-c", LOAD, str(tmp_path), str(cpu_info(tmp_path, V3))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == str(tmp_path / _cores.V3_NAME), done.stderr
