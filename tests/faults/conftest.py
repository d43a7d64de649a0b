"""Fault tests count the faults that happened; the counts are printed at the end."""

from collections import Counter

import pytest

from support.faults_report import IS_LONG, Report

REPORT = pytest.StashKey[Report]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[REPORT] = Report()


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Counter[str]:
    """What a test counts, under its name."""
    return request.config.stash[REPORT].tally(request.node.name)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    lines = list(config.stash[REPORT].lines())
    if lines:
        form = "long" if IS_LONG else "short"
        terminalreporter.section(f"faults that really happened ({form} form)")
        terminalreporter.write_line("\n".join(lines))
