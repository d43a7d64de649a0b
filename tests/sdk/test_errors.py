from __future__ import annotations

import grpc
import pytest

import tablestate
from support.fake_server import FakeServer, Fault
from tablestate.errors import error_class
from tablestate.v1.error_reason_pb2 import ErrorReason

REASONS = [
    name.removeprefix("ERROR_REASON_")
    for name in ErrorReason.keys()  # noqa: SIM118 - not a dict
    if name != "ERROR_REASON_UNSPECIFIED"
]


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_has_a_class_of_its_own_kind(reason: str) -> None:
    assert error_class(reason, grpc.StatusCode.UNKNOWN) is not tablestate.TablestateError


def test_a_reason_newer_than_the_client_falls_back_to_the_code() -> None:
    kind = error_class("NOT_YET_INVENTED", grpc.StatusCode.FAILED_PRECONDITION)
    assert kind is tablestate.PreconditionError


def test_a_code_without_a_class_is_still_a_tablestate_error() -> None:
    assert error_class("", grpc.StatusCode.UNKNOWN) is tablestate.TablestateError


def failure(client: tablestate.Client, server: FakeServer, fault: Fault) -> BaseException:
    server.answer("GetMatch", fault)
    with pytest.raises(tablestate.TablestateError) as caught:
        client.get_match("m", timeout=0.2)
    return caught.value


def test_a_stale_version_tells_the_current_one(
    client: tablestate.Client, server: FakeServer
) -> None:
    metadata = {"current_version": "9", "expected_version": "7"}
    error = failure(
        client, server, Fault(grpc.StatusCode.ABORTED, "STALE_VERSION", metadata=metadata)
    )
    assert isinstance(error, tablestate.StaleVersionError)
    assert (error.current_version, error.expected_version) == (9, 7)
    assert (error.code, error.reason) == (grpc.StatusCode.ABORTED, "STALE_VERSION")


def test_an_illegal_action_tells_the_rule(client: tablestate.Client, server: FakeServer) -> None:
    metadata = {"rule": "Move", "action": "e3e4"}
    fault = Fault(grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_ACTION", metadata=metadata)
    error = failure(client, server, fault)
    assert isinstance(error, tablestate.IllegalActionError)
    assert (error.rule, error.action) == ("Move", "e3e4")


def test_violations_are_listed(client: tablestate.Client, server: FakeServer) -> None:
    fault = Fault(
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_FIELD",
        violations=(("match_id", "'m'; expected 32 hex digits"),),
    )
    error = failure(client, server, fault)
    assert isinstance(error, tablestate.InvalidRequestError)
    assert error.violations == (tablestate.Violation("match_id", "'m'; expected 32 hex digits"),)
    assert str(error) == "INVALID_FIELD: match_id: 'm'; expected 32 hex digits"


def test_an_error_says_each_fault_once(client: tablestate.Client, server: FakeServer) -> None:
    fault = Fault(
        grpc.StatusCode.INVALID_ARGUMENT,
        "INVALID_OPTIONS",
        violations=(("a", "'1': expected 2"), ("b", "'3': expected 4")),
    )
    error = failure(client, server, fault)
    assert str(error) == "INVALID_OPTIONS:\n  a: '1': expected 2\n  b: '3': expected 4"


def test_an_internal_error_tells_the_incident(
    client: tablestate.Client, server: FakeServer
) -> None:
    fault = Fault(grpc.StatusCode.INTERNAL, "INTERNAL", metadata={"incident": "42"})
    error = failure(client, server, fault)
    assert isinstance(error, tablestate.InternalError)
    assert error.incident == "42"
    assert str(error) == "INTERNAL: as scripted (incident 42)"


def test_numbers_that_are_missing_or_malformed_are_none(
    client: tablestate.Client, server: FakeServer
) -> None:
    fault = Fault(grpc.StatusCode.FAILED_PRECONDITION, "NOT_THE_ACTOR", metadata={"actor": "x"})
    error = failure(client, server, fault)
    assert isinstance(error, tablestate.NotTheActorError)
    assert (error.actor, error.seat) == (None, None)


def test_an_error_without_details_keeps_code_and_text(
    client: tablestate.Client, server: FakeServer
) -> None:
    error = failure(client, server, Fault(grpc.StatusCode.UNIMPLEMENTED))
    assert isinstance(error, tablestate.TablestateError)
    assert str(error) == "UNIMPLEMENTED: as scripted"
