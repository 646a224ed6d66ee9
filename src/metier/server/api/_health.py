"""`/healthz`, `/readyz`, `/metrics`: whether the server runs, whether it can answer, and its counters."""

import asyncio
import json
import os
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Final

from fastapi.responses import Response

from metier.errors import Unavailable
from metier.server.http import AppContext, Ctx, JsonAnswer, User, make_router, responds, responds_text
from metier.server.schema import Health, Readiness, ReadyChecks

routes = make_router("health", any_query=True)
_VERSION: Final = version("metier")  # read once: a liveness check touches no file
_MIN_FREE_BYTES: Final = 4 * 1024 * 1024


@routes.get("/healthz", summary="Alive?", responses=responds(Health))
async def healthz() -> JsonAnswer:
    """Liveness check: answers while the process runs."""
    return JsonAnswer(Health(ok=True, version=_VERSION))


@routes.get("/readyz", summary="Able to answer?", responses=responds(Readiness))
async def readyz(here: Ctx) -> JsonAnswer:
    """Readiness check: 200 if the store answers, its disk has room, skills are loaded and nothing has to be prepared.

    Otherwise, and when the server was told to stop, 503 with the reason.
    """
    checks = ReadyChecks(
        store=await _check_store(here),
        disk=await asyncio.to_thread(_check_disk, here.settings.storage_dir),
        skills=_check_skills(here),
        preparation="the server is stopping" if here.runtime.is_draining else here.preparation.status,
    )
    ok = all(status == "ok" for status in checks.model_dump().values())
    return JsonAnswer(Readiness(ok=ok, checks=checks), 200 if ok else 503)


async def _check_store(here: AppContext) -> str:
    try:
        await here.store.conversations.list("readyz", limit=1)
    except Unavailable as error:
        return error.message
    return "ok"


def _check_disk(folder: Path) -> str:
    """Whether files can be written below the storage folder.

    One is written, without a name where the file system can: after an error of the disk the kernel refuses writes to a
    folder whose flags say nothing of it.
    """
    try:
        found = os.statvfs(folder)
    except FileNotFoundError:  # it is made with the first file
        return "ok"
    except OSError as error:
        return f"the storage folder cannot be read: {error.strerror}"
    if found.f_flag & os.ST_RDONLY:
        return "the disk of the storage folder is read-only"
    free_bytes = found.f_bavail * found.f_frsize
    if free_bytes < _MIN_FREE_BYTES:
        return f"the disk of the storage folder has {free_bytes} bytes left"
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".ready-", buffering=0) as file:
            file.write(b"ready")
    except OSError as error:
        return f"the storage folder cannot be written: {error.strerror}"
    return "ok"


def _check_skills(here: AppContext) -> str:
    try:
        return "ok" if here.has_skills() else "no skill is loaded"
    except OSError as error:
        return json.dumps(str(error))


@routes.get(
    "/metrics",
    summary="Counters",
    responses=responds_text("metier_events_total 12.0\n", kind="text/plain"),
)
async def metrics(here: Ctx, user: User) -> Response:
    """Turns, events, streams, routing times, tool calls and violations in Prometheus format."""
    return Response(here.meter.render(), media_type="text/plain; version=0.0.4; charset=utf-8")
