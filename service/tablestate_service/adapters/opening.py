"""What opening a store takes, whatever its database is."""

from importlib import resources


class StoreUnusableError(Exception):
    """The store cannot be used; the text says why, and names no password."""


def migrations(store: str) -> list[str]:
    """The numbered SQL files of a store: `0001_….sql` brings a database to version 1."""
    folder = resources.files("tablestate_service.adapters") / store
    found = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    return [(folder / name).read_text(encoding="utf-8") for name in found]


def newer_version(done: int, known: int) -> str:
    """Says that a database is of a version that a newer service has made."""
    return f"the database is of version {done}, newer than this service, which knows {known}"
