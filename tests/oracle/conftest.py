"""What the comparisons with the oracles have seen is printed at the end."""

from __future__ import annotations

import os

import pytest

from .coverage import Reports

REPORTS = pytest.StashKey[Reports]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[REPORTS] = {}


@pytest.fixture(scope="session")
def reports(request: pytest.FixtureRequest) -> Reports:
    """Where a comparison leaves what it has seen."""
    return request.config.stash[REPORTS]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    for game, coverage in config.stash[REPORTS].items():
        terminalreporter.section(f"{game}: rule events compared with the oracle")
        if os.environ.get("LONG"):
            terminalreporter.write_line(coverage.table())
        terminalreporter.write_line(coverage.summary())
