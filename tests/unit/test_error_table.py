import re
from pathlib import Path

import pytest
from google.rpc import error_details_pb2, status_pb2

from tablestate.v1 import error_reason_pb2
from tablestate_service.domain.errors import (
    DomainError,
    Reason,
    Violation,
    invalid_fields,
    watcher_too_slow,
)
from tablestate_service.rpc.error_table import CODES, status_of

PROTO = Path(__file__).parents[2] / "proto/tablestate/v1/error_reason.proto"


def documented() -> dict[str, str]:
    """Reasons and codes as the contract's comments tell them."""
    pairs = re.findall(
        r"// \[(\w+)\](?:(?!= \d).)*?ERROR_REASON_(\w+) =", PROTO.read_text(), re.DOTALL
    )
    return {reason: code for code, reason in pairs}


def test_every_reason_comes_with_the_code_that_the_contract_names() -> None:
    assert documented() == {reason.name: code.name for reason, code in CODES.items()}


def test_reasons_are_those_of_the_contract() -> None:
    names = {f"ERROR_REASON_{reason.name}": reason.value for reason in Reason}
    contract = dict(error_reason_pb2.ErrorReason.items())
    assert names == {name: number for name, number in contract.items() if number}


@pytest.mark.parametrize("reason", list(Reason))
def test_a_status_carries_its_reason_and_metadata(reason: Reason) -> None:
    code, message, details = status_of(DomainError(reason, "why", {"seat": 3}))
    status = status_pb2.Status.FromString(details)
    info = error_details_pb2.ErrorInfo()
    assert status.details[0].Unpack(info)
    assert (status.code, status.message) == (code.value[0], message)
    assert (info.reason, info.domain, dict(info.metadata)) == (
        reason.name,
        "tablestate",
        {"seat": "3"},
    )


def test_each_wrong_field_is_listed_with_its_value_and_what_was_expected() -> None:
    refusal = invalid_fields([Violation("seat", "7", "0 to 1"), Violation("host_token", "", "32")])
    status = status_pb2.Status.FromString(status_of(refusal).details)
    request = error_details_pb2.BadRequest()
    assert status.details[1].Unpack(request)
    told = {each.field: each.description for each in request.field_violations}
    assert told == {"seat": "'7': expected 0 to 1", "host_token": "expected 32"}


def test_details_stay_small_and_printable_whatever_was_sent() -> None:
    long = "\u202e\x00" + "x" * 10_000
    faults = [Violation(f"field[{number}]", long, long) for number in range(300)]
    assert len(status_of(invalid_fields(faults)).details) <= 4_096
    sent = {f"{number:032x}": 10**6 for number in range(256)}
    assert len(status_of(watcher_too_slow(sent)).details) <= 4_096
    shown = status_of(DomainError(Reason.INTERNAL, long)).message
    assert "\x00" not in shown and "\u202e" not in shown


@pytest.mark.parametrize("text", ["x", "é", "🎲", "\U000e0041", "\x1b[31m\n", "\\", "'"])
def test_the_bytes_of_a_status_are_bounded_whatever_the_characters(text: str) -> None:
    faults = [Violation(text * length, text * length, text * length) for length in (1, 300, 9_000)]
    status = status_of(invalid_fields(faults * 5))
    assert len(status.details) <= 4_096
    assert len(status.message.encode()) <= 512
    request = error_details_pb2.BadRequest()
    assert status_pb2.Status.FromString(status.details).details[1].Unpack(request)
    assert len(request.field_violations) > 5
    for each in request.field_violations:
        assert len(each.field.encode()) <= 128
        assert each.field.isprintable() and each.description.isprintable()
