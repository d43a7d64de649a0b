"""Match files: the log of one match as JSON lines, to be kept, moved and checked anywhere.

The first line is a header, each further line an entry, in order: the fields that its hash
covers, and beside them how many values each of its draws could have had, so that the draws can
be checked without knowing the rules. A file holds the match's secret and so is written of ended
matches only. There is one way to write a file, to the byte: `docs/chance.md` tells it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tablestate_service.domain.entry import (
    GENESIS_HASH,
    Draft,
    Entry,
    MatchChange,
    Request,
    Stamp,
    is_intact,
)
from tablestate_service.domain.hashing import digest
from tablestate_service.domain.match import Match, Transition, draw_sizes
from tablestate_service.ports import Engine
from tablestate_service.usecases.verifying import FlawError, Verifier

FORMAT = "tablestate/match"
FORMAT_VERSION = 2
"""Files of version 1 are read as well: they lack the sizes of the draws."""

Sizes: TypeAlias = tuple[int, ...]

_SIZES = b"tablestate/sizes/v1"
_HEADER = {"format": str, "format_version": int, "match_id": str, "entries": int, "head_hash": str}
_ENTRY = {
    "version": int,
    "change": str,
    "seat": int | None,
    "notation": str,
    "draws": list,
    "payload": str,
    "time": int,
    "request_key": str,
    "request_hash": str,
    "hash": str,
}
_ENTRIES = {1: _ENTRY, 2: _ENTRY | {"draw_sizes": list, "sizes_hash": str}}


class MatchFileError(Exception):
    """A file is no match file, or what it tells does not hold; the text says where."""


@dataclass(frozen=True, slots=True)
class MatchFile:
    """The log of a match, and the sizes of each entry's draws; None if they are not known."""

    entries: Sequence[Entry]
    sizes: Sequence[Sizes] | None


def record(engine: Engine, entries: Sequence[Entry]) -> tuple[MatchFile, Match]:
    """Check a log as `verify` does, and add the sizes of its draws; also the match at its end."""
    match: Match | None = None
    sizes = []
    for step in _verified(engine, entries):
        match = step.match
        sizes.append(draw_sizes(step))
    return MatchFile(entries, sizes), _at_end(match)


def content(engine: Engine, entries: Sequence[Entry]) -> bytes:
    """The bytes of a match file, of version 1 where the engine does not play the match again,
    as one of rules that it no longer knows.
    """
    try:
        file, _ = record(engine, entries)
    except MatchFileError:
        file = MatchFile(entries, None)
    return b"".join(write(file))


def write(file: MatchFile) -> Iterator[bytes]:
    """Yield the lines of a file, each with its line end."""
    head = file.entries[-1]
    header = {
        "format": FORMAT,
        "format_version": 1 if file.sizes is None else FORMAT_VERSION,
        "match_id": head.match_id,
        "entries": len(file.entries),
        "head_hash": head.hash.hex(),
    }
    yield _line(header)
    yield from map(_line, _bodies(file))


def read(lines: Iterable[bytes]) -> MatchFile:
    """Read the entries of a file; raises MatchFileError for anything but a whole file.

    They are not verified: see `verify`.
    """
    numbered = enumerate(lines, start=1)
    first, header_line = next(numbered, (1, b""))
    header = _parse(first, header_line, _HEADER)
    found = header["format"], header["format_version"]
    if found[0] != FORMAT or found[1] not in _ENTRIES:
        known = (FORMAT, " or ".join(map(str, _ENTRIES)))
        raise MatchFileError(f"line 1: format {found}; expected {known}")
    fields = [_parse(number, line, _ENTRIES[found[1]]) for number, line in numbered]
    entries = [_to_entry(header["match_id"], *each) for each in enumerate(fields, start=2)]
    if len(entries) != header["entries"] or not entries:
        raise MatchFileError(
            f"line 1: {len(entries)} entries; the header tells of {header['entries']}"
        )
    if entries[-1].hash.hex() != header["head_hash"]:
        raise MatchFileError(f"{_unlike(entries)}: head_hash is not the hash of the last entry")
    if found[1] == 1:
        return MatchFile(entries, None)
    return MatchFile(entries, [tuple(each["draw_sizes"]) for each in fields])


def verify(engine: Engine, file: MatchFile) -> Match:
    """Check the chain of hashes, play the match again, and check every draw and its size.

    Returns the match at its end; raises MatchFileError that names the first entry that
    does not fit.
    """
    match: Match | None = None
    for place, step in enumerate(_verified(engine, file.entries)):
        if file.sizes is not None and file.sizes[place] != draw_sizes(step):
            raise MatchFileError(f"entry {step.entry.version}: the draws are of other sizes")
        match = step.match
    return _at_end(match)


def _at_end(match: Match | None) -> Match:
    if match is None:
        raise MatchFileError("there are no entries")
    return match


