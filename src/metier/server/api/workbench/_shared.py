"""`/api/shared/{token}`: what a share link shows, without a key: one conversation up to where it was shared."""

from types import MappingProxyType
from typing import Annotated, Final

from fastapi import Query, Request
from fastapi.responses import Response

from metier.errors import PathNotFound, RecordNotFound
from metier.json_values import JsonObject
from metier.server.api._files import send_workspace_file
from metier.server.http import AppContext, Ctx, JsonAnswer, make_router, responds, responds_text
from metier.server.schema import EventList, SharedConversation
from metier.store import Event, Share

routes = make_router("shares")
_READERS: Final = "shared:"  # no user can have this name; all readers of links share one rate limit per address
_NOT_KEPT: Final = MappingProxyType({"Cache-Control": "private, no-store"})
_FILE_KINDS: Final = frozenset({"file", "image"})
After = Annotated[int, Query(ge=0, le=2**63 - 1)]
Limit = Annotated[int, Query(ge=1, le=1000)]


@routes.get("/api/shared/{token}", summary="A shared conversation", responses=responds(SharedConversation, 404))
async def read_shared(token: str, here: Ctx, request: Request) -> JsonAnswer:
    """Title and size of the conversation of a share link."""
    share = await _find_share(here, token, request)
    return JsonAnswer(
        SharedConversation(title=share.title, shared_at=share.created_at.isoformat(), last_seq=share.last_seq),
        headers=dict(_NOT_KEPT),
    )


@routes.get("/api/shared/{token}/events.json", summary="Its events", responses=responds(EventList, 404))
async def read_shared_events(
    token: str, here: Ctx, request: Request, *, after: After = 0, limit: Limit = 1000
) -> JsonAnswer:
    """Read its events with numbers from `after` to `after + limit`, up to those there were when the link was made.

    What the model was given (`context.built`) and who sent or decided something is left out: the page does not show it.
    """
    share = await _find_share(here, token, request)
    events = await here.store.events.read(share.conversation, after=after, limit=limit)
    shown = [_redact(one) for one in events if one.seq <= share.last_seq and one.kind != "context.built"]
    return JsonAnswer({"events": shown, "last_seq": share.last_seq}, headers=dict(_NOT_KEPT))


@routes.get(
    "/api/shared/{token}/files/{path:path}",
    summary="A file of it",
    responses=responds_text("name,value\n", 404, kind="application/octet-stream"),
)
async def read_shared_file(token: str, path: str, here: Ctx, request: Request) -> Response:
    """Read a file that its events name, unless it was written anew since; no other file of the workspace."""
    share = await _find_share(here, token, request)
    if path not in await _list_files(here, share):
        raise PathNotFound(
            f"there is no file {path[:200]!r}", hint="events of kind 'file' and 'image' name those there are"
        )
    return await send_workspace_file(here, share.conversation, path, unchanged_since=share.created_at)


def _redact(event: Event) -> JsonObject:
    told = event.to_json()
    return {**told, "data": {name: value for name, value in event.data.items() if name != "by"}}


async def _find_share(here: AppContext, token: str, request: Request) -> Share:
    here.rate_limiter.take(_READERS + (request.client.host if request.client else ""))
    found = await here.store.shares.find_by_token(token)
    if found is None:
        raise RecordNotFound("there is nothing at this link", hint="it is wrong, was revoked or has expired")
    return found


async def _list_files(here: AppContext, share: Share) -> set[str]:
    named, after = set[str](), 0
    while page := await here.store.events.read(share.conversation, after=after):
        after = page[-1].seq
        named |= {str(one.data.get("path")) for one in page if one.kind in _FILE_KINDS and one.seq <= share.last_seq}
    return named
