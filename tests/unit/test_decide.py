from collections.abc import Callable
from typing import TypeAlias

import pytest

from support.domain import BOT, DEFAULT_ACTION, FORFEIT, Table, choice, running, stamp, waiting
from support.fake_engine import FakeCoreError, FakeState, FakeStep
from support.service import token
from tablestate.v1 import game_pb2
from tablestate_service.domain import decide
from tablestate_service.domain.entry import MatchChange
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition, fold
from tablestate_service.domain.seats import Occupant
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import AbsencePolicy, StartPolicy

Act: TypeAlias = Callable[[], object]

WRONG = token_hash(token(999))


def changes(transitions: tuple[Transition, ...]) -> list[MatchChange]:
    return [each.entry.draft.change for each in transitions]


def outcome(table: Table) -> game_pb2.Outcome:
    content = table.match.standing.outcome
    assert content is not None
    return game_pb2.Outcome.FromString(content)


def test_the_join_that_fills_the_last_seat_starts_the_match() -> None:
    table = waiting()
    assert changes(table.join(0)) == [MatchChange.JOINED]
    assert changes(table.join(1)) == [MatchChange.JOINED, MatchChange.STARTED]
    assert table.match.standing.phase is MatchPhase.RUNNING
    assert table.match.standing.actors == (0,)


def test_the_start_belongs_to_the_request_before_it() -> None:
    table = waiting()
    table.join(0)
    joined, started = decide.join(
        table.match,
        table.engine,
        stamp(name="join"),
        token_hash=token_hash(token(1)),
        seat=None,
        display_name="",
        player_id="",
    )
    assert joined.entry.stamp.request is not None
    assert started.entry.stamp.request is None


def test_a_match_by_host_waits_for_its_host() -> None:
    table = waiting(start=StartPolicy.BY_HOST)
    table.join(0)
    with pytest.raises(DomainError) as refused:
        table.start()
    assert refused.value.reason is Reason.SEATS_OPEN
    assert changes(table.join(1)) == [MatchChange.JOINED]
    assert changes(table.start()) == [MatchChange.STARTED]


def test_the_lowest_open_seat_is_taken_if_none_is_named() -> None:
    table = waiting(3)
    table.join(1)
    assert table.join(None, holder=7)[0].entry.draft.seat == 0
    assert table.join(None, holder=8)[0].entry.draft.seat == 2


@pytest.mark.parametrize(
    ("seat", "holder", "reason"),
    [
        (0, 5, Reason.SEAT_TAKEN),
        (1, 0, Reason.SEAT_TOKEN_IN_USE),
        (2, 5, Reason.INVALID_FIELD),
    ],
)
def test_a_join_is_refused(seat: int, holder: int, reason: Reason) -> None:
    table = waiting()
    table.join(0)
    with pytest.raises(DomainError) as refused:
        table.join(seat, holder)
    assert refused.value.reason is reason


def test_a_full_match_that_waits_takes_nobody() -> None:
    table = running(start=StartPolicy.BY_HOST)
    with pytest.raises(DomainError) as refused:
        table.join(None, holder=9)
    assert refused.value.reason is Reason.SEAT_TAKEN
    assert refused.value.metadata == {}


def test_nobody_joins_after_the_start() -> None:
    with pytest.raises(DomainError) as refused:
        running().join(None, holder=9)
    assert refused.value.reason is Reason.MATCH_ALREADY_STARTED


def test_a_seat_given_back_before_the_start_is_open_again() -> None:
    table = waiting()
    table.join(0)
    assert changes(table.leave(0)) == [MatchChange.SEAT_FREED]
    assert table.match.standing.seats[0].occupant is Occupant.NOBODY
    with pytest.raises(DomainError) as refused:
        table.leave(0)
    assert refused.value.reason is Reason.WRONG_SEAT_TOKEN


def test_joining_and_leaving_cannot_go_on_for_ever() -> None:
    table = waiting()
    with pytest.raises(DomainError) as refused:
        for _ in range(decide.MAX_SEAT_CHANGES):
            table.join(0)
            table.leave(0)
    assert refused.value.reason is Reason.LIMIT_REACHED


def test_leaving_a_match_of_two_forfeits_it() -> None:
    table = running(on_leave=FORFEIT)
    table.leave(0)
    assert table.match.standing.phase is MatchPhase.OVER
    assert table.match.standing.actors == ()
    assert list(outcome(table).winners) == [1]
    assert outcome(table).reason == game_pb2.OUTCOME_REASON_FORFEIT


