"""Turns and events of a conversation: stop the running turn, follow or read the events, list the turns."""

from functools import partial
from typing import Annotated

from fastapi import Header, Query

from metier.errors import InvalidInput, RecordNotFound
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, User, make_router, responds, responds_stream
from metier.server.schema import EventList, StopResult, TurnDetail, TurnInfo, TurnList
from metier.server.stream import EventStream
from metier.store import Event

routes = make_router("turns")

Limit = Annotated[int, Query(ge=1, le=1000)]
After = Annotated[int, Query(ge=0, le=2**63 - 1)]


@routes.post(
    "/api/conversations/{conversation}/stop",
    summary="Stop the running turn",
    responses=responds(StopResult, 404),
)
async def stop_turn(conversation: str, here: Ctx, user: User) -> JsonAnswer:
    """Stop the running turn; its output so far is kept. `stopped` is false if no turn runs in this process."""
    return JsonAnswer(StopResult(stopped=await here.runtime.stop(conversation, user=user)))


@routes.get(
    "/api/conversations/{conversation}/events",
    summary="Follow its events",
    responses=responds_stream(404),
)
async def follow_events(
    conversation: str,
    here: Ctx,
    caller: Caller,
    *,
    after: After = 0,
    follow: bool = True,
    last_event_id: Annotated[str | None, Header(max_length=40)] = None,
) -> EventStream:
    """Stream stored events after `Last-Event-ID` (or `after`), each once and in order, then live ones.

    Consecutive deltas are joined into one event with the number of the last; `first_seq` is that of the first.
    """
    slot = here.stream_slots.take(caller)
    with slot.opening():
        found = await here.get_readable_conversation(conversation, caller)
        seen = after if last_event_id is None else _parse_event_id(last_event_id)
        if seen > found.last_seq:
            newest = f"the newest event is {found.last_seq}"
            hint = "leave Last-Event-ID out to read from the start"
            raise InvalidInput(f"there is no event {seen}; {newest}", hint=hint)
        slot.enter(found.id)
        until = None if follow else found.last_seq
        return EventStream(here.hub, slot, partial(here.hub.open_reader, found.id, after=seen, until=until))


@routes.get(
    "/api/conversations/{conversation}/events.json", summary="Read its events", responses=responds(EventList, 404)
)
async def read_events(
    conversation: str,
    here: Ctx,
    caller: Caller,
    *,
    after: After = 0,
    limit: Limit = 1000,
    turn: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
) -> JsonAnswer:
    """Read stored events with numbers above `after`, without joining text deltas."""
    found = await here.get_readable_conversation(conversation, caller)
    events = await here.store.events.read(found.id, after=after, limit=limit, turn=turn)
    return JsonAnswer({"events": [one.to_json() for one in events], "last_seq": found.last_seq})


@routes.get("/api/conversations/{conversation}/turns", summary="Its turns", responses=responds(TurnList, 404))
async def list_turns(conversation: str, here: Ctx, caller: Caller, limit: Limit = 100) -> JsonAnswer:
    """List the conversation's turns, newest first."""
    found = await here.get_readable_conversation(conversation, caller)
    turns = await here.store.turns.list(found.id, limit=limit)
    return JsonAnswer(TurnList(turns=[TurnInfo.from_record(one) for one in turns]))


@routes.get("/api/turns/{turn}", summary="One turn with its events", responses=responds(TurnDetail, 404))
async def read_turn(turn: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Read a turn with all its events."""
    found = await here.store.turns.get(turn)
    try:
        await here.get_readable_conversation(found.conversation, caller)
    except RecordNotFound:
        raise RecordNotFound(f"there is no turn {turn!r}") from None
    events = await read_all_events(here, found.conversation, found.id)
    return JsonAnswer({**dict(TurnInfo.from_record(found)), "events": [one.to_json() for one in events]})


async def read_all_events(here: AppContext, conversation: str, turn: str | None) -> list[Event]:
    """Read all events of a conversation, or of one of its turns, page by page."""
    found: list[Event] = []
    while page := await here.store.events.read(conversation, after=found[-1].seq if found else 0, turn=turn):
        found += page
    return found


def _parse_event_id(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise InvalidInput(f"Last-Event-ID cannot be {text[:40]!r}", hint="send the id of the last event you saw")
    return int(text)
