"""`/api/conversations`: list, create, read, rename, delete, export and stop conversations; their turns and events."""

import asyncio
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Literal

from fastapi import Header, Query
from fastapi.responses import Response
from pydantic import Field

from metier.errors import InvalidInput, RecordNotFound
from metier.server.api import _examples as examples
from metier.server.api._export import export_json, export_markdown
from metier.server.api._models import conversation_to_json, message_to_json, pause_to_json, turn_to_json
from metier.server.http import AppContext, Ctx, JsonAnswer, RequestBody, User, make_router, responds, responds_stream
from metier.server.stream import EventStream, Reader, event_to_json
from metier.store import Conversation, ConversationCursor, Event

routes = make_router("conversations")

Limit = Annotated[int, Query(ge=1, le=1000)]
After = Annotated[int, Query(ge=0, le=2**63 - 1)]
_MAX_MESSAGES = 1000


class NewConversation(RequestBody):
    """Fields of a new conversation."""

    title: str | None = Field(None, max_length=200, examples=["周报"])
    skill: str | None = Field(None, min_length=1, max_length=200, examples=["weekly-report"])
    voice_mode: Literal["warm", "sarcastic", "wise"] | None = None


class ConversationChange(RequestBody):
    """Fields to change; omitted fields keep their value."""

    title: str | None = Field(None, max_length=200, examples=["四月周报"])
    skill: None = Field(None, description="null leaves the skill in use.")


@routes.get("/api/conversations", summary="Your conversations", responses=responds(examples.CONVERSATIONS))
async def list_conversations(
    here: Ctx,
    user: User,
    limit: Limit = 50,
    before: Annotated[str | None, Query(max_length=400)] = None,
    q: Annotated[str | None, Query(max_length=200)] = None,
) -> JsonAnswer:
    """List conversations, most recently used first. `next` is the `before` of the next page.

    `q` searches titles and messages.
    """
    words = q.strip() if q else None
    found = await here.store.conversations.list(user, limit=limit, before=_decode_cursor(before), words=words or None)
    following = _encode_cursor(found[-1]) if len(found) == limit else None
    return JsonAnswer({"conversations": [conversation_to_json(one) for one in found], "next": following})


@routes.post(
    "/api/conversations",
    summary="Make one",
    status_code=201,
    responses=responds(examples.CONVERSATION, 404, status=201),
)
async def create_conversation(body: NewConversation, here: Ctx, user: User) -> JsonAnswer:
    """Create an empty conversation; `POST /api/chat` also creates one."""
    skill = here.runtime.catalog()[body.skill].id if body.skill else None
    made = await here.store.conversations.create(user, skill=skill, voice_mode=body.voice_mode, title=body.title)
    return JsonAnswer(conversation_to_json(made), 201)


@routes.get(
    "/api/conversations/{conversation}",
    summary="Read one",
    responses=responds(examples.CONVERSATION_WITH_MESSAGES, 404),
)
async def read_conversation(conversation: str, here: Ctx, user: User) -> JsonAnswer:
    """Read a conversation with its messages, its open questions and its running turn."""
    found = await here.get_owned_conversation(conversation, user)
    history = await here.store.messages.get_history(found.id, limit=_MAX_MESSAGES)
    waiting = await here.store.pauses.list_open(found.id)
    newest = await here.store.turns.list(found.id, limit=1)
    running = newest[0].id if newest and newest[0].state == "running" else None
    return JsonAnswer(
        {
            **conversation_to_json(found),
            "messages": [message_to_json(one) for one in history],
            "pauses": [pause_to_json(one) for one in waiting],
            "running": running,
        }
    )


@routes.patch(
    "/api/conversations/{conversation}",
    summary="Rename, or leave the skill",
    responses=responds(examples.CONVERSATION, 404),
)
async def change_conversation(conversation: str, body: ConversationChange, here: Ctx, user: User) -> JsonAnswer:
    """`title` renames; `"skill": null` leaves the skill in use and stores a `skill.left` event."""
    found = await here.get_owned_conversation(conversation, user)
    if "title" in body.model_fields_set:
        found = await here.store.conversations.rename(found.id, body.title)
    if "skill" in body.model_fields_set and found.skill is not None:
        skill = here.runtime.catalog().get(found.skill)
        told = {
            "skill": found.skill,
            "title": skill.title if skill else found.skill,
            "why": "the user left it",
        }
        async with here.store.transaction() as tx:
            await tx.conversations.set_skill(found.id, None)
            left = await tx.events.append(found.id, "skill.left", told)
        here.observe(left)
        found = await here.get_owned_conversation(conversation, user)
    return JsonAnswer(conversation_to_json(found))


