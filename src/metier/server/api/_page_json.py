"""JSON versions of pages: the address of a page with `.json` appended returns its data."""

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Query, Request
from fastapi.responses import RedirectResponse, Response

from metier.errors import NotFound
from metier.server.api._skills import RouteBody, decide_route
from metier.server.http import Ctx, User

routes = APIRouter(include_in_schema=False)
_LIST_PATHS: Mapping[str, str] = {
    "timeline": "/api/conversations",
    "context": "/api/conversations",
    "skills": "/api/skills",
    "violations": "/api/violations",
    "models": "/api/models",
    "feedback": "/api/feedback",
    "dashboard": "/api/stats",
    "bench": "/api/bench",
    "macrobench": "/api/plan-bench",
    "telemetry": "/dev/telemetry/events",
}
_ITEM_PATHS: Mapping[str, str] = {
    "timeline": "/api/turns/",
    "context": "/api/turns/",
    "skills": "/api/skills/",
    "bench": "/api/bench/",
    "macrobench": "/api/plan-bench/",
}
_TAB_PATHS: Mapping[str, str] = {
    "violations": "/api/violations",
    "exceptions": "/api/exceptions",
    "pauses": "/api/pauses",
    "approvals": "/api/approvals",
    "tools": "/api/tools/pending",
}
Text = Annotated[str, Query(max_length=10_000)]


@routes.get("/chat/{conversation}.json")
async def read_chat_json(conversation: str) -> Response:
    """Data of a conversation's page."""
    return _redirect_to(f"/api/conversations/{quote(conversation, safe='')}")


@routes.get("/console/playground.json")
async def read_playground_json(
    here: Ctx, user: User, *, q: Text = "", active: Text = "", host: Text = "", without: Text = ""
) -> Response:
    """Data of the routing playground: the decision it shows."""
    left_out = [name for name in without.split(",") if name]
    body = RouteBody(message=q, active=active or None, host=host or None, without=left_out)
    return await decide_route(here, body, user)


@routes.get("/console/{page}.json")
async def read_list_json(page: str, request: Request) -> Response:
    """Data of a console page."""
    if page not in _LIST_PATHS:
        known = ", ".join(sorted({*_LIST_PATHS, "playground"}))
        raise NotFound(f"the console has no page {page[:100]!r}", hint=f"pages: {known}")
    conversation, tab = request.query_params.get("conversation"), request.query_params.get("tab")
    if page == "timeline" and conversation:
        return _redirect_to(f"/api/conversations/{quote(conversation, safe='')}/turns")
    if page == "violations" and tab is not None and tab in _TAB_PATHS:
        return _redirect_to(_TAB_PATHS[tab])
    query = f"?{request.url.query}" if page in ("telemetry", "dashboard", "feedback") and request.url.query else ""
    return _redirect_to(_LIST_PATHS[page] + query)


@routes.get("/console/{page}/{name}.json")
async def read_item_json(page: str, name: str) -> Response:
    """Data of one item in the console."""
    if page not in _ITEM_PATHS:
        raise NotFound(
            f"the console has no pages under {page[:100]!r}", hint=f"there are: {', '.join(sorted(_ITEM_PATHS))}"
        )
    return _redirect_to(_ITEM_PATHS[page] + quote(name, safe=""))


def _redirect_to(address: str) -> Response:
    return RedirectResponse(address, 307)
