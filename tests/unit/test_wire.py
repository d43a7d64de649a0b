import pytest

from tablestate.v1 import match_service_pb2
from tablestate_service.rpc.wire import delimited, tag


@pytest.mark.parametrize("size", [0, 1, 127, 128, 300, 16_383, 16_384, 100_000])
def test_an_appended_field_is_read_as_if_it_had_been_set(size: int) -> None:
    content = bytes(size)
    envelope = match_service_pb2.GetViewResponse(version=7)
    appended = envelope.SerializeToString() + delimited(tag(22), content)
    envelope.observation = content
    assert match_service_pb2.GetViewResponse.FromString(appended) == envelope
