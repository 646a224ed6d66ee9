"""`/api/stats`: turns, errors, latency, tokens, cost and skills per hour or day, for operators."""

import asyncio
from datetime import timedelta
from typing import Annotated, Literal

from fastapi import Query

from metier.clock import utc_now
from metier.server.http import Ctx, JsonAnswer, Operator, make_router, responds
from metier.server.observe import summarize_turns
from metier.server.schema import StatsInfo

routes = make_router("stats")


@routes.get("/api/stats", summary="Figures over time", responses=responds(StatsInfo))
async def read_stats(
    here: Ctx,
    operator: Operator,
    *,
    days: Annotated[int, Query(ge=1, le=90)] = 7,
    step: Literal["hour", "day"] = "day",
) -> JsonAnswer:
    """Figures of all turns of the last days, one line per hour or day (UTC); latency without waiting for people."""
    until = utc_now()
    turns = await here.store.figures.list_turns(until - timedelta(days=days), until)
    return JsonAnswer(await asyncio.to_thread(summarize_turns, turns, until, days=days, step=step))
