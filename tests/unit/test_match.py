from dataclasses import replace

import pytest

from support.domain import BOT, Table, running, stamp, waiting
from tablestate_service.domain.entry import Entry
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.domain.match import advance, fold, replay
from tablestate_service.domain.terms import from_payload, to_payload


def eventful() -> Table:
    """A match with an entry of every kind but the end by abortion."""
    table = waiting(3, on_leave=BOT)
    table.join(0)
    table.leave(0)
    table.join(0, holder=5)
    table.add_bot(1)
    table.join(2)
    table.submit(5, "1")
    table.leave(5)
    table.resign(2)
    return table


def test_a_match_is_the_fold_of_its_log_at_every_version() -> None:
    table = eventful()
    entries = [each.entry for each in table.course]
    for version, expected in enumerate(table.course, start=1):
        assert fold(table.engine, entries[:version]) == expected.match


def test_a_fold_goes_on_where_another_stopped() -> None:
    table = running()
    table.submit(0, "1")
    entries = [each.entry for each in table.course]
    head = fold(table.engine, entries[:3])
    assert fold(table.engine, entries[3:], head) == table.match


def test_versions_count_entries_and_plies_count_actions() -> None:
    table = eventful()
    assert [each.entry.version for each in table.course] == list(range(1, len(table.course) + 1))
    assert table.match.standing.ply == 1


def damaged(entries: list[Entry]) -> list[list[Entry]]:
    other = replace(entries[4], draft=replace(entries[4].draft, notation="2"))
    return [
        [],
        entries[1:],
        [*entries[:2], *entries[3:]],
        [entries[1], entries[0], *entries[2:]],
        [*entries[:4], other],
    ]


def test_a_damaged_log_is_refused() -> None:
    table = running()
    table.submit(0, "1")
    for log in damaged([each.entry for each in table.course]):
        with pytest.raises(DomainError) as refused:
            fold(table.engine, log)
        assert refused.value.reason is Reason.LOG_DAMAGED


def test_an_entry_of_another_match_does_not_fit() -> None:
    table = running()
    (acted,) = table.submit(0, "1")
    moved = replace(acted.entry, match_id="f" * 32)
    with pytest.raises(DomainError) as refused:
        replay(table.engine, table.course[-2].match, moved)
    assert refused.value.reason is Reason.LOG_DAMAGED


def test_times_never_run_backwards() -> None:
    table = running()
    acted = table.course[-1].entry.draft
    later = advance(table.match, acted, stamp(9_000)).match
    assert advance(later, acted, stamp(8_000)).entry.stamp.time == 9_000


def test_terms_survive_their_payload() -> None:
    terms = running().match.terms
    assert from_payload(terms.match_id, terms.create_time, to_payload(terms)) == terms