def _verified(engine: Engine, entries: Sequence[Entry]) -> Iterator[Transition]:
    verifier = Verifier(engine)
    for entry in entries:
        try:
            step = verifier.check(entry)
        except FlawError as found:
            detail = f": {found.__cause__}" if found.__cause__ else ""
            raise MatchFileError(f"{found}{detail}") from found
        yield step


def _sizes_hash(entry_hash: str, sizes: Sequence[int]) -> str:
    """What binds sizes to their entry; empty if nothing was drawn."""
    if not sizes:
        return ""
    listed = ",".join(map(str, sizes)).encode()
    return digest((_SIZES, bytes.fromhex(entry_hash), listed)).hex()


def _unlike(entries: Sequence[Entry]) -> str:
    """Which of header and last entry is wrong, if they have not the same hash."""
    previous_hash = entries[-2].hash if len(entries) > 1 else GENESIS_HASH
    return "line 1" if is_intact(entries[-1], previous_hash) else _named(len(entries) + 1)


def _line(fields: Mapping[str, object]) -> bytes:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _bodies(file: MatchFile) -> Iterator[Mapping[str, object]]:
    for place, entry in enumerate(file.entries):
        fields = _to_fields(entry)
        if file.sizes is None:
            yield fields
        else:
            sizes = file.sizes[place]
            bound = _sizes_hash(entry.hash.hex(), sizes)
            yield {**fields, "draw_sizes": list(sizes), "sizes_hash": bound}


def _to_fields(entry: Entry) -> Mapping[str, object]:
    draft, request = entry.draft, entry.stamp.request
    return {
        "version": entry.version,
        "change": draft.change.name,
        "seat": draft.seat,
        "notation": draft.notation,
        "draws": list(draft.draws),
        "payload": draft.payload,
        "time": entry.stamp.time,
        "request_key": request.key.hex() if request else "",
        "request_hash": request.content_hash.hex() if request else "",
        "hash": entry.hash.hex(),
    }


def _to_entry(match_id: str, number: int, fields: Mapping[str, Any]) -> Entry:
    try:
        entry = Entry(
            match_id=match_id,
            version=fields["version"],
            draft=_to_draft(fields),
            stamp=Stamp(fields["time"], _to_request(fields)),
            hash=bytes.fromhex(fields["hash"]),
        )
        _check_sizes(fields)
        return entry
    except (KeyError, ValueError) as error:
        raise MatchFileError(f"{_named(number)}: {error}") from error


def _check_sizes(fields: Mapping[str, Any]) -> None:
    """Raise ValueError unless the sizes, if there are any, are bound to their entry."""
    if "draw_sizes" not in fields:
        return
    sizes = fields["draw_sizes"]
    if len(sizes) != len(fields["draws"]) or not all(type(size) is int for size in sizes):
        raise ValueError("draw_sizes: expected a whole number for each draw")
    if fields["sizes_hash"] != _sizes_hash(fields["hash"], sizes):
        raise ValueError("sizes_hash: it is not that of the hash and the sizes")


def _to_draft(fields: Mapping[str, Any]) -> Draft:
    draws, seat = fields["draws"], fields["seat"]
    if seat is not None and seat < 0:
        raise ValueError(f"seat: {seat}; expected a seat or null")
    if not all(type(draw) is int for draw in draws):
        raise ValueError("draws: expected whole numbers")
    return Draft(
        change=MatchChange[fields["change"]],
        seat=seat,
        notation=fields["notation"],
        draws=tuple(draws),
        payload=fields["payload"],
    )


def _to_request(fields: Mapping[str, Any]) -> Request | None:
    key = bytes.fromhex(fields["request_key"])
    return Request(key, bytes.fromhex(fields["request_hash"])) if key else None


def _parse(number: int, line: bytes, expected: Mapping[str, Any]) -> dict[str, Any]:
    """Read a line as an object that has the expected fields and no others."""
    try:
        fields = json.loads(line.decode())
        written = _line(fields)
    except (ValueError, RecursionError):
        fields, written = None, b""
    if not isinstance(fields, dict) or fields.keys() != expected.keys():
        names = ", ".join(expected)
        raise MatchFileError(f"{_named(number)}: expected a JSON object with the fields {names}")
    for name, kind in expected.items():
        if not isinstance(fields[name], kind) or isinstance(fields[name], bool):
            raise MatchFileError(f"{_named(number)}: {name} is {fields[name]!r}")
    if written != line:
        # Two writings of the same would be two files, of which a hash of files knows one.
        raise MatchFileError(f"{_named(number)}: it is not written as `export` writes it")
    return fields


def _named(number: int) -> str:
    """How a line is told: entry 1 is on line 2."""
    return f"line {number}" if number == 1 else f"line {number}, entry {number - 1}"
