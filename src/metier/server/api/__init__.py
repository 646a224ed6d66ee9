"""One file per resource of Metier's own HTTP API."""

from metier.server.api._openapi import install_openapi
from metier.server.api.workbench import ROUTERS as WORKBENCH_ROUTERS
from metier.server.api.workbench import remove_abandoned_branches

__all__ = [
    "WORKBENCH_ROUTERS",
    "install_openapi",
    "remove_abandoned_branches",
]
