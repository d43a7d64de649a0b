import pytest

from tablestate_service.rpc import feed_token


@pytest.mark.parametrize("number", [1, 2**40])
def test_a_token_goes_on_where_its_list_stopped(number: int) -> None:
    assert feed_token.decode(feed_token.encode(number, "all"), "all") == number


def test_a_token_belongs_to_its_list() -> None:
    assert feed_token.decode(feed_token.encode(5, "all"), "running") is None


@pytest.mark.parametrize("junk", ["!!", "\n", "=", " ", "AAAA"])
def test_a_token_with_something_added_is_none(junk: str) -> None:
    token = feed_token.encode(5, "all")
    assert feed_token.decode(token + junk, "all") is None
    assert feed_token.decode(junk + token, "all") is None


@pytest.mark.parametrize("token", ["", "x", "not base64!", "ünïcode", "AAAA", "A" * 1000])
def test_nonsense_is_no_token(token: str) -> None:
    assert feed_token.decode(token, "all") is None
