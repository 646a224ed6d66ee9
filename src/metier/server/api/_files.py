"""`/api/conversations/{id}/files/…`: files that tools wrote, served without any right to run scripts."""

import asyncio
import mimetypes
import os
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final

from fastapi.responses import FileResponse
from starlette.types import Receive, Scope, Send

from metier.errors import PathNotFound
from metier.server.http import AppContext, Ctx, User, make_router, responds_text
from metier.tools import ToolError
from metier.tools.builtin import open_in_workspace
from metier.workspaces import workspace_folder

routes = make_router("conversations")
_INLINE_TYPES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
# HTML or SVG written by a tool must not run scripts in our origin.
_DOWNLOAD_CSP: Final = "default-src 'none'; sandbox"


@routes.get(
    "/api/conversations/{conversation}/files/{path:path}",
    summary="A file of its workspace",
    responses=responds_text("name,value\n", 404, kind="application/octet-stream"),
)
async def read_file(conversation: str, path: str, here: Ctx, user: User) -> FileResponse:
    """Read a file of the workspace. Images are shown inline; everything else is a download."""
    found = await here.get_owned_conversation(conversation, user)
    return await send_workspace_file(here, found.id, path)


async def send_workspace_file(
    here: AppContext, conversation: str, path: str, *, unchanged_since: datetime | None = None
) -> FileResponse:
    """Send a file of a conversation's workspace to whoever may read it, or not if it was written after a moment."""
    folder = workspace_folder(here.settings.storage_dir, conversation)
    try:
        file = await asyncio.to_thread(open_in_workspace, folder, path)
    except ToolError as error:
        raise PathNotFound(
            f"there is no file {path[:200]!r}", hint="events of kind 'file' and 'image' name those there are"
        ) from error
    if unchanged_since is not None and os.fstat(file).st_mtime > unchanged_since.timestamp():
        os.close(file)
        raise PathNotFound(f"the file {path[:200]!r} has changed since", hint="ask for a new link")
    name = PurePosixPath(path).name
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    shown = "inline" if kind in _INLINE_TYPES else "attachment"
    headers = {"Content-Security-Policy": _DOWNLOAD_CSP, "Cache-Control": "private, no-cache"}
    return OpenFileResponse(file, media_type=kind, filename=name, content_disposition_type=shown, headers=headers)


class OpenFileResponse(FileResponse):
    """Response with the content of an open file, which is closed after it: the path is not looked up again."""

    def __init__(self, file: int, **options: Any) -> None:
        super().__init__(f"/dev/fd/{file}", stat_result=os.fstat(file), **options)
        self._file = file

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            os.close(self._file)


def resolve_inside(folder: Path, name: str) -> Path | None:
    """Resolve a file name inside the folder; None if `..` or a symlink leads outside, or there is no such file."""
    try:
        found = (folder / name).resolve()
        return found if found.is_relative_to(folder.resolve()) and found.is_file() else None
    except (OSError, ValueError):
        return None
