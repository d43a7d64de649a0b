"""Which build of the core is loaded: a released wheel for x86-64 brings two.

One runs on every such processor. The other, beside it, was built for those that count bits and work
on wide vectors (x86-64-v3: Haswell, Zen and later), on which it is up to a third faster. Both play
the same games.
"""

import sys
from collections.abc import Collection
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

V3_NAME = "_core_x86_64_v3.so"
"""The file of the second build; not there in a core that was built for its machine."""

_MODULE = "tablestate_service._core"
_CPU_INFO = Path("/proc/cpuinfo")
_V3_FLAGS = frozenset(
    ("popcnt", "sse4_2", "avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe")
)
"""What x86-64-v3 asks for, as Linux names it; `abm` is what others call lzcnt."""


def choose(package: Path = Path(__file__).parent, cpu_info: Path = _CPU_INFO) -> bool:
    """Load the second build as the core, if it is there and runs here; whether it was."""
    file = package / V3_NAME
    if not file.exists() or not set(_flags(cpu_info)) >= _V3_FLAGS:
        return False
    loader = ExtensionFileLoader(_MODULE, str(file))
    spec = spec_from_loader(_MODULE, loader)
    assert spec is not None
    module = module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[_MODULE] = module
    package_name, _, name = _MODULE.rpartition(".")
    setattr(sys.modules[package_name], name, module)
    return True


def _flags(cpu_info: Path) -> Collection[str]:
    """What the processor can do; nothing where that is not told."""
    try:
        lines = cpu_info.read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return ()
    flags = (line.partition(":")[2] for line in lines if line.startswith("flags"))
    return next(flags, "").split()
