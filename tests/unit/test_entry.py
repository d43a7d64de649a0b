from dataclasses import replace

import pytest

from support.domain import request
from tablestate_service.domain.entry import (
    GENESIS_HASH,
    Draft,
    Entry,
    MatchChange,
    Stamp,
    is_intact,
    request_key,
    seal,
)

DRAFT = Draft(MatchChange.ACTION, 1, "e3e4", (4, 5), '{"a": 1}')
STAMP = Stamp(77, request("one"))
ENTRY = seal("m", 3, GENESIS_HASH, DRAFT, STAMP)


def test_a_sealed_entry_is_intact_behind_the_hash_it_was_sealed_with() -> None:
    assert is_intact(ENTRY, GENESIS_HASH)
    assert not is_intact(ENTRY, bytes(31) + b"\x01")


@pytest.mark.parametrize(
    "changed",
    [
        replace(ENTRY, match_id="n"),
        replace(ENTRY, version=4),
        replace(ENTRY, draft=replace(DRAFT, change=MatchChange.LEFT)),
        replace(ENTRY, draft=replace(DRAFT, seat=None)),
        replace(ENTRY, draft=replace(DRAFT, seat=0)),
        replace(ENTRY, draft=replace(DRAFT, notation="e3e5")),
        replace(ENTRY, draft=replace(DRAFT, draws=(4,))),
        replace(ENTRY, draft=replace(DRAFT, draws=(45,))),
        replace(ENTRY, draft=replace(DRAFT, payload="")),
        replace(ENTRY, stamp=replace(STAMP, time=78)),
        replace(ENTRY, stamp=replace(STAMP, request=None)),
        replace(ENTRY, stamp=replace(STAMP, request=request("two"))),
        replace(ENTRY, stamp=replace(STAMP, request=request("one", "other bytes"))),
    ],
)
def test_every_field_is_under_the_hash(changed: Entry) -> None:
    assert not is_intact(changed, GENESIS_HASH)


def test_fields_do_not_run_into_one_another() -> None:
    assert request_key("ab", "c", b"", "") != request_key("a", "bc", b"", "")
    assert request_key("a", "", b"b", "") != request_key("a", "b", b"", "")
