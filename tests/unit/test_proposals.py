"""Draws, pauses and what becomes of a proposal. (Undo: `tests/integration/test_manners.py`.)"""

import pytest

from support.domain import Table, choice, make_terms, stamp
from support.service import token
from tablestate.v1 import game_pb2
from tablestate_service.domain import decide, proposals
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.deadlines import expire
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition, fold
from tablestate_service.domain.standing import MatchPhase, ProposalKind
from tablestate_service.domain.terms import AbsencePolicy
from tablestate_service.domain.timing import LONGEST_PAUSE

SECOND = 1_000_000_000
CONTROL = TimeControl(10 * SECOND, 0, 0, 0, by_claim=False)
DRAW, UNDO, PAUSE = ProposalKind


def playing(seats: int = 2, control: TimeControl | None = CONTROL, bots: int = 0) -> Table:
    table = Table(make_terms(seats, time_control=control, goal=60))
    for seat in range(seats - bots):
        table.join(seat)
    for seat in range(seats - bots, seats):
        table.add_bot(seat)
    return table


def propose(table: Table, seat: int, kind: ProposalKind) -> list[MatchChange]:
    return changes(
        table.do(
            proposals.propose(
                table.match,
                stamp(store_time=table.now),
                token_hash=token_hash(token(seat)),
                kind=kind,
                undo=None,
            )
        )
    )


def respond(table: Table, seat: int, version: int, accept: bool) -> list[MatchChange]:
    return changes(
        table.do(
            proposals.respond(
                table.match,
                stamp(store_time=table.now),
                token_hash=token_hash(token(seat)),
                version=version,
                accept=accept,
                undo=None,
            )
        )
    )


def resume(table: Table, seat: int) -> None:
    moment = stamp(store_time=table.now)
    table.do(proposals.resume(table.match, moment, token_hash=token_hash(token(seat))))


def changes(transitions: tuple[Transition, ...]) -> list[MatchChange]:
    return [each.entry.draft.change for each in transitions]


def refusal(call, *args) -> Reason:  # type: ignore[no-untyped-def]
    with pytest.raises(DomainError) as refused:
        call(*args)
    return refused.value.reason


def outcome(table: Table) -> game_pb2.Outcome:
    return game_pb2.Outcome.FromString(table.match.standing.outcome or b"")


def test_a_draw_that_all_accept_ends_the_match_without_a_winner() -> None:
    table = playing(3)
    assert propose(table, 1, DRAW) == [MatchChange.PROPOSED]
    version = table.match.standing.version
    assert respond(table, 0, version, True) == [MatchChange.ACCEPTED]
    assert not table.match.standing.has_ended
    told = respond(table, 2, version, True)
    assert told == [MatchChange.ACCEPTED, MatchChange.DRAW_AGREED]
    assert table.match.standing.phase is MatchPhase.OVER
    assert list(outcome(table).winners) == []
    assert outcome(table).reason == game_pb2.OUTCOME_REASON_AGREEMENT
    assert fold(table.engine, [each.entry for each in table.course]) == table.match


def test_who_has_forfeited_is_not_asked_and_shares_nothing() -> None:
    table = playing(3)
    table.resign(1)
    propose(table, 0, DRAW)
    version = table.match.standing.version
    assert respond(table, 2, version, True) == [MatchChange.ACCEPTED, MatchChange.DRAW_AGREED]
    assert list(outcome(table).winners) == [0, 2]


def test_one_who_declines_is_enough_and_the_proposer_may_withdraw() -> None:
    table = playing(3)
    for seat in (1, 0):
        propose(table, 0, DRAW)
        version = table.match.standing.version
        assert respond(table, seat, version, False) == [MatchChange.DECLINED]
        assert table.match.standing.proposal is None
        assert refusal(respond, table, 2, version, True) is Reason.NO_PROPOSAL


def test_a_proposal_lapses_with_the_next_action() -> None:
    table = playing()
    propose(table, 1, DRAW)
    version = table.match.standing.version
    table.submit(0, "1")
    assert table.match.standing.proposal is None
    assert refusal(respond, table, 0, version, True) is Reason.NO_PROPOSAL


