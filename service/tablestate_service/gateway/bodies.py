"""Bodies of requests as they arrive, within limits."""

import grpc
from aiohttp import HttpVersion11, web

from tablestate_service.gateway.compression import too_large
from tablestate_service.gateway.status import ProtocolError

SMALL = 16_384
"""Bytes that any body may have, however many others arrive."""
AT_ONCE = 64
"""So many of the largest requests may arrive at the same time."""

_CHUNK = 65_536


class Bodies:
    """Receives the bodies of all requests.

    Who sends them may be anybody and take time. Beyond the small beginning of each, what has come
    of all that are not complete is therefore bounded.
    """

    def __init__(self, limit: int) -> None:
        """The message of a request may have `limit` bytes."""
        self.limit = limit
        self._free = AT_ONCE * limit

    async def receive(self, request: web.BaseRequest, room: int) -> bytes:
        """The whole body; refuses more than `room` bytes, and too much at once."""
        await _invite(request)
        read, taken = bytearray(), 0
        try:
            async for chunk in request.content.iter_chunked(_CHUNK):
                read += chunk
                if len(read) > room:
                    raise too_large(self.limit)
                taken += self._take(len(read) - SMALL - taken)
            return bytes(read)
        finally:
            self._free += taken

    def _take(self, size: int) -> int:
        taken = max(0, size)
        if taken > self._free:
            raise ProtocolError(
                grpc.StatusCode.RESOURCE_EXHAUSTED,
                "too many large requests arrive at once, try again",
            )
        self._free -= taken
        return taken


async def _invite(request: web.BaseRequest) -> None:
    """Ask for a body that its caller keeps back until then, as some do with large ones."""
    is_waiting = request.headers.get("expect", "").lower() == "100-continue"
    if is_waiting and request.version >= HttpVersion11:
        await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        request.writer.output_size = 0  # The answer itself has not begun.
