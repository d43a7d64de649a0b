"""A match as the fold of its log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache

from tablestate_service.domain import clocks as clocking
from tablestate_service.domain import fairness
from tablestate_service.domain import seats as seating
from tablestate_service.domain.audience import Visibility
from tablestate_service.domain.clocks import Clocks
from tablestate_service.domain.entry import (
    GENESIS_HASH,
    Draft,
    Entry,
    MatchChange,
    Stamp,
    is_intact,
    seal,
    store_time_of,
    timed,
)
from tablestate_service.domain.errors import log_damaged
from tablestate_service.domain.game import GameState, Restored, Rules, Step
from tablestate_service.domain.persons import is_fit, names_of
from tablestate_service.domain.seats import OPEN_SEAT, Occupant, Seat
from tablestate_service.domain.standing import Proposal, ProposalKind
from tablestate_service.domain.terms import AbsencePolicy, Terms, from_payload, to_payload

LONGEST_PAUSE = 24 * 3600 * 1_000_000_000
"""After how many nanoseconds a pause ends by itself."""
_DECISIONS = (MatchChange.ACTION, MatchChange.UNDONE)
"""After these, somebody has to decide anew."""


class MatchPhase(IntEnum):
    """Where a match stands; the numbers are those of the contract."""

    WAITING = 1
    RUNNING = 2
    OVER = 3
    ABORTED = 4


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a match stands after an entry. `time` is that entry's.

    `store_time` is that entry's by the store's clock, and `deadline` when something has to
    happen if nothing else does, by the same clock; `domain/deadlines.py` says what. Both are None
    in lists, and where time is not measured. `entropy_deadline` is until when the entropies that
    the seats have promised are awaited, after all were taken; None if they are not.
    """

    version: int
    time: int
    phase: MatchPhase
    ply: int
    actors: tuple[int, ...]
    seats: tuple[Seat, ...]
    outcome: bytes | None
    store_time: int | None = None
    deadline: int | None = None
    clocks: Clocks | None = None
    is_overdue: bool = False
    """Whether the actor's time is up, so that the server must take this one decision for it."""
    entropy_deadline: int | None = None
    is_paused: bool = False
    """Whether the clocks stand still, and nobody may act."""
    proposal: Proposal | None = None
    """What waits for players' answers."""
    proposals: int = 0
    """How many there were since the last action."""

    @property
    def entropy_awaited(self) -> tuple[int, ...]:
        """The seats whose entropy is awaited."""
        if self.entropy_deadline is None:
            return ()
        promised = [n for n, seat in enumerate(self.seats) if seat.entropy_hash is not None]
        return tuple(number for number in promised if not self.seats[number].entropy)

    @property
    def has_ended(self) -> bool:
        """Whether nothing more can happen."""
        return self.phase in (MatchPhase.OVER, MatchPhase.ABORTED)

    @property
    def is_automatic(self) -> bool:
        """Whether the server must act for the seat to act: it has no player, or no time."""
        if self.is_paused:
            return False
        return self.is_overdue or any(
            self.seats[actor].occupant is not Occupant.PLAYER for actor in self.actors
        )


@dataclass(frozen=True, slots=True)
class Match:
    """A match at one version. `state` is None before the start."""

    terms: Terms
    standing: Standing
    head_hash: bytes
    state: GameState | None

    def seed(self) -> bytes:
        """The seed of every draw; it is settled when the match starts."""
        entropies = tuple(seat.entropy for seat in self.standing.seats)
        return _seed(self.terms.match_id, self.terms.secret, entropies)

    @property
    def is_listed(self) -> bool:
        """Whether everybody finds it in lists, which show a match as it is."""
        audience = self.terms.audience
        is_shown = audience.is_live or self.standing.phase is MatchPhase.WAITING
        return is_shown and audience.visibility is Visibility.PUBLIC


@lru_cache(maxsize=4096)  # Every action asks for it.
def _seed(match_id: str, secret: bytes, entropies: tuple[bytes, ...]) -> bytes:
    return fairness.seed(match_id, secret, entropies)


