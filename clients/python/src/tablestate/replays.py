"""A whole match, as a viewer may know it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tablestate.v1.match_pb2 import Match, MatchUpdate
from tablestate.v1.match_service_pb2 import GetReplayResponse, RecordedEntry, ReplaySecrets


@dataclass(frozen=True)
class Replay:
    """A match from its first entry to its last."""

    match: Match
    """The match as it stands."""
    updates: tuple[MatchUpdate, ...]
    """Every entry as the viewer may know it."""
    entries: tuple[RecordedEntry, ...]
    """The full record; empty unless the match has ended and its `reveal_policy` is AT_END."""
    secrets: ReplaySecrets | None
    """What was secret while the match was running; None without a full record."""


def to_replay(parts: Iterable[GetReplayResponse]) -> Replay:
    """Put the parts of a replay together."""
    head, updates, entries, secrets = Match(), [], [], None
    for part in parts:
        match part.WhichOneof("part"):
            case "match":
                head = part.match
            case "update":
                updates.append(part.update)
            case "recorded":
                entries.append(part.recorded)
            case "secrets":
                secrets = part.secrets
    return Replay(head, tuple(updates), tuple(entries), secrets)
