"""Copies of a SQLite database: taken beside the service that writes to it, and put back."""

import os
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import apsw

from tablestate_service.adapters.sqlite_files import (
    DATABASE_NAME,
    DataDirectoryError,
    DirectoryLock,
    open_reader,
)


def back_up(directory: Path, target: Path) -> int:
    """Copy the database of a data directory into a new file; how many matches it holds.

    The copy is of one moment, and has all that was acknowledged before. Whoever writes to the
    database goes on meanwhile. Raises DataDirectoryError, OSError.
    """
    database = directory / DATABASE_NAME
    if not database.is_file():
        raise DataDirectoryError(f"there is no {database}")
    with _unfinished(target) as path:
        try:
            return _copy(database, path)
        except apsw.Error as error:
            raise DataDirectoryError(f"{database} cannot be copied: {error}") from None


def restore(source: Path, directory: Path) -> int:
    """Put a copy into a data directory that has no database; how many matches it holds.

    Raises DataDirectoryError, OSError.
    """
    database = directory / DATABASE_NAME
    lock = DirectoryLock(directory)
    try:
        for path in (database, *(Path(f"{database}-{end}") for end in ("wal", "shm"))):
            if path.exists():
                raise DataDirectoryError(f"{path} is there: move it away first")
        with _unfinished(database) as path:
            shutil.copyfile(source, path)
            return _checked(path, source)
    finally:
        lock.release()


def _copy(database: Path, path: Path) -> int:
    with closing(open_reader(database)) as source, closing(apsw.Connection(str(path))) as copy:
        # In one step: else it begins anew whenever somebody writes.
        with copy.backup("main", source, "main") as backup:
            backup.step(-1)
        # One file, without a log beside it.
        copy.pragma("journal_mode", "DELETE")
    return _checked(path, database)


def _checked(path: Path, source: Path) -> int:
    """See whether a copy is sound; how many matches it holds."""
    try:
        with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as copy:
            found = copy.pragma("quick_check")
            if found != "ok":
                raise DataDirectoryError(f"{source} is damaged: {found}")
            ((matches,),) = copy.execute("SELECT count(*) FROM matches")
    except apsw.Error as error:
        raise DataDirectoryError(f"{source} is no copy of a database: {error}") from None
    return int(matches)


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """A file to write that gets its name when it is whole and synced. It holds secrets."""
    if target.exists():
        raise DataDirectoryError(f"{target} is there already")
    path = target.with_name(f"{target.name}.unfinished")
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield path
        _sync(path)
        path.rename(target)
        _sync(target.parent)
    finally:
        path.unlink(missing_ok=True)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
