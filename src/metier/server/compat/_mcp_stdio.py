"""MCP over standard input and output."""

from metier.agent import Runtime
from metier.routing import Router
from metier.tools import Rules


async def serve_mcp(runtime: Runtime, router: Router, policy: Rules | None = None) -> None:
    """Serve MCP until the client disconnects. The `mcp` package is imported only here."""
    from mcp.server.stdio import stdio_server

    from metier.server.compat._mcp import McpHandlers

    made = McpHandlers(runtime, router, policy).build_server()
    async with stdio_server() as (reads, writes):
        await made.run(reads, writes, made.create_initialization_options())
