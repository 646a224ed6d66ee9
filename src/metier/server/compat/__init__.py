"""The same events for other protocols: OpenAI, AG-UI, MCP."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metier.server.compat._mcp import serve_mcp

__all__ = [
    "serve_mcp",
]


def __getattr__(name: str) -> object:
    """Import `serve_mcp` on first access: the HTTP server runs without the `mcp` package."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from metier.server.compat import _mcp

    return _mcp.serve_mcp
