"""A server that receives webhooks, and misbehaves when it is told to."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from aiohttp import web

from tablestate.webhooks import Webhook, verify

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
REDIRECTED = "/elsewhere"


class Receiver:
    """Keeps every message, and answers with the next status of its script, then with 200."""

    def __init__(self) -> None:
        self.url = ""
        self.messages: list[Webhook] = []
        """All that came, with what was not taken, each of them checked."""
        self.taken: list[Webhook] = []
        self.script: deque[int | float] = deque()
        """Statuses; a fraction is a time to sleep before a 200, 0 cuts the connection."""
        self.headers: list[Mapping[str, str]] = []
        self.is_redirect_followed = False
        self._came = asyncio.Event()

    async def take(self, request: web.Request) -> web.Response:
        message = verify(request.headers, await request.read(), SECRET)
        self.headers.append(request.headers)
        self.messages.append(message)
        self._came.set()
        status = self.script.popleft() if self.script else 200
        if isinstance(status, float):
            await asyncio.sleep(status)
            status = 200
        if status == 0 and request.transport is not None:
            request.transport.abort()
        if status == 200:
            self.taken.append(message)
            self._came.set()
        return web.Response(status=status or 200, headers={"location": REDIRECTED})

    async def follow(self, request: web.Request) -> web.Response:
        self.is_redirect_followed = True
        return web.Response()

    async def until(self, taken: int, messages: int = 0, seconds: float = 60) -> None:
        """Wait until so many were taken, and so many came."""
        async with asyncio.timeout(seconds):
            while len(self.taken) < taken or len(self.messages) < messages:
                self._came.clear()
                await self._came.wait()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that listens."""
    receiver = Receiver()
    application = web.Application()
    application.router.add_post("/hook", receiver.take)
    application.router.add_route("*", REDIRECTED, receiver.follow)
    runner = web.AppRunner(application, shutdown_timeout=0.1)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    receiver.url = f"http://127.0.0.1:{port}/hook"
    try:
        yield receiver
    finally:
        await runner.cleanup()
