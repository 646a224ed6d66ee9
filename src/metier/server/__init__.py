"""HTTP server of the runtime: chat as a stream of stored events, and the API of the web page and other clients."""

from typing import TYPE_CHECKING

from metier.server._app import create_app
from metier.server._listen import serve
from metier.server.http import check_binding

if TYPE_CHECKING:
    from metier.server.compat import serve_mcp

__all__ = ["check_binding", "create_app", "serve", "serve_mcp"]


def __getattr__(name: str) -> object:
    """Import `serve_mcp` on first access: the HTTP server runs without the `mcp` package."""
    if name != "serve_mcp":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from metier.server import compat

    return compat.serve_mcp
