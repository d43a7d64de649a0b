"""What can go wrong, as typed exceptions.

Every error a server sends carries a reason from `ErrorReason` and details; they
become attributes here. The class says what a caller can do about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import grpc

if TYPE_CHECKING:
    from tablestate.credentials import Intent

from tablestate.v1.error_reason_pb2 import ErrorReason

DOMAIN = "tablestate"


@dataclass(frozen=True)
class Violation:
    """One field of a request that was not acceptable."""

    field: str
    """The field's path, as `choice.notation`."""
    description: str
    """Its value and what was expected."""


class TablestateError(Exception):
    """A call that failed. Base class of all errors raised by the clients."""

    def __init__(
        self,
        message: str,
        *,
        code: grpc.StatusCode,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        violations: tuple[Violation, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        """Keep the parts of the status."""
        super().__init__(message)
        self.message = message
        """What happened, in words."""
        self.code = code
        """The canonical status code."""
        self.reason = reason
        """The `ErrorReason` without its prefix, as `STALE_VERSION`; empty if the
        error came from the transport and not from the service."""
        self.metadata = dict(metadata or {})
        """Details by name; see `error_reason.proto`."""
        self.violations = violations
        """The fields that were not acceptable."""
        self.retry_after = retry_after
        """After how many seconds the call may be made again, if the server says so."""
        self.intent: Intent | None = None
        """Of a call that changes something: repeat it with this, and it has one effect."""

    def __str__(self) -> str:
        """Tell everything a person needs, one fault a line."""
        name = self.reason or self.code.name
        match [f"{v.field}: {v.description}" for v in self.violations]:
            case []:
                return f"{name}: {self.message}"
            case [fault]:  # The message says no more than the faults do.
                return f"{name}: {fault}"
            case faults:
                return "\n  ".join([f"{name}:", *faults])

    def _number(self, key: str) -> int | None:
        text = self.metadata.get(key, "")
        return int(text) if text.isdecimal() else None


class InvalidRequestError(TablestateError):
    """The request is wrong whatever the match's state; `violations` lists the faults."""


class InvalidArgumentError(InvalidRequestError, ValueError):
    """What was given to the client cannot be sent; no call was made."""

    def __init__(self, *violations: Violation, reason: str = "INVALID_FIELD") -> None:
        """List the faults."""
        super().__init__(
            "no call was made",
            code=grpc.StatusCode.INVALID_ARGUMENT,
            reason=reason,
            violations=violations,
        )


class ClientClosedError(TablestateError):
    """The client was closed."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("the client is closed", code=grpc.StatusCode.FAILED_PRECONDITION)


class BatchClosedError(TablestateError):
    """The batch was closed."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("the batch is closed", code=grpc.StatusCode.FAILED_PRECONDITION)


class SearchGoesOnError(TablestateError):
    """What a search has found is known when it is done: when `leaves` gives None."""

    def __init__(self) -> None:
        """Say so."""
        super().__init__("the search goes on", code=grpc.StatusCode.FAILED_PRECONDITION)


class NotFoundError(TablestateError):
    """There is no such match or game."""


class PermissionDeniedError(TablestateError):
    """The key or token is missing, or not the right one."""


class PreconditionError(TablestateError):
    """The request is wrong now."""


class IllegalActionError(PreconditionError):
    """The action is not legal now."""

    @property
    def rule(self) -> str:
        """The number or section of the rule that forbids it."""
        return self.metadata.get("rule", "")

    @property
    def action(self) -> str:
        """The action in notation."""
        return self.metadata.get("action", "")


class NotTheActorError(PreconditionError):
    """Another seat must decide."""

    @property
    def actor(self) -> int | None:
        """The seat that must decide."""
        return self._number("actor")

    @property
    def seat(self) -> int | None:
        """The seat that tried."""
        return self._number("seat")


class MatchPhaseError(PreconditionError):
    """The match has not started, has started already or has ended."""

    @property
    def phase(self) -> str:
        """The phase that the match is in."""
        return self.metadata.get("phase", "")


class SeatTakenError(PreconditionError):
    """The seat, or every seat, is taken."""


class SeatsOpenError(PreconditionError):
    """The match cannot start while seats are open."""


class VersionNotReachedError(PreconditionError):
    """The match has not yet reached the version asked for."""

    @property
    def current_version(self) -> int | None:
        """The version the match is at."""
        return self._number("current_version")


class RulesVersionUnsupportedError(PreconditionError):
    """The server does not have the version of the rules that the match began on."""


class ConflictError(TablestateError):
    """A seat token or a request id was used before for something else."""


class StaleVersionError(TablestateError):
    """The match has moved on since the decision was made: read it again and decide anew."""

    @property
    def current_version(self) -> int | None:
        """The version the match is at."""
        return self._number("current_version")

    @property
    def expected_version(self) -> int | None:
        """The version the decision was made on."""
        return self._number("expected_version")


class ResourceExhaustedError(TablestateError):
    """A limit, the store's room or the server's patience with a watcher is used up."""


class DataLossError(TablestateError):
    """The stored log of the match is damaged."""


class UnavailableError(TablestateError):
    """The server could not be reached, or its store does not answer."""


class DeadlineExceededError(TablestateError):
    """The answer did not come in time. Whether the call took effect is not known."""


class InternalError(TablestateError):
    """A fault of the server."""

    @property
    def incident(self) -> str:
        """The number to quote to the operator."""
        return self.metadata.get("incident", "")

    def __str__(self) -> str:
        """Tell the incident as well."""
        return f"{super().__str__()} (incident {self.incident or 'unknown'})"


_BY_REASON: Mapping[ErrorReason.ValueType, type[TablestateError]] = {
    ErrorReason.ERROR_REASON_MALFORMED_REQUEST: InvalidRequestError,
    ErrorReason.ERROR_REASON_INVALID_FIELD: InvalidRequestError,
    ErrorReason.ERROR_REASON_INVALID_OPTIONS: InvalidRequestError,
    ErrorReason.ERROR_REASON_MATCH_NOT_FOUND: NotFoundError,
    ErrorReason.ERROR_REASON_GAME_NOT_FOUND: NotFoundError,
    ErrorReason.ERROR_REASON_WRONG_HOST_TOKEN: PermissionDeniedError,
    ErrorReason.ERROR_REASON_WRONG_SEAT_TOKEN: PermissionDeniedError,
    ErrorReason.ERROR_REASON_ILLEGAL_ACTION: IllegalActionError,
    ErrorReason.ERROR_REASON_NOT_THE_ACTOR: NotTheActorError,
    ErrorReason.ERROR_REASON_MATCH_NOT_STARTED: MatchPhaseError,
    ErrorReason.ERROR_REASON_MATCH_ALREADY_STARTED: MatchPhaseError,
    ErrorReason.ERROR_REASON_MATCH_ENDED: MatchPhaseError,
    ErrorReason.ERROR_REASON_SEAT_TAKEN: SeatTakenError,
    ErrorReason.ERROR_REASON_SEATS_OPEN: SeatsOpenError,
    ErrorReason.ERROR_REASON_SEAT_TOKEN_IN_USE: ConflictError,
    ErrorReason.ERROR_REASON_REQUEST_ID_REUSED: ConflictError,
    ErrorReason.ERROR_REASON_STALE_VERSION: StaleVersionError,
    ErrorReason.ERROR_REASON_VERSION_NOT_REACHED: VersionNotReachedError,
    ErrorReason.ERROR_REASON_WATCHER_TOO_SLOW: ResourceExhaustedError,
    ErrorReason.ERROR_REASON_STORAGE_FULL: ResourceExhaustedError,
    ErrorReason.ERROR_REASON_LIMIT_REACHED: ResourceExhaustedError,
    ErrorReason.ERROR_REASON_LOG_DAMAGED: DataLossError,
    ErrorReason.ERROR_REASON_RULES_VERSION_UNSUPPORTED: RulesVersionUnsupportedError,
    ErrorReason.ERROR_REASON_SHUTTING_DOWN: UnavailableError,
    ErrorReason.ERROR_REASON_INTERNAL: InternalError,
    ErrorReason.ERROR_REASON_STORAGE_UNAVAILABLE: UnavailableError,
    ErrorReason.ERROR_REASON_WRONG_FEED_SECRET: PermissionDeniedError,
    ErrorReason.ERROR_REASON_WRONG_KEY: PermissionDeniedError,
    ErrorReason.ERROR_REASON_NOT_PERMITTED: PermissionDeniedError,
    ErrorReason.ERROR_REASON_POSITION_HIDDEN: PreconditionError,
    ErrorReason.ERROR_REASON_ENTROPY_DUE: MatchPhaseError,
    ErrorReason.ERROR_REASON_ENTROPY_NOT_DUE: PreconditionError,
    ErrorReason.ERROR_REASON_WRONG_ENTROPY: PreconditionError,
    ErrorReason.ERROR_REASON_WRONG_INVITATION: PermissionDeniedError,
    ErrorReason.ERROR_REASON_SPECTATORS_REFUSED: PermissionDeniedError,
    ErrorReason.ERROR_REASON_SEAT_NOT_HELD: PreconditionError,
    ErrorReason.ERROR_REASON_TOO_MANY_CALLS: ResourceExhaustedError,
    ErrorReason.ERROR_REASON_TIME_IS_UP: PreconditionError,
    ErrorReason.ERROR_REASON_TIME_LEFT: PreconditionError,
    ErrorReason.ERROR_REASON_NO_PROPOSAL: PreconditionError,
    ErrorReason.ERROR_REASON_CANNOT_UNDO: PreconditionError,
    ErrorReason.ERROR_REASON_MATCH_PAUSED: MatchPhaseError,
    ErrorReason.ERROR_REASON_NOT_PAUSED: MatchPhaseError,
    ErrorReason.ERROR_REASON_MATCH_NOT_ENDED: MatchPhaseError,
}

# For reasons newer than this client, and for errors of the transport, which have none.
_BY_CODE: Mapping[grpc.StatusCode, type[TablestateError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidRequestError,
    grpc.StatusCode.NOT_FOUND: NotFoundError,
    grpc.StatusCode.PERMISSION_DENIED: PermissionDeniedError,
    grpc.StatusCode.UNAUTHENTICATED: PermissionDeniedError,
    grpc.StatusCode.FAILED_PRECONDITION: PreconditionError,
    grpc.StatusCode.ALREADY_EXISTS: ConflictError,
    grpc.StatusCode.RESOURCE_EXHAUSTED: ResourceExhaustedError,
    grpc.StatusCode.DATA_LOSS: DataLossError,
    grpc.StatusCode.UNAVAILABLE: UnavailableError,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceededError,
    grpc.StatusCode.INTERNAL: InternalError,
}


def error_class(reason: str, code: grpc.StatusCode) -> type[TablestateError]:
    """Return the class for a reason, or for a code where the reason is not known."""
    name = f"ERROR_REASON_{reason}"
    known = ErrorReason.Value(name) if name in ErrorReason.keys() else None  # noqa: SIM118
    by_reason = _BY_REASON.get(known) if known is not None else None
    return by_reason or _BY_CODE.get(code, TablestateError)
