"""HTTP server of the runtime: chat as a stream of stored events, and the API of the web page and other clients."""

from metier.server._app import create_app
from metier.server._listen import serve
from metier.server.compat import serve_mcp
from metier.server.http import check_binding

__all__ = ["check_binding", "create_app", "serve", "serve_mcp"]
