"""From which positions another match may begin, and who is on the seats of one."""

import pytest

from support.domain import Table, running, waiting
from support.fake_engine import FakeState
from tablestate_service.domain import decide
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.match import Match
from tablestate_service.domain.seats import OPEN_SEAT, Occupant, Seat, players_on
from tablestate_service.domain.terms import RevealPolicy

AT_END, NEVER = RevealPolicy.AT_END, RevealPolicy.NEVER


def played(reveal: RevealPolicy) -> tuple[Match, Table]:
    """A position, and the match that it is of, which goes on."""
    table = running(reveal=reveal)
    position = table.match
    table.submit(0, "1")
    return position, table


def refusal(position: Match, source: Match) -> DomainError:
    with pytest.raises(DomainError) as refused:
        decide.require_forkable(position, source)
    return refused.value


def hide(monkeypatch: pytest.MonkeyPatch, *, nothing: bool) -> None:
    monkeypatch.setattr(FakeState, "hides_nothing", nothing, raising=False)


def test_a_match_is_revealed_once_it_has_ended_if_that_was_agreed() -> None:
    for reveal, is_revealed in ((AT_END, True), (NEVER, False)):
        table = running(reveal=reveal)
        assert not decide.is_revealed(table.match)
        table.resign(0)
        assert decide.is_revealed(table.match) is is_revealed


def test_of_a_match_that_runs_only_positions_that_hide_nothing_can_be_forked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position, table = played(AT_END)
    hide(monkeypatch, nothing=False)
    assert refusal(position, table.match).reason is Reason.POSITION_HIDDEN
    hide(monkeypatch, nothing=True)
    assert decide.require_forkable(position, table.match) is position.state


@pytest.mark.parametrize("reveal", [AT_END, NEVER])
def test_of_a_match_that_has_ended_any_position_can_be_forked_if_it_is_revealed(
    reveal: RevealPolicy, monkeypatch: pytest.MonkeyPatch
) -> None:
    position, table = played(reveal)
    table.resign(0)
    hide(monkeypatch, nothing=False)
    if reveal is AT_END:
        assert decide.require_forkable(position, table.match) is position.state
    else:
        assert refusal(position, table.match).reason is Reason.POSITION_HIDDEN


def test_where_nobody_has_to_decide_nothing_can_be_forked(monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, nothing=True)
    before = waiting().match
    refused = refusal(before, before)
    assert (refused.reason, refused.metadata) == (Reason.MATCH_NOT_STARTED, {"phase": "WAITING"})
    table = running()
    table.resign(0)
    refused = refusal(table.match, table.match)
    assert (refused.reason, refused.metadata) == (Reason.MATCH_ENDED, {"phase": "OVER"})


def test_each_player_on_a_seat_is_named_once_in_the_order_of_seats() -> None:
    def of(name: str) -> Seat:
        return Seat(Occupant.PLAYER, "shown", name)

    assert players_on([of("bea"), OPEN_SEAT, of("ada"), of(""), of("bea")]) == ["bea", "ada"]


def test_a_version_that_is_not_reached_is_told_with_the_present_one() -> None:
    match = running().match
    reached = match.standing.version
    decide.require_version(match, None)
    decide.require_version(match, reached)
    with pytest.raises(DomainError) as refused:
        decide.require_version(match, reached + 1)
    assert refused.value.metadata == {"current_version": str(reached)}
    assert str(reached + 1) in refused.value.message
