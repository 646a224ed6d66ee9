"""HTTP routes of the plan bench: the stream that other tools call for a plan, and the runs of the console's page.

The bench itself is imported by the first request for it: a server starts without it.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute

from metier.errors import InvalidInput, MetierError
from metier.json_values import JsonObject, JsonValue
from metier.language import resolve_language
from metier.server.http import AppContext, Ctx, JsonAnswer, Operator, RequestBody, User, make_router, responds_text

if TYPE_CHECKING:
    from metier.packs.office.planbench import Column, DraftedPlan, Drafter, DraftRequest
    from metier.packs.office.planbench._runs import SavedRuns

__all__ = ["build_routes"]

# The stream of the original answers after at most three attempts.
_WIRE_REPAIRS: Final = 2
_HEADERS: Final = MappingProxyType({"Cache-Control": "no-cache", "X-Accel-Buffering": "no"})
_DONE: Final = "data: [DONE]\n\n"
_STREAM: Final = responds_text("data: {…}\n\ndata: [DONE]\n\n", kind="text/event-stream")
_JSON: Final = responds_text("{…}", 404, kind="application/json")
_router = make_router("plan bench")


class PlanQuery(BaseModel):
    """Request for a plan, as other tools send it; further fields are ignored."""

    model_config = ConfigDict(extra="ignore")

    user_query: str = Field(min_length=1, max_length=4_000, examples=["在文末插入3列表格，列为姓名、部门、电话"])
    session_id: str = Field("", max_length=200)
    document_name: str = Field("", max_length=400)
    host_app: Literal["wps", "et", "wpp", "writer"] = "wps"


class BenchRunBody(RequestBody):
    """What to run."""

    set: Literal["shipped", "development", "opened", "held_out", "stories"] = "shipped"
    host: Literal["all", "wps", "et", "wpp"] = "all"
    mode: Literal["builtin", "canned", "live"] = "builtin"


@_router.post("/agentic/js-plan/vibe-coding/stream", summary="Plan for a request, as a stream", responses=_STREAM)
async def stream_plan(body: PlanQuery, here: Ctx, user: User) -> Response:
    """Draft a plan with the configured model, or by rules if there is none. It is checked, not carried out."""
    from metier.packs.office._hosts import Selection
    from metier.packs.office.planbench import DraftRequest

    host = "wps" if body.host_app == "writer" else body.host_app
    # Where the cursor is and what is selected, the caller's own program knows.
    cursor = Selection("cursor")
    request = DraftRequest(
        body.session_id, body.user_query, host, resolve_language("auto", body.user_query), selection=cursor
    )

    async def events() -> AsyncIterator[str]:
        try:
            draft = _make_drafter(here, _default_mode(here))
            drafted = await asyncio.to_thread(draft, request)
            result = await asyncio.to_thread(_plan_result, drafted, request)
        except MetierError as error:
            yield _event({"type": "error", "error": error.to_json()})
            result = _failure(error.code, str(error))
        yield _event({"type": "final_result", "result": result})
        yield _DONE

    return StreamingResponse(events(), media_type="text/event-stream", headers=_HEADERS)


@_router.get("/api/plan-bench", summary="Plan bench: sets, modes and saved runs", responses=_JSON)
async def read_plan_bench(here: Ctx, user: User) -> JsonAnswer:
    """List what can be run and what was run."""
    from metier.packs.office.planbench import SETS, load_cases, load_stories

    runs = await asyncio.to_thread(_open_saved_runs(here).list_runs)
    sets: list[JsonValue] = [{"id": name, "count": len(load_cases(name))} for name in SETS]
    sets.append({"id": "stories", "count": sum(len(story.turns) for story in load_stories())})
    pool = here.runtime.models
    modes: list[JsonValue] = ["builtin", "canned", *([] if pool.is_all_builtin else ["live"])]
    return JsonAnswer({"sets": sets, "hosts": ["all", "wps", "et", "wpp"], "modes": modes, "runs": runs})


@_router.get("/api/plan-bench/{name}", summary="One run of the plan bench", responses=_JSON)
async def read_plan_bench_run(name: str, here: Ctx, user: User) -> JsonAnswer:
    """Read one saved run with the result of each case."""
    return JsonAnswer(await asyncio.to_thread(_open_saved_runs(here).read, name))


@_router.post("/api/plan-bench", summary="Run the plan bench", responses=_STREAM)
async def run_plan_bench(body: BenchRunBody, here: Ctx, operator: Operator) -> Response:
    """Run cases one by one; each result is an event, the last event is the saved run. Ends when the client leaves."""
    from metier.packs.office.planbench import load_stories
    from metier.packs.office.planbench._runs import BenchChoice, run_choice

    choice = BenchChoice(body.set, body.host, body.mode)
    draft = _make_drafter(here, body.mode)
    count = len(choice.list_cases()) or sum(len(story.turns) for story in load_stories())

    async def events() -> AsyncIterator[str]:
        yield _event({"type": "started", "total": count})
        results = []
        rows: list[JsonObject] = []
        left = iter(run_choice(choice, draft))
        while (found := await asyncio.to_thread(next, left, None)) is not None:
            results.append(found[0])
            rows.append({**found[0].to_json(), "request": found[1]})
            yield _event({"type": "result", "result": rows[-1]})
        model = here.runtime.models.default if body.mode == "live" else ""
        run = await asyncio.to_thread(_open_saved_runs(here).save, choice, model, rows, results)
        yield _event({"type": "finished", "run": run})
        yield _DONE

    return StreamingResponse(events(), media_type="text/event-stream", headers=_HEADERS)


def build_routes() -> Sequence[BaseRoute]:
    """Routes that the pack adds to the server."""
    return _router.routes


def _default_mode(here: AppContext) -> "Column":
    return "builtin" if here.runtime.models.is_all_builtin else "live"


def _make_drafter(here: AppContext, mode: "Column") -> "Drafter":
    from metier.packs.office.planbench import ask_model, make_drafter

    if mode != "live":
        return make_drafter(mode)
    pool = here.runtime.models
    if pool.is_all_builtin:
        raise InvalidInput("no model is configured for live runs", hint="set METIER_MODEL, or run builtin or canned")
    return make_drafter("live", ask_model(pool.get(pool.default)), max_repairs=_WIRE_REPAIRS)


def _open_saved_runs(here: AppContext) -> "SavedRuns":
    from metier.packs.office.planbench._runs import SavedRuns

    return SavedRuns(here.bench_folder / "plan")


def _plan_result(drafted: "DraftedPlan", request: "DraftRequest") -> JsonObject:
    from metier.packs.office.plan import load_plan

    if drafted.plan is None:
        kind = "question" if drafted.question else "invalid_plan"
        return {**_failure(kind, drafted.question or drafted.error), "attempt_count": drafted.repairs + 1}
    loaded = load_plan(drafted.plan, host=request.host)
    if loaded.plan is None:
        return _failure("invalid_plan", "; ".join(one.text(request.language) for one in loaded.problems))
    return {"success": True, "plan": loaded.plan.to_json(), "attempt_count": drafted.repairs + 1, "error": None}


def _failure(kind: str, message: str) -> JsonObject:
    return {"success": False, "plan": None, "attempt_count": 1, "error": {"type": kind, "message": message}}


def _event(data: JsonObject) -> str:
    return f"data: {json.dumps(data, ensure_ascii=False)}\n\n"
