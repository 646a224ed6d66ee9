"""`/api/conversations/{id}/files/…`: what the tools of a conversation wrote, as downloads that can do nothing."""

import mimetypes
from pathlib import Path
from typing import Final

from fastapi.responses import FileResponse

from metier.errors import PathNotFound
from metier.server._security import User
from metier.server._serving import Here
from metier.server._wire import router, shows

routes = router("conversations")
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
# A page or a drawing that a tool wrote must not act in the name of ours.
_HARMLESS: Final = "default-src 'none'; sandbox"


@routes.get(
    "/api/conversations/{conversation}/files/{path:path}",
    summary="A file of its workspace",
    responses=shows("name,value\n", 404, kind="application/octet-stream"),
)
async def read_file(conversation: str, path: str, here: Here, user: User) -> FileResponse:
    """Pictures are shown, everything else is a download."""
    found = await here.owned(conversation, user)
    file = inside(here.settings.storage_dir / "workspaces" / found.id, path)
    if file is None:
        raise PathNotFound(
            f"there is no file {path[:200]!r}", hint="events of kind 'file' and 'image' name those there are"
        )
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    shown = "inline" if kind in _PICTURES else "attachment"
    headers = {"Content-Security-Policy": _HARMLESS, "Cache-Control": "private, no-cache"}
    return FileResponse(file, media_type=kind, filename=file.name, content_disposition_type=shown, headers=headers)


def inside(folder: Path, name: str) -> Path | None:
    """The file of this name in the folder, wherever dots and links would lead."""
    try:
        found = (folder / name).resolve()
        return found if found.is_relative_to(folder.resolve()) and found.is_file() else None
    except (OSError, ValueError):
        return None
