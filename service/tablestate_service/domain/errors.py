"""Refusals: why a call is not carried out, in the words of the contract."""

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple


class Reason(Enum):
    """Why a call failed: the names of `ErrorReason` without its prefix."""

    MALFORMED_REQUEST = 1
    INVALID_FIELD = 2
    INVALID_OPTIONS = 3
    MATCH_NOT_FOUND = 4
    GAME_NOT_FOUND = 5
    WRONG_HOST_TOKEN = 6
    WRONG_SEAT_TOKEN = 7
    ILLEGAL_ACTION = 8
    NOT_THE_ACTOR = 9
    MATCH_NOT_STARTED = 10
    MATCH_ALREADY_STARTED = 11
    MATCH_ENDED = 12
    SEAT_TAKEN = 13
    SEATS_OPEN = 14
    SEAT_TOKEN_IN_USE = 15
    REQUEST_ID_REUSED = 16
    STALE_VERSION = 17
    VERSION_NOT_REACHED = 18
    WATCHER_TOO_SLOW = 19
    STORAGE_FULL = 20
    LIMIT_REACHED = 21
    LOG_DAMAGED = 22
    RULES_VERSION_UNSUPPORTED = 23
    SHUTTING_DOWN = 24
    INTERNAL = 25
    STORAGE_UNAVAILABLE = 26
    WRONG_FEED_SECRET = 27
    WRONG_KEY = 28
    NOT_PERMITTED = 29
    POSITION_HIDDEN = 30
    TIME_IS_UP = 31
    TIME_LEFT = 32
    ENTROPY_DUE = 33
    ENTROPY_NOT_DUE = 34
    WRONG_ENTROPY = 35
    WRONG_INVITATION = 36
    SPECTATORS_REFUSED = 37
    SEAT_NOT_HELD = 38
    TOO_MANY_CALLS = 39
    NO_PROPOSAL = 40
    CANNOT_UNDO = 41
    MATCH_PAUSED = 42
    NOT_PAUSED = 43
    MATCH_NOT_ENDED = 44


MAX_VIOLATIONS = 16
"""How many faults of a request are told at most: more help nobody, and cost time to find."""


class Violation(NamedTuple):
    """A field that is wrong whatever the state of the match is.

    `value` is empty where the field holds a secret.
    """

    field: str
    value: str
    expected: str


class DomainError(Exception):
    """A refusal, fit to be shown to the caller as it stands."""

    def __init__(
        self,
        reason: Reason,
        message: str,
        metadata: Mapping[str, object] | None = None,
        violations: Sequence[Violation] = (),
        retry_seconds: float | None = None,
    ) -> None:
        """Name the reason, say it in a sentence, and give what a program needs to react.

        `retry_seconds` is after how long the same call may succeed, if that is known.
        """
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.metadata = {key: str(value) for key, value in (metadata or {}).items()}
        self.violations = tuple(violations)
        self.retry_seconds = retry_seconds


def invalid_fields(violations: Sequence[Violation]) -> DomainError:
    """One or more fields are wrong."""
    listed = "; ".join(f"{fault.field}: expected {fault.expected}" for fault in violations)
    return DomainError(Reason.INVALID_FIELD, f"invalid request: {listed}", violations=violations)


def invalid_field(field: str, value: object, expected: str) -> DomainError:
    """A single field is wrong."""
    return invalid_fields([Violation(field, str(value), expected)])


def match_not_found(match_id: str) -> DomainError:
    """No match has this id."""
    return DomainError(Reason.MATCH_NOT_FOUND, f"no match has the id '{match_id}'")


def game_not_found(game: str) -> DomainError:
    """The server has no game of this name."""
    return DomainError(Reason.GAME_NOT_FOUND, f"no game has the name '{game}'", {"game": game})


def wrong_host_token() -> DomainError:
    """The host token is not the match's."""
    return DomainError(Reason.WRONG_HOST_TOKEN, "the host token is not the one of this match")


def wrong_seat_token() -> DomainError:
    """The seat token holds no seat."""
    return DomainError(Reason.WRONG_SEAT_TOKEN, "the seat token holds no seat of this match")


def wrong_feed_secret() -> DomainError:
    """The feed secret is not the server's, or it has none."""
    return DomainError(
        Reason.WRONG_FEED_SECRET, "the feed secret is not the one of this server, if it has one"
    )


