"""What may happen to a match: each function refuses, or gives the entries to write.

Pure: nothing is stored here. The checks come in an order that tells a caller the
most useful thing first: whether it may, whether it is late, whether it is legal.
"""

import json
from dataclasses import replace

from tablestate_service.domain import errors, fairness
from tablestate_service.domain.entry import Draft, MatchChange, Stamp
from tablestate_service.domain.game import GameState, Rules
from tablestate_service.domain.hashing import same
from tablestate_service.domain.match import Match, Transition, advance, begin
from tablestate_service.domain.persons import person_hash, to_personal
from tablestate_service.domain.seats import Occupant, lowest_open, places, seat_of
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import AbsencePolicy, RevealPolicy, Seating, StartPolicy

ABSENT_PLAYER_BOT = "greedy"
# A match that waits could otherwise be made to grow for ever by joining and leaving.
MAX_SEAT_CHANGES = 1000


def join(
    match: Match,
    rules: Rules,
    stamp: Stamp,
    *,
    token_hash: bytes,
    seat: int | None,
    display_name: str,
    player_id: str,
    salt: bytes | None = None,
    entropy_hash: bytes = b"",
    invitation_hash: bytes | None = None,
) -> tuple[Transition, ...]:
    """Take a seat, and start the match if that was the last one it waited for.

    With an entropy hash the match first waits for the entropy that it promises. With a salt the
    names are kept beside the log, which holds their hash; without one they are part of it for
    ever, as in logs of earlier versions.
    """
    if seat_of(match.standing.seats, token_hash) is not None:
        raise errors.seat_token_in_use()
    _require_invited(match, invitation_hash)
    if not match.terms.audience.is_live and match.standing.phase is not MatchPhase.WAITING:
        # Whether it has ended already is not for those who only look on.
        raise errors.match_already_started(MatchPhase.RUNNING.name)
    player, personal = {"token_hash": token_hash.hex()}, ""
    if salt is None:
        player |= {"display_name": display_name, "player_id": player_id}
    else:
        personal = to_personal(display_name, player_id, salt)
        player["person"] = person_hash(personal)
    if entropy_hash:
        player["entropy_hash"] = entropy_hash.hex()
    return _take_seat(match, rules, stamp, MatchChange.JOINED, seat, player, personal)


def add_bot(
    match: Match, rules: Rules, stamp: Stamp, *, host_hash: bytes, bot: str, seat: int | None
) -> tuple[Transition, ...]:
    """Put a bot on a seat, and start the match if that was the last one it waited for."""
    require_host(match, host_hash)
    return _take_seat(match, rules, stamp, MatchChange.BOT_ADDED, seat, {"bot": bot})


def leave(match: Match, stamp: Stamp, *, token_hash: bytes) -> tuple[Transition, ...]:
    """Give a seat up: it opens before the start, and afterwards meets `on_leave`."""
    seat = require_player(match, token_hash)
    if match.standing.phase is MatchPhase.WAITING:
        # Others may have revealed theirs: whoever came next could choose its own by them.
        _require_no_entropy_due(match)
        change = MatchChange.SEAT_FREED
    else:
        require_running(match)
        forfeits = match.terms.policies.on_leave is AbsencePolicy.FORFEIT
        change = MatchChange.FORFEITED if forfeits else MatchChange.LEFT
    return (advance(match, Draft(change, seat), stamp),)


def resign(match: Match, stamp: Stamp, *, token_hash: bytes) -> tuple[Transition, ...]:
    """Forfeit, whatever `on_leave` says."""
    seat = require_player(match, token_hash)
    require_running(match)
    return (advance(match, Draft(MatchChange.FORFEITED, seat), stamp),)


def start(match: Match, rules: Rules, stamp: Stamp, *, host_hash: bytes) -> tuple[Transition, ...]:
    """Start a match that waits for its host."""
    require_host(match, host_hash)
    _require_waiting(match)
    if lowest_open(match.standing.seats) is not None:
        raise errors.seats_open()
    _require_no_entropy_due(match)
    return _filled(match, rules, stamp)


def reveal(
    match: Match, rules: Rules, stamp: Stamp, *, token_hash: bytes, entropy: bytes
) -> tuple[Transition, ...]:
    """Reveal the entropy that a seat has promised, and start the match if it was the last."""
    seat = require_player(match, token_hash)
    standing = match.standing
    if seat not in standing.entropy_awaited or _is_over(standing.entropy_deadline, stamp):
        raise errors.entropy_not_due(seat)
    promised = standing.seats[seat].entropy_hash
    if promised is None or not same(promised, fairness.entropy_hash(match.terms.match_id, entropy)):
        raise errors.wrong_entropy()
    draft = Draft(
        MatchChange.ENTROPY_REVEALED, seat, payload=json.dumps({"entropy": entropy.hex()})
    )
    revealed = advance(match, draft, stamp)
    if revealed.match.standing.entropy_awaited:
        return (revealed,)
    return (revealed, *_started(revealed.match, rules, replace(stamp, request=None)))


