"""A disk in memory for SQLite that loses power, or runs out of room.

What was written and not yet synced is kept apart, file by file. At a cut any part of it
may survive: none, all, some of the writes, some sectors of some writes. Names of files
are kept apart too, until their directory is synced: SQLite does that when it syncs a new
journal or WAL for the first time, and in deletions that must last.
"""

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

import apsw

Survival: TypeAlias = Literal["nothing", "all", "some writes", "torn writes"]
SURVIVALS: tuple[Survival, ...] = ("nothing", "all", "some writes", "torn writes")
"""What may become of writes that were not synced."""

SECTOR = 512
_JOURNALS = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL
_names = itertools.count(1)


@dataclass(frozen=True)
class Write:
    """Bytes written at an offset; with None instead, a truncation to it."""

    offset: int
    data: bytes | None

    def apply(self, content: bytearray) -> None:
        if self.data is None:
            del content[self.offset :]
            return
        if len(content) < self.offset:
            content.extend(bytes(self.offset - len(content)))
        content[self.offset : self.offset + len(self.data)] = self.data

    def sectors(self) -> Iterator["Write"]:
        """The same, as what a disk writes one by one."""
        if self.data is None:
            yield self
            return
        end = self.offset + len(self.data)
        bounds = [self.offset, *range(_next_sector(self.offset), end, SECTOR), end]
        for start, stop in itertools.pairwise(bounds):
            yield Write(start, self.data[start - self.offset : stop - self.offset])


@dataclass
class Content:
    """A file: as programs see it, as the platter has it, and what lies between."""

    now: bytearray = field(default_factory=bytearray)
    synced: bytearray = field(default_factory=bytearray)
    unsynced: list[Write] = field(default_factory=list)

    def write(self, write: Write) -> None:
        write.apply(self.now)
        self.unsynced.append(write)

    def sync(self) -> None:
        for write in self.unsynced:
            write.apply(self.synced)
        self.unsynced.clear()

    def after_cut(self, survival: Survival, chooser: random.Random) -> bytes:
        if survival == "all":
            return bytes(self.now)
        content = bytearray(self.synced)
        for write in _surviving(self.unsynced, survival, chooser):
            write.apply(content)
        return bytes(content)


class Disk:
    """The files, the power, and the room that is left."""

    def __init__(self) -> None:
        self.names: dict[str, Content] = {}
        self.synced_names: dict[str, Content] = {}
        self.operations: Counter[str] = Counter()
        """What SQLite did to the disk since the beginning."""
        self.is_on = True
        self.cut_during = ""
        """The operation that the cut came upon."""
        self.is_full = False
        """Refuse every write, as file systems do that never overwrite in place.

        So that none is refused in a checkpoint: apsw would raise that out of the commit
        before it, which SQLite has carried out.
        """
        self.refused_writes = 0
        self._left: int | None = None

    def cut_after(self, operations: int) -> None:
        """Cut the power in the operation after that many."""
        self._left = operations

    def require_power(self) -> None:
        if not self.is_on:
            raise apsw.IOError("the power is off")

    def begin(self, operation: str) -> None:
        """Count an operation that changes the disk; the cut may come upon it."""
        self.require_power()
        if self._left == 0:
            self.is_on, self.cut_during = False, operation
            return
        if self._left is not None:
            self._left -= 1
        self.operations[operation] += 1

    def require_room(self) -> None:
        if self.is_full:
            self.refused_writes += 1
            raise apsw.FullError("no room on the disk")

    def sync_names(self) -> None:
        self.synced_names = dict(self.names)

    def survivors(self, survival: Survival, seed: int) -> dict[str, bytes]:
        """The files as they are found when the power is back."""
        chooser = random.Random(seed)
        names = self.synced_names
        if survival == "all" or (survival != "nothing" and chooser.random() < 0.5):
            names = self.names
        return {name: each.after_cut(survival, chooser) for name, each in names.items()}

    def save(self, directory: Path, survival: Survival, seed: int = 0) -> None:
        """Put what survives into a directory, for SQLite's own VFS."""
        directory.mkdir(parents=True, exist_ok=True)
        for name, content in self.survivors(survival, seed).items():
            (directory / Path(name).name).write_bytes(content)


class DiskVfs(apsw.VFS):
    """SQLite's way to a `Disk`."""

    def __init__(self, disk: Disk) -> None:
        self.vfs_name = f"disk-{next(_names)}"
        self._disk = disk
        super().__init__(self.vfs_name, "")

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> "DiskFile":  # type: ignore[override]
        self._disk.require_power()
        flags[1] = flags[0]
        if name is None:
            return DiskFile(self._disk, Content(), is_new_journal=False)
        path = name if isinstance(name, str) else name.filename()
        is_new = path not in self._disk.names
        content = self._disk.names.setdefault(path, Content())
        return DiskFile(self._disk, content, is_new and bool(flags[0] & _JOURNALS))

    def xAccess(self, pathname: str, flags: int) -> bool:
        self._disk.require_power()
        return pathname in self._disk.names

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self._disk.begin("delete")
        self._disk.names.pop(filename, None)
        self._disk.require_power()
        if syncdir:
            self._disk.sync_names()


class DiskFile:
    """An open file of a `Disk`. One connection has it, so that locks are not needed."""

    def __init__(self, disk: Disk, content: Content, is_new_journal: bool) -> None:
        self._disk = disk
        self._content = content
        self._names_to_sync = is_new_journal

    def xRead(self, amount: int, offset: int) -> bytes:
        self._disk.require_power()
        return bytes(self._content.now[offset : offset + amount])

    def xWrite(self, data: bytes, offset: int) -> None:
        self._change("write", Write(offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self._change("truncate", Write(newsize, None))

    def xSync(self, flags: int) -> None:
        self._disk.begin("sync")
        self._disk.require_power()
        self._content.sync()
        if self._names_to_sync:
            self._disk.sync_names()
            self._names_to_sync = False

    def xFileSize(self) -> int:
        self._disk.require_power()
        return len(self._content.now)

    def xDeviceCharacteristics(self) -> int:
        # As SQLite's own VFS has it: a write never harms the bytes beside it.
        return apsw.SQLITE_IOCAP_POWERSAFE_OVERWRITE

    def xSectorSize(self) -> int:
        return 4096

    def xFileControl(self, op: int, pointer: int) -> bool:
        return False

    def xLock(self, level: int) -> None: ...

    def xUnlock(self, level: int) -> None: ...

    def xCheckReservedLock(self) -> bool:
        return False

    def xClose(self) -> None: ...

    def _change(self, operation: str, write: Write) -> None:
        self._disk.require_room()
        self._disk.begin(operation)
        # A write that the cut comes upon may be there, or a part of it.
        self._content.write(write)
        self._disk.require_power()


def _surviving(writes: list[Write], survival: Survival, chooser: random.Random) -> Iterator[Write]:
    if survival == "nothing":
        return
    for write in writes:
        parts = write.sectors() if survival == "torn writes" else [write]
        for part in parts:
            if chooser.random() < 0.5:
                yield part


def _next_sector(offset: int) -> int:
    return (offset // SECTOR + 1) * SECTOR
