from pathlib import Path

import pytest

from tablestate_service.settings import Limits, Settings, SettingsError, from_environment


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
    ],
)
def test_a_setting_that_cannot_be_is_named(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=name.lower()):
        from_environment({f"TABLESTATE_{name}": value})