def start_without(match: Match, rules: Rules, stamp: Stamp) -> tuple[Transition, ...]:
    """Start a match whose seats have not all revealed their entropies in time."""
    return _started(match, rules, stamp)


def abort(match: Match, stamp: Stamp, *, host_hash: bytes) -> tuple[Transition, ...]:
    """End a match without an outcome."""
    require_host(match, host_hash)
    _require_not_ended(match)
    return (advance(match, Draft(MatchChange.ABORTED), stamp),)


def submit(
    match: Match,
    stamp: Stamp,
    *,
    token_hash: bytes,
    choice: bytes,
    expected_version: int | None,
) -> tuple[Transition, ...]:
    """Take an action for a player."""
    seat = require_seat(match, token_hash)
    _require_fresh(match, expected_version)
    state = require_running(match)
    _require_present(match, seat)
    if seat not in match.standing.actors:
        raise errors.not_the_actor(match.standing.actors[0], seat)
    if match.standing.is_paused:
        raise errors.match_paused()
    _require_time(match, stamp)
    return (_acted(match, state, seat, choice, stamp),)


def _require_fresh(match: Match, expected: int | None) -> None:
    """Refuse who decided on another position.

    An opponent who proposes again and again must not make every decision of a slow player stale.
    """
    standing = match.standing
    if expected is not None and not standing.decided_on <= expected <= standing.version:
        raise errors.stale_version(standing.version, expected)


def act_for_absent(
    match: Match, stamp: Stamp, *, choice: bytes, version: int
) -> tuple[Transition, ...]:
    """Take an action for a seat without a player, chosen at `version`."""
    if match.standing.version != version or not match.standing.is_automatic:
        raise errors.stale_version(match.standing.version, version)
    state = require_running(match)
    return (_acted(match, state, match.standing.actors[0], choice, stamp),)


def substitute_bot(match: Match) -> str | None:
    """The bot that acts for the actor, a seat without player or time; None: default action."""
    seat = match.standing.seats[match.standing.actors[0]]
    if match.standing.is_overdue and seat.occupant is Occupant.PLAYER:
        return _absence_bot(match.terms.policies.on_timeout)
    if seat.occupant is Occupant.BOT:
        return seat.display_name
    if seat.occupant is Occupant.ABSENT:
        return _absence_bot(match.terms.policies.on_leave)
    return None


def _absence_bot(policy: AbsencePolicy) -> str | None:
    return ABSENT_PLAYER_BOT if policy is AbsencePolicy.BOT else None


def require_host(match: Match, host_hash: bytes) -> None:
    """Refuse whoever does not hold the host token."""
    if not same(match.terms.host_token_hash, host_hash):
        raise errors.wrong_host_token()


def require_seat(match: Match, token_hash: bytes) -> int:
    """The seat that the token holds."""
    seat = seat_of(match.standing.seats, token_hash)
    if seat is None:
        raise errors.wrong_seat_token()
    return seat


def require_player(match: Match, token_hash: bytes) -> int:
    """The seat that the token holds and that its player has not given up."""
    seat = require_seat(match, token_hash)
    _require_present(match, seat)
    return seat


def require_running(match: Match) -> GameState:
    """The position of a match that is being played."""
    _require_not_ended(match)
    if match.state is None:
        raise errors.match_not_started(match.standing.phase.name)
    return match.state


def require_forkable(match: Match, source: Match) -> GameState:
    """The position of `match`, which is `source` at some version, for another match to begin with.

    Refused are positions in which nobody has to decide, and those that are not public: that hide
    something, while the source runs or if its secret stays one.
    """
    standing = match.standing
    if match.state is None or match.state.actor is None or standing.outcome is not None:
        raise errors.no_position(standing.version, standing.phase.name)
    if not is_revealed(source) and not match.state.hides_nothing:
        raise errors.position_hidden()
    return match.state


def is_revealed(match: Match) -> bool:
    """Whether all that was hidden in a match is public now."""
    return match.standing.has_ended and match.terms.policies.reveal is RevealPolicy.AT_END


def require_version(match: Match, min_version: int | None) -> None:
    """Refuse if the match has not reached a version."""
    if min_version is not None and min_version > match.standing.version:
        raise errors.version_not_reached(match.standing.version, min_version)


