"""`/v1`: OpenAI-compatible chat completions; a skill or a configured model is selected by the model name."""

import hashlib
import json
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Final, Literal, NamedTuple

from fastapi import Header
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from metier.agent import TurnRequest
from metier.clock import unix_time
from metier.errors import InvalidInput, MetierError, ModelNotFound, Unavailable
from metier.json_values import JsonObject
from metier.server.compat._openai_reply import Reply
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, ThreadMessage, User, make_router, responds
from metier.server.schema import OpenaiCompletion, OpenaiModel, OpenaiModelList
from metier.server.stream import STREAM_HEADERS, SlotResponse, StreamSlot
from metier.store import Event, MessageDraft

MODEL: Final = "metier"
_OWNER: Final = "metier"
_CREATED: Final = 1_735_689_600
routes = make_router("openai", any_query=True)


class ContentPart(BaseModel):
    """A content part of a message; only text is read."""

    type: str = Field(examples=["text"])
    text: str | None = None


class ClientMessage(BaseModel):
    """A message in OpenAI's format."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[ContentPart] | None = None

    def get_text(self) -> str:
        """Return the text of the message."""
        if isinstance(self.content, str) or self.content is None:
            return self.content or ""
        return "\n".join(part.text for part in self.content if part.text)


class StreamOptions(BaseModel):
    """What a stream includes besides the text."""

    model_config = ConfigDict(extra="ignore")

    include_usage: bool = False


class CompletionBody(BaseModel):
    """OpenAI's request. Temperature and other sampling options are ignored: settings and skill decide."""

    model_config = ConfigDict(extra="ignore")

    model: str = Field(
        MODEL, max_length=200, description="`metier`, `metier/<skill>`, or a configured model.", examples=[MODEL]
    )
    messages: list[ClientMessage] = Field(
        min_length=1, max_length=2000, examples=[[{"role": "user", "content": "写一份周报"}]]
    )
    stream: bool = False
    stream_options: StreamOptions | None = None
    metadata: dict[str, str] | None = Field(None, description="`conversation_id` goes on with that conversation.")

    def split_messages(self) -> tuple[list[ThreadMessage], str]:
        """Split the messages into the history and the user's new message."""
        talk = [ThreadMessage(one.role, one.get_text()) for one in self.messages if one.role in ("user", "assistant")]
        if not talk or talk[-1].role != "user":
            raise InvalidInput("the last message must be the user's", hint='{"role": "user", "content": "…"}')
        return [one for one in talk[:-1] if one.text.strip()], talk[-1].text


class WantedModel(NamedTuple):
    """What a model name asks for: nothing, a skill, or a configured language model."""

    skill: str | None = None
    model: str | None = None


@routes.get("/v1/models", summary="The agent and its skills as models", responses=responds(OpenaiModelList))
async def list_models(here: Ctx, user: User) -> JsonAnswer:
    """List the models: `metier` chooses skill and language model itself, `metier/<skill>` uses that skill.

    With several configured language models their names are listed too: the agent answers with that one.
    """
    skills = sorted(skill.id for skill in here.runtime.catalog_of(user) if skill.enabled and skill.invocation.by_user)
    names = [MODEL, *_configured_names(here), *(f"{MODEL}/{skill}" for skill in skills)]
    return JsonAnswer({"object": "list", "data": [_model_to_json(name) for name in names]})


@routes.get("/v1/models/{model:path}", summary="One model", responses=responds(OpenaiModel, 404))
async def read_model(model: str, here: Ctx, user: User) -> JsonAnswer:
    """Read one model; 404 if there is no such skill and no such language model."""
    wanted = _read_model_name(here, model)
    if wanted.skill is not None:
        here.runtime.catalog_of(user)[wanted.skill]
    return JsonAnswer(_model_to_json(model))


@routes.post(
    "/v1/chat/completions", summary="OpenAI's chat completions", responses=responds(OpenaiCompletion, 404, 409, 413)
)
async def complete(
    body: CompletionBody,
    here: Ctx,
    caller: Caller,
    conversation: Annotated[str, Header(alias="X-Conversation-Id", max_length=200)] = "",
    idempotency_key: Annotated[str, Header(alias="Idempotency-Key", max_length=200)] = "",
) -> Response:
    """Run one turn. Clients send the whole history.

    The conversation is recognised by that history, or named by `X-Conversation-Id` or `metadata.conversation_id`, so
    that its skill, its steps and an open question continue from call to call. Tables are sent as Markdown.
    """
    slot = here.stream_slots.take(caller)
    with slot.opening():
        started = await _start_turn(here, slot, body, conversation, idempotency_key)
        slot.enter(started.conversation)
        events = slot.read(started.events)
        headers = {"X-Conversation-Id": started.conversation}
        if body.stream:
            usage = body.stream_options is not None and body.stream_options.include_usage
            chunks = _stream_chunks(started.reply, events, started.remember, usage=usage)
            response = SlotResponse(chunks, media_type="text/event-stream", headers={**STREAM_HEADERS, **headers})
            response.slot = slot
            return response
        async for event in events:
            started.reply.add_event(event)
    slot.release()
    started.remember()
    if (failure := started.reply.failure) is not None:
        raise Unavailable(str(failure.get("message", "the turn failed")), hint=str(failure.get("hint", "")))
    return JsonAnswer(started.reply.to_completion(), headers=headers)


