"""`/telemetry/events` accepts events of clients; `/dev/telemetry` answers queries if `dev_routes` is on."""

import asyncio
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query
from fastapi.responses import RedirectResponse, Response
from pydantic import Field, JsonValue

from metier.clock import utc_now
from metier.errors import InvalidInput
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, RequestBody, User, make_router, responds
from metier.server.schema import IngestInfo, TelemetryPage, TelemetrySummaryInfo
from metier.store import Principal
from metier.telemetry import EventFilter, parse_time

routes = make_router("telemetry")
dev_routes = make_router("telemetry")

Name = Annotated[str | None, Query(min_length=1, max_length=200)]


class Batch(RequestBody):
    """Events of a client, and the context they share."""

    events: list[JsonValue] = Field(examples=[[{"event_name": "ui.clicked", "payload": {"on": "stop"}}]])
    context: dict[str, JsonValue] = Field(default_factory=dict, examples=[{"session_id": "9f2c…", "host_app": "et"}])


@routes.post("/telemetry/events", summary="Send what a client noticed", responses=responds(IngestInfo))
async def ingest(body: Batch, here: Ctx, user: User) -> JsonAnswer:
    """Accept up to 500 events. Invalid ones are returned with their index; the others are stored."""
    taken = await asyncio.to_thread(here.telemetry.ingest, body.model_dump(), user)
    return JsonAnswer(taken.to_json())


@dev_routes.get("/dev/telemetry/events", summary="Look at telemetry", responses=responds(TelemetryPage, 404))
async def list_events(
    here: Ctx,
    caller: Caller,
    *,
    event: Name = None,
    event_name: Name = None,
    session: Name = None,
    session_id: Name = None,
    turn: Name = None,
    since: Name = None,
    until: Name = None,
    text: Name = None,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 200,
    cursor: Name = None,
) -> JsonAnswer:
    """List telemetry events, newest first; `event` may end in `*`, `since` is like `2h`, `7d` or an ISO 8601 time.

    `event_name` and `session_id` are the envelope's names for `event` and `session`. Unless the key is an operator's,
    the session is required and must be a conversation of yours.
    """
    event = _pick_one("event", event, "event_name", event_name)
    session = _pick_one("session", session, "session_id", session_id)
    which = await _build_filter(here, caller, session, since, until, event=event, turn=turn, text=text)
    page = await asyncio.to_thread(here.telemetry.queries.events, which, limit=limit, cursor=cursor)
    return JsonAnswer(page.to_json())


@dev_routes.get("/dev/telemetry/summary", summary="Telemetry in figures", responses=responds(TelemetrySummaryInfo, 404))
async def read_summary(
    here: Ctx,
    caller: Caller,
    *,
    event: Name = None,
    event_name: Name = None,
    session: Name = None,
    session_id: Name = None,
    since: Name = None,
    until: Name = None,
    text: Name = None,
) -> JsonAnswer:
    """Counts, durations, skills, tools and violations of the matching events."""
    event = _pick_one("event", event, "event_name", event_name)
    session = _pick_one("session", session, "session_id", session_id)
    which = await _build_filter(here, caller, session, since, until, event=event, text=text)
    return JsonAnswer((await asyncio.to_thread(here.telemetry.queries.summary, which)).to_json())


@dev_routes.get("/dev/telemetry/ui", include_in_schema=False)
async def open_page(
    *, event: Name = None, event_name: Name = None, session: Name = None, session_id: Name = None, since: Name = None
) -> Response:
    """Lead to the console's telemetry page, with the same filters."""
    asked = {
        "event": _pick_one("event", event, "event_name", event_name),
        "session": _pick_one("session", session, "session_id", session_id),
        "since": since,
    }
    query = urlencode({name: value for name, value in asked.items() if value})
    return RedirectResponse("/console/telemetry" + (f"?{query}" if query else ""), 307)


def _pick_one(name: str, value: str | None, other_name: str, other: str | None) -> str | None:
    if value and other and value != other:
        raise InvalidInput(f"{name!r} and {other_name!r} differ", hint="they mean the same; give one of them")
    return value or other


async def _build_filter(
    here: AppContext, caller: Principal, session: str | None, since: str | None, until: str | None, **more: str | None
) -> EventFilter:
    if "operator" not in caller.roles:
        if session is None:
            raise InvalidInput("'session' is needed", hint="name one of your conversations; an operator needs none")
        await here.get_owned_conversation(session, caller.user)
    elif caller.key:  # without keys there is one user
        told = {"filter": {name: value for name, value in more.items() if value}}
        await here.store.audit.append(caller, "telemetry.read", session or "*", told)
    now = utc_now()
    return EventFilter(
        session=session,
        since=parse_time(since, now) if since else None,
        until=parse_time(until, now) if until else None,
        **more,
    )
