"""Names beside the log: they can be forgotten, and not be changed."""

import json
from dataclasses import replace

import pytest

from support.domain import Table, make_terms, stamp
from support.fake_engine import FakeEngine
from support.memory_store import MemoryStore
from support.service import token
from support.stored import match_id, write
from tablestate_service import matchfile
from tablestate_service.domain import decide
from tablestate_service.domain.entry import Entry
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import fold
from tablestate_service.domain.persons import forgotten, names_of, salt_of
from tablestate_service.usecases.forgetting import Forgotten, forget_player


def seated(number: int, *players: str) -> Table:
    table = Table(make_terms(match_id=match_id(number)))
    for seat, player in enumerate(players):
        table.do(
            decide.join(
                *(table.match, table.engine, stamp()),
                token_hash=token_hash(token(seat)),
                seat=seat,
                display_name=f"name of {player}",
                player_id=player,
                salt=salt_of(match_id(number), token(seat)),
            )
        )
    return table


def ended(number: int, *players: str) -> Table:
    table = seated(number, *players)
    table.abort()
    return table


def entries(table: Table) -> list[Entry]:
    return [each.entry for each in table.course]


def test_a_log_holds_no_name_and_hashes_the_same_without_the_person() -> None:
    table = ended(1, "zoe", "bob")
    kept = entries(table)
    assert not any("zoe" in each.draft.payload for each in kept)
    assert names_of(kept[1].draft) == ("name of zoe", "zoe")
    kept[1] = forgotten(kept[1])
    assert names_of(kept[1].draft) == ("", "")
    assert fold(table.engine, kept).head_hash == table.match.head_hash


def test_the_hash_of_a_person_cannot_be_guessed_without_the_seats_token() -> None:
    one, other = seated(1, "zoe"), Table(make_terms(match_id=match_id(1)))
    other.do(
        decide.join(
            *(other.match, other.engine, stamp()),
            token_hash=token_hash(token(0)),
            seat=0,
            display_name="name of zoe",
            player_id="zoe",
            salt=salt_of(match_id(1), token(5)),
        )
    )
    people = [json.loads(entries(each)[1].draft.payload)["person"] for each in (one, other)]
    assert people[0] != people[1]


@pytest.mark.parametrize("change", ['{"x": 1}', "", "zoe"])
def test_another_person_beside_an_entry_is_damage(change: str) -> None:
    table = ended(1, "zoe")
    kept = entries(table)
    personal = change and kept[1].draft.personal.replace("zoe", "eve")
    kept[1] = replace(kept[1], draft=replace(kept[1].draft, personal=personal))
    if not personal:
        assert fold(table.engine, kept).standing.has_ended  # Forgotten.
        return
    with pytest.raises(DomainError) as refused:
        fold(table.engine, kept)
    assert refused.value.reason is Reason.LOG_DAMAGED


def test_a_match_file_holds_no_names() -> None:
    table = ended(1, "zoe", "bob")
    content = matchfile.content(FakeEngine(), entries(table))
    assert b"zoe" not in content and b"bob" not in content
    read = matchfile.read(content.splitlines(keepends=True)).entries
    assert list(read) == [forgotten(each) for each in entries(table)]


async def test_a_player_is_forgotten_where_that_is_possible_and_told_where_not() -> None:
    store, old = MemoryStore(), Table(make_terms(match_id=match_id(4)))
    old.join(0, holder=7)
    old.abort()
    for each in (ended(1, "id 7", "bob"), seated(2, "id 7"), ended(3, "bob"), old):
        await write(store, each)
    done = await forget_player(store, FakeEngine(), "", "id 7")
    assert (done.forgotten, done.running) == ([match_id(1)], [match_id(2)])
    assert (done.chained, done.damaged) == ([match_id(4)], [])
    seats = store.heads[match_id(1)].standing.seats
    assert [(each.display_name, each.player_id) for each in seats] == [
        ("", ""),
        ("name of bob", "bob"),
    ]
    again = await forget_player(store, FakeEngine(), "", "id 7")
    assert again.forgotten == []


async def test_players_of_other_tenants_are_others() -> None:
    store, table = MemoryStore(), ended(1, "zoe")
    await write(store, table)
    assert await forget_player(store, FakeEngine(), "elsewhere", "zoe") == Forgotten()
    assert store.heads[match_id(1)].standing.seats[0].player_id == "zoe"