def wrong_key() -> DomainError:
    """The call has no key or token, or one that is not known or has expired."""
    return DomainError(
        Reason.WRONG_KEY,
        "the call needs a key or token in `authorization: Bearer …` that this server knows",
    )


def not_permitted(role: str) -> DomainError:
    """Only a caller of a role may make the call."""
    return DomainError(
        Reason.NOT_PERMITTED, f"the call is for the role {role} alone", {"role": role}
    )


def position_hidden() -> DomainError:
    """A position that hides something is to be forked, and the match's secret is not public."""
    return DomainError(
        Reason.POSITION_HIDDEN,
        "the position hides something, and the match has not ended or never reveals it",
    )


def entropy_due() -> DomainError:
    """The match waits for the entropies of its seats, and starts then."""
    return DomainError(
        Reason.ENTROPY_DUE, "the match waits for the entropies of its seats, and then starts"
    )


def entropy_not_due(seat: int) -> DomainError:
    """The match does not wait for this seat's entropy: not yet, no more, or it never did."""
    return DomainError(
        Reason.ENTROPY_NOT_DUE, f"the match does not wait for seat {seat}'s entropy", {"seat": seat}
    )


def wrong_entropy() -> DomainError:
    """The entropy is not the one whose hash was given at joining."""
    return DomainError(
        Reason.WRONG_ENTROPY, "the entropy is not the one whose hash the seat gave at joining"
    )


def too_many_calls(seconds: float) -> DomainError:
    """The caller has made too many calls: another one may be made after some seconds."""
    return DomainError(
        Reason.TOO_MANY_CALLS, "too many calls: call again later", retry_seconds=seconds
    )


def wrong_invitation() -> DomainError:
    """The match is by invitation, and the code is missing or not its own."""
    return DomainError(Reason.WRONG_INVITATION, "the match is by invitation: its code is needed")


def spectators_refused() -> DomainError:
    """Only the seats of the match may see it."""
    return DomainError(
        Reason.SPECTATORS_REFUSED,
        "the match has no spectators: a seat token is expected, also of its host",
    )


def seat_not_held(seat: int) -> DomainError:
    """There is no player on the seat who could hold a token."""
    return DomainError(Reason.SEAT_NOT_HELD, f"no player holds seat {seat}", {"seat": seat})


def seat_given_up(seat: int) -> DomainError:
    """The seat was left or forfeited: its token may look on, but no longer act."""
    return DomainError(
        Reason.WRONG_SEAT_TOKEN, f"the player has given seat {seat} up", {"seat": seat}
    )


def not_the_actor(actor: int, seat: int) -> DomainError:
    """Another seat must decide."""
    return DomainError(
        Reason.NOT_THE_ACTOR,
        f"seat {actor} must decide, not seat {seat}",
        {"actor": actor, "seat": seat},
    )


def match_not_started(phase: str) -> DomainError:
    """The match has not started."""
    return DomainError(Reason.MATCH_NOT_STARTED, "the match has not started", {"phase": phase})


def no_position(version: int, phase: str) -> DomainError:
    """At an earlier version of a match there is no position in which somebody has to decide."""
    reason = Reason.MATCH_NOT_STARTED if phase == "WAITING" else Reason.MATCH_ENDED
    lacks = "the match had not started" if phase == "WAITING" else "nobody has to decide"
    return DomainError(reason, f"at version {version} {lacks}", {"phase": phase})


def match_already_started(phase: str) -> DomainError:
    """The match has started already."""
    return DomainError(
        Reason.MATCH_ALREADY_STARTED, "the match has started already", {"phase": phase}
    )


def match_ended(phase: str) -> DomainError:
    """The match is over or was aborted."""
    return DomainError(Reason.MATCH_ENDED, "the match has ended", {"phase": phase})


def time_is_up() -> DomainError:
    """The decision comes too late."""
    return DomainError(Reason.TIME_IS_UP, "the time for this decision is up")


def time_left() -> DomainError:
    """Nobody is out of time."""
    return DomainError(Reason.TIME_LEFT, "no seat that must decide is out of time")


def own_time() -> DomainError:
    """The seat that claims is the one that is out of time."""
    return DomainError(
        Reason.TIME_LEFT, "the seat that is out of time is the caller's own: another may claim it"
    )


def match_not_ended(phase: str) -> DomainError:
    """The match has not ended."""
    return DomainError(Reason.MATCH_NOT_ENDED, "the match has not ended", {"phase": phase})


def no_proposal() -> DomainError:
    """There is no such proposal, or it has lapsed."""
    return DomainError(Reason.NO_PROPOSAL, "no proposal of this version waits for answers")


