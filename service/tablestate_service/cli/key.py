"""`tablestate key`."""

from __future__ import annotations

import argparse
from pathlib import Path

from tablestate_service.cli.arguments import CommandError
from tablestate_service.domain.texts import MAX_PLAYER_ID, MAX_TENANT, has_unseen
from tablestate_service.key_file import SCOPES, is_key_name, key_digest, new_key, read_keys
from tablestate_service.settings import SettingsError

DESCRIPTION = """\
Make an API key. The key goes to stdout, and is not kept anywhere: give it to its user, who sends it
as `authorization: Bearer KEY`. What to append to the file of `tablestate serve --keys`, which
holds the key's hash only, goes to the file of --append, or to stdout after the key.
A running service takes a changed file within a second.

examples:
  tablestate key backend --scope operator --tenant chess-club --append keys.toml
  tablestate key ada --scope player --tenant chess-club --player-id ada
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("name", help="a name for the key: 1 to 64 letters, digits, - or _")
    parser.add_argument("--scope", choices=SCOPES, required=True, help="what it lets its user do")
    parser.add_argument(
        "--tenant", default="", help="whose matches it opens (default: those without a tenant)"
    )
    parser.add_argument(
        "--player-id", default="", help="whom its user plays as (default: whom it says)"
    )
    parser.add_argument("--append", metavar="FILE", help="the file to append to")


def run(args: argparse.Namespace) -> int:
    """Make a key."""
    if not is_key_name(args.name):
        raise CommandError(f"{args.name!r} is no name of 1 to 64 letters, digits, - or _")
    for name, text, longest in (
        ("--tenant", args.tenant, MAX_TENANT),
        ("--player-id", args.player_id, MAX_PLAYER_ID),
    ):
        if len(text) > longest or has_unseen(text):
            raise CommandError(f"{name} is no text of at most {longest} characters")
    key = new_key()
    table = _table(args, key_digest(key).hex())
    if args.append:
        _append(Path(args.append), args.name, table)
    print(key)
    if not args.append:
        print(table, end="")
    return 0


def _append(path: Path, name: str, table: str) -> None:
    """Append to a file of keys, unless a server would refuse it then."""
    try:
        known = read_keys(path) if path.exists() else {}
        if any(caller.name == f"key {name}" for caller in known.values()):
            raise CommandError(f"name: {name!r}: {path} has a key of this name; expected another")
        with path.open("a", encoding="utf-8") as file:
            file.write(table)
    except SettingsError as error:
        raise CommandError(f"--append: {error}") from None
    except OSError as error:
        raise CommandError(f"cannot append to {path}: {error.strerror}") from None


def _table(args: argparse.Namespace, digest: str) -> str:
    fields = {
        "name": args.name,
        "scope": args.scope,
        "tenant": args.tenant,
        "player_id": args.player_id,
        "sha256": digest,
    }
    lines = [f"{name} = {_quoted(text)}" for name, text in fields.items() if text]
    return "\n".join(("", "[[key]]", *lines, ""))


def _quoted(text: str) -> str:
    """A text as TOML writes it, which has no unseen characters."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
