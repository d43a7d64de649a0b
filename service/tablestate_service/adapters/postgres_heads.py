"""How far matches have got, asked for by many at once and read with one query."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeAlias

Query: TypeAlias = Callable[[Sequence[str]], Awaitable[Mapping[str, int]]]


class Heads:
    """Puts the questions together that come while a query is under way.

    A question is answered by a query that began after it, so that the answer holds all that
    was written before.
    """

    def __init__(self, query: Query) -> None:
        """Ask with this query: the versions of those matches that are there."""
        self._query = query
        self._asked: dict[str, asyncio.Future[int | None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def version(self, match_id: str) -> int | None:
        """The version of a match's last entry; None if there is no such match."""
        asked = self._asked.get(match_id)
        if asked is None:
            asked = self._asked[match_id] = asyncio.get_running_loop().create_future()
            # Those who wait for it see its error; there may be none left.
            asked.add_done_callback(lambda done: done.exception())
        if self._asking is None:
            self._asking = asyncio.ensure_future(self._ask())
        return await asyncio.shield(asked)

    async def _ask(self) -> None:
        while self._asked:
            asked, self._asked = self._asked, {}
            try:
                versions = await self._query(list(asked))
            except BaseException as error:
                for each in asked.values():
                    each.set_exception(error)
            else:
                for match_id, each in asked.items():
                    each.set_result(versions.get(match_id))
        self._asking = None
