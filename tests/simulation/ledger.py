"""What the clients of a simulation were told, and whether it can all be true."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from support.fake_engine import FakeEngine
from support.memory_store import MemoryDatabase
from tablestate_service.domain.entry import Entry, MatchChange, store_time_of
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.match import Match
from tablestate_service.ports import StoredRequest
from tablestate_service.rpc.requests import mutating_request
from tablestate_service.usecases.verifying import FlawError, Verifier

_DUE = (MatchChange.TIMED_OUT, MatchChange.ABORTED)
"""What is written without a request when its time has come."""
_AGREED = (
    *(MatchChange.DECLINED, MatchChange.DRAW_AGREED, MatchChange.UNDONE),
    *(MatchChange.PAUSED, MatchChange.RESUMED),
)
"""What follows from a proposal, or from its last answer."""
_BY_SERVER = (
    *(MatchChange.ENTROPY_DUE, MatchChange.SEATED, MatchChange.STARTED, MatchChange.ACTION),
    *_DUE,
    *_AGREED,
)
"""What may be written without a request."""


@dataclass
class Sent:
    """A mutating request, and what became of it."""

    method: str
    data: bytes
    key: bytes
    content_hash: bytes
    is_conditional: bool
    """Whether it names the version that it expects."""
    answer: bytes | None = None
    version: int = 0
    """That of the match in the answer."""
    attempts: int = 0
    refused: int = 0


@dataclass
class Ledger:
    """Notes what happens, and what must not."""

    database: MemoryDatabase
    violations: list[str] = field(default_factory=list)
    trace: list[str] = field(default_factory=list)
    sent: dict[bytes, Sent] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)
    """The highest version of each match that any answer has told."""
    _shown: dict[tuple[str, str, int], bytes] = field(default_factory=dict)
    """What was shown of a match at a version."""

    def note(self, text: str) -> None:
        """Write down what happens."""
        self.trace.append(f"{asyncio.get_running_loop().time():9.4f}  {text}")

    def violate(self, text: str) -> None:
        """Write down what must not happen."""
        self.note(f"VIOLATION: {text}")
        self.violations.append(text)

    def require(self, holds: bool, text: str) -> None:
        """Something must be so."""
        if not holds:
            self.violate(text)

    def send(self, method: str, call: Any, credential: bytes) -> Sent:
        """A new request is about to be sent."""
        data = call.SerializeToString(deterministic=True)
        request = mutating_request(method, *_named(method, call, credential), call)
        is_conditional = method == "SubmitAction" and call.HasField("expected_version")
        sent = Sent(method, data, request.key, request.content_hash, is_conditional)
        self.sent[request.key] = sent
        return sent

    def acknowledged(self, sent: Sent, answer: bytes, match_id: str, version: int) -> None:
        """A request was answered: like before, and with what is stored."""
        self.require(sent.answer in (None, answer), f"{sent.method} is answered in two ways")
        stored = self.database.requests.get(sent.key)
        if stored is None:
            self.violate(f"{sent.method} is acknowledged and not stored")
            return
        self.require(
            stored.match_id == match_id and version - stored.version in (0, 1, 2),
            f"{sent.method} is stored as version {stored.version}, not {version}",
        )
        sent.answer, sent.version = answer, version
        self.learn(match_id, version)

    def refused(self, sent: Sent, refusal: DomainError, stored_before: bool) -> None:
        """A request was refused: then it was not carried out before, and there is a reason."""
        sent.refused += 1
        self.require(
            sent.is_conditional or refusal.reason is not Reason.STALE_VERSION,
            f"{sent.method} is refused because of a version that it does not name",
        )
        self.require(
            not stored_before, f"{sent.method} was carried out and is refused: {refusal.message}"
        )

    def floor(self, match_id: str) -> int:
        """What a read that begins now must show at least."""
        return self._known.get(match_id, 0)

    def learn(self, match_id: str, version: int) -> None:
        """Somebody was told that a match has reached a version."""
        self._known[match_id] = max(version, self._known.get(match_id, 0))

    def read(self, match_id: str, floor: int, version: int) -> None:
        """A read was answered: it shows all that was told before it began."""
        self.require(version >= floor, f"a read shows version {version} after {floor} was told")
        self.learn(match_id, version)

    def shown(self, what: str, match_id: str, version: int, content: bytes) -> None:
        """Something was shown that everybody must be shown alike."""
        before = self._shown.setdefault((what, match_id, version), content)
        self.require(before == content, f"{what} of version {version} is shown in two ways")

    def close(self, engine: FakeEngine) -> None:
        """Look at everything that is stored, when no more can happen."""
        for match_id, entries in self.database.logs.items():
            self._check_log(engine, match_id, entries)
        for sent in self.sent.values():
            self._check_sent(sent)

    def _check_log(self, engine: FakeEngine, match_id: str, entries: list[Entry]) -> None:
        verifier = Verifier(engine)
        try:
            for entry in entries:
                if verifier.match is not None:
                    self._check_time(verifier.match, entry)
                verifier.check(entry)
        except FlawError as flaw:
            self.violate(f"a log does not hold: {flaw}")
            return
        match = verifier.match
        assert match is not None
        head = self.database.heads[match_id]
        same = (match.head_hash, match.standing) == (head.head_hash, head.standing)
        self.require(same, "a log does not end with its head")
        self._check_end(match_id, match)
        for entry in entries:
            self._check_entry(entry)

    def _check_time(self, before: Match, entry: Entry) -> None:
        """What is due is done when it is due, and no player decides later."""
        change, deadline = entry.draft.change, before.standing.deadline
        is_over = deadline is not None and store_time_of(entry.draft) >= deadline
        if entry.stamp.request is None and change in _DUE:
            self.require(is_over, f"version {entry.version} comes before its time")
        elif change is MatchChange.ACTION:
            self.require(not is_over, f"version {entry.version} comes when time is up")

    def _check_end(self, match_id: str, match: Match) -> None:
        self.require(match.standing.has_ended, "a match has not ended")
        floor = self.floor(match_id)
        self.require(match.standing.version >= floor, f"version {floor} was told, and is lost")

    def _check_entry(self, entry: Entry) -> None:
        request = entry.stamp.request
        if request is None:
            change = entry.draft.change
            self.require(change in _BY_SERVER, f"nobody has asked for {change.name}")
            return
        place = StoredRequest(entry.match_id, entry.version, request.content_hash)
        self.require(
            request.key in self.sent and self.database.requests[request.key] == place,
            f"version {entry.version} is of a request that is stored twice or was never sent",
        )

    def _check_sent(self, sent: Sent) -> None:
        stored = self.database.requests.get(sent.key)
        if stored is None:
            self.require(sent.answer is None, f"{sent.method} was acknowledged, and is lost")
            return
        self.require(stored.content_hash == sent.content_hash, f"{sent.method} has changed")
        self.require(sent.refused < sent.attempts, f"{sent.method} was refused, and is carried out")


def _named(method: str, call: Any, credential: bytes) -> tuple[str, bytes, str]:
    """What a request is known by: match, credential and request id."""
    if method == "ForkMatch":
        return call.source.match_id, credential, call.match.request_id
    return "" if method == "CreateMatch" else call.match_id, credential, call.request_id
