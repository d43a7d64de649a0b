"""Checking a log: that it is whole, follows the rules, and drew what was promised."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import partial

from tablestate_service.domain import errors, fairness
from tablestate_service.domain.deadlines import is_out_of_time
from tablestate_service.domain.entry import GENESIS_HASH, Entry, MatchChange, is_intact
from tablestate_service.domain.match import Match, Transition, begin, draw_sizes, replay
from tablestate_service.domain.persons import is_fit
from tablestate_service.domain.proposals import TakeBack, followed, is_agreed
from tablestate_service.domain.seats import Occupant, lowest_open
from tablestate_service.domain.standing import MatchPhase, ProposalKind
from tablestate_service.domain.terms import Seating
from tablestate_service.ports import Engine, Log, MatchStore, Workers

_BATCH = 64
"""How many entries are checked at once: others wait for a thread meanwhile."""


class Flaw(IntEnum):
    """What is wrong with an entry; the numbers are those of `ReplayFlaw`."""

    CHAIN = 1
    COMMITMENT = 2
    DRAWS = 3
    RULES = 4
    RULES_VERSION = 5
    HEAD = 6
    ENTROPY = 7


TEXTS = {
    Flaw.CHAIN: "its hash is not that of its content and the entry before",
    Flaw.COMMITMENT: "the commitment is not to the secret",
    Flaw.DRAWS: "the draws are not those of the seed",
    Flaw.RULES: "it does not follow from the entries before",
    Flaw.RULES_VERSION: "it is on a version of the rules that is not known here",
    Flaw.ENTROPY: "it does not hold the entropies that were promised",
    Flaw.HEAD: "the log does not end where the store says",
}


_AGREED = {
    MatchChange.DRAW_AGREED: ProposalKind.DRAW,
    MatchChange.UNDONE: ProposalKind.UNDO,
    MatchChange.PAUSED: ProposalKind.PAUSE,
}


class FlawError(Exception):
    """An entry does not fit; the text says why, and holds nothing of the game."""

    def __init__(self, version: int, flaw: Flaw) -> None:
        """Name the entry and what is wrong with it."""
        super().__init__(f"entry {version}: {TEXTS[flaw]}")
        self.version = version
        self.flaw = flaw


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a log holds: `version` entries do; `flaw` is of the next, None if all hold."""

    version: int
    flaw: Flaw | None


class Verifier:
    """Checks the log of a match entry by entry."""

    def __init__(self, engine: Engine) -> None:
        """Nothing is checked yet."""
        self._engine = engine
        self._found: list[TakeBack] = []
        self._last: MatchChange | None = None
        self.match: Match | None = None
        """The match after the entries that were checked."""

    def check(self, entry: Entry) -> Transition:
        """Check the next entry, and go on behind it; raises FlawError."""
        before = self.match
        after = verify_entry(self._engine, before, entry)
        _check_seating(self._last, after)
        self._last = entry.draft.change
        if before is not None:
            _check_undone(self._found, after)
            self._found = followed(self._found, before, after)
        self.match = after.match
        return after


def _check_seating(last: MatchChange | None, after: Transition) -> None:
    """Raise FlawError unless seats are drawn where they are to be, once, just before the start."""
    change, version = after.entry.draft.change, after.entry.version
    is_drawn = after.match.terms.seating is Seating.RANDOM
    if change is MatchChange.STARTED and (last is MatchChange.SEATED) != is_drawn:
        raise FlawError(version, Flaw.RULES)
    if change is MatchChange.SEATED and (not is_drawn or last is MatchChange.SEATED):
        raise FlawError(version, Flaw.RULES)


def _check_undone(found: Sequence[TakeBack], after: Transition) -> None:
    """Raise FlawError unless an action is taken back that can be, to where it was taken."""
    draft, step = after.entry.draft, after.step
    if draft.change is not MatchChange.UNDONE or step is None:
        return
    until = json.loads(draft.payload)["to"], after.match.standing.ply
    before = next((each for each in found if (each.version, each.ply) == until), None)
    if before is None or before.state.dump() != step.state.dump():
        raise FlawError(after.entry.version, Flaw.RULES)


def verify_entry(engine: Engine, match: Match | None, entry: Entry) -> Transition:
    """Fold an entry behind a match, and check it whole; raises FlawError.

    Its hash must be that of its content, it must follow from the match by the rules, and its
    draws must be those of the seed, which must be of the secret that was committed to.
    """
    previous_hash = match.head_hash if match else GENESIS_HASH
    if not is_intact(entry, previous_hash) or not is_fit(entry.draft):
        raise FlawError(entry.version, Flaw.CHAIN)
    try:
        after = replay(engine, match, entry)
        _check_turn(match, after)
        _check_entropy(match, after)
        _check_chance(engine, match, after)
    except FlawError:
        raise
    except Exception as error:  # Whatever a forged entry may provoke.
        raise FlawError(entry.version, Flaw.RULES) from error
    return after


async def verify_replay(
    store: MatchStore, engine: Engine, workers: Workers, *, match_id: str
) -> Verdict:
    """Check the stored log of a match as it is now; refuses MATCH_NOT_FOUND."""
    verifier = Verifier(engine)
    while True:
        match = verifier.match
        version = match.standing.version if match else 0
        log = await store.load(match_id, version, _BATCH)
        if log is None:
            raise errors.match_not_found(match_id)
        if not log.entries:
            return _end(log, match)
        try:
            await workers.run(partial(_verify, verifier, log.entries))
        except FlawError as found:
            return Verdict(found.version - 1, found.flaw)


