"""Web page: built files under `ui/`, and `index.html` for every address of the single-page application."""

import re
from typing import Final

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from metier.errors import NotFound
from metier.server.api._files import resolve_inside
from metier.server.http import Ctx

routes = APIRouter(include_in_schema=False)
_IMMUTABLE_CACHE: Final = "public, max-age=31536000, immutable"
_ICON: Final = "favicon.svg"
_ASKED_ICON: Final = "favicon.ico"  # browsers ask for it beside documents that name no icon, such as a picture
_HASHED_NAME: Final = re.compile(r"-[A-Za-z0-9_-]{8,}\.\w+$")
_NOT_BUILT_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Metier</title></head>
<body><h1>Metier</h1>
<p>The server runs; its page has not been built. 服务已启动，页面尚未构建。</p>
<pre>cd web &amp;&amp; npm ci &amp;&amp; npm run build</pre>
<p><a href="/openapi.json">openapi.json</a></p>
</body></html>
"""


@routes.get("/")
@routes.get("/chat")
@routes.get("/chat/{rest:path}")
@routes.get("/shared/{rest:path}")
@routes.get("/console")
@routes.get("/console/{rest:path}")
async def serve_page(here: Ctx) -> Response:
    """Serve the single-page application, which does its own routing."""
    return _render_page(here)


def _render_page(here: Ctx, status: int = 200) -> Response:
    index = here.page_folder / "index.html"
    if not index.is_file():
        return HTMLResponse(_NOT_BUILT_PAGE, 503)
    return FileResponse(index, status, media_type="text/html; charset=utf-8", headers={"Cache-Control": "no-cache"})


@routes.get("/{name:path}")
async def serve_asset(name: str, request: Request, here: Ctx) -> Response:
    """Serve a built file. Files with a hash in their name are cached forever.

    A person who opens an address that is not there gets the page, which says so; a program gets the error.
    """
    found = resolve_inside(here.page_folder, _ICON if name == _ASKED_ICON else name)
    if found is None and "text/html" in request.headers.get("accept", ""):
        return _render_page(here, 404)
    if found is None:
        raise NotFound(f"there is nothing at {'/' + name[:200]!r}", hint="GET /openapi.json lists every address")
    cache = _IMMUTABLE_CACHE if _HASHED_NAME.search(found.name) else "no-cache"
    return FileResponse(found, headers={"Cache-Control": cache})
