from __future__ import annotations

import json

from tablestate import HostCredential, SeatCredential
from tablestate.credentials import new_request_id, new_token

TOKEN = bytes(range(32))


def test_credentials_come_back_from_json() -> None:
    host, seat = HostCredential("m", TOKEN), SeatCredential("m", 1, TOKEN)
    assert HostCredential.load(json.loads(json.dumps(host.save()))) == host
    assert SeatCredential.load(json.loads(json.dumps(seat.save()))) == seat


def test_credentials_do_not_print_their_token() -> None:
    shown = repr([HostCredential("m", TOKEN), SeatCredential("m", 1, TOKEN)])
    assert repr(TOKEN) not in shown
    assert TOKEN.hex() not in shown


def test_tokens_and_request_ids_have_the_length_asked_for_and_are_new() -> None:
    assert len(new_token()) == 32
    assert 16 <= len(new_request_id()) <= 64
    assert new_token() != new_token()
    assert new_request_id() != new_request_id()
