"""The terms of a match: what is settled when it is created and never changes."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Any, TypeVar

from tablestate_service.domain import audience as audiences
from tablestate_service.domain.audience import EVERYBODY, Audience
from tablestate_service.domain.clocks import TimeControl

T = TypeVar("T")

DEFAULT_ENTROPY_LIMIT = 30_000_000_000


class AbsencePolicy(IntEnum):
    """What becomes of a seat whose player leaves; numbers of the contract."""

    FORFEIT = 1
    DEFAULT_ACTION = 2
    BOT = 3


class RevealPolicy(IntEnum):
    """Whether the seed is published at the end; numbers of the contract."""

    AT_END = 1
    NEVER = 2


class StartPolicy(IntEnum):
    """When a match starts; numbers of the contract."""

    WHEN_FULL = 1
    BY_HOST = 2


class Seating(IntEnum):
    """Who sits where; numbers of the contract."""

    CHOSEN = 1
    RANDOM = 2


@dataclass(frozen=True, slots=True)
class Policies:
    """The choices of the host that are not the game's."""

    on_leave: AbsencePolicy
    on_timeout: AbsencePolicy
    reveal: RevealPolicy
    start: StartPolicy


@dataclass(frozen=True, slots=True)
class Fork:
    """The position of another match that a match begins with.

    `state` is a `GameState`, so that this log tells all, whatever becomes of the other;
    `forfeited` are the seats that were out there, and stay so.
    """

    match_id: str
    version: int
    state: bytes
    forfeited: tuple[int, ...] = ()


def default_absence(seats: int) -> AbsencePolicy:
    """FORFEIT for two seats, DEFAULT_ACTION for more (`rules/common.md`)."""
    return AbsencePolicy.FORFEIT if seats == 2 else AbsencePolicy.DEFAULT_ACTION


@dataclass(frozen=True, slots=True)
class Terms:
    """What CREATED says. `options` is a `GameOptions` with every default filled in."""

    match_id: str
    game: str
    rules_version: int
    seats: int
    options: bytes
    policies: Policies
    metadata: Mapping[str, str]
    host_token_hash: bytes
    secret: bytes
    commitment: bytes
    create_time: int
    tenant: str = ""
    fork: Fork | None = None
    audience: Audience = EVERYBODY
    waiting_limit: int | None = None
    """After how many nanoseconds a match that has not started is aborted; None: never."""
    rematch_of: str = ""
    """The match that its players play again here, if it is a rematch."""
    time_control: TimeControl | None = None
    """None: players may take all the time they like."""
    entropy_limit: int = DEFAULT_ENTROPY_LIMIT
    """For how many nanoseconds the entropies of the seats are awaited before the start."""
    seating: Seating = Seating.CHOSEN

    @property
    def is_timed(self) -> bool:
        """Whether time is measured, so that entries tell when they were written."""
        return self.waiting_limit is not None or self.time_control is not None


@dataclass(frozen=True, slots=True)
class TimeDefaults:
    """What a server fills into the terms of matches for which nobody said it; None: nothing."""

    waiting_limit: int | None = None
    time_control: TimeControl | None = None


def to_payload(terms: Terms) -> str:
    """The terms as the JSON of a CREATED entry, which holds id and time itself."""
    policies = terms.policies
    # What a match does not have is left out, as it was before there was such a thing.
    given: dict[str, object] = {"tenant": terms.tenant} if terms.tenant else {}
    if terms.rematch_of:
        given["rematch_of"] = terms.rematch_of
    if terms.waiting_limit is not None:
        given["waiting_limit"] = terms.waiting_limit
    if terms.time_control is not None:
        given["time_control"] = asdict(terms.time_control)
    if terms.seating is not Seating.CHOSEN:
        given["seating"] = terms.seating.name
    if terms.entropy_limit != DEFAULT_ENTROPY_LIMIT:
        given["entropy_limit"] = terms.entropy_limit
    return json.dumps(
        {
            **given,
            **_forked(terms.fork),
            **audiences.to_fields(terms.audience),
            "game": terms.game,
            "rules_version": terms.rules_version,
            "seats": terms.seats,
            "options": terms.options.hex(),
            "on_leave": policies.on_leave.name,
            "on_timeout": policies.on_timeout.name,
            "reveal": policies.reveal.name,
            "start": policies.start.name,
            "metadata": dict(terms.metadata),
            "host_token_hash": terms.host_token_hash.hex(),
            "secret": terms.secret.hex(),
            "commitment": terms.commitment.hex(),
        },
        sort_keys=True,
    )


def from_payload(match_id: str, create_time: int, payload: str) -> Terms:
    """Read the terms back; raises KeyError or ValueError if they are damaged."""
    stored: dict[str, Any] = json.loads(payload)
    return Terms(
        match_id=match_id,
        game=_shared(stored["game"]),
        rules_version=stored["rules_version"],
        seats=stored["seats"],
        options=_shared(bytes.fromhex(stored["options"])),
        policies=_policies(stored),
        metadata=stored["metadata"],
        host_token_hash=bytes.fromhex(stored["host_token_hash"]),
        secret=bytes.fromhex(stored["secret"]),
        commitment=bytes.fromhex(stored["commitment"]),
        create_time=create_time,
        tenant=_shared(stored.get("tenant", "")),
        fork=_fork(stored["fork"]) if "fork" in stored else None,
        waiting_limit=stored.get("waiting_limit"),
        rematch_of=stored.get("rematch_of", ""),
        time_control=(
            _shared(TimeControl(**stored["time_control"])) if "time_control" in stored else None
        ),
        entropy_limit=stored.get("entropy_limit", DEFAULT_ENTROPY_LIMIT),
        seating=Seating[stored.get("seating", Seating.CHOSEN.name)],
        audience=audiences.from_fields(stored),
    )


def _forked(fork: Fork | None) -> Mapping[str, object]:
    if fork is None:
        return {}
    stored = {
        "match_id": fork.match_id,
        "version": fork.version,
        "state": fork.state.hex(),
        "forfeited": fork.forfeited,
    }
    return {"fork": stored}


def _fork(stored: Mapping[str, Any]) -> Fork:
    return Fork(
        stored["match_id"],
        stored["version"],
        bytes.fromhex(stored["state"]),
        tuple(stored["forfeited"]),
    )


@lru_cache(maxsize=1024)
def _shared(value: T) -> T:
    """An equal value that another match holds already: a server holds very many."""
    return value


def _policies(stored: Mapping[str, str]) -> Policies:
    policies = Policies(
        on_leave=AbsencePolicy[stored["on_leave"]],
        on_timeout=AbsencePolicy[stored["on_timeout"]],
        reveal=RevealPolicy[stored["reveal"]],
        start=StartPolicy[stored["start"]],
    )
    shared: Policies = _shared(policies)
    return shared