def _verify(verifier: Verifier, entries: Sequence[Entry]) -> None:
    for entry in entries:
        expected = verifier.match.standing.version + 1 if verifier.match else 1
        if entry.version != expected:
            raise FlawError(expected, Flaw.CHAIN)
        verifier.check(entry)


def _end(log: Log, match: Match | None) -> Verdict:
    version, head_hash = (match.standing.version, match.head_hash) if match else (0, GENESIS_HASH)
    holds = (version, head_hash) == (log.head_version, log.head_hash)
    return Verdict(version, None if holds else Flaw.HEAD)


def _check_turn(before: Match | None, after: Transition) -> None:
    """Raise FlawError for what cannot happen where the match stands, whatever the game."""
    if before is not None and (before.standing.has_ended or not _fits(before, after)):
        raise FlawError(after.entry.version, Flaw.RULES)


def _fits(before: Match, after: Transition) -> bool:
    standing, draft = before.standing, after.entry.draft
    is_waiting = standing.phase is MatchPhase.WAITING
    is_seating = is_waiting and standing.entropy_deadline is None
    occupant = standing.seats[draft.seat].occupant if draft.seat is not None else None
    match draft.change:
        case MatchChange.CREATED:
            return False
        case MatchChange.JOINED | MatchChange.BOT_ADDED:
            return is_seating and occupant is Occupant.NOBODY
        case MatchChange.SEAT_FREED:
            return is_seating and occupant is Occupant.PLAYER
        case MatchChange.ENTROPY_DUE:
            return is_seating and lowest_open(standing.seats) is None
        case MatchChange.SEATED | MatchChange.STARTED:
            return is_waiting and lowest_open(standing.seats) is None
        case MatchChange.ENTROPY_REVEALED | MatchChange.ABORTED:
            return True  # Of an entropy more is asked by `_check_entropy`.
        case MatchChange.SEAT_TOKEN_REPLACED | MatchChange.SEAT_TOKEN_REVOKED:
            return occupant is Occupant.PLAYER
        case _:
            return not is_waiting and _fits_a_running_match(before, after, occupant)


def _fits_a_running_match(before: Match, after: Transition, occupant: Occupant | None) -> bool:
    standing, draft = before.standing, after.entry.draft
    match draft.change:
        case MatchChange.ACTION:
            return draft.seat in standing.actors and not standing.is_paused
        case MatchChange.TIMED_OUT:
            moment = replace(after.entry.stamp, store_time=after.match.standing.store_time)
            return draft.seat in standing.actors and is_out_of_time(before, moment)
        case MatchChange.DRAW_AGREED | MatchChange.UNDONE | MatchChange.PAUSED:
            return is_agreed(before, _AGREED[draft.change])
        case MatchChange.RESUMED:
            return standing.is_paused
        case MatchChange.ACCEPTED:
            is_asked = standing.proposal is not None and draft.seat != standing.proposal.seat
            return is_asked and occupant is Occupant.PLAYER
        case MatchChange.DECLINED:
            return standing.proposal is not None
        case _:  # LEFT, FORFEITED, PROPOSED
            return occupant is Occupant.PLAYER


def _check_entropy(before: Match | None, after: Transition) -> None:
    """Raise FlawError for an entropy that was not promised, and for a start before its time."""
    if before is None:
        return
    entry, standing = after.entry, before.standing
    if entry.draft.change is MatchChange.ENTROPY_REVEALED and not _is_promised(before, after):
        raise FlawError(entry.version, Flaw.ENTROPY)
    if entry.draft.change in (MatchChange.SEATED, MatchChange.STARTED):
        promises = any(seat.entropy_hash is not None for seat in standing.seats)
        due, now = standing.entropy_deadline, after.match.standing.store_time
        is_late = due is not None and now is not None and now >= due
        if promises and (due is None or (standing.entropy_awaited and not is_late)):
            raise FlawError(entry.version, Flaw.ENTROPY)


def _is_promised(before: Match, revealed: Transition) -> bool:
    seat = revealed.entry.draft.seat
    if seat is None or seat not in before.standing.entropy_awaited:
        return False
    entropy = revealed.match.standing.seats[seat].entropy
    expected = fairness.entropy_hash(before.terms.match_id, entropy)
    is_whole = len(entropy) == fairness.ENTROPY_BYTES
    return is_whole and before.standing.seats[seat].entropy_hash == expected


def _check_chance(engine: Engine, before: Match | None, after: Transition) -> None:
    """Raise FlawError unless secret and draws are those that were promised."""
    terms, draft = after.match.terms, after.entry.draft
    draws: Sequence[int] = ()
    if draft.change is MatchChange.CREATED:
        _check_terms(engine, after)
    elif draft.change is MatchChange.STARTED:
        draws = begin(engine, terms, after.match.seed()).draws
    elif draft.change is MatchChange.SEATED and before is not None:
        draws = fairness.seating_draws(before.seed(), len(draw_sizes(after)) + 1)
    elif draft.change is MatchChange.ACTION and before is not None and before.state is not None:
        choice, stream = engine.choice(draft.notation), before.standing.ply + 1
        draws = before.state.apply(choice, before.seed(), stream).draws
    if tuple(draws) != draft.draws:
        raise FlawError(after.entry.version, Flaw.DRAWS)


def _check_terms(engine: Engine, created: Transition) -> None:
    terms, version = created.match.terms, created.entry.version
    if terms.rules_version != engine.rules_version(terms.game):
        raise FlawError(version, Flaw.RULES_VERSION)
    if fairness.commitment(terms.match_id, terms.secret) != terms.commitment:
        raise FlawError(version, Flaw.COMMITMENT)
