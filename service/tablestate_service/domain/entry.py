"""The entries of a match's log. The log is the truth; all else is a fold of it."""

import json
from dataclasses import dataclass, replace
from enum import IntEnum

from tablestate_service.domain.hashing import digest

GENESIS_HASH = bytes(32)
WHOLE_MILLISECOND = 1_000_000
"""The nanoseconds that every time is a multiple of: times are public, and how long a bot thought
must not tell what it thought about."""
_ENTRY = b"tablestate/entry/v1"


class MatchChange(IntEnum):
    """What an entry says; the numbers are those of the contract."""

    CREATED = 1
    JOINED = 2
    BOT_ADDED = 3
    SEAT_FREED = 4
    STARTED = 5
    ACTION = 6
    LEFT = 7
    FORFEITED = 8
    ABORTED = 9
    ENTROPY_DUE = 10
    ENTROPY_REVEALED = 11
    SEAT_TOKEN_REPLACED = 12
    SEAT_TOKEN_REVOKED = 13
    TIMED_OUT = 16
    PROPOSED = 17
    ACCEPTED = 18
    DECLINED = 19
    DRAW_AGREED = 20
    UNDONE = 21
    PAUSED = 22
    RESUMED = 23
    SEATED = 24


@dataclass(frozen=True, slots=True)
class Request:
    """The mutating call that an entry answers.

    `key` stands for method, match, credential and request id; `content_hash` for the
    bytes of the request.
    """

    key: bytes
    content_hash: bytes


def request_key(method: str, match_id: str, credential: bytes, request_id: str) -> bytes:
    """The key under which a request is found again; `match_id` is empty for CreateMatch."""
    return digest((method.encode(), match_id.encode(), credential, request_id.encode()))


@dataclass(frozen=True, slots=True)
class Stamp:
    """When a change happens (nanoseconds since 1970), and on whose request.

    `store_time` is the time of the store's own clock, in nanoseconds, by which alone time is
    measured: `time` is told to people, and may jump.
    """

    time: int
    request: Request | None
    store_time: int | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """An entry's content before it has a place in the log.

    `payload` is JSON: the terms of CREATED, the player of JOINED, the bot of BOT_ADDED, the
    entropy of ENTROPY_REVEALED, the hash of the token of SEAT_TOKEN_REPLACED, what is PROPOSED,
    the version, ply and position to which actions were UNDONE. While a match measures time
    every entry's payload has a `store_time` besides. `personal` is kept beside the chain and can
    be erased: see `persons.py`.
    """

    change: MatchChange
    seat: int | None = None
    notation: str = ""
    draws: tuple[int, ...] = ()
    payload: str = ""
    personal: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry in its place: version 1 is the first."""

    match_id: str
    version: int
    draft: Draft
    stamp: Stamp
    hash: bytes


def timed(draft: Draft, store_time: int) -> Draft:
    """The draft with the time at which it is written, by the store's clock."""
    if not draft.payload:  # As with every action: not worth an encoder.
        return replace(draft, payload=f'{{"store_time": {store_time}}}')
    content = json.loads(draft.payload) | {"store_time": store_time}
    return replace(draft, payload=json.dumps(content, sort_keys=True))


def store_time_of(draft: Draft) -> int:
    """When a `timed` draft was written; raises ValueError, KeyError or TypeError if damaged."""
    return int(json.loads(draft.payload)["store_time"])


def seal(match_id: str, version: int, previous_hash: bytes, draft: Draft, stamp: Stamp) -> Entry:
    """Put a draft in its place behind the entry that has `previous_hash`.

    The stamp's `store_time` goes into it only with a `timed` draft.
    """
    if stamp.store_time is not None:
        stamp = replace(stamp, store_time=None)
    sealed = chain_hash(match_id, version, previous_hash, draft, stamp)
    return Entry(match_id, version, draft, stamp, sealed)


def is_intact(entry: Entry, previous_hash: bytes) -> bool:
    """Whether the entry's hash is that of its content behind `previous_hash`."""
    expected = chain_hash(entry.match_id, entry.version, previous_hash, entry.draft, entry.stamp)
    return entry.hash == expected


def chain_hash(
    match_id: str, version: int, previous_hash: bytes, draft: Draft, stamp: Stamp
) -> bytes:
    """SHA-256 over all fields of an entry and the hash of the one before it."""
    request = stamp.request
    return digest(
        (
            _ENTRY,
            previous_hash,
            match_id.encode(),
            b"%d" % version,
            b"%d" % draft.change,
            b"" if draft.seat is None else b"%d" % draft.seat,
            draft.notation.encode(),
            ",".join(map(str, draft.draws)).encode(),
            draft.payload.encode(),
            b"%d" % stamp.time,
            request.key if request else b"",
            request.content_hash if request else b"",
        )
    )
