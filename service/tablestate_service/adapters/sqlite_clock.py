"""The clock of a data directory: how long it has been served.

It stands still while no service runs, and goes by the monotonic clock while one does. So neither
a time of day that jumps nor a service that is down takes time from a player.
"""

import time

import apsw

from tablestate_service.domain.entry import WHOLE_MILLISECOND


class SqliteClock:
    """Goes on from where it was last noted."""

    def __init__(self, connection: apsw.Connection) -> None:
        """Read what was noted."""
        ((noted,),) = connection.execute("SELECT time FROM clock")
        self._start = int(noted) - time.monotonic_ns()

    def now(self) -> int:
        """Nanoseconds, whole milliseconds."""
        return (self._start + time.monotonic_ns()) // WHOLE_MILLISECOND * WHOLE_MILLISECOND

    def note(self, connection: apsw.Connection) -> None:
        """Write down how late it is, in the transaction that is open, if one is.

        Whatever was measured must not be measured again after a crash: what is written by this
        clock is written together with it.
        """
        connection.execute("UPDATE clock SET time = max(time, ?)", (self.now(),))
