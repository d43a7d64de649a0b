"""Turn limits, banks, and what becomes of a seat that is out of time."""

import pytest

from support.domain import BOT, DEFAULT_ACTION, FORFEIT, Table, choice, make_terms, stamp
from support.service import token
from tablestate_service.domain import clocks as clocking
from tablestate_service.domain import decide
from tablestate_service.domain.clocks import TimeControl
from tablestate_service.domain.deadlines import claim_timeout, expire
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import fold
from tablestate_service.domain.seats import Occupant
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import AbsencePolicy

SECOND = 1_000_000_000
CONTROL = TimeControl(10 * SECOND, 30 * SECOND, 2 * SECOND, SECOND, by_claim=False)
BY_CLAIM = TimeControl(10 * SECOND, 0, 0, 0, by_claim=True)


def timed(
    seats: int = 2,
    control: TimeControl = CONTROL,
    on_timeout: AbsencePolicy | None = None,
    goal: int = 60,
) -> Table:
    """A match that has just started, at 5 seconds."""
    table = Table(make_terms(seats, time_control=control, on_timeout=on_timeout, goal=goal))
    table.now = 5 * SECOND
    for seat in range(seats):
        table.join(seat)
    return table


def banks(table: Table) -> list[int]:
    clocks = table.match.standing.clocks
    assert clocks is not None
    return [bank // SECOND for bank in clocks.banks]


def left(table: Table) -> int:
    """Seconds that the actor has left."""
    control, standing = table.match.terms.time_control, table.match.standing
    assert control and standing.clocks
    return clocking.time_left(control, standing.clocks, standing.actors[0], table.now) // SECOND


def act_for(table: Table) -> None:
    """Take the decision that the server takes."""
    version = table.match.standing.version
    table.do(
        decide.act_for_absent(
            table.match, stamp(store_time=table.now), choice=choice("1"), version=version
        )
    )


def refusal(table: Table, seat: int) -> Reason:
    with pytest.raises(DomainError) as refused:
        table.submit(seat, "1")
    return refused.value.reason


def test_a_decision_within_the_turn_limit_costs_nothing_and_adds_the_increment() -> None:
    table = timed()
    assert (table.match.standing.deadline, left(table)) == (46 * SECOND, 40)
    table.now = 15 * SECOND
    table.submit(0, "1")
    assert banks(table) == [32, 30]
    assert table.match.standing.deadline == (15 + 10 + 30 + 1) * SECOND


def test_what_a_decision_takes_longer_comes_out_of_the_bank() -> None:
    table = timed()
    table.now = 22 * SECOND
    assert left(table) == 23
    table.submit(0, "1")
    assert banks(table) == [30 - 7 + 2, 30]


def test_within_the_grace_a_decision_is_taken_and_the_bank_is_empty() -> None:
    table = timed()
    table.now = 46 * SECOND - 1
    assert left(table) == 0
    table.submit(0, "1")
    assert banks(table) == [2, 30]


def test_after_it_a_decision_is_refused_before_anybody_has_said_so() -> None:
    table = timed()
    table.now = 46 * SECOND
    assert refusal(table, 0) is Reason.TIME_IS_UP
    assert refusal(table, 1) is Reason.NOT_THE_ACTOR


def test_a_seat_that_is_out_of_time_forfeits_and_the_other_wins() -> None:
    table = timed()
    table.now = 46 * SECOND
    (out,) = table.do(expire(table.match, stamp(store_time=table.now), table.engine))
    assert (out.entry.draft.change, out.entry.draft.seat) == (MatchChange.TIMED_OUT, 0)
    standing = table.match.standing
    assert standing.phase is MatchPhase.OVER and standing.deadline is None
    assert standing.seats[0].occupant is Occupant.FORFEITED


@pytest.mark.parametrize(("policy", "bot"), [(DEFAULT_ACTION, None), (BOT, "greedy")])
def test_or_the_server_decides_for_it_once(policy: AbsencePolicy, bot: str | None) -> None:
    table = timed(3, on_timeout=policy)
    table.now = 46 * SECOND
    table.do(expire(table.match, stamp(store_time=table.now), table.engine))
    standing = table.match.standing
    assert standing.is_automatic and standing.deadline is None
    assert decide.substitute_bot(table.match) == bot
    assert refusal(table, 0) is Reason.TIME_IS_UP
    table.now += SECOND
    act_for(table)
    assert banks(table) == [0, 30, 30], "no increment for what the server decides"
    assert not table.match.standing.is_automatic
    assert table.match.standing.deadline == (47 + 41) * SECOND
    table.submit(1, "1")
    table.submit(2, "1")
    assert table.match.standing.seats[0].occupant is Occupant.PLAYER
    assert left(table) == 10, "the turn limit is there for every decision"


def test_with_more_left_in_a_forfeit_ends_nothing() -> None:
    table = timed(3, on_timeout=FORFEIT)
    table.now = 46 * SECOND
    table.do(expire(table.match, stamp(store_time=table.now), table.engine))
    assert table.match.standing.is_automatic
    assert decide.substitute_bot(table.match) is None
    act_for(table)
    assert table.match.standing.phase is MatchPhase.RUNNING
    assert table.match.standing.deadline is not None


def test_a_bot_has_all_the_time_it_needs() -> None:
    table = Table(make_terms(time_control=CONTROL, goal=60))
    table.add_bot(0)
    table.join(1)
    assert table.match.standing.deadline is None
    table.now = 3600 * SECOND
    act_for(table)
    assert banks(table) == [30, 30]
    table.now += SECOND
    table.submit(1, "1")
    assert table.match.standing.deadline is None


def test_whoever_leaves_is_under_no_clock() -> None:
    table = Table(make_terms(3, time_control=CONTROL, goal=60))
    for seat in range(3):
        table.join(seat)
    table.leave(0)
    assert table.match.standing.deadline is None


def test_what_others_do_meanwhile_gives_no_time() -> None:
    table = timed(3)
    table.now = 12 * SECOND
    table.leave(2)
    assert table.match.standing.deadline == 46 * SECOND
    table.now = 20 * SECOND
    table.resign(1)
    assert table.match.standing.deadline == 46 * SECOND and left(table) == 25


def test_by_claim_another_player_says_so() -> None:
    table = timed(control=BY_CLAIM)
    assert table.match.standing.deadline is None
    table.now = 15 * SECOND - 1
    with pytest.raises(DomainError) as early:
        claim(table, 1)
    assert early.value.reason is Reason.TIME_LEFT
    table.now += 1
    (out,) = table.do(claim(table, 1))
    assert out.entry.draft.seat == 0 and table.match.standing.phase is MatchPhase.OVER


def test_until_it_is_claimed_the_seat_may_decide() -> None:
    table = timed(control=BY_CLAIM)
    table.now = 100 * SECOND
    table.submit(0, "1")
    with pytest.raises(DomainError):
        claim(table, 0)


def test_without_time_nothing_can_be_claimed() -> None:
    table = Table(make_terms())
    table.join(0)
    table.join(1)
    with pytest.raises(DomainError) as refused:
        claim(table, 1)
    assert refused.value.reason is Reason.TIME_LEFT


def test_the_clocks_follow_from_the_log() -> None:
    table = timed(3, on_timeout=DEFAULT_ACTION)
    for seat, seconds in ((0, 7), (1, 25), (2, 3)):
        table.now += seconds * SECOND
        table.submit(seat, "1")
    table.now += 43 * SECOND
    table.do(expire(table.match, stamp(store_time=table.now), table.engine))
    act_for(table)
    table.leave(2)
    entries = [each.entry for each in table.course]
    for version in range(1, len(entries) + 1):
        assert fold(table.engine, entries[:version]) == table.course[version - 1].match


def claim(table: Table, seat: int):  # type: ignore[no-untyped-def]
    return claim_timeout(
        table.match, stamp(store_time=table.now), token_hash=token_hash(token(seat))
    )


def test_nobody_claims_the_end_of_its_own_time() -> None:
    table = Table(make_terms(2, time_control=TimeControl(SECOND, by_claim=True)))
    for seat in range(2):
        table.join(seat)
    moment = stamp(store_time=2 * SECOND)
    (actor,) = table.match.standing.actors
    with pytest.raises(DomainError, match="the caller's own") as caught:
        claim_timeout(table.match, moment, token_hash=token_hash(token(actor)))
    assert caught.value.reason is Reason.TIME_LEFT
    table.do(claim_timeout(table.match, moment, token_hash=token_hash(token(1 - actor))))
