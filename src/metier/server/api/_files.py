"""`/api/conversations/{id}/files/…`: files that tools wrote, served without any right to run scripts."""

import mimetypes
from pathlib import Path
from typing import Final

from fastapi.responses import FileResponse

from metier.errors import PathNotFound
from metier.server.http import Ctx, User, make_router, responds_text

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
    file = resolve_inside(here.settings.storage_dir / "workspaces" / found.id, path)
    if file is None:
        raise PathNotFound(
            f"there is no file {path[:200]!r}", hint="events of kind 'file' and 'image' name those there are"
        )
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    shown = "inline" if kind in _INLINE_TYPES else "attachment"
    headers = {"Content-Security-Policy": _DOWNLOAD_CSP, "Cache-Control": "private, no-cache"}
    return FileResponse(file, media_type=kind, filename=file.name, content_disposition_type=shown, headers=headers)


def resolve_inside(folder: Path, name: str) -> Path | None:
    """Resolve a file name inside the folder; None if `..` or a symlink leads outside, or there is no such file."""
    try:
        found = (folder / name).resolve()
        return found if found.is_relative_to(folder.resolve()) and found.is_file() else None
    except (OSError, ValueError):
        return None
