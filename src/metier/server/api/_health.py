"""`/healthz`, `/readyz`, `/metrics`: whether the server runs, whether it can answer, and its counters."""

import json
from importlib.metadata import version

from fastapi.responses import Response

from metier.errors import Unavailable
from metier.server.http import AppContext, Ctx, JsonAnswer, User, make_router, responds, responds_text
from metier.server.schema import Health, Readiness, ReadyChecks

routes = make_router("health")


@routes.get("/healthz", summary="Alive?", responses=responds(Health))
async def healthz() -> JsonAnswer:
    """Liveness check: answers while the process runs."""
    return JsonAnswer(Health(ok=True, version=version("metier")))


@routes.get("/readyz", summary="Able to answer?", responses=responds(Readiness))
async def readyz(here: Ctx) -> JsonAnswer:
    """Readiness check: 200 if the store answers, skills are loaded and the first message need not wait for anything.

    Otherwise 503 with the reason.
    """
    checks = ReadyChecks(
        store=await _check_store(here), skills=_check_skills(here), preparation=here.preparation.status
    )
    ok = all(status == "ok" for status in checks.model_dump().values())
    return JsonAnswer(Readiness(ok=ok, checks=checks), 200 if ok else 503)


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
    responses=responds_text("metier_events_total 12.0\n", kind="text/plain"),
)
async def metrics(here: Ctx, user: User) -> Response:
    """Turns, events, streams, routing times, tool calls and violations in Prometheus format."""
    return Response(here.meter.render(), media_type="text/plain; version=0.0.4; charset=utf-8")
