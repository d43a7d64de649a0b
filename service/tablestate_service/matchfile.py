"""Match files: the log of one match as JSON lines, to be kept, moved and checked anywhere.

The first line is a header, each further line an entry, in order, with the fields that its
hash covers. A file holds the match's secret and so is written of ended matches only.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tablestate_service.domain import fairness
from tablestate_service.domain.entry import (
    GENESIS_HASH,
    Draft,
    Entry,
    MatchChange,
    Request,
    Stamp,
    is_intact,
)
from tablestate_service.domain.match import Match, replay
from tablestate_service.ports import Engine

FORMAT = "tablestate/match"
FORMAT_VERSION = 1

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


class MatchFileError(Exception):
    """A file is no match file, or what it tells does not hold; the text says where."""


def write(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the lines of a file, each with its line end."""
    head = entries[-1]
    header = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "match_id": head.match_id,
        "entries": len(entries),
        "head_hash": head.hash.hex(),
    }
    for line in (header, *map(_to_fields, entries)):
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def read(lines: Iterable[str]) -> list[Entry]:
    """Read the entries of a file; raises MatchFileError for anything but a whole file."""
    numbered = enumerate(lines, start=1)
    header = _parse(*next(numbered, (1, "")), _HEADER)
    found = header["format"], header["format_version"]
    if found != (FORMAT, FORMAT_VERSION):
        raise MatchFileError(f"line 1: format {found}; expected {(FORMAT, FORMAT_VERSION)}")
    entries = [_to_entry(header["match_id"], number, line) for number, line in numbered]
    if len(entries) != header["entries"] or not entries:
        raise MatchFileError(f"{len(entries)} entries; the header tells of {header['entries']}")
    if entries[-1].hash.hex() != header["head_hash"]:
        raise MatchFileError("the last entry does not have the hash that the header tells")
    return entries


def verify(engine: Engine, entries: Sequence[Entry]) -> Match:
    """Check the chain of hashes, play the match again, and check every draw.

    Returns the match at its end; raises MatchFileError that names the first entry that
    does not fit.
    """
    match, previous_hash = None, GENESIS_HASH
    for entry in entries:
        if not is_intact(entry, previous_hash):
            raise _fault(entry, "its hash is not that of its content and the entry before")
        try:
            after = replay(engine, match, entry).match
            _check_rules_version(engine, after)
            _check_turn(match, entry.draft)
            _check_chance(engine, match, after, entry.draft)
        except Exception as error:  # whatever a forged entry may provoke
            raise _fault(entry, f"it does not follow from the entries before: {error}") from error
        match, previous_hash = after, entry.hash
    if match is None:
        raise MatchFileError("there are no entries")
    return match


def _check_rules_version(engine: Engine, match: Match) -> None:
    version, known = match.terms.rules_version, engine.rules_version(match.terms.game)
    if version != known:
        raise ValueError(f"it is on version {version} of the rules, and only {known} is known here")


def _check_turn(before: Match | None, draft: Draft) -> None:
    if before is None:
        return
    if before.standing.has_ended:
        raise ValueError("the match has ended")
    if draft.change is MatchChange.ACTION and draft.seat not in before.standing.actors:
        raise ValueError(f"seat {draft.seat} is not the actor")


def _check_chance(engine: Engine, before: Match | None, after: Match, draft: Draft) -> None:
    """Raise ValueError unless secret and draws are those that were promised."""
    terms, step = after.terms, None
    if draft.change is MatchChange.CREATED:
        if fairness.commitment(terms.match_id, terms.secret) != terms.commitment:
            raise ValueError("the commitment is not to the secret")
    elif draft.change is MatchChange.STARTED:
        step = engine.start(terms.options, terms.seed())
    elif draft.change is MatchChange.ACTION and before is not None and before.state is not None:
        choice, stream = engine.choice(draft.notation), before.standing.ply + 1
        step = before.state.apply(choice, terms.seed(), stream)
    if step is not None and tuple(step.draws) != draft.draws:
        raise ValueError("the draws are not those of the seed")


def _to_fields(entry: Entry) -> Mapping[str, object]:
    draft, request = entry.draft, entry.stamp.request
    return {
        "version": entry.version,
        "change": draft.change.name,
        "seat": draft.seat,
        "notation": draft.notation,
        "draws": draft.draws,
        "payload": draft.payload,
        "time": entry.stamp.time,
        "request_key": request.key.hex() if request else "",
        "request_hash": request.content_hash.hex() if request else "",
        "hash": entry.hash.hex(),
    }


def _to_entry(match_id: str, number: int, line: str) -> Entry:
    fields = _parse(number, line, _ENTRY)
    try:
        return Entry(
            match_id=match_id,
            version=fields["version"],
            draft=_to_draft(fields),
            stamp=Stamp(fields["time"], _to_request(fields)),
            hash=bytes.fromhex(fields["hash"]),
        )
    except (KeyError, ValueError) as error:
        raise MatchFileError(f"line {number}: {error}") from error


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


def _parse(number: int, line: str, expected: Mapping[str, Any]) -> dict[str, Any]:
    """Read a line as an object that has the expected fields and no others."""
    try:
        fields = json.loads(line)
    except ValueError:
        fields = None
    if not isinstance(fields, dict) or fields.keys() != expected.keys():
        names = ", ".join(expected)
        raise MatchFileError(f"line {number}: expected a JSON object with the fields {names}")
    for name, kind in expected.items():
        if not isinstance(fields[name], kind) or isinstance(fields[name], bool):
            raise MatchFileError(f"line {number}: {name} is {fields[name]!r}")
    return fields


def _fault(entry: Entry, text: str) -> MatchFileError:
    return MatchFileError(f"entry {entry.version}: {text}")
