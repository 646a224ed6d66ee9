"""`/api/bench`: saved benchmark runs."""

import asyncio
from pathlib import Path
from typing import Final

from metier.errors import InvalidInput, RecordNotFound
from metier.json_values import JsonInvalid, JsonObject, JsonValue, load_json
from metier.server.http import Ctx, JsonAnswer, User, make_router, responds
from metier.server.schema import BenchRunDetail, BenchRunList

routes = make_router("bench")
_MAX_RUNS: Final = 200


@routes.get("/api/bench", summary="Benchmark runs", responses=responds(BenchRunList))
async def list_bench_runs(here: Ctx, user: User) -> JsonAnswer:
    """List saved benchmark runs with their figures, newest first."""
    return JsonAnswer({"runs": await asyncio.to_thread(_load_runs, here.bench_folder)})


@routes.get("/api/bench/{name}", summary="One benchmark run", responses=responds(BenchRunDetail, 404))
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
