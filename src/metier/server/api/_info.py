"""`/api/info`, `/api/packs`, `/api/bench`, health checks and metrics."""

import asyncio
import json
from importlib.metadata import version
from pathlib import Path
from typing import Final

from fastapi.responses import Response

from metier.errors import InvalidInput, RecordNotFound, Unavailable
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.pack import Pack
from metier.server.api import _examples as examples
from metier.server.http import AppContext, Ctx, JsonAnswer, User, format_time, make_router, responds
from metier.skills import Skill

routes = make_router("house")
_MAX_RUNS: Final = 200


@routes.get("/api/info", summary="What this server is", responses=responds(examples.INFO))
async def read_info(here: Ctx, user: User) -> JsonAnswer:
    """Version, model, language, the current user, and which features are on."""
    settings, catalog = here.settings, here.runtime.catalog()
    return JsonAnswer(
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
            "started_at": format_time(here.started_at),
            "limits": {
                "message_max_tokens": settings.message_max_tokens,
                "body_max_bytes": settings.body_max_bytes,
                "rate_limit": settings.rate_limit,
                "streams_max": settings.streams_max,
            },
        }
    )


@routes.get("/api/packs", summary="Installed packs", responses=responds(examples.PACKS))
async def list_packs(here: Ctx, user: User) -> JsonAnswer:
    """Title, description, skills and example prompts in both languages; and why a pack could not be loaded."""
    catalog = here.runtime.catalog()
    listed = [
        _pack_to_json(pack, [skill for skill in catalog if _belongs_to_pack(skill, pack)]) for pack in here.packs.found
    ]
    return JsonAnswer({"packs": listed, "problems": [one.to_json() for one in here.packs.problems]})


def _belongs_to_pack(skill: Skill, pack: Pack) -> bool:
    return pack.skills is not None and skill.source.path.is_relative_to(pack.skills)


def _pack_to_json(pack: Pack, skills: list[Skill]) -> JsonObject:
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


@routes.get("/api/bench", summary="Benchmark runs", responses=responds(examples.BENCH_RUNS))
async def list_bench_runs(here: Ctx, user: User) -> JsonAnswer:
    """List saved benchmark runs with their figures, newest first."""
    return JsonAnswer({"runs": await asyncio.to_thread(_load_runs, here.bench_folder)})


@routes.get("/api/bench/{name}", summary="One benchmark run", responses=responds(examples.BENCH_RUN, 404))
async def read_bench_run(name: str, here: Ctx, user: User) -> JsonAnswer:
    """Read one benchmark run as it was saved."""
    found = await asyncio.to_thread(_list_run_files, here.bench_folder)
    if name not in found:
        raise RecordNotFound(f"there is no run {name[:100]!r}", hint="GET /api/bench lists them")
    return JsonAnswer({"name": name, "run": await asyncio.to_thread(_load_run, found[name])})


def _list_run_files(folder: Path) -> dict[str, Path]:
    found = sorted(folder.glob("*.json"), reverse=True) if folder.is_dir() else []
    return {path.stem: path for path in found[:_MAX_RUNS]}


def _load_run(path: Path) -> JsonValue:
    try:
        return load_json(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, JsonInvalid) as error:
        raise InvalidInput(f"run {path.stem!r} cannot be read: {error}", hint="run `metier bench` again") from error


def _load_runs(folder: Path) -> list[JsonObject]:
    listed: list[JsonObject] = []
    for name, path in _list_run_files(folder).items():
        try:
            run = _load_run(path)
        except InvalidInput as error:
            listed.append({"name": name, "error": error.to_json()})
            continue
        listed.append({"name": name, **(run if isinstance(run, dict) else {})})
    return listed


@routes.get("/healthz", summary="Alive?", responses=responds({"ok": True, "version": "0.1.0"}))
async def healthz() -> JsonAnswer:
    """Liveness check: answers while the process runs."""
    return JsonAnswer({"ok": True, "version": version("metier")})


@routes.get(
    "/readyz", summary="Able to answer?", responses=responds({"ok": True, "checks": {"store": "ok", "skills": "ok"}})
)
async def readyz(here: Ctx) -> JsonAnswer:
    """Readiness check: 200 if the store answers and skills are loaded; otherwise 503 with the reason."""
    checks = {"store": await _check_store(here), "skills": _check_skills(here)}
    ok = all(said == "ok" for said in checks.values())
    return JsonAnswer({"ok": ok, "checks": checks}, 200 if ok else 503)


async def _check_store(here: AppContext) -> str:
    try:
        await here.store.conversations.list("readyz", limit=1)
    except Unavailable as error:
        return error.message
    return "ok"


def _check_skills(here: AppContext) -> str:
    try:
        return "ok" if len(here.runtime.catalog()) else "no skill is loaded"
    except OSError as error:
        return json.dumps(str(error))


@routes.get(
    "/metrics",
    summary="Counters",
    responses=responds("metier_events_total 12.0\n", kind="text/plain"),
)
async def metrics(here: Ctx, user: User) -> Response:
    """Turns, events, streams, routing times, tool calls and violations in Prometheus format."""
    return Response(here.meter.render(), media_type="text/plain; version=0.0.4; charset=utf-8")