@dataclass(frozen=True, slots=True)
class Transition:
    """An entry, the match after it, and what it brought about in the game."""

    entry: Entry
    match: Match
    step: Step | None


def open_match(terms: Terms, stamp: Stamp) -> Transition:
    """Write the first entry of a new match."""
    draft = Draft(MatchChange.CREATED, payload=to_payload(terms))
    if terms.is_timed:
        draft = timed(draft, _store_time(stamp))
    entry = seal(terms.match_id, 1, GENESIS_HASH, draft, stamp)
    return Transition(entry, _created(terms, entry), None)


def advance(match: Match, draft: Draft, stamp: Stamp, step: Step | None = None) -> Transition:
    """Write the next entry. Times never run backwards within a match."""
    standing = match.standing
    if stamp.time < standing.time:
        stamp = replace(stamp, time=standing.time)
    if _is_timed(match, draft.change):
        draft = timed(draft, max(_store_time(stamp), standing.store_time or 0))
    entry = seal(match.terms.match_id, standing.version + 1, match.head_hash, draft, stamp)
    return Transition(entry, _after(match, entry, step), step)


def replay(rules: Rules, match: Match | None, entry: Entry) -> Transition:
    """Fold one stored entry; raises LOG_DAMAGED if it does not fit behind the match."""
    previous_hash = match.head_hash if match else GENESIS_HASH
    expected_version = match.standing.version + 1 if match else 1
    if entry.version != expected_version or not _is_whole(entry, previous_hash):
        raise log_damaged()
    if match is None:
        terms = from_payload(entry.match_id, entry.stamp.time, entry.draft.payload)
        return Transition(entry, _created(terms, entry), None)
    step = _replayed_step(rules, match, entry.draft)
    return Transition(entry, _after(match, entry, step), step)


def _is_whole(entry: Entry, previous_hash: bytes) -> bool:
    return is_intact(entry, previous_hash) and is_fit(entry.draft)


def fold(rules: Rules, entries: Sequence[Entry], match: Match | None = None) -> Match:
    """Fold stored entries behind a match; raises LOG_DAMAGED if they do not fit."""
    for entry in entries:
        match = replay(rules, match, entry).match
    if match is None:
        raise log_damaged()
    return match


def _is_timed(match: Match, change: MatchChange) -> bool:
    """Whether an entry behind the match tells the store's time."""
    if match.terms.is_timed or change is MatchChange.ENTROPY_DUE:
        return True
    return match.standing.entropy_deadline is not None


def begin(rules: Rules, terms: Terms, seed: bytes) -> Step:
    """The first position of a game: set up by chance, or that which the match was forked from."""
    if terms.fork is not None:
        return Restored(rules.restore(terms.fork.state))
    return rules.start(terms.options, seed)


def _replayed_step(rules: Rules, match: Match, draft: Draft) -> Step | None:
    if draft.change is MatchChange.STARTED:
        return _replayed_start(rules, match.terms, draft)
    if draft.change is MatchChange.ACTION:
        if match.state is None:
            raise log_damaged()
        return match.state.replay(draft.notation, draft.draws)
    if draft.change is MatchChange.UNDONE:
        return Restored(rules.restore(bytes.fromhex(json.loads(draft.payload)["state"])))
    return None


def _replayed_start(rules: Rules, terms: Terms, draft: Draft) -> Step:
    if terms.fork is None:
        return rules.replay_start(terms.options, draft.draws)
    if draft.draws:
        raise log_damaged()
    return Restored(rules.restore(terms.fork.state))


def _created(terms: Terms, entry: Entry) -> Match:
    store_time = store_time_of(entry.draft) if terms.is_timed else None
    standing = Standing(
        version=1,
        time=entry.stamp.time,
        phase=MatchPhase.WAITING,
        ply=0,
        actors=(),
        seats=_seats_at_first(terms),
        outcome=None,
        store_time=store_time,
    )
    standing = replace(standing, deadline=_deadline_after(terms, None, standing, None))
    return Match(terms, standing, entry.hash, None)