class StartedReply(NamedTuple):
    """Turn of a request, with the reply that its events fill."""

    conversation: str
    reply: Reply
    events: AsyncIterator[Event]
    remember: Callable[[], None]


async def _start_turn(
    here: AppContext, slot: StreamSlot, body: CompletionBody, conversation: str, idempotency_key: str
) -> StartedReply:
    caller, user = slot.caller, slot.caller.user
    before, text = body.split_messages()
    wanted = _read_model_name(here, body.model)
    named = conversation or (body.metadata or {}).get("conversation_id")
    known = await here.store.requests.find(user, idempotency_key) if idempotency_key else None
    place = named or (known.conversation if known else here.threads.find(user, before))
    place = place or await _import_history(here, user, before, text)
    if place is not None:
        slot.enter((await here.get_owned_conversation(place, user)).id)
    asked = TurnRequest(
        text,
        conversation=place,
        skill=wanted.skill,
        model=wanted.model,
        user=user,
        by=caller,
        idempotency_key=idempotency_key or None,
        digest=_compute_digest(body) if idempotency_key else "",
    )
    events = here.runtime.turn(asked)
    first = await anext(events)
    reply = Reply(f"chatcmpl-{first.turn}", body.model, int(unix_time()))

    def remember() -> None:
        said = [*before, ThreadMessage("user", text), ThreadMessage("assistant", reply.text)]
        here.threads.remember(user, said, first.conversation)

    return StartedReply(first.conversation, reply, _chain_events(first, events), remember)


def _compute_digest(body: CompletionBody) -> str:
    """Digest of a request: its conversation is found by its history, so that is no part of it."""
    return hashlib.sha256(body.model_dump_json(exclude={"stream", "stream_options"}).encode()).hexdigest()


def _read_model_name(here: AppContext, given: str) -> WantedModel:
    """Read the name of a model; `ModelNotFound` lists the names that exist."""
    name = given.strip()
    prefix, _, skill = name.partition("/")
    if name == MODEL:
        return WantedModel()
    if name in here.runtime.models:
        return WantedModel(model=name)
    if prefix == MODEL and skill:
        return WantedModel(skill=skill)
    known = ", ".join([MODEL, *_configured_names(here), f"{MODEL}/<skill>"])
    # OpenAI's clients show the message alone.
    raise ModelNotFound(f"there is no model {name[:100]!r}; known: {known}", hint="GET /v1/models lists all of them")


def _configured_names(here: AppContext) -> list[str]:
    """Names of the language models, if there is a choice; a model called as the agent itself cannot be chosen here."""
    names = here.runtime.models.names
    return [name for name in names if name != MODEL] if len(names) > 1 else []


async def _import_history(here: AppContext, user: str, before: Sequence[ThreadMessage], text: str) -> str | None:
    """Create a conversation from history that this server does not know; None if there is no history."""
    if not before:
        return None
    title = (before[0].text.strip().splitlines() or [text])[0][:80]
    made = await here.store.conversations.create(user, title=title)
    for one in before:
        role: Literal["user", "assistant"] = "user" if one.role == "user" else "assistant"
        await here.store.messages.append(made.id, MessageDraft(role, one.text))
    return made.id


async def _chain_events(first: Event, rest: AsyncIterator[Event]) -> AsyncIterator[Event]:
    yield first
    async for event in rest:
        yield event


async def _stream_chunks(
    reply: Reply, events: AsyncIterator[Event], remember: Callable[[], None], *, usage: bool
) -> AsyncIterator[bytes]:
    yield _encode_frame(reply.to_chunk({"role": "assistant", "content": ""}))
    try:
        async for event in events:
            if delta := reply.add_event(event):
                yield _encode_frame(reply.to_chunk(delta))
    except MetierError as error:
        reply.failure = error.to_json()
    else:
        remember()
    if reply.failure is not None:
        yield _encode_frame({"error": reply.failure})
    else:
        yield _encode_frame(reply.to_chunk({}, reply.finish_reason))
        if usage:
            yield _encode_frame(reply.to_usage_chunk())
    yield b"data: [DONE]\n\n"


def _encode_frame(told: JsonObject) -> bytes:
    return f"data: {json.dumps(told, ensure_ascii=False, separators=(',', ':'), default=dict)}\n\n".encode()


def _model_to_json(name: str) -> JsonObject:
    return {"id": name, "object": "model", "created": _CREATED, "owned_by": _OWNER}
