import pytest

from tablestate_service.rpc import page_token

LAST = "0123456789abcdef" * 2


def test_a_token_goes_on_where_its_list_stopped() -> None:
    assert page_token.decode(page_token.encode(LAST, "all"), "all") == LAST


def test_a_token_belongs_to_its_list() -> None:
    assert page_token.decode(page_token.encode(LAST, "all"), "running") is None


@pytest.mark.parametrize("junk", ["!!", "\n", "=", " ", "AAAA"])
def test_a_token_with_something_added_is_none(junk: str) -> None:
    token = page_token.encode(LAST, "all")
    assert page_token.decode(token + junk, "all") is None
    assert page_token.decode(junk + token, "all") is None


@pytest.mark.parametrize("token", ["", "x", "not base64!", "ünïcode", "AAAA", "A" * 1000])
def test_nonsense_is_no_token(token: str) -> None:
    assert page_token.decode(token, "all") is None