def _seats_at_first(terms: Terms) -> tuple[Seat, ...]:
    out = terms.fork.forfeited if terms.fork else ()
    numbers = range(terms.seats)
    return tuple(Seat(Occupant.FORFEITED) if each in out else OPEN_SEAT for each in numbers)


def _store_time(stamp: Stamp) -> int:
    if stamp.store_time is None:
        raise ValueError("a match that measures time is changed without the store's time")
    return stamp.store_time


def _after(match: Match, entry: Entry, step: Step | None) -> Match:
    before, change = match.standing, entry.draft.change
    state = _state_after(match, entry.draft, step)
    seats = _seats_after(match.terms, before.seats, entry.draft)
    outcome = _outcome_after(before, change, state, seats)
    phase = _phase_after(before.phase, change, outcome)
    actor = state.actor if state and phase is MatchPhase.RUNNING else None
    standing = Standing(
        version=entry.version,
        time=entry.stamp.time,
        phase=phase,
        ply=_ply_after(before, entry.draft),
        actors=() if actor is None else (actor,),
        seats=seats,
        outcome=outcome,
        is_paused=phase is MatchPhase.RUNNING
        and (
            change is MatchChange.PAUSED or (before.is_paused and change is not MatchChange.RESUMED)
        ),
        proposal=_proposal_after(before.proposal, entry) if phase is MatchPhase.RUNNING else None,
        proposals=_proposals_after(before.proposals, change),
    )
    if _is_timed(match, change):
        standing = _timed(match.terms, before, standing, entry.draft)
    return Match(match.terms, standing, entry.hash, state)


def _ply_after(before: Standing, draft: Draft) -> int:
    if draft.change is MatchChange.UNDONE:
        return int(json.loads(draft.payload)["ply"])
    return before.ply + (draft.change is MatchChange.ACTION)


def _proposal_after(before: Proposal | None, entry: Entry) -> Proposal | None:
    draft = entry.draft
    if draft.change is MatchChange.PROPOSED and draft.seat is not None:
        content = json.loads(draft.payload)
        kind, undo_to = ProposalKind[content["kind"]], content.get("undo_to")
        return Proposal(kind, draft.seat, entry.version, undo_to=undo_to)
    if draft.change is MatchChange.ACCEPTED and before is not None and draft.seat is not None:
        return replace(before, accepted=(*before.accepted, draft.seat))
    return None


def _proposals_after(before: int, change: MatchChange) -> int:
    if change in (MatchChange.STARTED, MatchChange.ACTION):
        return 0
    return before + (change is MatchChange.PROPOSED)


def _timed(terms: Terms, before: Standing, after: Standing, draft: Draft) -> Standing:
    """The standing with what has to do with time."""
    change, now = draft.change, store_time_of(draft)
    is_overdue = after.phase is MatchPhase.RUNNING and (
        change is MatchChange.TIMED_OUT or (before.is_overdue and change not in _DECISIONS)
    )
    due = _entropy_deadline_after(terms, before, after.phase, change, now)
    timed = replace(after, store_time=now, is_overdue=is_overdue, entropy_deadline=due)
    clocks = _clocks_after(terms, before, timed, change)
    deadline = _deadline_after(terms, before, timed, clocks)
    return replace(timed, clocks=clocks, deadline=deadline)


def _clocks_after(
    terms: Terms, before: Standing, after: Standing, change: MatchChange
) -> Clocks | None:
    control, now = terms.time_control, after.store_time
    if control is None or now is None:
        return None
    runs = bool(after.actors) and not after.is_automatic and not after.is_paused
    if change is MatchChange.STARTED:
        return clocking.going_on(clocking.begun(control, terms.seats), now, runs)
    if before.clocks is None:
        return None
    if change in _DECISIONS:
        (actor,) = before.actors
        gains = change is MatchChange.ACTION and not before.is_automatic
        return clocking.decided(control, before.clocks, actor, now, gains=gains, runs=runs)
    return clocking.going_on(before.clocks, now, runs)