@routes.delete("/api/conversations/{conversation}", summary="Delete one", responses=responds({"deleted": "9f2c…"}, 404))
async def delete_conversation(conversation: str, here: Ctx, user: User) -> JsonAnswer:
    """Delete a conversation with its messages, events, questions, plans and files.

    A running turn is stopped first.
    """
    found = await here.get_owned_conversation(conversation, user)
    await here.runtime.stop(found.id)
    await here.store.conversations.delete(found.id)
    here.hub.end(found.id)
    workspace = here.settings.storage_dir / "workspaces" / found.id
    await asyncio.to_thread(shutil.rmtree, workspace, ignore_errors=True)
    return JsonAnswer({"deleted": found.id})


@routes.post(
    "/api/conversations/{conversation}/stop",
    summary="Stop the running turn",
    responses=responds({"stopped": True}, 404),
)
async def stop_turn(conversation: str, here: Ctx, user: User) -> JsonAnswer:
    """Stop the running turn; its output so far is kept. `stopped` is false if no turn runs in this process."""
    return JsonAnswer({"stopped": await here.runtime.stop(conversation, user=user)})


@routes.get(
    "/api/conversations/{conversation}/events",
    summary="Follow its events",
    responses=responds_stream(404),
)
async def follow_events(
    conversation: str,
    here: Ctx,
    user: User,
    *,
    after: After = 0,
    follow: bool = True,
    last_event_id: Annotated[str | None, Header(max_length=40)] = None,
) -> EventStream:
    """Stream stored events after `Last-Event-ID` (or `after`), each once and in order, then live ones.

    Consecutive text deltas are joined into one event with the number of the last; `first_seq` is that of the first.
    """
    found = await here.get_owned_conversation(conversation, user)
    seen = after if last_event_id is None else _parse_event_id(last_event_id)
    if seen > found.last_seq:
        newest = f"the newest event is {found.last_seq}"
        raise InvalidInput(f"there is no event {seen}; {newest}", hint="leave Last-Event-ID out to read from the start")
    here.stream_slots.check(user)

    @contextmanager
    def open_reader() -> Iterator[Reader]:
        until = None if follow else found.last_seq
        with here.stream_slots.acquire(user), here.hub.open_reader(found.id, after=seen, until=until) as reader:
            yield reader

    return EventStream(here.hub, open_reader)


@routes.get(
    "/api/conversations/{conversation}/events.json", summary="Read its events", responses=responds(examples.EVENTS, 404)
)
async def read_events(
    conversation: str,
    here: Ctx,
    user: User,
    *,
    after: After = 0,
    limit: Limit = 1000,
    turn: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
) -> JsonAnswer:
    """Read stored events with numbers above `after`, without joining text deltas."""
    found = await here.get_owned_conversation(conversation, user)
    events = await here.store.events.read(found.id, after=after, limit=limit, turn=turn)
    return JsonAnswer({"events": [event_to_json(one) for one in events], "last_seq": found.last_seq})


@routes.get(
    "/api/conversations/{conversation}/turns", summary="Its turns", responses=responds({"turns": [examples.TURN]}, 404)
)
async def list_turns(conversation: str, here: Ctx, user: User, limit: Limit = 100) -> JsonAnswer:
    """List the conversation's turns, newest first."""
    found = await here.get_owned_conversation(conversation, user)
    turns = await here.store.turns.list(found.id, limit=limit)
    return JsonAnswer({"turns": [turn_to_json(one) for one in turns]})


@routes.get("/api/turns/{turn}", summary="One turn with its events", responses=responds(examples.TURN_WITH_EVENTS, 404))
async def read_turn(turn: str, here: Ctx, user: User) -> JsonAnswer:
    """Read a turn with all its events."""
    found = await here.store.turns.get(turn)
    if (await here.store.conversations.get(found.conversation)).user != user:
        raise RecordNotFound(f"there is no turn {turn!r}")
    events = await read_all_events(here, found.conversation, found.id)
    return JsonAnswer({**turn_to_json(found), "events": [event_to_json(one) for one in events]})


@routes.get(
    "/api/conversations/{conversation}/export", summary="Take it with you", responses=responds(examples.EXPORT, 404)
)
async def export_conversation(
    conversation: str, here: Ctx, user: User, format: Literal["json", "md"] = "json"
) -> Response:
    """Download the conversation as a file: JSON with every event, or Markdown to read."""
    found = await here.get_owned_conversation(conversation, user)
    history = await here.store.messages.get_history(found.id, limit=10**6)
    if format == "md":
        return export_markdown(found, history)
    return export_json(found, history, await read_all_events(here, found.id, None))


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


def _encode_cursor(one: Conversation) -> str:
    at, name = one.cursor
    return f"{at.isoformat()}~{name}"


def _decode_cursor(text: str | None) -> ConversationCursor | None:
    if text is None:
        return None
    at, tilde, name = text.replace(" ", "+").partition("~")  # an unescaped plus sign in a URL is read as a space
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        moment = None
    if not tilde or not name or moment is None or moment.tzinfo is None:
        raise InvalidInput(f"'before' cannot be {text[:80]!r}", hint="pass the 'next' of the page before")
    return moment, name
