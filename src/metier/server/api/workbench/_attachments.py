"""`/api/conversations/{id}/attachments`: files that the user attaches, lists and removes; a zip file is a project."""

import asyncio
import shutil
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from fastapi import Query, Request

from metier.attachments import add_attachment, list_attachments, remove_attachment
from metier.errors import InvalidInput, PathNotFound
from metier.json_values import JsonObject
from metier.language import Language
from metier.projects import PROJECT_FOLDER, ProjectProblem, add_archive, delete_project, open_project
from metier.server.api._turns import read_all_events
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, User, make_router, responds
from metier.server.schema import AttachmentInfo, AttachmentList
from metier.store import EventKind, Principal
from metier.workspaces import WorkspaceQuota

routes = make_router("conversations")
_ARCHIVE: Final = ".zip"
_FOLDER_TYPE: Final = "inode/directory"
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
    conversation: str,
    request: Request,
    here: Ctx,
    caller: Caller,
    *,
    name: FileName = "file",
    language: Language = "en",
) -> JsonAnswer:
    """Attach a file; the body is its content. Its type is told from the content, and its name is made here.

    Skills read its text as the document; the file is in the workspace, in the archive, and deleted with both. A zip
    file is unpacked as the project of the conversation: `note` says what was copied and left out, in `language`.
    """
    found = await here.get_owned_conversation(conversation, caller.user)
    settings, workspace = here.settings, here.places.get_workspace(found.id)
    quota = WorkspaceQuota(settings.workspace_max_bytes, settings.workspace_max_files)
    content, note = await request.body(), ""
    async with here.heavy_work:
        if name.lower().endswith(_ARCHIVE):
            upload = _Upload(content, name, quota.max_bytes)
            made, note = await asyncio.to_thread(_add_project, settings.storage_dir, workspace, upload, language)
        else:
            added = await asyncio.to_thread(
                add_attachment, workspace, name, content, max_bytes=settings.attachment_max_bytes, quota=quota
            )
            made = added.to_json()
    await _record(here, found.id, "attachment.added", made, caller)
    return JsonAnswer(AttachmentInfo.model_validate({**made, "note": note}), 201)


class _Upload(NamedTuple):
    """A zip file, its name, and how many bytes the workspace may hold."""

    content: bytes
    name: str
    max_bytes: int


def _add_project(storage: Path, workspace: Path, upload: _Upload, language: Language) -> tuple[JsonObject, str]:
    """Unpack a project; returns how it is listed, and the sentence about what was copied and left out."""
    workspace.mkdir(parents=True, exist_ok=True)
    try:
        report = add_archive(storage, workspace, upload.content, upload.name, max_bytes=upload.max_bytes)
    except ProjectProblem as problem:
        raise InvalidInput(problem.text(language), hint=problem.hint(language)) from problem
    listed = _describe_project(storage, workspace, report.size_bytes)
    return listed, report.describe(str(listed["name"]), language)


def _describe_project(storage: Path, workspace: Path, size_bytes: int | None = None) -> JsonObject:
    """The project of a conversation among its attachments; empty if it has none of the user's own."""
    project = open_project(storage, workspace)
    if project is None or project.sample:
        return {}
    size = project.measure_bytes() if size_bytes is None else size_bytes
    return {"path": PROJECT_FOLDER, "name": project.name, "media_type": _FOLDER_TYPE, "bytes": size, "text_chars": 0}


@routes.delete(
    "/api/conversations/{conversation}/attachments/{path:path}",
    summary="Remove an attached file",
    responses=responds(AttachmentList, 404),
)
async def remove_file(conversation: str, path: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Remove an attached file; the answer lists those that are left."""
    found = await here.get_owned_conversation(conversation, caller.user)
    workspace = here.places.get_workspace(found.id)
    try:
        if path == PROJECT_FOLDER:
            told = await asyncio.to_thread(_remove_project, here.settings.storage_dir, workspace)
        else:
            gone = await asyncio.to_thread(remove_attachment, workspace, path)
            told = {"path": gone.path, "name": gone.name}
    except PathNotFound:
        unrecorded = await _find_unrecorded_removal(here, found.id, path)
        if unrecorded is None:
            raise
        told = unrecorded
    await _record(here, found.id, "attachment.removed", told, caller)
    return JsonAnswer(await _list(here, found.id))


def _remove_project(storage: Path, workspace: Path) -> JsonObject:
    """Remove the project of the user's own from a conversation; the folder it came from stays as it is."""
    known = _describe_project(storage, workspace, 0)
    if not known:
        raise PathNotFound("this conversation has no project", hint="the list of attachments names it")
    delete_project(storage, workspace)
    shutil.rmtree(workspace / PROJECT_FOLDER, ignore_errors=True)
    return {"path": known["path"], "name": known["name"]}


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
    workspace = here.places.get_workspace(conversation)
    known = [one.to_json() for one in await asyncio.to_thread(list_attachments, workspace)]
    project = await asyncio.to_thread(_describe_project, here.settings.storage_dir, workspace)
    every = [*known, *([project] if project else [])]
    return AttachmentList(attachments=[AttachmentInfo.model_validate(one) for one in every])
