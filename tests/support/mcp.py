"""A language model's client, which speaks MCP with the server of `tablestate-mcp`."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client
from mcp.types import TextContent

from tablestate import AsyncClient
from tablestate.mcp.command import server
from tablestate.mcp.keys import Keys
from tablestate.mcp.matches import Matches

COMMAND = Path(sys.executable).with_name("tablestate-mcp")


class Model:
    """What a model does: it calls tools and reads what they answer."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.heard: list[str] = []
        """Every answer, as it came over the wire."""

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that answers with data."""
        result = await self.client.call_tool(tool, arguments)
        self.heard.append(result.model_dump_json())
        assert not result.is_error, result.content
        assert result.structured_content is not None
        return dict(result.structured_content)

    async def read(self, tool: str, **arguments: Any) -> str:
        """Call a tool and return its text."""
        result = await self.client.call_tool(tool, arguments)
        self.heard.append(result.model_dump_json())
        assert not result.is_error, result.content
        return _text(result.content)

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool that has to fail, and return what it tells."""
        result = await self.client.call_tool(tool, arguments)
        self.heard.append(result.model_dump_json())
        assert result.is_error, result.content
        return _text(result.content)


@asynccontextmanager
async def model(target: str, *arguments: str) -> AsyncIterator[Model]:
    """A model that speaks with a process of its own over standard input and output."""
    command = StdioServerParameters(command=str(COMMAND), args=["--server", target, *arguments])
    async with Client(stdio_client(command)) as client:
        yield Model(client)


@asynccontextmanager
async def model_within(target: str) -> AsyncIterator[Model]:
    """The same with its server in this process, which is there at once."""
    async with (
        AsyncClient(target) as service,
        Client(server(Matches(service, Keys()))) as client,
    ):
        yield Model(client)


def _text(content: Any) -> str:
    (part,) = content
    assert isinstance(part, TextContent)
    return part.text
