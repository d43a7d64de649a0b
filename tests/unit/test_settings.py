import re
from pathlib import Path

import pytest

from tablestate_service.settings import (
    Limits,
    Settings,
    SettingsError,
    address_of,
    from_environment,
    shown_store,
    time_default,
)


def test_the_environment_is_read_and_arguments_come_first() -> None:
    environment = {
        "TABLESTATE_PORT": "7000",
        "TABLESTATE_DATA_DIR": "/srv/matches",
        "TABLESTATE_REFLECTION": "1",
        "TABLESTATE_LOG_LEVEL": "debug",
    }
    settings = from_environment(environment, port=7001, log_level=None)
    assert settings.port == 7001
    assert settings.data_dir == Path("/srv/matches")
    assert settings.reflection
    assert settings.log_level == "debug"


def test_limits_are_settings_too() -> None:
    environment = {"TABLESTATE_MAX_WATCHES": "7", "TABLESTATE_SLOW_READER_SECONDS": "0.5"}
    limits = from_environment(environment).limits
    assert (limits.max_watches, limits.slow_reader_seconds) == (7, 0.5)
    assert limits.loaded_matches == Limits().loaded_matches


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_loopback_needs_no_leave(host: str) -> None:
    assert Settings(host=host).host == host


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "203.0.113.7", "example.org"])
def test_beyond_loopback_only_when_told_so(host: str) -> None:
    with pytest.raises(SettingsError, match="allow_insecure"):
        Settings(host=host)
    assert Settings(host=host, allow_insecure=True).host == host


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "x"),
        ("PORT", "70000"),
        ("LOG_LEVEL", "loud"),
        ("REFLECTION", "y"),
        ("BOT_THREADS", "0"),
        ("BOT_THREADS", "1000000"),
        ("BOT_THREADS", "2.5"),
        ("MAX_WATCHES", "-1"),
        ("MAX_WATCHES", "9" * 30),
        ("MAX_REQUEST_BYTES", str(1 << 31)),
        ("DRAIN_SECONDS", "nan"),
        ("DRAIN_SECONDS", "inf"),
        ("SLOW_READER_SECONDS", "0"),
        ("SLOW_READER_SECONDS", "1e+300"),
        ("TURN_LIMIT_DEFAULT", "367d"),
        ("TURN_LIMIT_DEFAULT", "-1s"),
        ("WAITING_LIMIT_DEFAULT", "0s"),
        ("WAITING_LIMIT_DEFAULT", "soon"),
    ],
)
def test_a_setting_that_cannot_be_is_named(name: str, value: str) -> None:
    with pytest.raises(
        SettingsError, match=f"^{name.lower()} is .*{re.escape(value)}.*, expected "
    ):
        from_environment({f"TABLESTATE_{name}": value})


DAY = 24 * 3600 * 1_000_000_000


@pytest.mark.parametrize(
    ("text", "nanoseconds"),
    [("", None), ("0", None), ("1s", 1_000_000_000), ("72h", 3 * DAY), ("366d", 366 * DAY)],
)
def test_a_default_of_time_is_a_span_or_none(text: str, nanoseconds: int | None) -> None:
    assert time_default("turn_limit_default", text) == nanoseconds


def test_a_server_gives_time_by_default_and_an_embedded_service_does_not() -> None:
    served = from_environment({"TABLESTATE_WAITING_LIMIT_DEFAULT": "12h"})
    assert (served.turn_limit_default, served.waiting_limit_default) == ("3d", "12h")
    assert from_environment({}, turn_limit_default="0").turn_limit_default == "0"
    assert (Settings().turn_limit_default, Settings().waiting_limit_default) == ("", "")


def test_what_is_shown_of_a_value_is_short() -> None:
    with pytest.raises(SettingsError) as caught:
        from_environment({"TABLESTATE_PORT": "x" * 10_000})
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["TABLESTATE_PROT", "TABLESTATE_LIMITS", "TABLESTATE_port"])
def test_a_variable_that_is_no_setting_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name} is no setting, .*TABLESTATE_PORT"):
        from_environment({name: "7000"})


def test_every_limit_has_a_most() -> None:
    for name in Limits.__slots__:
        with pytest.raises(SettingsError, match=name):
            Limits(**{name: 10**40})


def test_addresses_are_written_so_that_the_port_can_be_told_apart() -> None:
    assert address_of("127.0.0.1", 1) == "127.0.0.1:1"
    assert address_of("::1", 1) == address_of("[::1]", 1) == "[::1]:1"


URL = "postgresql://ada:s3cret@db.example:5433/games?sslmode=require"


def test_a_store_is_shown_without_its_password() -> None:
    assert shown_store(URL) == "postgresql://db.example:5433/games"
    assert "s3cret" not in repr(Settings(store=URL, store_listen=URL))


@pytest.mark.parametrize(
    "url", ["games.db", "mysql://db/s3cret", "postgresql://ada:s3/cret@db/games", "postgresql:s3"]
)
@pytest.mark.parametrize("name", ["store", "store_listen"])
def test_what_is_no_url_of_a_store_is_refused_and_not_told(name: str, url: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name} is no URL of PostgreSQL, expected ") as got:
        from_environment({f"TABLESTATE_{name.upper()}": url})
    assert "s3" not in str(got.value)
