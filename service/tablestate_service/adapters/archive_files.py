"""An archive of match files, one for each match."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

from tablestate_service.ports import Log

_FOLDER_DIGITS = 2


class ArchiveFiles:
    """Fulfils `Archive`: writes DIRECTORY/01/0123….jsonl, for `tablestate verify` and `import`."""

    def __init__(self, directory: Path, content: Callable[[Log], bytes]) -> None:
        """Write into a directory, which is made when it is needed, the content that a log has."""
        self._directory = directory
        self._content = content

    def path(self, match_id: str) -> Path:
        """Where the file of a match is; a folder for each 256th of all ids."""
        return self._directory / match_id[:_FOLDER_DIGITS] / f"{match_id}.jsonl"

    async def keep(self, log: Log) -> None:
        """Write the file of a match; see `Archive`."""
        path = self.path(log.entries[-1].match_id)
        await asyncio.to_thread(lambda: _write_durably(path, self._content(log)))


def _write_durably(path: Path, content: bytes) -> None:
    """Whole or not at all, also through a power cut. It holds secrets: others may not read it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    unfinished = path.with_suffix(f".{os.getpid()}.tmp")
    with open(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    for folder in (path.parent, path.parent.parent):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
