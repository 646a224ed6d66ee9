"""The same events for other protocols: OpenAI, AG-UI, MCP."""

from metier.server.compat._mcp_stdio import serve_mcp

__all__ = [
    "serve_mcp",
]
