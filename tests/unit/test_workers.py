"""Threads that do not stand in the way of others."""

import os
import sys
import threading

from tablestate_service.adapters.system import ThreadWorkers, go_last, go_later

ON_LINUX = sys.platform == "linux"
"""Elsewhere a thread has neither a niceness nor a policy of its own."""


def standing() -> tuple[int, int]:
    """The policy and the niceness of the thread that asks."""
    if not ON_LINUX:
        return (0, 0)
    return os.sched_getscheduler(0), os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


async def test_workers_that_go_later_are_nicer_than_the_rest() -> None:
    before = standing()
    workers = ThreadWorkers(1, "test", go_later)
    policy, niceness = await workers.run(standing)
    workers.close()
    assert policy == before[0]
    assert (niceness > before[1]) == ON_LINUX
    assert standing() == before


async def test_workers_that_go_last_run_where_nobody_else_does() -> None:
    before = standing()
    workers = ThreadWorkers(1, "test", go_last)
    policy, _ = await workers.run(standing)
    workers.close()
    assert (policy != before[0]) == ON_LINUX
    assert standing() == before
