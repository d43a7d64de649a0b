"""An event loop in which a seed decides what comes next, and waiting takes no time.

Every node has a line of its own, and so have the database and the clients. Within a line what
was ready first runs first, as on an event loop of its own; which line goes on is drawn. Time
passes when nothing is ready. A line that is cut never runs again, wherever it was: so a node
dies.
"""

import asyncio
import heapq
import random
from asyncio import events
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from typing import Any, Protocol, TypeVarTuple

Ts = TypeVarTuple("Ts")


class Judge(Protocol):
    """Whom faults are told."""

    violations: list[str]

    def violate(self, text: str) -> None:
        """Something is wrong."""


class Line:
    """What runs on one event loop: whatever is begun in its context stays in it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ready: deque[asyncio.Handle] = deque()
        self.is_cut = False
        self.context = copy_context()
        self.context.run(_line.set, self)

    def cut(self) -> None:
        """Let nothing of it run any more."""
        self.is_cut = True
        self.ready.clear()


_line: ContextVar[Line] = ContextVar("line")


class SimulatedLoop(asyncio.AbstractEventLoop):
    """Runs lines; use it as a context, which it is the running loop in."""

    def __init__(self, chooser: random.Random) -> None:
        self._chooser = chooser
        self._now = 0.0
        self._timers: list[tuple[float, int, Line, asyncio.TimerHandle]] = []
        self._count = 0
        self._ready: list[Line] = []
        """The lines that can go on."""
        self._main = Line("main")
        self._tasks: list[asyncio.Task[Any]] = []
        """All that ever were: one that is cut must not be taken apart while others run."""
        self._judge: Judge | None = None

    def run(self, main: Coroutine[Any, Any, None], seconds: float, judge: Judge) -> None:
        """Run a task to its end, within so many seconds of its time, unless something is wrong."""
        self._judge = judge
        events._set_running_loop(self)
        try:
            task = self.create_task(main, context=self._main.context)
            while not task.done() and not judge.violations:
                self._turn()
                if self._now > seconds:
                    judge.violate("it never becomes quiet")
            if task.done() and (error := task.exception()):
                judge.violate(f"a client fails: {error!r}")
        finally:
            events._set_running_loop(None)
            self._judge = None

    def _turn(self) -> None:
        """Run what is first in some line, or let time pass until there is something."""
        if not self._ready:
            self._wait()
            return
        place = self._chooser.randrange(len(self._ready)) if len(self._ready) > 1 else 0
        line = self._ready[place]
        if line.ready:
            handle = line.ready.popleft()
            if not handle.cancelled():
                handle._run()
        if not line.ready:
            self._ready.remove(line)

    def _wait(self) -> None:
        if not self._timers:
            raise RuntimeError("nothing will ever happen again")
        when, _, line, handle = heapq.heappop(self._timers)
        self._now = max(self._now, when)
        if not handle.cancelled():
            self._enqueue(line, handle)

    def _enqueue(self, line: Line, handle: asyncio.Handle) -> None:
        if line.is_cut:
            return
        if not line.ready and line not in self._ready:
            self._ready.append(line)
        line.ready.append(handle)

    def time(self) -> float:
        return self._now

    def call_soon(
        self, callback: Callable[[*Ts], object], *args: *Ts, context: Context | None = None
    ) -> asyncio.Handle:
        context = context or copy_context()
        handle = asyncio.Handle(callback, args, self, context)
        self._enqueue(context.get(_line, self._main), handle)
        return handle

    def call_later(
        self,
        delay: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        return self.call_at(self._now + delay, callback, *args, context=context)

    def call_at(
        self,
        when: float,
        callback: Callable[[*Ts], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        context = context or copy_context()
        handle = asyncio.TimerHandle(when, callback, args, self, context)
        self._count += 1
        line = context.get(_line, self._main)
        heapq.heappush(self._timers, (when, self._count, line, handle))
        return handle

    def create_future(self) -> asyncio.Future[Any]:
        return asyncio.Future(loop=self)

    def create_task(
        self, coro: Any, *, name: str | None = None, context: Context | None = None, **_: Any
    ) -> asyncio.Task[Any]:
        task = asyncio.Task(coro, loop=self, name=name, context=context)
        self._tasks.append(task)
        return task

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """What nobody caught is wrong, unless all is over."""
        if self._judge is not None:
            self._judge.violate(f"{context['message']}: {context.get('exception')!r}")

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return True

    def is_closed(self) -> bool:
        return False

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        """It is passed over when its time comes."""


def simulated_loop(chooser: random.Random) -> SimulatedLoop:
    """A loop that has what timers, tasks and locks need, and neither files nor sockets."""
    return SimulatedLoop(chooser)  # type: ignore[abstract]
