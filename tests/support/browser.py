"""What browsers send to the gateway, put together by hand: no client's kindness hides a fault."""

import base64
import contextlib
import gzip
import json
import struct
from collections.abc import AsyncIterator, Iterator
from typing import Any, NamedTuple

import aiohttp
from google.rpc import error_details_pb2, status_pb2

MATCHES = "tablestate.v1.MatchService"
PREFIX = struct.Struct(">BI")
TRAILERS, END, COMPRESSED = 0x80, 0x02, 0x01


class Answer(NamedTuple):
    """A response, read to its end."""

    status: int
    headers: Any
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def framed(message: bytes, flags: int = 0) -> bytes:
    return PREFIX.pack(flags, len(message)) + message


def frames(body: bytes) -> Iterator[tuple[int, bytes]]:
    while body:
        flags, size = PREFIX.unpack_from(body)
        assert len(body) >= PREFIX.size + size, "the body breaks off"
        yield flags, body[PREFIX.size : PREFIX.size + size]
        body = body[PREFIX.size + size :]


def trailers(frame: bytes) -> dict[str, str]:
    lines = frame.decode().split("\r\n")
    return dict(line.split(": ", 1) for line in lines if line)


def reasons(details: bytes) -> list[str]:
    """The reasons in a serialized `google.rpc.Status`."""
    found = []
    for each in status_pb2.Status.FromString(details).details:
        info = error_details_pb2.ErrorInfo()
        if each.Unpack(info):
            found.append(info.reason)
    return found


def unpadded(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """Speaks HTTP/1.1, with headers as given."""

    def __init__(self, session: aiohttp.ClientSession, page: str) -> None:
        self.session = session
        self.page = page

    async def send(self, verb: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """A request; `_` in names of headers stands for `-`."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        url = self.page.rstrip("/") + path
        async with self.session.request(verb, url, data=body or None, headers=given) as response:
            return Answer(response.status, response.headers, await response.read())

    async def json(self, method: str, request: Any = None, **headers: str) -> Answer:
        """A unary call by Connect, in JSON."""
        body = json.dumps({} if request is None else request).encode()
        kind = headers.pop("content_type", "application/json")
        return await self.send("POST", path_of(method), body, content_type=kind, **headers)

    async def proto(self, method: str, request: Any, **headers: str) -> Answer:
        """A unary call by Connect, in protobuf."""
        headers.setdefault("content_type", "application/proto")
        return await self.send("POST", path_of(method), request.SerializeToString(), **headers)

    async def grpc_web(
        self, method: str, request: Any, kind: str = "application/grpc-web+proto", **headers: str
    ) -> tuple[list[bytes], dict[str, str]]:
        """A call by gRPC-Web; its messages and its trailers."""
        body = framed(request.SerializeToString())
        if "-text" in kind:
            body = base64.b64encode(body)
        answer = await self.send("POST", path_of(method), body, content_type=kind, **headers)
        assert answer.status == 200, answer
        assert answer.headers["content-type"] == kind
        content = debased(answer.body) if "-text" in kind else answer.body
        *messages, (flags, last) = frames(content)
        assert flags == TRAILERS
        return [opened(*each) for each in messages], trailers(last)

    @contextlib.asynccontextmanager
    async def stream(self, method: str, request: Any, **headers: str) -> AsyncIterator["Stream"]:
        """A call by Connect whose answers are read one by one."""
        given = {"content-type": "application/connect+proto"} | headers
        url = self.page.rstrip("/") + path_of(method)
        body = framed(request.SerializeToString())
        async with self.session.post(url, data=body, headers=given) as response:
            assert response.status == 200
            yield Stream(response)


class Stream:
    """The answers of a stream."""

    def __init__(self, response: aiohttp.ClientResponse) -> None:
        self.response = response

    async def read(self) -> tuple[int, bytes]:
        """The next envelope."""
        flags, size = PREFIX.unpack(await self.response.content.readexactly(PREFIX.size))
        return flags, await self.response.content.readexactly(size)


def path_of(method: str) -> str:
    return method if method.startswith("/") else f"/{MATCHES}/{method}"


def opened(flags: int, message: bytes) -> bytes:
    return gzip.decompress(message) if flags & COMPRESSED else message


def debased(text: bytes) -> bytes:
    """What pieces of base64, each padded, stand for."""
    quartets = (text[at : at + 4] for at in range(0, len(text), 4))
    return b"".join(base64.b64decode(each) for each in quartets)


@contextlib.asynccontextmanager
async def browser(page: str) -> AsyncIterator[Browser]:
    """A browser that has opened the page, and keeps its connections."""
    given = ("accept-encoding", "content-type", "user-agent")
    async with aiohttp.ClientSession(auto_decompress=False, skip_auto_headers=given) as session:
        yield Browser(session, page)