def test_a_forfeit_of_more_than_two_leaves_the_rest_to_play_on() -> None:
    table = running(3, on_leave=FORFEIT)
    table.leave(0)
    assert table.match.standing.phase is MatchPhase.RUNNING
    assert table.match.standing.is_automatic
    assert decide.substitute_bot(table.match) is None
    table.resign(2)
    assert list(outcome(table).winners) == [1]


def test_the_rules_are_told_of_a_forfeit() -> None:
    table = running(3, on_leave=FORFEIT)
    table.leave(0)
    state = table.match.state
    assert isinstance(state, FakeState)
    assert state.forfeited == (0,)
    assert fold(table.engine, [step.entry for step in table.course]).state == state


@pytest.mark.parametrize(("policy", "bot"), [(DEFAULT_ACTION, None), (BOT, "greedy")])
def test_a_seat_that_was_left_stays_in(policy: AbsencePolicy, bot: str | None) -> None:
    table = running(on_leave=policy)
    assert changes(table.leave(0)) == [MatchChange.LEFT]
    assert table.match.standing.phase is MatchPhase.RUNNING
    assert table.match.standing.is_automatic
    assert decide.substitute_bot(table.match) == bot


def test_resigning_forfeits_whatever_the_policy() -> None:
    table = running(on_leave=BOT)
    assert changes(table.resign(1)) == [MatchChange.FORFEITED]
    assert list(outcome(table).winners) == [0]


def test_nobody_resigns_before_the_start() -> None:
    table = waiting()
    table.join(0)
    with pytest.raises(DomainError) as refused:
        table.resign(0)
    assert refused.value.reason is Reason.MATCH_NOT_STARTED
    assert refused.value.metadata == {"phase": "WAITING"}


def test_whoever_left_can_no_longer_act() -> None:
    table = running(on_leave=BOT)
    table.leave(0)
    acts: list[Act] = [
        lambda: table.submit(0, "1"),
        lambda: table.leave(0),
        lambda: table.resign(0),
    ]
    for act in acts:
        with pytest.raises(DomainError) as refused:
            act()
        assert refused.value.reason is Reason.WRONG_SEAT_TOKEN


def test_an_action_is_stored_with_its_notation_and_draws() -> None:
    table = running()
    (acted,) = table.submit(0, "2")
    assert acted.entry.draft.notation == "2"
    assert len(acted.entry.draft.draws) == 1
    assert acted.match.standing.ply == 1
    assert acted.match.standing.actors == (1,)


def test_the_action_that_ends_the_game_ends_the_match() -> None:
    table = running()
    table.submit(0, "3")
    table.submit(1, "3")
    assert table.match.standing.phase is MatchPhase.OVER
    assert list(outcome(table).winners) == [1]


def test_only_the_actor_acts() -> None:
    with pytest.raises(DomainError) as refused:
        running().submit(1, "1")
    assert refused.value.reason is Reason.NOT_THE_ACTOR
    assert refused.value.metadata == {"actor": "0", "seat": "1"}
    assert refused.value.message == "seat 0 must decide, not seat 1"


def test_a_late_caller_hears_that_it_is_late_whatever_else_is_wrong() -> None:
    table = running()
    version = table.match.standing.version
    table.submit(0, "1", version)
    for seat in (0, 1):
        with pytest.raises(DomainError) as refused:
            table.submit(seat, "nonsense", version)
        assert refused.value.reason is Reason.STALE_VERSION
        assert refused.value.metadata == {
            "current_version": str(version + 1),
            "expected_version": str(version),
        }
        told = f"the match is at version {version + 1}, not at the expected {version}"
        assert refused.value.message == told


@pytest.mark.parametrize("ahead", [-1, 1])
def test_a_decision_is_stale_on_any_other_position(ahead: int) -> None:
    table = running()
    version = table.match.standing.version
    with pytest.raises(DomainError) as refused:
        table.submit(0, "1", version + ahead)
    assert refused.value.reason is Reason.STALE_VERSION


def test_an_illegal_action_is_the_games_to_refuse() -> None:
    table = running()
    with pytest.raises(FakeCoreError):
        table.submit(0, "7")


