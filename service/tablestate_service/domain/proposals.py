"""What players may agree on: a draw, an action taken back, a pause.

A proposal is carried out when every other player has accepted it. It lapses with the next entry
that is no answer to it. Seats without a player are not asked, and bots answer by one rule: they
decline a draw and go along with everything else. So do the seats of players who have left.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tablestate_service.domain import errors
from tablestate_service.domain.decide import require_player, require_running
from tablestate_service.domain.entry import Draft, MatchChange, Stamp
from tablestate_service.domain.game import GameState, Restored
from tablestate_service.domain.match import Match, Transition, advance
from tablestate_service.domain.seats import Occupant
from tablestate_service.domain.standing import Proposal, ProposalKind

_BARRIERS = (
    MatchChange.STARTED,
    MatchChange.LEFT,
    MatchChange.FORFEITED,
    MatchChange.TIMED_OUT,
)
MAX_PROPOSALS = 16
"""Of a seat between two actions; else a match could be made to grow for ever."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """An action that can be taken back, and what led up to it: its version, ply and position."""

    seat: int
    version: int
    ply: int
    state: GameState


def followed(found: Sequence[TakeBack], before: Match, after: Transition) -> list[TakeBack]:
    """What can be taken back after an entry, given what could be before it.

    Nothing goes back behind a draw, nor behind an entry by which the players were others.
    """
    draft = after.entry.draft
    if draft.change in _BARRIERS:
        return []
    if draft.change is MatchChange.UNDONE:
        return [each for each in found if each.ply < after.match.standing.ply]
    if draft.change is MatchChange.ACTION and draft.seat is not None and before.state is not None:
        if _was_drawn(after):
            return []
        version, ply = before.standing.version, before.standing.ply
        return [*found, TakeBack(draft.seat, version, ply, before.state)]
    return list(found)


def chosen(found: Sequence[TakeBack], seat: int, version: int | None) -> TakeBack:
    """The action to go back behind: that at `version`, or the last of the seat's own.

    Refuses CANNOT_UNDO if there is none, or if not all that was known there is public: what a
    player has seen since cannot be taken back from it. With everything public, and nothing drawn
    since, nobody has learned a thing.
    """
    wanted = [each for each in found if version in (None, each.version)]
    if version is None:
        wanted = [each for each in wanted if each.seat == seat]
    if not wanted:
        raise errors.nothing_to_undo(version)
    if not wanted[-1].state.hides_nothing:
        raise errors.cannot_undo()
    return wanted[-1]


def require_proposer(match: Match, token_hash: bytes) -> int:
    """The seat of a token by which something may be proposed now."""
    seat = require_player(match, token_hash)
    require_running(match)
    if match.standing.proposals.count(seat) >= MAX_PROPOSALS:
        raise errors.limit_reached("proposals_per_action", MAX_PROPOSALS)
    return seat


def propose(
    match: Match, stamp: Stamp, *, token_hash: bytes, kind: ProposalKind, undo: TakeBack | None
) -> tuple[Transition, ...]:
    """Propose something; carried out at once where nobody has to be asked."""
    seat = require_proposer(match, token_hash)
    if kind is ProposalKind.PAUSE:
        _require_pausable(match)
    content: dict[str, object] = {"kind": kind.name}
    if undo is not None:
        content["undo_to"] = undo.version
    draft = Draft(MatchChange.PROPOSED, seat, payload=json.dumps(content))
    proposed = advance(match, draft, stamp)
    # A player who has left is not there to agree that the match is given away.
    others = _seats_of(match, Occupant.BOT) + _seats_of(match, Occupant.ABSENT)
    if kind is ProposalKind.DRAW and others:
        declined = Draft(MatchChange.DECLINED, others[0])
        return proposed, advance(proposed.match, declined, replace(stamp, request=None))
    return (proposed, *_carried_out(proposed.match, stamp, undo))


def respond(
    match: Match,
    stamp: Stamp,
    *,
    token_hash: bytes,
    version: int,
    accept: bool,
    undo: TakeBack | None,
) -> tuple[Transition, ...]:
    """Accept or decline the proposal of a version; whoever made it may withdraw it so."""
    seat = require_player(match, token_hash)
    require_running(match)
    proposal = match.standing.proposal
    if proposal is None or proposal.version != version:
        raise errors.no_proposal()
    if not accept:
        return (advance(match, Draft(MatchChange.DECLINED, seat), stamp),)
    if seat == proposal.seat or seat in proposal.accepted:
        raise errors.invalid_field("accept", "true", "the answer of a player who has given none")
    accepted = advance(match, Draft(MatchChange.ACCEPTED, seat), stamp)
    return (accepted, *_carried_out(accepted.match, stamp, undo))


def resume(match: Match, stamp: Stamp, *, token_hash: bytes) -> tuple[Transition, ...]:
    """End a pause; any player may."""
    require_player(match, token_hash)
    if not match.standing.is_paused:
        raise errors.not_paused()
    return (advance(match, Draft(MatchChange.RESUMED), stamp),)


def is_agreed(match: Match, kind: ProposalKind) -> bool:
    """Whether something of a kind is proposed that nobody has to answer any more."""
    proposal = match.standing.proposal
    if proposal is None or proposal.kind is not kind or _awaited(match, proposal):
        return False
    return kind is not ProposalKind.DRAW or not _seats_of(match, Occupant.BOT)


def _carried_out(match: Match, stamp: Stamp, undo: TakeBack | None) -> tuple[Transition, ...]:
    """The entry by which the proposal takes effect, if nobody has to answer any more."""
    proposal = match.standing.proposal
    if proposal is None or _awaited(match, proposal):
        return ()
    # It belongs to the request that answered last, and has none itself.
    stamp = replace(stamp, request=None)
    match proposal.kind:
        case ProposalKind.DRAW:
            return (advance(match, Draft(MatchChange.DRAW_AGREED), stamp),)
        case ProposalKind.PAUSE:
            return (advance(match, Draft(MatchChange.PAUSED), stamp),)
        case ProposalKind.UNDO:
            if undo is None or undo.version != proposal.undo_to:
                raise errors.cannot_undo()
            return (_undone(match, stamp, undo),)


def _undone(match: Match, stamp: Stamp, undo: TakeBack) -> Transition:
    # The position itself, so that a fold need not remember all that were before. It is public.
    content = {"to": undo.version, "ply": undo.ply, "state": undo.state.dump().hex()}
    draft = Draft(MatchChange.UNDONE, payload=json.dumps(content))
    return advance(match, draft, stamp, Restored(undo.state))


def _awaited(match: Match, proposal: Proposal) -> list[int]:
    """The players whose answer is still to come."""
    answered = (proposal.seat, *proposal.accepted)
    return [seat for seat in _seats_of(match, Occupant.PLAYER) if seat not in answered]


def _seats_of(match: Match, occupant: Occupant) -> list[int]:
    seats = enumerate(match.standing.seats)
    return [number for number, seat in seats if seat.occupant is occupant]


def _was_drawn(transition: Transition) -> bool:
    """Whether chance had a choice."""
    step = transition.step
    return step is not None and any(bound > 1 for bound in step.draw_bounds)


def _require_pausable(match: Match) -> None:
    if match.terms.time_control is None:
        expected = "DRAW or UNDO, for there is no clock to stop"
        raise errors.invalid_field("kind", ProposalKind.PAUSE.name, expected)
    if match.standing.is_paused:
        raise errors.match_paused()
