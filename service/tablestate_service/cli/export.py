"""`tablestate export`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tablestate_service import matchfile
from tablestate_service.cli.arguments import CommandError, file_error
from tablestate_service.cli.offline import (
    add_where,
    describe,
    record,
    require_ended,
    shown_where,
    with_store,
)
from tablestate_service.domain.terms import RevealPolicy
from tablestate_service.ports import Log, MatchStore

DESCRIPTION = """\
Write a match that has ended to a file, out of a data directory on which no service runs, or
out of a PostgreSQL database. The file holds the whole log as JSON lines, with the hashes that
chain its entries and the secret that all chance came from, so that anybody can check it: see
`verify`. It also holds the host's metadata, and no names of players: these are beside the log,
except in logs of earlier versions.

examples:
  tablestate export 0123456789abcdef0123456789abcdef -o match.jsonl
  tablestate export 0123456789abcdef0123456789abcdef --data-dir /var/lib/tablestate
"""

_NEVER_REVEALED = """\
tablestate: warning: this match was created so that its secret is never revealed, and the
file holds it: whoever reads the file knows all that was hidden in the match."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("match_id", metavar="MATCH", help="the match's id: 32 hex digits")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="the file to write (default: stdout)"
    )
    add_where(parser)


def run(args: argparse.Namespace) -> int:
    """Check the match and write it."""

    async def load(store: MatchStore) -> Log | None:
        return await store.load(args.match_id)

    log = with_store(args, load)
    if log is None:
        raise CommandError(f"no match {args.match_id} in {shown_where(args)}")
    source = f"match {args.match_id}"
    file, match = record(source, log.entries)
    require_ended(source, match)
    if (match.standing.version, match.head_hash) != (log.head_version, log.head_hash):
        raise CommandError(f"{source}: the log does not end where the store says")
    _write(b"".join(matchfile.write(file)), args.output)
    print(describe(match), file=sys.stderr)
    if match.terms.policies.reveal is RevealPolicy.NEVER:
        print(_NEVER_REVEALED, file=sys.stderr)
    return 0


def _write(content: bytes, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(content.decode())
        return
    try:
        output.write_bytes(content)
    except OSError as error:
        raise file_error("--output", error, "a file that can be written") from None