def _deadline_after(
    terms: Terms, before: Standing | None, after: Standing, clocks: Clocks | None
) -> int | None:
    """When `deadlines.expire` has something to do, unless there is another entry before."""
    if after.entropy_deadline is not None:
        return after.entropy_deadline
    control = terms.time_control
    if after.is_paused and after.store_time is not None:
        if before is not None and before.is_paused:
            return before.deadline
        return after.store_time + LONGEST_PAUSE
    if control and clocks and after.actors and not control.by_claim:
        return clocking.time_out(control, clocks, after.actors[0])
    if after.phase is MatchPhase.WAITING and terms.waiting_limit is not None:
        if before is not None:
            return before.deadline
        return (after.store_time or 0) + terms.waiting_limit
    return None


def _entropy_deadline_after(
    terms: Terms, before: Standing, phase: MatchPhase, change: MatchChange, now: int
) -> int | None:
    if phase is not MatchPhase.WAITING:
        return None
    if change is MatchChange.ENTROPY_DUE:
        return now + terms.entropy_limit
    return before.entropy_deadline


def _state_after(match: Match, draft: Draft, step: Step | None) -> GameState | None:
    if step is not None:
        return step.state
    if match.state and draft.seat is not None and _is_forfeit(match.terms, draft.change):
        return match.state.forfeit(draft.seat)
    return match.state


def _is_forfeit(terms: Terms, change: MatchChange) -> bool:
    if change is MatchChange.TIMED_OUT:
        return terms.policies.on_timeout is AbsencePolicy.FORFEIT
    return change is MatchChange.FORFEITED


def _outcome_after(
    before: Standing, change: MatchChange, state: GameState | None, seats: tuple[Seat, ...]
) -> bytes | None:
    if state is None or change is MatchChange.ABORTED:
        return before.outcome
    if change is MatchChange.DRAWN:
        return state.agreed_draw(seating.forfeited(seats))
    return state.outcome(seating.forfeited(seats))


def _phase_after(before: MatchPhase, change: MatchChange, outcome: bytes | None) -> MatchPhase:
    if change is MatchChange.ABORTED:
        return MatchPhase.ABORTED
    if outcome is not None:
        return MatchPhase.OVER
    return MatchPhase.RUNNING if change is MatchChange.STARTED else before


def _seats_after(terms: Terms, seats: tuple[Seat, ...], draft: Draft) -> tuple[Seat, ...]:
    if draft.seat is None or draft.change is MatchChange.ACTION:
        return seats
    if _is_forfeit(terms, draft.change):
        taken = replace(seats[draft.seat], occupant=Occupant.FORFEITED)
    else:
        taken = _seat_after(seats[draft.seat], draft)
    return (*seats[: draft.seat], taken, *seats[draft.seat + 1 :])


def _seat_after(seat: Seat, draft: Draft) -> Seat:
    match draft.change:
        case MatchChange.JOINED:
            return _joined(draft)
        case MatchChange.ENTROPY_REVEALED:
            return replace(seat, entropy=bytes.fromhex(json.loads(draft.payload)["entropy"]))
        case MatchChange.BOT_ADDED:
            return Seat(Occupant.BOT, json.loads(draft.payload)["bot"])
        case MatchChange.SEAT_FREED:
            return OPEN_SEAT
        case MatchChange.LEFT:
            return replace(seat, occupant=Occupant.ABSENT)
        case MatchChange.SEAT_TOKEN_REPLACED:
            hashed = bytes.fromhex(json.loads(draft.payload)["token_hash"])
            return replace(seat, token_hash=hashed)
        case MatchChange.SEAT_TOKEN_REVOKED:
            return replace(seat, token_hash=None)
        case _:
            return seat


def _joined(draft: Draft) -> Seat:
    player: Mapping[str, str] = json.loads(draft.payload)
    promised = player.get("entropy_hash")
    return Seat(
        Occupant.PLAYER,
        *names_of(draft),
        bytes.fromhex(player["token_hash"]),
        bytes.fromhex(promised) if promised is not None else None,
    )
