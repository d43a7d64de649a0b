"""Check an exported match without trusting, or even having, any of Tablestate.

This file needs Python and nothing else, and is meant to be read before it is believed:

    python verifier.py match.jsonl

It holds a match file against `docs/chance.md`: that it is written as it must be, that the hash
of each entry covers the entry and the one before it, that the secret is the one that was
committed to before anybody joined, and that every draw follows from it. The first entry that
does not fit is named. What it cannot know are the rules: whether an action was legal, and from
how many possibilities a draw had to be made. The file tells the latter, and `tablestate verify`
checks both by playing the match again.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

DOMAIN = b"tablestate/chance/v1"
SEATING_DOMAIN = b"tablestate/seating/v1"
HEADER: dict[str, type] = {
    "format": str,
    "format_version": int,
    "match_id": str,
    "entries": int,
    "head_hash": str,
}
ENTRY: dict[str, type] = {
    "version": int,
    "change": str,
    "seat": int,
    "notation": str,
    "draws": list,
    "payload": str,
    "time": int,
    "request_key": str,
    "request_hash": str,
    "hash": str,
    "draw_sizes": list,
    "sizes_hash": str,
}
MAX_SEATS = 255
SEATING = ("JOINED", "BOT_ADDED", "SEAT_FREED")
CHANGES = {
    "CREATED": 1,
    "JOINED": 2,
    "BOT_ADDED": 3,
    "SEAT_FREED": 4,
    "STARTED": 5,
    "ACTION": 6,
    "LEFT": 7,
    "FORFEITED": 8,
    "ABORTED": 9,
    "ENTROPY_DUE": 10,
    "ENTROPY_REVEALED": 11,
    "SEAT_TOKEN_REPLACED": 12,
    "SEAT_TOKEN_REVOKED": 13,
    "TIMED_OUT": 16,
    "PROPOSED": 17,
    "ACCEPTED": 18,
    "DECLINED": 19,
    "DRAW_AGREED": 20,
    "UNDONE": 21,
    "PAUSED": 22,
    "RESUMED": 23,
    "SEATED": 24,
}


class VerificationError(Exception):
    """A file does not hold; the text names the first entry that does not fit, and why."""


class Verified(NamedTuple):
    """What was found to hold."""

    match_id: str
    entries: int
    draws: int
    """How many draws were made again."""
    commitment: bytes
    """Compare it with the one that you were told before anybody joined."""
    head_hash: bytes


def commitment(match_id: str, secret: bytes) -> bytes:
    """What the server promises when it creates a match."""
    return framed_hash(b"tablestate/commitment/v1", match_id.encode(), secret)


def entropy_hash(match_id: str, entropy: bytes) -> bytes:
    """What a seat sends when it joins, to promise 32 bytes that it reveals before the start."""
    return framed_hash(b"tablestate/entropy/v1", match_id.encode(), entropy)


def derive_seed(match_id: str, secret: bytes, entropies: Sequence[bytes]) -> bytes:
    """What all draws of a match follow from; one entropy a seat, empty for none."""
    return framed_hash(b"tablestate/seed/v1", match_id.encode(), secret, *entropies)


def draw(seed: bytes, stream: int, sizes: Sequence[int], domain: bytes = DOMAIN) -> list[int]:
    """The draws of a stream, each a number from 0 to its size - 1."""
    counter, drawn = 0, []
    for size in sizes:
        number = 2**64
        # Numbers of the last, incomplete run are thrown away: all draws are equally likely.
        while number >= 2**64 - 2**64 % size:
            message = domain + stream.to_bytes(8, "big") + counter.to_bytes(8, "big")
            number = int.from_bytes(hmac.digest(seed, message, "sha256")[:8], "big")
            counter += 1
        drawn.append(number % size)
    return drawn


def framed_hash(*fields: bytes) -> bytes:
    """SHA-256 over fields, each behind its length, so that they cannot run into one another."""
    framed = b"".join(len(field).to_bytes(4, "big") + field for field in fields)
    return hashlib.sha256(framed).digest()


def verify_file(content: bytes) -> Verified:
    """Check the content of a match file; raises VerificationError."""
    first, *lines = content.split(b"\n")
    header = read_line(first, HEADER, "line 1")
    if (header["format"], header["format_version"]) != ("tablestate/match", 2):
        raise VerificationError("line 1: this is no match file of version 2")
    check = Check(header["match_id"])
    for version, line in enumerate(lines[:-1], start=1):
        entry = read_line(line, ENTRY, f"entry {version}")
        try:
            check.entry(version, entry)
        except VerificationError as error:
            raise VerificationError(f"entry {version}: {error}") from None
        except (ValueError, TypeError, LookupError, AttributeError):
            raise VerificationError(f"entry {version}: a field is not what it must be") from None
    if not lines or lines[-1] != b"":
        raise VerificationError(f"entry {max(1, len(lines))}: its line has no end")
    if check.version == 0 or header["entries"] != check.version:
        raise VerificationError(f"line 1: there are not {header['entries']} entries in the file")
    if header["head_hash"] != check.head_hash.hex():
        raise VerificationError("line 1: head_hash is not the hash of the last entry")
    return Verified(check.match_id, check.version, check.drawn, check.commitment, check.head_hash)


def read_line(line: bytes, kinds: Mapping[str, type], where: str) -> dict[str, Any]:
    """Read a line, which must be written exactly as Tablestate writes it."""
    try:
        fields = json.loads(line.decode())
        written = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
    except (ValueError, RecursionError):
        raise VerificationError(f"{where}: it is no JSON") from None
    if not isinstance(fields, dict) or list(fields) != list(kinds) or written != line:
        raise VerificationError(f"{where}: it is not written as it must be")
    for name, kind in kinds.items():
        if type(fields[name]) is not kind and (name, fields[name]) != ("seat", None):
            raise VerificationError(f"{where}: {name} is {fields[name]!r}")
    return fields


class Check:
    """A log that is read from its beginning, and what is known of it so far."""

    def __init__(self, match_id: str) -> None:
        """Begin with nothing."""
        self.match_id = match_id
        self.version = 0
        self.head_hash = bytes(32)
        self.commitment = b""
        self.secret = b""
        self.entropies: list[bytes] = []
        self.promises: dict[int, str] = {}
        self.is_due = False
        self.started = False
        self.is_drawn = False
        self.places = 0
        self.last = ""
        self.plies = 0
        self.plies_drawn = 0
        self.drawn = 0

    def entry(self, version: int, entry: Mapping[str, Any]) -> None:
        """Check the next entry, and go on from it."""
        if entry["version"] != version:
            raise VerificationError(f"its version is {entry['version']!r}")
        self.check_hashes(entry)
        change = entry["change"]
        if (change == "CREATED") != (version == 1):
            raise VerificationError("CREATED is the first entry, and no other")
        if change == "CREATED":
            self.check_commitment(json.loads(entry["payload"]))
        self.check_entropy(entry)
        self.check_seating(change)
        self.check_draws(entry)
        self.last = change
        self.started = self.started or change == "STARTED"
        self.version = version
        if change == "UNDONE":
            self.take_back(json.loads(entry["payload"])["ply"])
        self.plies += change == "ACTION"
        if entry["draws"]:
            self.plies_drawn = self.plies

    def check_hashes(self, entry: Mapping[str, Any]) -> None:
        """The chain: each hash covers all fields of its entry and the hash before."""
        content = chained_fields(self.match_id, entry)
        self.head_hash = framed_hash(b"tablestate/entry/v1", self.head_hash, *content)
        if entry["hash"] != self.head_hash.hex():
            raise VerificationError("its hash is not that of its content and the entry before")
        sizes = ",".join(map(str, entry["draw_sizes"])).encode()
        bound = framed_hash(b"tablestate/sizes/v1", self.head_hash, sizes).hex() if sizes else ""
        if entry["sizes_hash"] != bound:
            raise VerificationError("sizes_hash is not that of hash and draw_sizes")

    def check_commitment(self, terms: Mapping[str, Any]) -> None:
        """The secret must be the one that was committed to."""
        self.secret = bytes.fromhex(terms["secret"])
        if not 1 <= terms["seats"] <= MAX_SEATS:
            raise VerificationError(f"there are {terms['seats']} seats")
        self.entropies = [b""] * terms["seats"]
        self.is_drawn = terms.get("seating") == "RANDOM"
        self.places = terms["seats"] - len(terms.get("fork", {}).get("forfeited", []))
        self.commitment = commitment(self.match_id, self.secret)
        if terms["commitment"] != self.commitment.hex():
            raise VerificationError("the commitment is not to the secret")

    def check_entropy(self, entry: Mapping[str, Any]) -> None:
        """What a seat adds to the seed must be what it has promised, and come before the start.

        All have promised before the first reveals: else one could choose by what others revealed.
        """
        seat, change = entry["seat"], entry["change"]
        if change in SEATING and (self.is_due or self.started):
            raise VerificationError("a seat changes hands after entropies were due, or the start")
        if change == "ENTROPY_DUE":
            self.is_due = True
        elif change == "JOINED":
            self.promises[seat] = json.loads(entry["payload"]).get("entropy_hash", "")
        elif change in ("SEAT_FREED", "BOT_ADDED"):
            self.promises.pop(seat, None)
        elif change == "ENTROPY_REVEALED":
            entropy = bytes.fromhex(json.loads(entry["payload"])["entropy"])
            promised = entropy_hash(self.match_id, entropy).hex()
            is_awaited = self.is_due and not self.started
            if not is_awaited or len(entropy) != 32 or self.promises.get(seat) != promised:
                raise VerificationError("the entropy is not the one that was promised")
            self.entropies[seat] = entropy

    def take_back(self, ply: int) -> None:
        """Go back to a ply, over no draw: else a stream could be drawn from twice."""
        if type(ply) is not int or not self.plies_drawn <= ply < self.plies:
            raise VerificationError(f"{ply!r} is no ply that the match can go back to")
        self.plies = ply

    def check_seating(self, change: str) -> None:
        """Where seats are drawn they are drawn once, just before the start."""
        if change == "SEATED" and (self.started or not self.is_drawn or self.last == "SEATED"):
            raise VerificationError("there are no seats to be drawn")
        if change == "STARTED" and self.is_drawn != (self.last == "SEATED"):
            raise VerificationError("the seats are drawn just before the start, or not at all")

    def check_draws(self, entry: Mapping[str, Any]) -> None:
        """The set-up draws from stream 0, the action at ply p (from 0) from stream p + 1.

        The seats are drawn from a domain of their own, each from those that are left.
        """
        if not all(type(size) is int and 0 < size < 2**32 for size in entry["draw_sizes"]):
            raise VerificationError(f"draw_sizes is {entry['draw_sizes']}")
        drawn: list[int] = []
        if entry["change"] in ("STARTED", "ACTION"):
            stream = 0 if entry["change"] == "STARTED" else self.plies + 1
            seed = derive_seed(self.match_id, self.secret, self.entropies)
            drawn = draw(seed, stream, entry["draw_sizes"])
        elif entry["change"] == "SEATED":
            if entry["draw_sizes"] != list(range(self.places, 1, -1)):
                raise VerificationError(f"draw_sizes is {entry['draw_sizes']}")
            seed = derive_seed(self.match_id, self.secret, self.entropies)
            drawn = draw(seed, 0, entry["draw_sizes"], SEATING_DOMAIN)
        if entry["draws"] != drawn:
            raise VerificationError(f"the draws are {entry['draws']}; the seed gives {drawn}")
        self.drawn += len(drawn)


def chained_fields(match_id: str, entry: Mapping[str, Any]) -> list[bytes]:
    """What the hash of an entry covers, beside its name and the hash before."""
    seat = entry["seat"]
    return [
        match_id.encode(),
        b"%d" % entry["version"],
        b"%d" % CHANGES[entry["change"]],
        b"" if seat is None else b"%d" % seat,
        entry["notation"].encode(),
        ",".join(map(str, entry["draws"])).encode(),
        entry["payload"].encode(),
        b"%d" % entry["time"],
        bytes.fromhex(entry["request_key"]),
        bytes.fromhex(entry["request_hash"]),
    ]


def main() -> int:
    """Check the file that the command line names, and tell."""
    if len(sys.argv) != 2:
        print(f"usage: python {sys.argv[0]} FILE", file=sys.stderr)
        return 2
    try:
        verified = verify_file(Path(sys.argv[1]).read_bytes())
    except (OSError, VerificationError) as error:
        print(f"{sys.argv[1]}: {error}", file=sys.stderr)
        return 1
    print(f"match {verified.match_id}: {verified.entries} entries, {verified.draws} draws")
    print(f"commitment {verified.commitment.hex()}")
    print(f"head hash {verified.head_hash.hex()}")
    print("All of it holds. The rules are not looked at: `tablestate verify` does that.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
