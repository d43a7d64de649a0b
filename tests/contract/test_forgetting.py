"""What every store must do to forget who a player was."""

from support.domain import Table, make_terms, stamp
from support.service import token
from support.stored import append_of, match_id, write
from tablestate_service.domain import decide
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import fold
from tablestate_service.domain.news import News, NewsKind
from tablestate_service.domain.persons import forgotten, salt_of
from tablestate_service.ports import Append, MatchStore


def seated(number: int, *players: str) -> Table:
    """A match whose players are kept beside its log."""
    table = Table(make_terms(match_id=match_id(number)))
    for seat, player in enumerate(players):
        joined = decide.join(
            *(table.match, table.engine, stamp()),
            token_hash=token_hash(token(seat)),
            seat=seat,
            display_name=f"name of {player}",
            player_id=player,
            salt=salt_of(match_id(number), token(seat)),
        )
        table.do(joined)
    return table


async def test_what_is_kept_beside_an_entry_comes_back(store: MatchStore) -> None:
    played = seated(1, "zoe", "bob")
    await write(store, played)
    log = await store.load(match_id(1))
    assert log is not None
    assert list(log.entries) == [each.entry for each in played.course]
    assert "zoe" in log.entries[1].draft.personal and "zoe" not in log.entries[1].draft.payload


async def test_matches_are_found_by_who_joined(store: MatchStore) -> None:
    for number, players in enumerate((("zoe", "bob"), ("bob", "zoes"), ("bo", "zoe")), start=1):
        await write(store, seated(number, *players))
    old = Table(make_terms(match_id=match_id(4)))
    old.join(0)  # As "id 0", in the log itself.
    await write(store, old)
    found = {text: await store.joined_matches(f'"{text}"') for text in ("zoe", "bob", "id 0", "x")}
    assert {text: sorted(ids) for text, ids in found.items()} == {
        "zoe": [match_id(1), match_id(3)],
        "bob": [match_id(1), match_id(2)],
        "id 0": [match_id(4)],
        "x": [],
    }


async def test_who_is_forgotten_is_in_no_row_and_the_log_still_holds(store: MatchStore) -> None:
    played = seated(1, "zoe", "bob")
    played.abort()
    await write(store, played)
    kept = [each.entry for each in played.course]
    kept[1] = forgotten(kept[1])
    after = fold(played.engine, kept)
    await store.forget(after, [2])
    log = await store.load(match_id(1))
    assert log is not None and list(log.entries) == kept
    assert (log.head_version, log.head_hash) == (after.standing.version, after.head_hash)
    (listed,) = await store.list_matches(None, [after.standing.phase], None, 9)
    assert [each.display_name for each in listed.standing.seats] == ["", "name of bob"]
    assert await store.joined_matches('"zoe"') == []
    assert await store.joined_matches('"bob"') == [match_id(1)]


async def test_news_forget_a_player_but_for_some_matches(store: MatchStore) -> None:
    for number, player in ((1, "zoe"), (2, "zoe"), (3, "bob")):
        created = Table(make_terms(match_id=match_id(number))).course[0]
        turn = News(NewsKind.TURN, "", "offboard", match_id(number), 1, 2_000, 1, player)
        await store.append(Append(append_of(created).entries, created.match, (turn,)))
    await store.forget_in_news("", "zoe", [match_id(2)])
    assert [each.news.player_id for each in await store.news("", 0, 9)] == ["", "zoe", "bob"]
