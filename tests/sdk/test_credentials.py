from __future__ import annotations

import json
from typing import Any

import pytest

from tablestate import HostCredential, Intent, InvalidArgumentError, SeatCredential
from tablestate.credentials import new_request_id, new_token
from tools.sources import ROOT

TOKEN = bytes(range(32))


def test_credentials_come_back_from_json() -> None:
    host, seat, intent = HostCredential("m", TOKEN), SeatCredential("m", 1, TOKEN), Intent()
    assert Intent.load(json.loads(json.dumps(intent.save()))) == intent
    assert HostCredential.load(json.loads(json.dumps(host.save()))) == host
    assert SeatCredential.load(json.loads(json.dumps(seat.save()))) == seat


def test_what_any_client_has_saved_is_read_and_saved_alike() -> None:
    saved = json.loads((ROOT / "tests/data/saved.json").read_text())
    assert HostCredential.load(saved["host"]).save() == saved["host"]
    assert SeatCredential.load(saved["seat"]).save() == saved["seat"]
    assert SeatCredential.load(saved["promised"]).save() == saved["promised"]
    assert Intent.load(saved["intent"]).save() == saved["intent"]


def test_credentials_do_not_print_their_token() -> None:
    shown = repr([HostCredential("m", TOKEN), SeatCredential("m", 1, TOKEN), Intent("r", TOKEN)])
    assert repr(TOKEN) not in shown
    assert TOKEN.hex() not in shown


def test_tokens_and_request_ids_have_the_length_asked_for_and_are_new() -> None:
    assert len(new_token()) == 32
    assert 16 <= len(new_request_id()) <= 64
    assert new_token() != new_token()
    assert new_request_id() != new_request_id()


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"seat_token": "secret"}, "seat_token"),
        ({"seat_token": "secret" + "0" * 58}, "seat_token"),
        ({"seat_token": None}, "seat_token"),
        ({"seat": "one"}, "seat"),
        ({"seat": -1}, "seat"),
        ({"match_id": 5}, "match_id"),
        ({"match_id": ""}, "match_id"),
    ],
)
def test_a_damaged_credential_is_refused_by_its_field(change: dict[str, Any], field: str) -> None:
    saved: Any = {**SeatCredential("m", 1, TOKEN).save(), **change}
    with pytest.raises(InvalidArgumentError) as caught:
        SeatCredential.load(saved)
    assert [each.field for each in caught.value.violations] == [field]
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("saved", [{}, [], None, "text"])
def test_what_is_no_saved_credential_is_refused(saved: Any) -> None:
    for kind in (HostCredential, SeatCredential, Intent):
        with pytest.raises(InvalidArgumentError):
            kind.load(saved)
