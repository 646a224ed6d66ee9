"""`/api/conversations/{id}/attachments`: files that the user attaches, lists and removes."""

import asyncio
from typing import Annotated, Any, Final

from fastapi import Query, Request

from metier.attachments import add_attachment, list_attachments, remove_attachment
from metier.errors import PathNotFound
from metier.json_values import JsonObject
from metier.server.api._turns import read_all_events
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, User, make_router, responds
from metier.server.schema import AttachmentInfo, AttachmentList
from metier.store import EventKind, Principal
from metier.workspaces import WorkspaceQuota

routes = make_router("conversations")
_KINDS: Final = frozenset({"attachment.added", "attachment.removed"})

FileName = Annotated[str, Query(min_length=1, max_length=300, description="The file's name; only for people to read.")]


def _describe_body() -> dict[str, Any]:
    content = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}, "example": "…"}}
    return {"requestBody": {"required": True, "content": content}}


@routes.get(
    "/api/conversations/{conversation}/attachments",
    summary="Its attached files",
    responses=responds(AttachmentList, 404),
)
async def read_attachments(conversation: str, here: Ctx, user: User) -> JsonAnswer:
    """List the files that the user attached, the oldest first."""
    found = await here.get_owned_conversation(conversation, user)
    return JsonAnswer(await _list(here, found.id))


@routes.post(
    "/api/conversations/{conversation}/attachments",
    summary="Attach a file",
    status_code=201,
    responses=responds(AttachmentInfo, 404, 413, status=201),
    openapi_extra=_describe_body(),
)
async def attach_file(
    conversation: str, request: Request, here: Ctx, caller: Caller, name: FileName = "file"
) -> JsonAnswer:
    """Attach a file; the body is its content. Its type is told from the content, and its name is made here.

    Skills read its text as the document; the file is in the workspace, in the archive, and deleted with both.
    """
    found = await here.get_owned_conversation(conversation, caller.user)
    settings = here.settings
    quota = WorkspaceQuota(settings.workspace_max_bytes, settings.workspace_max_files)
    content = await request.body()
    async with here.heavy_work:
        made = await asyncio.to_thread(
            add_attachment,
            here.places.get_workspace(found.id),
            name,
            content,
            max_bytes=settings.attachment_max_bytes,
            quota=quota,
        )
    await _record(here, found.id, "attachment.added", made.to_json(), caller)
    return JsonAnswer(AttachmentInfo.model_validate(made.to_json()), 201)


@routes.delete(
    "/api/conversations/{conversation}/attachments/{path:path}",
    summary="Remove an attached file",
    responses=responds(AttachmentList, 404),
)
async def remove_file(conversation: str, path: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Remove an attached file; the answer lists those that are left."""
    found = await here.get_owned_conversation(conversation, caller.user)
    try:
        gone = await asyncio.to_thread(remove_attachment, here.places.get_workspace(found.id), path)
        told: JsonObject = {"path": gone.path, "name": gone.name}
    except PathNotFound:
        unrecorded = await _find_unrecorded_removal(here, found.id, path)
        if unrecorded is None:
            raise
        told = unrecorded
    await _record(here, found.id, "attachment.removed", told, caller)
    return JsonAnswer(await _list(here, found.id))


async def _find_unrecorded_removal(here: AppContext, conversation: str, path: str) -> JsonObject | None:
    """What to record of a file that is gone but not by its events: the process died after it was removed."""
    events = await read_all_events(here, conversation, None)
    of_file = [one for one in events if one.kind in _KINDS and one.data.get("path") == path]
    if not of_file or of_file[-1].kind != "attachment.added":
        return None
    return {"path": path, "name": of_file[-1].data.get("name")}


async def _record(here: AppContext, conversation: str, kind: EventKind, told: JsonObject, by: Principal) -> None:
    """Store the event by which other pages of the conversation, its archive and its export know of the file."""
    here.observe(await here.store.events.append(conversation, kind, {**told, "by": by.to_json()}))


async def _list(here: AppContext, conversation: str) -> AttachmentList:
    known = await asyncio.to_thread(list_attachments, here.places.get_workspace(conversation))
    return AttachmentList(attachments=[AttachmentInfo.model_validate(one.to_json()) for one in known])
