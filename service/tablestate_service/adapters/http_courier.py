"""Posting over HTTP."""

import logging
from collections.abc import Mapping

import aiohttp

log = logging.getLogger(__name__)


class HttpCourier:
    """Fulfils `Courier`. Use it on the event loop it was made on, and close it."""

    def __init__(self, seconds: float) -> None:
        """Give each message so many seconds, from connecting to the head of the answer."""
        self._session = aiohttp.ClientSession(
            timeout=aiohttp.ClientTimeout(total=seconds),
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def post(self, url: str, headers: Mapping[str, str], body: bytes) -> int | None:
        """Post a body; the status of the answer, or None if there was none in time."""
        # What answers with a redirect may be anybody: it is not followed, and its body not read.
        request = self._session.post(url, data=body, headers=headers, allow_redirects=False)
        try:
            async with request as response:
                return response.status
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            # The text of the error may hold the URL, and that a secret.
            log.info("no answer", extra={"error": type(error).__name__})
            return None

    async def close(self) -> None:
        """Let go of the connections."""
        await self._session.close()
