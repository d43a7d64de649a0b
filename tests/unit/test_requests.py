import pytest

from tablestate.v1 import match_service_pb2 as pb
from tablestate_service.domain.errors import MAX_VIOLATIONS, DomainError, Reason
from tablestate_service.domain.terms import AbsencePolicy
from tablestate_service.rpc.match_servicer import _phases
from tablestate_service.rpc.requests import Fields, mutating_request


def faults(fields: Fields) -> dict[str, tuple[str, str]]:
    with pytest.raises(DomainError) as refused:
        fields.check()
    assert refused.value.reason is Reason.INVALID_FIELD
    return {each.field: (each.value, each.expected) for each in refused.value.violations}


def test_what_is_right_passes() -> None:
    fields = Fields()
    fields.match_id("0123456789abcdef" * 2)
    fields.request_id("a-request_id-0001")
    fields.token("seat_token", bytes(32))
    fields.optional_token("host_token", b"")
    fields.text("display_name", "Zoë 🎲 李小龍 \u00a0ひ", 64)
    fields.at_least("version", 1, 1)
    fields.metadata("metadata", {"k" * 64: "v" * 256})
    assert fields.choice("on_leave", 0, AbsencePolicy) is None
    assert fields.choice("on_leave", 3, AbsencePolicy) is AbsencePolicy.BOT
    fields.check()


@pytest.mark.parametrize("match_id", ["", "0" * 31, "0" * 33, "A" * 32, "g" * 32, "0" * 32 + "\n"])
def test_a_match_id_that_is_none_is_told(match_id: str) -> None:
    fields = Fields()
    fields.match_id(match_id)
    assert faults(fields) == {"match_id": (match_id, "32 lower-case hex digits")}


@pytest.mark.parametrize("request_id", ["", "short", "x" * 65, "with a space in it", "ümlaut" * 4])
def test_a_request_id_that_is_none_is_told(request_id: str) -> None:
    fields = Fields()
    fields.request_id(request_id)
    assert "request_id" in faults(fields)


def test_a_token_is_never_shown() -> None:
    fields = Fields()
    fields.token("seat_token", b"secret")
    assert faults(fields) == {"seat_token": ("", "32 bytes, not 6")}


UNSEEN = {
    "Cc": ["\x00", "\n", "\x7f", "\x85"],
    "Cf": ["\xad", "\u200b", "\u200d", "\u202e", "\u2066", "\ufeff", "\U000e0041"],
    "Cs": ["\ud800"],
    "Co": ["\ue000", "\U0010fffd"],
    "Cn": ["\uffff", "\u0378"],
    "Zl": ["\u2028"],
    "Zp": ["\u2029"],
}


@pytest.mark.parametrize("char", [char for chars in UNSEEN.values() for char in chars])
def test_a_name_holds_nothing_that_misleads_the_eye(char: str) -> None:
    fields = Fields()
    fields.text("display_name", f"a{char}b", 64)
    assert "display_name" in faults(fields)


def test_all_faults_are_told_together() -> None:
    fields = Fields()
    fields.match_id("?")
    fields.text("display_name", "x" * 65, 64)
    fields.text("player_id", "line\nbreak", 128)
    fields.at_least("version", 0, 1)
    fields.choice("on_leave", 9, AbsencePolicy)
    assert set(faults(fields)) == {"match_id", "display_name", "player_id", "version", "on_leave"}


@pytest.mark.parametrize(
    "metadata",
    [
        {"": "v"},
        {"a\nb": "v"},
        {"a\u200bb": "v"},
        {"k" * 65: "v"},
        {"k": "v" * 257},
        {str(number): "" for number in range(17)},
    ],
)
def test_metadata_has_bounds(metadata: dict[str, str]) -> None:
    fields = Fields()
    fields.metadata("metadata", metadata)
    assert len(faults(fields)) == 1


def test_no_more_faults_are_kept_than_are_told() -> None:
    fields = Fields()
    for place in range(1_000):
        fields.match_id("?", f"match_ids[{place}]")
    assert len(faults(fields)) == MAX_VIOLATIONS


def test_a_choice_that_is_none_is_told_once() -> None:
    fields = Fields()
    _phases(fields, pb.ListMatchesRequest(phases=[9, 0]))  # type: ignore[list-item]
    with pytest.raises(DomainError) as refused:
        fields.check()
    assert [each.field for each in refused.value.violations] == ["phases[0]", "phases[1]"]


def test_a_call_is_the_same_call_only_if_all_that_names_it_is() -> None:
    sent = pb.ResignRequest()
    calls = [
        mutating_request("Resign", "m", b"t", "r", sent),
        mutating_request("LeaveSeat", "m", b"t", "r", sent),
        mutating_request("Resign", "n", b"t", "r", sent),
        mutating_request("Resign", "m", b"u", "r", sent),
        mutating_request("Resign", "m", b"t", "s", sent),
    ]
    assert len({call.key for call in calls}) == len(calls)
    assert len({call.content_hash for call in calls}) == 1


def test_the_order_in_which_a_map_was_sent_is_no_other_request() -> None:
    def sent(*keys: str) -> bytes:
        entries = [pb.CreateMatchRequest(metadata={key: "v"}).SerializeToString() for key in keys]
        request = pb.CreateMatchRequest.FromString(b"".join(entries))
        return mutating_request("CreateMatch", "", b"t", "r", request).content_hash

    assert sent("a", "b", "c") == sent("c", "a", "b")
    assert sent("a", "b", "c") != sent("a", "b")