def test_nobody_answers_for_others_or_twice() -> None:
    table = playing(3)
    propose(table, 0, DRAW)
    version = table.match.standing.version
    assert refusal(respond, table, 0, version, True) is Reason.INVALID_FIELD
    respond(table, 1, version, True)
    assert refusal(respond, table, 1, version, True) is Reason.INVALID_FIELD
    assert refusal(respond, table, 7, version, True) is Reason.WRONG_SEAT_TOKEN


def test_bots_decline_draws_and_go_along_with_a_pause() -> None:
    table = playing(bots=1)
    assert propose(table, 0, DRAW) == [MatchChange.PROPOSED, MatchChange.DECLINED]
    assert propose(table, 0, PAUSE) == [MatchChange.PROPOSED, MatchChange.PAUSED]
    assert not table.match.standing.is_automatic


def test_proposals_come_to_an_end() -> None:
    table = playing()
    for _ in range(proposals.MAX_PROPOSALS):
        propose(table, 0, DRAW)
    assert refusal(propose, table, 0, DRAW) is Reason.LIMIT_REACHED
    propose(table, 1, DRAW)  # A seat cannot use up what is another's.
    table.submit(0, "1")
    propose(table, 0, DRAW)


def test_nobody_draws_against_a_player_who_has_left() -> None:
    table = Table(make_terms(2, goal=60, on_leave=AbsencePolicy.BOT))
    for seat in range(2):
        table.join(seat)
    table.do(decide.leave(table.match, stamp(), token_hash=token_hash(token(1))))
    assert propose(table, 0, DRAW) == [MatchChange.PROPOSED, MatchChange.DECLINED]
    assert table.match.standing.phase is MatchPhase.RUNNING


def test_in_a_pause_no_clock_runs_and_nobody_acts() -> None:
    table = playing()
    table.now = 4 * SECOND
    propose(table, 1, PAUSE)
    respond(table, 0, table.match.standing.version, True)
    assert table.match.standing.is_paused
    assert table.match.standing.deadline == 4 * SECOND + LONGEST_PAUSE
    table.now = 3600 * SECOND
    assert refusal(table.submit, 0, "1") is Reason.MATCH_PAUSED
    assert refusal(propose, table, 0, PAUSE) is Reason.MATCH_PAUSED
    resume(table, 1)
    assert table.match.standing.deadline == (3600 + 10 - 4) * SECOND
    assert refusal(resume, table, 1) is Reason.NOT_PAUSED
    table.submit(0, "1")
    assert fold(table.engine, [each.entry for each in table.course]) == table.match


def test_a_pause_ends_by_itself() -> None:
    table = playing(bots=1)
    propose(table, 0, PAUSE)
    table.now = LONGEST_PAUSE
    (resumed,) = table.do(expire(table.match, stamp(store_time=table.now), table.engine))
    assert resumed.entry.draft.change is MatchChange.RESUMED
    assert table.match.standing.deadline == LONGEST_PAUSE + 10 * SECOND


def test_a_bot_waits_for_the_end_of_a_pause() -> None:
    table = playing(bots=1)
    table.submit(0, "1")
    propose(table, 0, PAUSE)
    with pytest.raises(DomainError):
        decide.act_for_absent(
            table.match, stamp(), choice=choice("1"), version=table.match.standing.version
        )
    resume(table, 0)
    assert table.match.standing.is_automatic


def test_without_clocks_there_is_nothing_to_pause() -> None:
    assert refusal(propose, playing(control=None), 0, PAUSE) is Reason.INVALID_FIELD


def test_a_decision_is_not_stale_for_what_players_propose_meanwhile() -> None:
    table = playing()
    version = table.match.standing.version
    for kind in (DRAW, PAUSE):
        propose(table, 1, kind)
        respond(table, 0, table.match.standing.version, accept=False)
    table.submit(0, "1", version)
    assert table.match.standing.ply == 1
