"""`/api/conversations/{id}/view/…`: documents of the conversation as blocks, or as PDF where LibreOffice is there."""

import asyncio
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any, Literal

from fastapi.responses import Response

from metier.errors import FileTypeRefused, PathNotFound
from metier.pack import Packs
from metier.server.http import AppContext, Ctx, JsonAnswer, User, make_router, responds, responds_text
from metier.server.schema import DocumentView
from metier.tools import ToolError
from metier.tools.builtin import open_in_workspace

routes = make_router("conversations")


@routes.get(
    "/api/conversations/{conversation}/view/{path:path}",
    summary="A document as blocks",
    responses=responds(DocumentView, 404),
)
async def view_document(conversation: str, path: str, here: Ctx, user: User) -> JsonAnswer:
    """Read a document of the workspace as blocks of plain text: no markup of the file, no scripts, nothing remote."""
    found = await here.get_owned_conversation(conversation, user)
    blocks = await _view(here, found.id, path, "blocks")
    return JsonAnswer(DocumentView.model_validate({"path": path, "name": PurePosixPath(path).name, **blocks}))


@routes.get(
    "/api/conversations/{conversation}/pages/{path:path}",
    summary="A document as PDF",
    responses=responds_text("%PDF-1.7", 404, 503, kind="application/pdf"),
)
async def draw_document(conversation: str, path: str, here: Ctx, user: User) -> Response:
    """Draw the exact pages of a document with LibreOffice, cut off from the network; 503 if it is not installed."""
    found = await here.get_owned_conversation(conversation, user)
    content = await _view(here, found.id, path, "pdf")
    headers = {"Content-Security-Policy": "default-src 'none'; sandbox", "Cache-Control": "private, no-cache"}
    name = f"{PurePosixPath(path).stem}.pdf".encode("ascii", "replace").decode().replace('"', "")
    headers["Content-Disposition"] = f'inline; filename="{name}"'
    return Response(content, media_type="application/pdf", headers=headers)


async def _view(here: AppContext, conversation: str, path: str, form: Literal["blocks", "pdf"]) -> Any:
    workspace = here.places.get_workspace(conversation)
    async with here.heavy_work:
        found = await asyncio.to_thread(_view_copy, workspace, path, here.packs, form)
    if found is None:
        raise FileTypeRefused(f"files such as {path[-80:]!r} have no preview", hint="docx, xlsx and pptx have one")
    return found


def _view_copy(workspace: Path, path: str, packs: Packs, form: Literal["blocks", "pdf"]) -> object:
    with _copy(workspace, path) as file:
        return next((shown for pack in packs.found if (shown := pack.view(file, form)) is not None), None)


@contextmanager
def _copy(workspace: Path, path: str) -> Iterator[Path]:
    """Copy of a file of the workspace in a folder of its own: a viewer meets no link and disturbs no writer."""
    try:
        opened = open_in_workspace(workspace, path)
    except ToolError as error:
        raise PathNotFound(f"there is no file {path[:200]!r}", hint="attachments and written files have one") from error
    with os.fdopen(opened, "rb") as source, TemporaryDirectory(prefix="metier-view-") as folder:
        file = Path(folder) / f"document{PurePosixPath(path).suffix.lower()}"
        with file.open("wb") as target:
            shutil.copyfileobj(source, target)
        yield file
