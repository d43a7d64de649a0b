"""The data directory: its lock, its database, its migrations."""

import fcntl
import logging
import os
import struct
from contextlib import suppress
from pathlib import Path

import apsw

from tablestate_service.adapters.opening import StoreUnusableError, migrations, newer_version

log = logging.getLogger(__name__)

DATABASE_NAME = "tablestate.db"
_LOCK_NAME = "lock"
_MAGIC = b"SQLite format 3\0"
_HEADER = struct.Struct(">16sH6xI I60xI")
"""Of a database file: magic, page size, change counter, pages, change they were counted at."""
_MOST = 16
"""How much longer a cut-off file can have been: beyond that it is the header that is damaged."""
_BUSY_MILLISECONDS = 5000
_WRITER_CACHE_KIB = 16 * 1024
_READER_CACHE_KIB = 4 * 1024


class DataDirectoryError(StoreUnusableError):
    """The data directory cannot be used; the text says why."""


class DirectoryLock:
    """Keeps a second service from the same data directory."""

    def __init__(self, directory: Path) -> None:
        """Take the lock; raises DataDirectoryError if another process holds it."""
        directory.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(directory / _LOCK_NAME, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._descriptor)
            raise DataDirectoryError(f"{directory} is in use by another service") from None

    def release(self) -> None:
        """Let go of the directory."""
        os.close(self._descriptor)


def open_writer(path: Path, vfs: str | None) -> apsw.Connection:
    """Open the one connection that writes and checkpoints, and bring the tables up to date.

    With a `vfs` (of a test: one in Python has no shared memory) it is the only connection.
    Raises DataDirectoryError.
    """
    try:
        # Secrets of running matches are in it; the files beside it get the same mode.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        _fill_up(path)
        connection = apsw.Connection(str(path), vfs=vfs)
    except (OSError, apsw.Error) as error:
        raise DataDirectoryError(f"{path} cannot be opened") from error
    try:
        _prepare(connection, vfs)
    except BaseException as error:
        with suppress(apsw.Error):
            connection.close()
        if isinstance(error, apsw.NotADBError | apsw.CorruptError):
            raise DataDirectoryError(f"{path} is damaged, or no database") from None
        if isinstance(error, apsw.Error):
            raise DataDirectoryError(f"{path} cannot be read and written") from error
        raise
    return connection


def _fill_up(path: Path) -> None:
    """Give a file that was cut off its length back.

    SQLite refuses to open it otherwise. What was cut off reads as zeros, which are no valid
    pages, so that only the matches that had entries there are damaged.
    """
    with path.open("r+b") as file:
        header = file.read(_HEADER.size)
        if len(header) < _HEADER.size:
            return
        magic, page_size, changes, pages, counted_at_change = _HEADER.unpack(header)
        expected = pages * (65536 if page_size == 1 else page_size)
        size = file.seek(0, os.SEEK_END)
        if magic == _MAGIC and changes == counted_at_change and size < expected <= _MOST * size:
            log.error("database was cut off", extra={"bytes": size, "expected": expected})
            file.truncate(expected)


def _prepare(connection: apsw.Connection, vfs: str | None) -> None:
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    if vfs is not None:
        connection.pragma("locking_mode", "EXCLUSIVE")
    connection.pragma("journal_mode", "WAL")
    connection.pragma("synchronous", "FULL")
    connection.pragma("cache_size", -_WRITER_CACHE_KIB)
    _migrate(connection)
    _require_schema(connection)


class Presence:
    """Notices when the files that a store has open are no longer those at their paths.

    SQLite goes on in files that were deleted, and all that it writes goes with the process.
    """

    def __init__(self, database: Path) -> None:
        """Remember the files; the writer must have opened them."""
        self._files = {
            path: _identity(path) for path in (database, database.with_name(f"{database.name}-wal"))
        }
        self._is_kept = True

    def is_kept(self) -> bool:
        """Look; the log is told of every change."""
        is_kept = all(_identity(path) == known for path, known in self._files.items())
        if self._is_kept and not is_kept:
            lost = "database was deleted or replaced: refusing to write until it is back"
            log.error(lost, extra={"path": str(next(iter(self._files)))})
        elif is_kept and not self._is_kept:
            log.warning("database is back: writing again")
        self._is_kept = is_kept
        return is_kept


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_reader(path: Path) -> apsw.Connection:
    """Open a connection that can only read, and so never checkpoints."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    connection.set_busy_timeout(_BUSY_MILLISECONDS)
    connection.pragma("cache_size", -_READER_CACHE_KIB)
    return connection


def _migrate(connection: apsw.Connection) -> None:
    scripts = migrations("sqlite")
    done = int(connection.pragma("user_version"))
    if done > len(scripts):
        raise DataDirectoryError(newer_version(done, len(scripts)))
    for number, script in enumerate(scripts[done:], start=done + 1):
        connection.execute(f"BEGIN IMMEDIATE; {script}; PRAGMA user_version = {number}; COMMIT;")


def _require_schema(connection: apsw.Connection) -> None:
    """Damage to the text of the schema would show in strange ways later."""
    fresh = apsw.Connection(":memory:")
    _migrate(fresh)
    if not _schema(fresh) <= _schema(connection):
        raise DataDirectoryError("the schema of the database is damaged")
    fresh.close()


def _schema(connection: apsw.Connection) -> set[tuple[object, ...]]:
    # As hex: what is damaged may be no text.
    columns = "hex(type), hex(name), hex(tbl_name), hex(sql)"
    return set(connection.execute(f"SELECT {columns} FROM sqlite_schema"))
