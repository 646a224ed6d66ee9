"""`POST /api/chat` and `/api/pauses`: send a message or an answer, receive the turn's events as a stream."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from typing import Annotated, Final, Literal

from fastapi import Header
from pydantic import BaseModel, Field, JsonValue

from metier.agent import TurnRequest
from metier.errors import ConversationBusy, InvalidInput, RecordNotFound
from metier.server._hub import Reader
from metier.server._requests import Started, begun_before
from metier.server._security import User
from metier.server._serving import Here, Serving
from metier.server._stream import EventStream
from metier.server._told import pause_json
from metier.server._wire import Body, Told, router, shows, streams
from metier.store import Event

_LOOK_S: Final = 0.25
routes = router("chat")

Id = Annotated[str, Field(min_length=1, max_length=200)]
Key = Annotated[str, Header(alias="Idempotency-Key", max_length=200)]


class Said(BaseModel):
    """One message of a list; only the user's last one is used, the store has the rest."""

    role: str = Field(examples=["user"])
    content: str = Field(examples=["写一份周报"])


class ChatBody(Body):
    """A user's message and the options of its turn."""

    message: str | None = Field(None, description="What the user says.", examples=["写一份周报"])
    messages: list[Said] | None = Field(
        None, max_length=1000, description="In its place: the last message of the user in this list counts."
    )
    conversation_id: Id | None = Field(None, description="Go on with this conversation; none begins a new one.")
    skill: Id | None = Field(None, description="Answer with this skill.", examples=["weekly-report"])
    voice_mode: Literal["warm", "sarcastic", "wise"] | None = Field(None, description="The tone of a new conversation.")
    host: Id | None = Field(None, description="The program the user sits in: writer, et, wpp …")
    document: str | None = Field(None, description="The text of the open document.")
    idempotency_key: Id | None = Field(None, description="The same key is the same turn: it does not run twice.")

    def text(self) -> str:
        """Return the user's message; `InvalidInput` if there is none."""
        if self.message is not None:
            return self.message
        for said in reversed(self.messages or ()):
            if said.role == "user":
                return said.content
        raise InvalidInput("there is no message", hint='send {"message": "…"}')


class AnswerBody(Body):
    """An answer that matches the question's schema."""

    answer: JsonValue = Field(description="What the question's schema asks for.", examples=[{"decision": "approve"}])
    idempotency_key: Id | None = Field(None, description="The same key and answer again tells the same events.")


@routes.post(
    "/api/chat",
    summary="Say something; read the turn's events",
    responses=streams(404, 409, 413),
)
async def chat(body: ChatBody, here: Here, user: User, idempotency_key: Key = "") -> EventStream:
    """Start a turn and stream its events. The turn continues if the client disconnects.

    `GET /api/conversations/{id}/events` returns the remaining events. `X-Conversation-Id` and `X-Turn-Id` identify the
    conversation and the turn. A conversation with a running turn answers 409.
    """
    here.slots.check(user)
    key = body.idempotency_key or idempotency_key or None
    request = TurnRequest(
        body.text(),
        conversation=body.conversation_id,
        skill=body.skill,
        host=body.host,
        document=body.document,
        user=user,
        voice_mode=body.voice_mode,
        idempotency_key=key,
    )
    if key is None:
        return await turn_stream(here, user, here.runtime.turn(request))
    return await _once(here, request, key)


async def _once(here: Serving, request: TurnRequest, key: str) -> EventStream:
    """Start the turn of this idempotency key, or replay it from its first event if it already started."""
    if request.conversation is not None:
        await here.owned(request.conversation, request.user)
    name = (request.user, request.conversation, key)
    events: AsyncIterator[Event] | None = None

    async def begin() -> Started:
        nonlocal events
        earlier = await begun_before(here.store, name)
        if earlier is not None:
            return earlier
        events = here.runtime.turn(request)
        return await _first(events)

    started = await here.requests.once(name, begin)
    return _told(here, request.user, started, events)


@routes.get(
    "/api/pauses",
    summary="Open questions",
    responses=shows({"pauses": [{"pause": "5d1e…", "kind": "approval", "text": "运行 shell？", "schema": {}}]}, 404),
)
async def open_pauses(here: Here, user: User, conversation: str | None = None) -> Told:
    """List the questions that wait for this user, oldest first."""
    if conversation is not None:
        await here.owned(conversation, user)
    found = await here.store.pauses.list_open(conversation, user=user)
    return Told({"pauses": [pause_json(one) for one in found]})


@routes.post(
    "/api/pauses/{pause}",
    summary="Answer a question; the turn goes on",
    responses=streams(404, 409),
)
async def answer(pause: str, body: AnswerBody, here: Here, user: User, idempotency_key: Key = "") -> EventStream:
    """Answer a question and stream the rest of the turn. An answer that does not match is refused with 400."""
    here.slots.check(user)
    found = await here.store.pauses.get(pause)
    if (await here.store.conversations.get(found.conversation)).user != user:
        raise RecordNotFound(f"there is no pause {pause!r}")
    key = body.idempotency_key or idempotency_key or None
    return await turn_stream(here, user, here.runtime.answer(pause, body.answer, answer_key=key, user=user))


async def turn_stream(here: Serving, user: str, events: AsyncIterator[Event]) -> EventStream:
    """Open a stream of a turn's events; errors before the first event are raised here."""
    return _told(here, user, await _first(events), events)


async def _first(events: AsyncIterator[Event]) -> Started:
    first = await anext(events, None)
    if first is None:
        raise ConversationBusy("the turn has only just begun", hint="ask again in a second")
    return Started(first.conversation, first.turn, first.seq)


def _told(here: Serving, user: str, started: Started, events: AsyncIterator[Event] | None) -> EventStream:
    @contextmanager
    def opening() -> Iterator[Reader]:
        reading = here.hub.reading(started.conversation, after=started.first - 1, turn=started.turn)
        with here.slots.taken(user), reading as reader:
            task = asyncio.create_task(_until_done(here, started, events, reader))
            try:
                yield reader
            finally:
                task.cancel()

    ids = {"X-Conversation-Id": started.conversation, "X-Turn-Id": started.turn or ""}
    return EventStream(here.hub, opening, headers=ids)


async def _until_done(here: Serving, started: Started, events: AsyncIterator[Event] | None, reader: Reader) -> None:
    """End the stream with the turn; a replayed turn may still run, in this process or another one."""
    last = started.first
    try:
        async for event in events or _nothing():
            last = event.seq
        while started.turn and (await here.store.turns.get(started.turn)).state == "running":  # noqa: ASYNC110 - maybe in another process
            await asyncio.sleep(_LOOK_S)
        if events is None or last == started.first:
            last = await here.store.events.last_seq(started.conversation)
    finally:
        reader.finish(last)


async def _nothing() -> AsyncIterator[Event]:
    return
    yield
