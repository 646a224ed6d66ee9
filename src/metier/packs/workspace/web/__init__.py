"""Web tasks: which page and which action a message means, and the sample shop that needs no network."""

from metier.packs.workspace.web._request import WebRequest, read_request
from metier.packs.workspace.web._tools import SHOP, build_tools

__all__ = ["SHOP", "WebRequest", "build_tools", "read_request"]
