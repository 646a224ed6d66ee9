"""A real MCP server for the tests: `python server.py stdio`, or `python server.py http PORT`.

What it offers is read from the file named by OFFER, so that a test can change it between two looks.
"""

import os
import sys
from pathlib import Path
from typing import Any

import anyio
from mcp.server import MCPServer
from mcp_types import ImageContent, TextContent, Tool, ToolAnnotations

OFFER = Path(os.environ["OFFER"]) if "OFFER" in os.environ else None


def described() -> str:
    return OFFER.read_text("utf-8") if OFFER else "Add two whole numbers."


class Server(MCPServer[Any]):
    """Lists one tool more whose schema points into the network."""

    async def list_tools(self) -> list[Tool]:
        tools = await super().list_tools()
        remote = {"type": "object", "properties": {"x": {"$ref": "http://example.invalid/x.json"}}}
        for tool in tools:
            if tool.name == "add":
                tool.description = described()
        return [*tools, Tool(name="fetcher", description="Bad schema.", input_schema=remote)]


server = Server("probe")


@server.tool(annotations=ToolAnnotations(read_only_hint=True, open_world_hint=False))
def add(a: int, b: int) -> dict[str, int]:
    return {"sum": a + b}


@server.tool(structured_output=False)
def greet(name: str) -> str:
    """Greet someone, 打招呼."""
    return f"你好, {name}"


@server.tool(structured_output=False)
def picture() -> list[TextContent | ImageContent]:
    """A text and a picture."""
    return [
        TextContent(type="text", text="a dot"),
        ImageContent(type="image", data="iVBORw0KGgo=", mime_type="image/png"),
    ]


@server.tool()
def fail() -> str:
    """Always fails."""
    raise ValueError("the disk is on fire")


@server.tool(annotations=ToolAnnotations(idempotent_hint=True))
async def hang() -> str:
    """Never answers."""
    await anyio.sleep_forever()
    return ""


@server.tool()
def die() -> str:
    """Ends the server in the middle of a call."""
    sys.stderr.write("goodbye\n")
    sys.stderr.flush()
    os._exit(3)


@server.tool()
def environment() -> dict[str, str]:
    """What the server sees of its environment."""
    return dict(os.environ)


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        server.run("stdio")
    else:
        server.run("streamable-http", host="127.0.0.1", port=int(sys.argv[2]))
