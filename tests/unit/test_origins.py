"""Which pages may call the gateway."""

import pytest

from tablestate_service.gateway.origins import Origins

OWN = "https://play.example"


@pytest.mark.parametrize(
    ("origin", "is_allowed"),
    [
        (OWN, True),
        ("http://play.example", False),
        ("https://play.example:8443", False),
        ("https://a.play.example", False),
        ("https://listed.example", True),
        ("http://localhost:5173", False),
        ("null", False),
    ],
)
def test_beyond_loopback_the_page_of_the_same_address_may_call(
    origin: str, is_allowed: bool
) -> None:
    origins = Origins(["https://listed.example"], "0.0.0.0")
    assert origins.allows(origin, OWN) is is_allowed


def test_on_loopback_a_name_that_was_made_to_lead_here_is_not_trusted() -> None:
    origins = Origins((), "127.0.0.1")
    rebound = "http://evil.example:8080"
    assert not origins.allows(rebound, rebound)
    assert origins.allows("http://localhost:8080", "http://127.0.0.1:8080")


@pytest.mark.parametrize(
    "origin",
    ["chrome-extension://localhost", "file://localhost", "http://x@127.0.0.1", "http://localhost/"],
)
def test_on_loopback_what_is_no_page_of_this_machine_may_not_call(origin: str) -> None:
    assert not Origins((), "127.0.0.1").allows(origin, "http://127.0.0.1:8080")
