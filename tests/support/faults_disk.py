"""A small file system of a service's own, which fills up and is emptied again."""

import shutil
import subprocess
from pathlib import Path

_MOUNT = 'mkdir -p "$1" && mount -t tmpfs -o "size=$2" tablestate "$1"'
_BALLAST = "ballast"


def can_mount() -> bool:
    """Whether this user may mount in a namespace of its own."""
    if shutil.which("unshare") is None:
        return False
    probe = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs tablestate /mnt"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


def on_small_disk(directory: Path, size: str) -> tuple[str, ...]:
    """A command that runs the one behind it with a small tmpfs on a directory.

    The mount is seen by that process alone, and is gone with it.
    """
    script = f'{_MOUNT} && shift 2 && exec "$@"'
    return ("unshare", "--mount", "sh", "-c", script, "sh", str(directory), size)


class SmallDisk:
    """The small disk of a running process, seen from outside."""

    def __init__(self, pid: int, directory: Path) -> None:
        self._path = Path(f"/proc/{pid}/root{directory}")

    def room(self) -> int:
        """Free bytes."""
        return shutil.disk_usage(self._path).free

    def fill(self) -> None:
        """Take all the room that is left."""
        with (self._path / _BALLAST).open("wb", buffering=0) as ballast:
            try:
                while ballast.write(bytes(4096)):
                    pass
            except OSError:
                return

    def empty(self) -> None:
        """Give that room back."""
        (self._path / _BALLAST).unlink()
