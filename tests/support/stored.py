"""Matches for tests of stores, by number."""

from dataclasses import replace

from support.domain import Table, make_terms, request
from tablestate_service.domain.entry import Stamp
from tablestate_service.domain.match import Transition, open_match
from tablestate_service.domain.news import News, NewsKind
from tablestate_service.ports import Append, MatchStore


def match_id(number: int) -> str:
    return f"{number:032x}"


def append_of(*transitions: Transition) -> Append:
    return Append(tuple(each.entry for each in transitions), transitions[-1].match)


def turn(number: int, version: int, tenant: str = "") -> News:
    """The news that it is somebody's turn."""
    return News(NewsKind.TURN, tenant, "offboard", match_id(number), version, 2_000, 1, "ada")


def telling(*transitions: Transition, tenant: str = "") -> Append:
    """The same, with the news of a turn at the last version."""
    append = append_of(*transitions)
    number = int(append.entries[0].match_id, 16)
    return replace(append, news=(turn(number, append.entries[-1].version, tenant),))


def created(number: int, name: str | None = None) -> Transition:
    """The creation of a match, on a request of its own."""
    terms = make_terms(match_id=match_id(number))
    return open_match(terms, Stamp(terms.create_time, request(name or f"create {number}")))


def table(number: int) -> Table:
    return Table(make_terms(match_id=match_id(number)))


async def write(store: MatchStore, played: Table) -> None:
    """Store the whole course of a match, one entry at a time."""
    for each in played.course:
        await store.append(append_of(each))
