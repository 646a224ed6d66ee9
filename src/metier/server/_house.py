"""`/api/info`, `/api/packs`, `/api/bench`, health checks and metrics."""

import asyncio
import json
from importlib.metadata import version
from pathlib import Path
from typing import Final

from fastapi.responses import Response

from metier.errors import InvalidInput, RecordNotFound, Unavailable
from metier.jsons import JsonInvalid, JsonObject, JsonValue, load_json
from metier.pack import Pack
from metier.server import _examples as examples
from metier.server._security import User
from metier.server._serving import Here, Serving
from metier.server._wire import Told, router, shows, when
from metier.skills import Skill

routes = router("house")
_RUNS: Final = 200


@routes.get("/api/info", summary="What this server is", responses=shows(examples.INFO))
async def info(here: Here, user: User) -> Told:
    """Version, model, language, the current user, and which features are on."""
    settings, catalog = here.settings, here.runtime.catalog()
    return Told(
        {
            "name": "metier",
            "version": version("metier"),
            "model": settings.model,
            "language": settings.language,
            "user": user,
            "keys": bool(here.keys),
            "dev_routes": settings.dev_routes,
            "telemetry": settings.telemetry_mode,
            "packs": [pack.id for pack in here.packs.found],
            "skills": len(catalog),
            "digest": catalog.digest,
            "skill_tool": settings.skill_tool,
            "started_at": when(here.started_at),
            "limits": {
                "message_max_tokens": settings.message_max_tokens,
                "body_max_bytes": settings.body_max_bytes,
                "rate_limit": settings.rate_limit,
                "streams_max": settings.streams_max,
            },
        }
    )


@routes.get("/api/packs", summary="Installed packs", responses=shows(examples.PACKS))
async def list_packs(here: Here, user: User) -> Told:
    """Title, description, skills and example prompts in both languages; and why a pack could not be loaded."""
    catalog = here.runtime.catalog()
    listed = [_pack(pack, [skill for skill in catalog if _is_of(skill, pack)]) for pack in here.packs.found]
    return Told({"packs": listed, "problems": [one.to_json() for one in here.packs.problems]})


def _is_of(skill: Skill, pack: Pack) -> bool:
    return pack.skills is not None and skill.source.path.is_relative_to(pack.skills)


def _pack(pack: Pack, skills: list[Skill]) -> JsonObject:
    named: list[JsonValue] = [{"id": one.id, "title": one.title, "description": one.description} for one in skills]
    return {
        "id": pack.id,
        "title": pack.title.to_json(),
        "description": pack.description.to_json(),
        "version": pack.version,
        "requires": list(pack.requires),
        "skills": named,
        "examples": [one.to_json() for one in pack.examples],
    }


@routes.get("/api/bench", summary="Benchmark runs", responses=shows(examples.RUNS))
async def list_runs(here: Here, user: User) -> Told:
    """List saved benchmark runs with their figures, newest first."""
    return Told({"runs": await asyncio.to_thread(_runs, here.bench_folder)})


@routes.get("/api/bench/{name}", summary="One benchmark run", responses=shows(examples.RUN, 404))
async def read_run(name: str, here: Here, user: User) -> Told:
    """Read one benchmark run as it was saved."""
    found = await asyncio.to_thread(_files, here.bench_folder)
    if name not in found:
        raise RecordNotFound(f"there is no run {name[:100]!r}", hint="GET /api/bench lists them")
    return Told({"name": name, "run": await asyncio.to_thread(_run, found[name])})


def _files(folder: Path) -> dict[str, Path]:
    found = sorted(folder.glob("*.json"), reverse=True) if folder.is_dir() else []
    return {path.stem: path for path in found[:_RUNS]}


def _run(path: Path) -> JsonValue:
    try:
        return load_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, JsonInvalid) as error:
        raise InvalidInput(f"run {path.stem!r} cannot be read: {error}", hint="run `metier bench` again") from error


def _runs(folder: Path) -> list[JsonObject]:
    listed: list[JsonObject] = []
    for name, path in _files(folder).items():
        try:
            run = _run(path)
        except InvalidInput as error:
            listed.append({"name": name, "error": error.to_json()})
            continue
        listed.append({"name": name, **(run if isinstance(run, dict) else {})})
    return listed


@routes.get("/healthz", summary="Alive?", responses=shows({"ok": True, "version": "0.1.0"}))
async def healthz() -> Told:
    """Liveness check: answers while the process runs."""
    return Told({"ok": True, "version": version("metier")})


@routes.get(
    "/readyz", summary="Able to answer?", responses=shows({"ok": True, "checks": {"store": "ok", "skills": "ok"}})
)
async def readyz(here: Here) -> Told:
    """Readiness check: 200 if the store answers and skills are loaded; otherwise 503 with the reason."""
    checks = {"store": await _store(here), "skills": _skills(here)}
    ok = all(said == "ok" for said in checks.values())
    return Told({"ok": ok, "checks": checks}, 200 if ok else 503)


async def _store(here: Serving) -> str:
    try:
        await here.store.conversations.list("readyz", limit=1)
    except Unavailable as error:
        return error.message
    return "ok"


def _skills(here: Serving) -> str:
    try:
        return "ok" if len(here.runtime.catalog()) else "no skill is loaded"
    except OSError as error:
        return json.dumps(str(error))


@routes.get(
    "/metrics",
    summary="Counters",
    responses=shows("metier_events_total 12.0\n", kind="text/plain"),
)
async def metrics(here: Here, user: User) -> Response:
    """Turns, events, streams, routing times, tool calls and violations in Prometheus format."""
    return Response(here.meter.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
