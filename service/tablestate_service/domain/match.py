"""A match as the fold of its log."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tablestate_service.domain import fairness
from tablestate_service.domain import seats as seating
from tablestate_service.domain.audience import Visibility
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
from tablestate_service.domain.standing import MatchPhase, Proposal, ProposalKind, Standing
from tablestate_service.domain.terms import AbsencePolicy, Terms, from_payload, to_payload
from tablestate_service.domain.timing import UNTIMED, Turn, time_after

_BESIDE_THE_GAME = frozenset(
    (
        MatchChange.PROPOSED,
        MatchChange.ACCEPTED,
        MatchChange.DECLINED,
        MatchChange.PAUSED,
        MatchChange.RESUMED,
        MatchChange.SEAT_TOKEN_REPLACED,
        MatchChange.SEAT_TOKEN_REVOKED,
    )
)
"""Changes that leave the decision to be taken as it is."""


_FOLLOWING = (
    MatchChange.ENTROPY_DUE,
    MatchChange.SEATED,
    MatchChange.STARTED,
    MatchChange.DECLINED,
    MatchChange.DRAW_AGREED,
    MatchChange.UNDONE,
    MatchChange.PAUSED,
)
"""What may be written by the request of the entry before it."""


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


def draw_sizes(transition: Transition) -> tuple[int, ...]:
    """From how many values each draw of an entry was made."""
    if transition.entry.draft.change is MatchChange.SEATED:
        places = seating.places(transition.match.standing.seats)
        return fairness.seating_sizes(len(places))
    return tuple(transition.step.draw_bounds) if transition.step else ()


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
    deadline = None
    if store_time is not None and terms.waiting_limit is not None:
        deadline = store_time + terms.waiting_limit
    standing = Standing(
        version=1,
        time=entry.stamp.time,
        phase=MatchPhase.WAITING,
        ply=0,
        actors=(),
        seats=_seats_at_first(terms),
        outcome=None,
        store_time=store_time,
        deadline=deadline,
        decided_on=1,
    )
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
    before, draft, change = match.standing, entry.draft, entry.draft.change
    state = _state_after(match, draft, step)
    seats = _seats_after(match.terms, before.seats, draft)
    outcome = _outcome_after(before, change, state, seats)
    phase = _phase_after(before.phase, change, outcome)
    is_running = phase is MatchPhase.RUNNING
    actor = state.actor if state and is_running else None
    actors = () if actor is None else (actor,)
    is_paused = is_running and _is_paused_after(before.is_paused, change)
    time = UNTIMED
    if _is_timed(match, change):
        time = time_after(match.terms, before, Turn(phase, actors, seats, is_paused), draft)
    standing = Standing(
        version=entry.version,
        time=entry.stamp.time,
        phase=phase,
        ply=_ply_after(before, draft),
        actors=actors,
        seats=seats,
        outcome=outcome,
        store_time=time.now,
        deadline=time.deadline,
        clocks=time.clocks,
        is_overdue=time.is_overdue,
        entropy_deadline=time.entropy_deadline,
        is_paused=is_paused,
        proposal=_proposal_after(before.proposal, entry) if is_running else None,
        proposals=_proposals_after(before.proposals, draft),
        decided_on=before.decided_on if change in _BESIDE_THE_GAME else entry.version,
    )
    return Match(match.terms, standing, entry.hash, state)


def _is_paused_after(before: bool, change: MatchChange) -> bool:
    return change is MatchChange.PAUSED or (before and change is not MatchChange.RESUMED)


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


def _proposals_after(before: tuple[int, ...], draft: Draft) -> tuple[int, ...]:
    if draft.change in (MatchChange.STARTED, MatchChange.ACTION):
        return ()
    if draft.change is MatchChange.PROPOSED and draft.seat is not None:
        return (*before, draft.seat)
    return before


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
    if change is MatchChange.DRAW_AGREED:
        return state.agreed_draw(seating.forfeited(seats))
    return state.outcome(seating.forfeited(seats))


def _phase_after(before: MatchPhase, change: MatchChange, outcome: bytes | None) -> MatchPhase:
    if change is MatchChange.ABORTED:
        return MatchPhase.ABORTED
    if outcome is not None:
        return MatchPhase.OVER
    return MatchPhase.RUNNING if change is MatchChange.STARTED else before


def _seats_after(terms: Terms, seats: tuple[Seat, ...], draft: Draft) -> tuple[Seat, ...]:
    if draft.change is MatchChange.SEATED:
        return seating.seated(seats, draft.draws)
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


def length_of_answer(course: Sequence[Transition]) -> int:
    """How many entries a request has written, of those from its own on.

    What follows from it is one entry at most, but for the start, which follows on the seating.
    """
    length = 1
    while length < len(course) and _is_part_of_answer(course[length]):
        length += 1
        if course[length - 1].entry.draft.change is not MatchChange.SEATED:
            break
    return length


def _is_part_of_answer(transition: Transition) -> bool:
    """Whether an entry was written by the request of the entry before it."""
    entry = transition.entry
    return entry.draft.change in _FOLLOWING and entry.stamp.request is None
