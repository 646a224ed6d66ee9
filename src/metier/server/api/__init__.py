"""One file per resource of Metier's own HTTP API."""

from metier.server.api._openapi import install_openapi

__all__ = [
    "install_openapi",
]
