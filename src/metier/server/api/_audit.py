"""`/api/audit`, `/api/violations`, `/api/exceptions`, `/api/plans`: decisions, refused calls, exceptions, plans."""

import asyncio
from typing import Annotated, Final, Literal

from fastapi import Query

from metier.clock import utc_now
from metier.server.http import Ctx, JsonAnswer, Operator, User, make_router, responds
from metier.server.schema import (
    AuditPage,
    ExceptionInfo,
    ExceptionList,
    ExceptionReport,
    PlanInfo,
    PlanList,
    ViolationList,
)
from metier.telemetry import parse_time
from metier.tools import build_exception_report

routes = make_router("audit")

_MAX_REPORTED: Final = 10_000
Limit = Annotated[int, Query(ge=1, le=1000)]
Name = Annotated[str | None, Query(min_length=1, max_length=200)]


@routes.get("/api/audit", summary="Who decided what", responses=responds(AuditPage))
async def list_audit(
    here: Ctx,
    operator: Operator,
    *,
    after: Annotated[int, Query(ge=0, le=2**63 - 1)] = 0,
    since: Name = None,
    until: Name = None,
    user: Name = None,
    action: Name = None,
    limit: Limit = 1000,
) -> JsonAnswer:
    """List the lines of the audit log with numbers above `after`, oldest first.

    `since` and `until` are like `2h`, `7d` or an ISO 8601 time; `action` may end in `*`. A line's `hash` covers the
    line and the hash of the one before, so that a missing or changed line shows.
    """
    now = utc_now()
    found = await here.store.audit.list(
        after=after,
        since=parse_time(since, now) if since else None,
        until=parse_time(until, now) if until else None,
        user=user,
        action=action,
        limit=limit,
    )
    return JsonAnswer({"entries": [one.to_json() for one in found]})


@routes.get("/api/violations", summary="Refused calls", responses=responds(ViolationList, 404))
async def list_violations(
    here: Ctx, user: User, conversation: Name = None, tool: Name = None, limit: Limit = 100
) -> JsonAnswer:
    """List calls that the gate refused in your conversations, newest first."""
    if conversation is not None:
        await here.get_owned_conversation(conversation, user)
    found = await here.store.violations.list(user=user, conversation=conversation, tool=tool, limit=limit)
    return JsonAnswer({"violations": [one.to_json() for one in found]})


@routes.get("/api/exceptions", summary="Exceptions asked for", responses=responds(ExceptionList, 404))
async def list_exceptions(
    here: Ctx,
    user: User,
    conversation: Name = None,
    state: Literal["requested", "granted", "denied"] | None = None,
    limit: Limit = 100,
) -> JsonAnswer:
    """List exceptions requested in your conversations and their state, newest first."""
    if conversation is not None:
        await here.get_owned_conversation(conversation, user)
    found = await here.store.exceptions.list(user=user, conversation=conversation, state=state, limit=limit)
    return JsonAnswer(ExceptionList(exceptions=[ExceptionInfo.from_record(one) for one in found]))


@routes.get("/api/exceptions/report", summary="Which skill should list which tool", responses=responds(ExceptionReport))
async def report_exceptions(here: Ctx, operator: Operator, language: Literal["en", "zh"] = "en") -> JsonAnswer:
    """Advise by skill and tool, from all exceptions and refused calls, with the edit of the skill's file."""
    exceptions = await here.store.exceptions.list(limit=_MAX_REPORTED)
    refused = await here.store.violations.list(limit=_MAX_REPORTED)
    catalog = here.catalog_for(operator)
    report = await asyncio.to_thread(build_exception_report, exceptions, refused, catalog)
    return JsonAnswer({"exceptions": [one.to_json(language) for one in report]})


@routes.get("/api/plans", summary="Plans of a conversation", responses=responds(PlanList, 404))
async def list_plans(
    here: Ctx, user: User, conversation: Annotated[str, Query(min_length=1, max_length=200)], limit: Limit = 100
) -> JsonAnswer:
    """List every saved version of the conversation's plans, newest first."""
    found = await here.get_owned_conversation(conversation, user)
    plans = await here.store.plans.list(found.id, limit=limit)
    return JsonAnswer(PlanList(plans=[PlanInfo.from_record(one) for one in plans]))
