"""Who may take a seat of a match, and what is written of whoever does."""

import json
from dataclasses import replace
from typing import Any

import pytest

from support.domain import BOT, Table, make_terms, running, stamp, waiting
from support.service import token
from tablestate_service.domain import decide, persons
from tablestate_service.domain.audience import Audience, SpectatorPolicy, Visibility
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import Transition

CODE, ANOTHER = token_hash(b"the code"), token_hash(b"another code")
INVITED = Audience(visibility=Visibility.INVITE, invitation_hash=CODE)
UNSEEN = Audience(spectators=SpectatorPolicy.REFUSED)
DELAYED = Audience(delay=1)


def table_for(audience: Audience) -> Table:
    return Table(replace(make_terms(), audience=audience))


def joined(table: Table, seat: int | None = 0, **fields: Any) -> tuple[Transition, ...]:
    given: dict[str, Any] = {
        "token_hash": token_hash(token(seat or 0)),
        "seat": seat,
        "display_name": "Ada",
        "player_id": "ada",
    }
    return table.do(decide.join(table.match, table.engine, stamp(), **(given | fields)))


def refusal(table: Table, seat: int | None = 0, **fields: Any) -> DomainError:
    with pytest.raises(DomainError) as refused:
        joined(table, seat, **fields)
    return refused.value


@pytest.mark.parametrize("given", [None, ANOTHER, b"", CODE[:-1]])
def test_a_match_by_invitation_takes_nobody_without_its_code(given: bytes | None) -> None:
    refused = refusal(table_for(INVITED), invitation_hash=given)
    assert (refused.reason, refused.metadata) == (Reason.WRONG_INVITATION, {})


def test_a_match_by_invitation_takes_whoever_has_its_code() -> None:
    assert len(joined(table_for(INVITED), invitation_hash=CODE)) == 1


@pytest.mark.parametrize("given", [None, ANOTHER])
def test_a_match_that_asks_for_no_code_looks_at_none(given: bytes | None) -> None:
    assert len(joined(table_for(Audience()), invitation_hash=given)) == 1


@pytest.mark.parametrize("audience", [UNSEEN, DELAYED])
def test_who_may_not_look_on_does_not_learn_by_joining_that_a_match_has_ended(
    audience: Audience,
) -> None:
    table = table_for(audience)
    joined(table, 0)
    joined(table, 1)
    for _ in range(2):
        refused = refusal(table, None, token_hash=token_hash(token(9)))
        assert refused.reason is Reason.MATCH_ALREADY_STARTED
        assert refused.metadata == {"phase": "RUNNING"}
        if not table.match.standing.has_ended:
            table.abort()


def test_who_may_look_on_does() -> None:
    table = running()
    table.abort()
    refused = refusal(table, None, token_hash=token_hash(token(9)))
    assert (refused.reason, refused.metadata) == (Reason.MATCH_ENDED, {"phase": "ABORTED"})


def test_nobody_joins_a_match_that_runs() -> None:
    refused = refusal(running(), None, token_hash=token_hash(token(9)))
    assert refused.reason is Reason.MATCH_ALREADY_STARTED
    assert refused.metadata == {"phase": "RUNNING"}


def test_with_a_salt_the_names_stand_beside_the_log_which_holds_their_hash() -> None:
    [transition] = joined(table_for(Audience()), salt=b"salt")
    draft = transition.entry.draft
    assert draft.personal == persons.to_personal("Ada", "ada", b"salt")
    assert json.loads(draft.payload) == {
        "token_hash": token_hash(token(0)).hex(),
        "person": persons.person_hash(draft.personal),
    }
    seat = transition.match.standing.seats[0]
    assert (seat.display_name, seat.player_id) == ("Ada", "ada")


def test_without_one_they_are_part_of_the_log() -> None:
    [transition] = joined(table_for(Audience()))
    draft = transition.entry.draft
    assert draft.personal == ""
    assert json.loads(draft.payload) == {
        "token_hash": token_hash(token(0)).hex(),
        "display_name": "Ada",
        "player_id": "ada",
    }


def test_a_seat_that_is_taken_or_not_there_is_named() -> None:
    table = waiting()
    table.join(1)
    refused = refusal(table, 1, token_hash=token_hash(token(9)))
    assert (refused.reason, refused.metadata) == (Reason.SEAT_TAKEN, {"seat": "1"})
    refused = refusal(table, 2)
    assert refused.reason is Reason.INVALID_FIELD
    [fault] = refused.violations
    assert (fault.field, fault.value, fault.expected) == ("seat", "2", "0 to 1")


def test_seats_change_hands_just_so_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "MAX_SEAT_CHANGES", 3)
    table = waiting()
    table.join(0)
    table.leave(0)
    table.join(0)
    refused = refusal(table, 1)
    assert refused.reason is Reason.LIMIT_REACHED
    assert refused.metadata == {"limit": "seat_changes_per_match", "maximum": "3"}


def test_whoever_left_is_told_so_and_after_the_end_that_it_has_ended() -> None:
    table = running(on_leave=BOT)
    table.leave(0)
    with pytest.raises(DomainError) as refused:
        table.leave(0)
    assert refused.value.metadata == {"seat": "0"}
    table.abort()
    with pytest.raises(DomainError) as refused:
        table.leave(0)
    assert refused.value.metadata == {"phase": "ABORTED"}
    with pytest.raises(DomainError) as refused:
        table.abort()
    assert refused.value.metadata == {"phase": "ABORTED"}
