"""The command that opens the gateway, and the sockets that it opens."""

import asyncio
import json
import re
import socket
import urllib.request
from pathlib import Path

from support.command import start
from tablestate_service.gateway.origins import Origins
from tablestate_service.gateway.page import Page
from tablestate_service.gateway.server import Gateway
from tablestate_service.settings import Limits


def test_serve_tells_where_the_page_is(tmp_path: Path) -> None:
    process = start(
        *("serve", "--port", "0", "--gateway", "127.0.0.1:0", "--data-dir", str(tmp_path))
    )
    assert process.stdout is not None
    try:
        assert "listens on" in process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert found is not None
        with urllib.request.urlopen(found[0]) as answer:
            assert answer.headers["content-type"].startswith("text/html")
        with urllib.request.urlopen(f"{found[0]}openapi.json") as answer:
            assert json.load(answer)["openapi"].startswith("3.1")
    finally:
        process.terminate()
        process.communicate(timeout=30)
    assert process.returncode == 0


async def test_a_connection_is_asked_whether_its_browser_is_still_there() -> None:
    gateway = Gateway({}, Origins((), "127.0.0.1"), Page(), Limits())
    port = await gateway.listen("127.0.0.1", 0, None)
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    async with asyncio.timeout(60):
        while not gateway._server.connections:
            await asyncio.sleep(0.01)
    (connection,) = gateway._server.connections
    assert connection.transport is not None
    opened = connection.transport.get_extra_info("socket")
    assert opened.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    asked = [
        opened.getsockopt(socket.IPPROTO_TCP, option)
        for option in (socket.TCP_KEEPIDLE, socket.TCP_KEEPINTVL, socket.TCP_KEEPCNT)
    ]
    assert asked[0] + asked[1] * asked[2] <= 120
    writer.close()
    await gateway.close()
