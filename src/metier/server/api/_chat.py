"""`POST /api/chat`: send a message, receive the turn's events as a stream."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from fastapi import Header
from pydantic import BaseModel, Field

from metier.agent import TurnRequest
from metier.errors import ConversationBusy, InvalidInput, MetierError
from metier.model_settings import SkillChooser
from metier.server.http import (
    AppContext,
    Caller,
    Ctx,
    RequestBody,
    make_router,
    responds_stream,
)
from metier.server.stream import EventStream, Reader, StreamSlot
from metier.store import Event

_POLL_INTERVAL_S: Final = 0.25
SHOWN: Final = "The question's `shown` as it was displayed: an approval of anything else is refused with 409."
routes = make_router("chat")

Id = Annotated[str, Field(min_length=1, max_length=200)]
IdempotencyKey = Annotated[str, Header(alias="Idempotency-Key", max_length=200)]


class ChatMessage(BaseModel):
    """One message of a list; only the user's last one is used, the store has the rest."""

    role: str = Field(examples=["user"])
    content: str = Field(examples=["写一份周报"])


class ChatBody(RequestBody):
    """A user's message and the options of its turn."""

    message: str | None = Field(None, description="What the user says.", examples=["写一份周报"])
    messages: list[ChatMessage] | None = Field(
        None, max_length=1000, description="In its place: the last message of the user in this list counts."
    )
    conversation_id: Id | None = Field(None, description="Go on with this conversation; none begins a new one.")
    skill: Id | None = Field(None, description="Answer with this skill.", examples=["weekly-report"])
    model: Id | None = Field(None, description="Answer with this configured model (`GET /api/models`).")
    voice_mode: Literal["warm", "sarcastic", "wise", "off"] | None = Field(
        None,
        description="The tone of this answer (`off`: none); else the conversation's, else `METIER_VOICE_MODE`.",
    )
    skills: list[Id] = Field(
        default_factory=list, max_length=5, description="Skills to use together with `skill`, for this message only."
    )
    skill_choice: SkillChooser | None = Field(
        None, description="Who chooses the skill of this message, instead of METIER_SKILL_CHOICE."
    )
    host: Id | None = Field(None, description="The program the user sits in: writer, et, wpp …")
    groups: list[Id] = Field(
        default_factory=list, max_length=100, description="Only skills of these groups, and those without a group."
    )
    document: str | None = Field(None, description="The text of the open document.")
    shown: str | None = Field(None, max_length=200, description=SHOWN)
    idempotency_key: Id | None = Field(None, description="The same key is the same turn: it does not run twice.")

    def get_text(self) -> str:
        """Return the user's message; `InvalidInput` if there is none."""
        if self.message is not None:
            return self.message
        for said in reversed(self.messages or ()):
            if said.role == "user":
                return said.content
        raise InvalidInput("there is no message", hint='send {"message": "…"}')


@routes.post(
    "/api/chat",
    summary="Say something; read the turn's events",
    responses=responds_stream(404, 409, 413),
)
async def chat(body: ChatBody, here: Ctx, caller: Caller, idempotency_key: IdempotencyKey = "") -> EventStream:
    """Start a turn and stream its events. The turn continues if the client disconnects.

    `GET /api/conversations/{id}/events` returns the remaining events. `X-Conversation-Id` and `X-Turn-Id` identify the
    conversation and the turn. A conversation with a running turn answers 409.
    """
    slot = here.stream_slots.take(caller)
    with slot.opening():
        if body.conversation_id is not None:
            slot.enter((await here.get_owned_conversation(body.conversation_id, caller.user)).id)
        key = body.idempotency_key or idempotency_key or None
        request = TurnRequest(
            body.get_text(),
            conversation=body.conversation_id,
            skill=body.skill,
            model=body.model,
            skill_choice=body.skill_choice,
            skills=tuple(body.skills),
            host=body.host,
            groups=tuple(body.groups),
            document=body.document,
            user=caller.user,
            by=caller,
            voice_mode=body.voice_mode,
            idempotency_key=key,
            shown=body.shown or "",
        )
        return await open_turn_stream(here, slot, here.runtime.turn(request))


@dataclass(frozen=True, slots=True)
class StartedTurn:
    """Where the turn of a request starts: the turn, and the number of its first event."""

    conversation: str
    turn: str | None
    first_seq: int


async def open_turn_stream(here: AppContext, slot: StreamSlot, events: AsyncIterator[Event]) -> EventStream:
    """Open a stream of a turn's events; errors before the first event are raised here."""
    started = await _wait_for_first_event(events)
    slot.enter(started.conversation)
    return _open_stream(here, slot, started, events)


async def _wait_for_first_event(events: AsyncIterator[Event]) -> StartedTurn:
    first = await anext(events, None)
    if first is None:
        raise ConversationBusy("the turn has only just begun", hint="ask again in a second")
    return StartedTurn(first.conversation, first.turn, first.seq)


def _open_stream(here: AppContext, slot: StreamSlot, started: StartedTurn, events: AsyncIterator[Event]) -> EventStream:
    @contextmanager
    def open_reader() -> Iterator[Reader]:
        reading = here.hub.open_reader(started.conversation, after=started.first_seq - 1, turn=started.turn)
        with reading as reader:
            task = asyncio.create_task(_finish_with_turn(here, slot, started, events, reader))
            try:
                yield reader
            finally:
                task.cancel()

    ids = {"X-Conversation-Id": started.conversation, "X-Turn-Id": started.turn or ""}
    return EventStream(here.hub, slot, open_reader, headers=ids)


async def _finish_with_turn(
    here: AppContext, slot: StreamSlot, started: StartedTurn, events: AsyncIterator[Event], reader: Reader
) -> None:
    """End the stream with the turn; a replayed turn may still run, in this process or another one."""
    last = started.first_seq
    is_stopped = False
    try:
        async for event in events:
            last, is_stopped = event.seq, _is_stop(event)
        if started.turn and not is_stopped:
            await _wait_for_end(here, started.conversation, started.turn, last)
        rest = await here.store.events.read(started.conversation, after=last, turn=started.turn)
        last = rest[-1].seq if rest else last
    except MetierError as error:  # the end of the turn could not be stored: the last frame of the stream says why
        slot.failure = error
    finally:
        reader.finish(last)


async def _wait_for_end(here: AppContext, conversation: str, turn: str, after: int) -> None:
    """Wait while another process may run the turn: a lost lease is told as an interruption before it is taken up."""
    interrupted = 0.0
    while interrupted <= here.settings.lease_s:
        state = (await here.store.turns.get(turn)).state
        if state not in ("running", "interrupted"):
            return
        rest = await here.store.events.read(conversation, after=after, turn=turn) if state == "interrupted" else ()
        if any(map(_is_stop, rest)):
            return  # a person ended it: nobody takes it up
        interrupted = interrupted + _POLL_INTERVAL_S if state == "interrupted" else 0.0
        await asyncio.sleep(_POLL_INTERVAL_S)


def _is_stop(event: Event) -> bool:
    return event.kind == "error" and event.data.get("code") == "stopped"
