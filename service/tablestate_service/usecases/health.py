"""Whether the store answers, looked after all the time."""

import asyncio
import logging
from collections.abc import Callable

from tablestate_service.domain.errors import DomainError
from tablestate_service.ports import MatchStore

log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
_PATIENCE_SECONDS = 8.0
"""How long a store that says nothing at all is waited for."""


class StoreHealth:
    """Asks the store every second whether it can do its work, and tells what it says."""

    def __init__(self, store: MatchStore, tell: Callable[[bool], None]) -> None:
        """Tell with True or False, once for each look."""
        self._store = store
        self._tell = tell

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            self._tell(await self._is_well())

    async def _is_well(self) -> bool:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._store.check()
        except (DomainError, TimeoutError):
            return False
        except Exception:
            log.exception("the store could not be looked at")
            return False
        return True
