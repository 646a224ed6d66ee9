"""`/telemetry/events` accepts events of clients; `/dev/telemetry` answers queries if `dev_routes` is on."""

import asyncio
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Depends, Query
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


@dataclass(frozen=True, slots=True)
class AskedEvents:
    """Events that a request asks for; the envelope calls `event` `event_name` and `session` `session_id`."""

    event: Name = None
    event_name: Name = None
    session: Name = None
    session_id: Name = None
    turn: Name = None
    since: Name = None
    until: Name = None
    text: Name = None

    def choose_event(self) -> str | None:
        return _pick_one("event", self.event, "event_name", self.event_name)

    def choose_session(self) -> str | None:
        return _pick_one("session", self.session, "session_id", self.session_id)


Asked = Annotated[AskedEvents, Depends()]


@dev_routes.get("/dev/telemetry/events", summary="Look at telemetry", responses=responds(TelemetryPage, 404))
async def list_events(
    here: Ctx,
    caller: Caller,
    asked: Asked,
    *,
    limit: Annotated[int, Query(ge=1, le=10_000)] = 200,
    cursor: Name = None,
) -> JsonAnswer:
    """List telemetry events, newest first; `event` may end in `*`, `since` is like `2h`, `7d` or an ISO 8601 time.

    `event_name` and `session_id` are the envelope's names for `event` and `session`. Unless the key is an operator's,
    the session is required and must be a conversation of yours.
    """
    which = await _build_filter(here, caller, asked)
    page = await asyncio.to_thread(here.telemetry.queries.events, which, limit=limit, cursor=cursor)
    return JsonAnswer(page.to_json())


@dev_routes.get("/dev/telemetry/summary", summary="Telemetry in figures", responses=responds(TelemetrySummaryInfo, 404))
async def read_summary(here: Ctx, caller: Caller, asked: Asked) -> JsonAnswer:
    """Counts, durations, skills, tools and violations of the matching events."""
    which = await _build_filter(here, caller, asked)
    return JsonAnswer((await asyncio.to_thread(here.telemetry.queries.summary, which)).to_json())


@dev_routes.get("/dev/telemetry/ui", include_in_schema=False)
async def open_page(asked: Asked) -> Response:
    """Lead to the console's telemetry page, with the same filters."""
    filters = {"event": asked.choose_event(), "session": asked.choose_session(), "since": asked.since}
    query = urlencode({name: value for name, value in filters.items() if value})
    return RedirectResponse("/console/telemetry" + (f"?{query}" if query else ""), 307)


def _pick_one(name: str, value: str | None, other_name: str, other: str | None) -> str | None:
    if value and other and value != other:
        raise InvalidInput(f"{name!r} and {other_name!r} differ", hint="they mean the same; give one of them")
    return value or other


async def _build_filter(here: AppContext, caller: Principal, asked: AskedEvents) -> EventFilter:
    session, more = asked.choose_session(), {"event": asked.choose_event(), "turn": asked.turn, "text": asked.text}
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
        since=parse_time(asked.since, now) if asked.since else None,
        until=parse_time(asked.until, now) if asked.until else None,
        **more,
    )