def _require_invited(match: Match, invitation_hash: bytes | None) -> None:
    expected = match.terms.audience.invitation_hash
    if expected is not None and (invitation_hash is None or not same(expected, invitation_hash)):
        raise errors.wrong_invitation()


def _require_present(match: Match, seat: int) -> None:
    if match.standing.has_ended:
        raise errors.match_ended(match.standing.phase.name)
    if match.standing.seats[seat].occupant is not Occupant.PLAYER:
        raise errors.seat_given_up(seat)


def _require_time(match: Match, stamp: Stamp) -> None:
    """Refuse a decision that comes too late: the timekeeper is about to say so."""
    deadline, now = match.standing.deadline, stamp.store_time
    if match.standing.is_overdue or (deadline is not None and now is not None and now >= deadline):
        raise errors.time_is_up()


def _require_not_ended(match: Match) -> None:
    if match.standing.has_ended:
        raise errors.match_ended(match.standing.phase.name)


def _require_waiting(match: Match) -> None:
    _require_not_ended(match)
    if match.standing.phase is not MatchPhase.WAITING:
        raise errors.match_already_started(match.standing.phase.name)


def _take_seat(
    match: Match,
    rules: Rules,
    stamp: Stamp,
    change: MatchChange,
    wanted: int | None,
    player: dict[str, str],
    personal: str = "",
) -> tuple[Transition, ...]:
    _require_waiting(match)
    if match.standing.version > MAX_SEAT_CHANGES:
        raise errors.limit_reached("seat_changes_per_match", MAX_SEAT_CHANGES)
    seat = _open_seat(match, wanted)
    draft = Draft(change, seat, payload=json.dumps(player), personal=personal)
    taken = advance(match, draft, stamp)
    by_host = match.terms.policies.start is StartPolicy.BY_HOST
    if by_host or lowest_open(taken.match.standing.seats) is not None:
        return (taken,)
    # The start belongs to the request that filled the last seat, and has none itself.
    return (taken, *_filled(taken.match, rules, replace(stamp, request=None)))


def _filled(match: Match, rules: Rules, stamp: Stamp) -> tuple[Transition, ...]:
    """What follows when all seats are taken: the start, unless entropies are to come first."""
    if any(seat.entropy_hash is not None for seat in match.standing.seats):
        return (advance(match, Draft(MatchChange.ENTROPY_DUE), stamp),)
    return _started(match, rules, stamp)


def _is_over(deadline: int | None, stamp: Stamp) -> bool:
    return deadline is not None and stamp.store_time is not None and stamp.store_time >= deadline


def _require_no_entropy_due(match: Match) -> None:
    if match.standing.entropy_deadline is not None:
        raise errors.entropy_due()


def _open_seat(match: Match, wanted: int | None) -> int:
    seats = match.standing.seats
    if wanted is None:
        lowest = lowest_open(seats)
        if lowest is None:
            raise errors.seat_taken(None)
        return lowest
    # In a rematch each player has a seat that nobody else can take, until they are drawn for.
    if match.terms.seating is Seating.RANDOM and not match.terms.rematch_of:
        raise errors.invalid_field("seat", wanted, "none: seats are drawn when the match starts")
    if wanted >= len(seats):
        raise errors.invalid_field("seat", wanted, f"0 to {len(seats) - 1}")
    if seats[wanted].occupant is not Occupant.NOBODY:
        raise errors.seat_taken(wanted)
    return wanted


def _started(match: Match, rules: Rules, stamp: Stamp) -> tuple[Transition, ...]:
    """Set the game up, and before that, where it is wished, seat its players by chance."""
    if match.terms.seating is not Seating.RANDOM:
        return (_set_up(match, rules, stamp),)
    draws = fairness.seating_draws(match.seed(), len(places(match.standing.seats)))
    seated = advance(match, Draft(MatchChange.SEATED, draws=draws), stamp)
    return (seated, _set_up(seated.match, rules, replace(stamp, request=None)))


def _set_up(match: Match, rules: Rules, stamp: Stamp) -> Transition:
    step = begin(rules, match.terms, match.seed())
    return advance(match, Draft(MatchChange.STARTED, draws=tuple(step.draws)), stamp, step)


def _acted(match: Match, state: GameState, seat: int, choice: bytes, stamp: Stamp) -> Transition:
    # Stream 0 belongs to the set-up; see `docs/chance.md`.
    step = state.apply(choice, match.seed(), match.standing.ply + 1)
    draft = Draft(MatchChange.ACTION, seat, step.notation, tuple(step.draws))
    return advance(match, draft, stamp, step)
