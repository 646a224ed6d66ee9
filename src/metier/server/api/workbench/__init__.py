"""Routes of the workbench: attachments and their previews, share links, branches, waiting, feedback, figures."""

from metier.server.api.workbench._attachments import routes as attachment_routes
from metier.server.api.workbench._branch_marks import remove_abandoned_branches
from metier.server.api.workbench._branches import routes as branch_routes
from metier.server.api.workbench._document_views import routes as view_routes
from metier.server.api.workbench._feedback import routes as feedback_routes
from metier.server.api.workbench._profile import routes as profile_routes
from metier.server.api.workbench._shared import routes as shared_routes
from metier.server.api.workbench._shares import routes as share_routes
from metier.server.api.workbench._stats import routes as stats_routes
from metier.server.api.workbench._waiting import routes as waiting_routes

ROUTERS = (
    branch_routes,
    share_routes,
    shared_routes,
    waiting_routes,
    feedback_routes,
    stats_routes,
    attachment_routes,
    view_routes,
    profile_routes,
)

__all__ = ["ROUTERS", "remove_abandoned_branches"]
