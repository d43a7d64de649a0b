"""What browsers send, damaged in every way that Hypothesis finds: it is read or refused."""

import base64
import contextlib
import gzip
import json
from typing import Any

from google.protobuf.json_format import MessageToDict
from hypothesis import example, given
from hypothesis import strategies as st
from multidict import CIMultiDict, CIMultiDictProxy

from fuzz.test_readers import EDITS, TOKENS, VALUES, Edits, edited, fuzzed
from support.browser import framed
from tablestate.v1 import game_pb2, offtrack_pb2
from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.errors import DomainError, Reason
from tablestate_service.gateway.codec import from_json
from tablestate_service.gateway.compression import accepts_gzip, decompressed
from tablestate_service.gateway.envelope import only_message
from tablestate_service.gateway.exchange import digits
from tablestate_service.gateway.grpc_web import debased
from tablestate_service.gateway.metadata import metadata_of
from tablestate_service.gateway.status import ProtocolError

LIMIT = 100
MESSAGE = b"a message" * 5
PACKED = gzip.compress(MESSAGE)
REQUEST = MessageToDict(
    pb.CreateMatchRequest(
        request_id="x" * 16,
        host_token=bytes(32),
        options=game_pb2.GameOptions(offtrack=offtrack_pb2.OffTrackOptions(seats=3)),
        metadata={"key": "value"},
    )
)
REQUEST_TEXT = json.dumps(REQUEST).encode()


@fuzzed
@given(EDITS, st.sampled_from(["gzip", "identity"]))
def test_a_damaged_envelope_is_refused_or_holds_no_more_than_it_may(
    edits: Edits, encoding: str
) -> None:
    for whole in (framed(MESSAGE), framed(PACKED, 1)):
        with contextlib.suppress(ProtocolError):
            assert len(only_message(edited(whole, edits), encoding, LIMIT)) <= LIMIT


@fuzzed
@given(EDITS)
def test_damaged_gzip_is_refused_or_unpacks_to_no_more_than_it_may(edits: Edits) -> None:
    with contextlib.suppress(ProtocolError):
        assert len(decompressed(edited(PACKED, edits), LIMIT)) <= LIMIT


@fuzzed
@given(st.lists(st.binary(max_size=20)), EDITS)
def test_pieces_of_base64_are_read_whole_and_damaged_ones_refused(
    pieces: list[bytes], edits: Edits
) -> None:
    text = b"".join(base64.b64encode(each) for each in pieces)
    assert debased(text) == b"".join(pieces)
    with contextlib.suppress(ProtocolError):
        debased(edited(text, edits))


def read(text: bytes) -> None:
    """Read a request in JSON; it may be refused as no such request."""
    try:
        pb.CreateMatchRequest.FromString(from_json(pb.CreateMatchRequest, text))
    except DomainError as error:
        assert error.reason is Reason.MALFORMED_REQUEST


@fuzzed
@given(EDITS)
@example([(0.0, 0, b'{"a":' * 100_000)])
@example([(0.0, 0, b'{"creationTime": ' + b"9" * 5000)])
def test_a_damaged_request_in_json_is_read_or_refused(edits: Edits) -> None:
    read(edited(REQUEST_TEXT, edits))


@fuzzed
@given(st.sampled_from(sorted(REQUEST)), VALUES, st.booleans())
def test_a_request_in_json_with_another_value_is_read_or_refused(
    name: str, value: Any, is_inner: bool
) -> None:
    inner = {"offtrack": {"seats": value}} if is_inner else value
    read(json.dumps(REQUEST | {name: inner}).encode())


@fuzzed
@given(st.text(max_size=12) | st.sampled_from(TOKENS).map(lambda each: each.decode("latin-1")))
def test_any_header_is_read_or_refused(text: str) -> None:
    accepts_gzip(text)
    given_headers = CIMultiDictProxy(CIMultiDict({"a-bin": text, "b": text, "grpc-c": text}))
    assert {key for key, _ in metadata_of(given_headers)} <= {"a-bin", "b"}
    with contextlib.suppress(ProtocolError):
        assert 0 <= digits(text, 8) < 10**8