def nothing_to_undo(version: int | None) -> DomainError:
    """There is no action at the version that is to be undone, or with None no own action."""
    action = "no action of the seat" if version is None else f"no action at version {version}"
    return DomainError(
        Reason.CANNOT_UNDO,
        f"{action} is in force that could be taken back: behind a draw of chance, or a player "
        "who is gone, nothing can",
    )


def seats_without_player(seats: Sequence[int]) -> DomainError:
    """There is nobody who could take these seats in a rematch."""
    listed = ", ".join(map(str, seats))
    return DomainError(
        Reason.SEATS_OPEN, f"nobody could take seat {listed} in a rematch", {"seats": listed}
    )


def cannot_undo() -> DomainError:
    """Going back would leave somebody with more than was known then."""
    return DomainError(
        Reason.CANNOT_UNDO,
        "no such action can be taken back: since then something was drawn, may have been shown, "
        "or a player is gone",
    )


def match_paused() -> DomainError:
    """The match is paused."""
    return DomainError(Reason.MATCH_PAUSED, "the match is paused")


def not_paused() -> DomainError:
    """The match is not paused."""
    return DomainError(Reason.NOT_PAUSED, "the match is not paused")


def seat_taken(seat: int | None) -> DomainError:
    """The seat, or with None every seat, is taken."""
    if seat is None:
        return DomainError(Reason.SEAT_TAKEN, "every seat is taken")
    return DomainError(Reason.SEAT_TAKEN, f"seat {seat} is taken", {"seat": seat})


def seats_open() -> DomainError:
    """A match starts only when all its seats are taken."""
    return DomainError(Reason.SEATS_OPEN, "a match starts only when all its seats are taken")


def seat_token_in_use() -> DomainError:
    """The seat token holds a seat of the match already."""
    return DomainError(
        Reason.SEAT_TOKEN_IN_USE, "the seat token holds a seat of this match already"
    )


def request_id_reused() -> DomainError:
    """The request id was used before with other request bytes."""
    return DomainError(
        Reason.REQUEST_ID_REUSED, "the request id was used before for another request"
    )


def stale_version(current: int, expected: int | None) -> DomainError:
    """The match has moved on; `expected` is None if the caller named no version."""
    if expected is None:
        message = f"the match has moved on to version {current} meanwhile"
        return DomainError(Reason.STALE_VERSION, message, {"current_version": current})
    return DomainError(
        Reason.STALE_VERSION,
        f"the match is at version {current}, not at the expected {expected}",
        {"current_version": current, "expected_version": expected},
    )


def version_not_reached(current: int, wanted: int) -> DomainError:
    """The match has not reached the version asked for."""
    return DomainError(
        Reason.VERSION_NOT_REACHED,
        f"the match is at version {current}, not yet at {wanted}",
        {"current_version": current},
    )


def watcher_too_slow(sent: Mapping[str, int]) -> DomainError:
    """A watcher reads too slowly; `sent` is the last version sent of each match."""
    return DomainError(
        Reason.WATCHER_TOO_SLOW, "the stream is read too slowly: resume it later", sent
    )


def storage_full() -> DomainError:
    """The store has no room."""
    return DomainError(Reason.STORAGE_FULL, "the store has no room; reads still work")


def storage_unavailable() -> DomainError:
    """The store does not answer."""
    return DomainError(
        Reason.STORAGE_UNAVAILABLE,
        "the store does not answer: repeat the call with the same request id",
    )


def limit_reached(limit: str, maximum: int) -> DomainError:
    """A limit of `docs/limits.md` is reached."""
    return DomainError(
        Reason.LIMIT_REACHED,
        f"the limit {limit} of {maximum} is reached",
        {"limit": limit, "maximum": maximum},
    )


def log_damaged() -> DomainError:
    """The stored log of the match is damaged."""
    return DomainError(Reason.LOG_DAMAGED, "the stored log of this match is damaged")


def rules_version_unsupported(version: int, supported: int) -> DomainError:
    """The match was begun on rules that this server does not have."""
    return DomainError(
        Reason.RULES_VERSION_UNSUPPORTED,
        "the match was begun on a version of its rules that this server does not have",
        {"rules_version": version, "supported": supported},
    )


def shutting_down() -> DomainError:
    """The server is shutting down."""
    return DomainError(Reason.SHUTTING_DOWN, "the server is shutting down: try again later")