@pytest.mark.parametrize("act", [Table.start, Table.abort])
def test_the_host_acts_with_the_hosts_token_only(act: object) -> None:
    with pytest.raises(DomainError) as refused:
        act(waiting(), WRONG)  # type: ignore[operator]
    assert refused.value.reason is Reason.WRONG_HOST_TOKEN


def test_an_aborted_match_has_no_outcome_and_nothing_more_happens() -> None:
    table = running()
    table.abort()
    assert table.match.standing.phase is MatchPhase.ABORTED
    assert table.match.standing.outcome is None
    assert table.match.standing.actors == ()
    acts: list[Act] = [
        table.abort,
        table.start,
        lambda: table.submit(0, "1"),
        lambda: table.leave(0),
    ]
    for act in acts:
        with pytest.raises(DomainError) as refused:
            act()
        assert refused.value.reason is Reason.MATCH_ENDED


def test_the_server_acts_only_for_seats_without_a_player() -> None:
    table = running()
    version = table.match.standing.version
    with pytest.raises(DomainError) as refused:
        decide.act_for_absent(table.match, stamp(), choice=choice("1"), version=version)
    assert refused.value.reason is Reason.STALE_VERSION


def test_the_server_never_acts_twice_on_one_version() -> None:
    table = waiting()
    table.add_bot(0)
    table.add_bot(1)
    version = table.match.standing.version
    table.do(decide.act_for_absent(table.match, stamp(), choice=choice("2"), version=version))
    with pytest.raises(DomainError) as refused:
        decide.act_for_absent(table.match, stamp(), choice=choice("2"), version=version)
    assert refused.value.reason is Reason.STALE_VERSION


def test_a_bot_plays_by_its_own_name() -> None:
    table = waiting()
    table.add_bot(0, "random")
    table.join(1)
    assert decide.substitute_bot(table.match) == "random"


def test_nobody_acts_for_a_player_who_is_there_and_in_time() -> None:
    assert decide.substitute_bot(running(on_leave=BOT, on_timeout=BOT).match) is None


def test_reading_ahead_of_the_match_is_refused() -> None:
    table = running()
    version = table.match.standing.version
    decide.require_version(table.match, version)
    with pytest.raises(DomainError) as refused:
        decide.require_version(table.match, version + 1)
    assert refused.value.reason is Reason.VERSION_NOT_REACHED


def test_an_action_is_written_with_its_seat_and_draws_from_a_stream_of_its_own() -> None:
    table = running()
    for ply, seat in enumerate((0, 1, 0, 1)):
        before = table.match
        [acted] = table.submit(seat, "1")
        draft = acted.entry.draft
        assert (draft.change, draft.seat, draft.notation) == (MatchChange.ACTION, seat, "1")
        assert before.state is not None
        expected = before.state.apply(choice("1"), before.seed(), ply + 1)
        assert draft.draws == tuple(expected.draws)


def test_every_action_has_a_stream_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    streams, apply = list[int](), FakeState.apply

    def noted(state: FakeState, choice: bytes, seed: bytes, stream: int) -> FakeStep:
        streams.append(stream)
        return apply(state, choice, seed, stream)

    monkeypatch.setattr(FakeState, "apply", noted)
    table = running()
    for seat in (0, 1, 0, 1):
        table.submit(seat, "1")
    assert streams == [1, 2, 3, 4]


def test_an_action_for_an_absent_player_is_written_with_that_seat() -> None:
    table = waiting(3, DEFAULT_ACTION)
    for seat in range(3):
        table.join(seat)
    table.leave(0)
    version = table.match.standing.version
    [acted] = decide.act_for_absent(table.match, stamp(), choice=choice("1"), version=version)
    assert (acted.entry.draft.seat, acted.entry.draft.notation) == (0, "1")
    with pytest.raises(DomainError) as refused:
        decide.act_for_absent(table.match, stamp(), choice=choice("1"), version=version - 1)
    assert refused.value.metadata == {
        "current_version": str(version),
        "expected_version": str(version - 1),
    }


def test_a_bot_is_put_on_the_seat_that_was_named() -> None:
    table = waiting(3)
    [added] = table.add_bot(2)
    assert added.entry.draft.seat == 2
    assert [seat.occupant for seat in added.match.standing.seats] == [
        Occupant.NOBODY,
        Occupant.NOBODY,
        Occupant.BOT,
    ]
