"""`/api/conversations`: list, create, read, rename, delete and export conversations; their facts."""

from datetime import datetime
from typing import Annotated, Any, Literal

from fastapi import Query
from fastapi.responses import Response
from pydantic import Field, JsonValue

from metier.agent import change_fact, remove_fact
from metier.errors import InvalidInput, RecordNotFound
from metier.exports import MEDIA_TYPES
from metier.language import Language
from metier.server.api._export import export_archive, export_document, export_json
from metier.server.api._pauses import pause_to_json
from metier.server.api._turns import read_all_events
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, RequestBody, User, make_router, responds
from metier.server.schema import (
    ConversationDetail,
    ConversationExport,
    ConversationInfo,
    ConversationPage,
    DeletedConversation,
    FactInfo,
    FactList,
    MessageInfo,
)
from metier.store import Conversation, ConversationCursor

routes = make_router("conversations")

Limit = Annotated[int, Query(ge=1, le=1000)]
_MAX_MESSAGES = 1000


class NewConversation(RequestBody):
    """Fields of a new conversation."""

    title: str | None = Field(None, max_length=200, examples=["周报"])
    skill: str | None = Field(None, min_length=1, max_length=200, examples=["weekly-report"])
    voice_mode: Literal["warm", "sarcastic", "wise"] | None = None
    model: str | None = Field(None, min_length=1, max_length=200, description="A configured model.")


class ConversationChange(RequestBody):
    """Fields to change; omitted fields keep their value."""

    title: str | None = Field(None, max_length=200, examples=["四月周报"])
    skill: None = Field(None, description="null leaves the skill in use.")
    pinned: bool = Field(False, description="Keep it at the top of the list.")
    voice_mode: Literal["warm", "sarcastic", "wise"] | None = Field(
        None, description="The tone of its answers; null: `METIER_VOICE_MODE`."
    )
    model: str | None = Field(
        None, max_length=200, description="A configured model (`GET /api/models`); null leaves the choice to Metier."
    )


@routes.get("/api/conversations", summary="Your conversations", responses=responds(ConversationPage))
async def list_conversations(
    here: Ctx,
    caller: Caller,
    *,
    limit: Limit = 50,
    before: Annotated[str | None, Query(max_length=400)] = None,
    q: Annotated[str | None, Query(max_length=200)] = None,
    user: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
) -> JsonAnswer:
    """List conversations, most recently used first. `next` is the `before` of the next page.

    `q` searches titles and messages. An operator may name another `user`; that is recorded in the audit log.
    """
    words = q.strip() if q else None
    if user is not None and user != caller.user:
        caller.require("operator")
        await here.store.audit.append(caller, "conversations.list", user)
    user = user or caller.user
    found = await here.store.conversations.list(user, limit=limit, before=_decode_cursor(before), words=words or None)
    following = _encode_cursor(found[-1]) if len(found) == limit else None
    pinned = await here.store.conversations.list_pinned(user) if before is None and not words else ()
    return JsonAnswer(
        ConversationPage(
            conversations=[ConversationInfo.from_record(one) for one in found],
            next=following,
            pinned=[ConversationInfo.from_record(one) for one in pinned],
        )
    )


@routes.post(
    "/api/conversations",
    summary="Make one",
    status_code=201,
    responses=responds(ConversationInfo, 404, status=201),
)
async def create_conversation(body: NewConversation, here: Ctx, user: User) -> JsonAnswer:
    """Create an empty conversation; `POST /api/chat` also creates one."""
    skill = here.runtime.catalog_of(user)[body.skill].id if body.skill else None
    model = here.runtime.models[body.model].name if body.model else None
    made = await here.store.conversations.create(
        user, skill=skill, voice_mode=body.voice_mode, model=model, title=body.title
    )
    return JsonAnswer(ConversationInfo.from_record(made), 201)


@routes.get(
    "/api/conversations/{conversation}",
    summary="Read one",
    responses=responds(ConversationDetail, 404),
)
async def read_conversation(conversation: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Read a conversation with its messages, its open questions and its running turn."""
    found = await here.get_readable_conversation(conversation, caller)
    history = await here.store.messages.get_history(found.id, limit=_MAX_MESSAGES)
    waiting = await here.store.pauses.list_open(found.id)
    newest = await here.store.turns.list(found.id, limit=1)
    running = newest[0].id if newest and newest[0].state == "running" else None
    return JsonAnswer(
        {
            **dict(ConversationInfo.from_record(found)),
            "messages": [MessageInfo.from_record(one) for one in history],
            "pauses": [pause_to_json(one) for one in waiting],
            "running": running,
            "facts": [FactInfo.from_record(one) for one in await here.store.facts.list(found.id)],
        }
    )


class FactChange(RequestBody):
    """Another value of a fact."""

    value: JsonValue = Field(
        description="One of the fact's options or the label of one; else any value of its type.",
        examples=["北京市朝阳区"],
    )


@routes.get("/api/conversations/{conversation}/facts", summary="Its facts", responses=responds(FactList, 404))
async def list_facts(conversation: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """List what was settled in a conversation: every skill reads it as `$.facts.NAME`."""
    found = await here.get_readable_conversation(conversation, caller)
    return await _answer_facts(here, found.id)


@routes.patch(
    "/api/conversations/{conversation}/facts/{name}",
    summary="Change a fact",
    responses=responds(FactList, 404, 409),
)
async def change_conversation_fact(
    conversation: str, name: str, body: FactChange, here: Ctx, caller: Caller
) -> JsonAnswer:
    """Give a fact another value; a question that waits on the old one is cancelled.

    Who changes a fact asks for what follows from it: another person approves the calls that need approval.
    """
    found = await here.get_owned_conversation(conversation, caller.user)
    for event in await change_fact(here.store, found.id, name, body.value, caller):
        here.observe(event)
    return await _answer_facts(here, found.id)


@routes.delete(
    "/api/conversations/{conversation}/facts/{name}",
    summary="Remove a fact",
    responses=responds(FactList, 404, 409),
)
async def remove_conversation_fact(conversation: str, name: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Remove a fact: the next step that needs it asks again."""
    found = await here.get_owned_conversation(conversation, caller.user)
    for event in await remove_fact(here.store, found.id, name, caller):
        here.observe(event)
    return await _answer_facts(here, found.id)


async def _answer_facts(here: AppContext, conversation: str) -> JsonAnswer:
    known = await here.store.facts.list(conversation)
    return JsonAnswer(FactList(facts=[FactInfo.from_record(one) for one in known]))


@routes.patch(
    "/api/conversations/{conversation}",
    summary="Rename, pin, choose model and tone, or leave the skill",
    responses=responds(ConversationInfo, 404),
)
async def change_conversation(conversation: str, body: ConversationChange, here: Ctx, user: User) -> JsonAnswer:
    """`title` renames; `model` chooses the model; `"skill": null` leaves the skill and stores a `skill.left` event."""
    found = await here.get_owned_conversation(conversation, user)
    if "title" in body.model_fields_set:
        found = await here.store.conversations.rename(found.id, body.title)
    if "pinned" in body.model_fields_set:
        found = await here.store.conversations.set_pinned(found.id, pinned=body.pinned)
    if "voice_mode" in body.model_fields_set:
        found = await here.store.conversations.set_voice_mode(found.id, body.voice_mode)
    if "model" in body.model_fields_set:
        model = here.runtime.models[body.model].name if body.model else None
        found = await here.store.conversations.set_model(found.id, model)
    if "skill" in body.model_fields_set and found.skill is not None:
        skill = here.runtime.catalog_of(user).get(found.skill)
        told = {
            "skill": found.skill,
            "title": skill.title if skill else found.skill,
            "why": "the user left it",
            "by": "user",
        }
        async with here.store.transaction() as tx:
            await tx.conversations.set_skill(found.id, None)
            left = await tx.events.append(found.id, "skill.left", told)
        here.observe(left)
        found = await here.get_owned_conversation(conversation, user)
    return JsonAnswer(ConversationInfo.from_record(found))


@routes.delete("/api/conversations/{conversation}", summary="Delete one", responses=responds(DeletedConversation, 404))
async def delete_conversation(conversation: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Delete a conversation with its messages, events, questions, plans, files, memories and telemetry.

    A running turn is stopped first. `GET …/export?format=zip` takes everything along before.
    """
    found = await here.get_owned_conversation(conversation, caller.user)
    await here.delete_conversation(found, caller)
    return JsonAnswer(DeletedConversation(deleted=found.id))


def _describe_exports() -> dict[int | str, Any]:
    described = responds(ConversationExport, 404, 503)
    described[200]["content"] = {
        "text/markdown": {"schema": {"type": "string"}, "example": "# 周报\n\n导出于 2026-01-20 08:00 UTC。\n"},
        "text/html": {"schema": {"type": "string"}, "example": "<!doctype html>…"},
        **{
            kind: {"schema": {"type": "string", "format": "binary"}, "example": "…"}
            for kind in (MEDIA_TYPES["docx"], MEDIA_TYPES["pdf"], "application/zip")
        },
    }
    return described


@routes.get("/api/conversations/{conversation}/export", summary="Take it with you", responses=_describe_exports())
async def export_conversation(
    conversation: str,
    here: Ctx,
    caller: Caller,
    *,
    format: Literal["json", "md", "html", "docx", "pdf", "zip"] = "json",
    turn: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    language: Language | None = None,
) -> Response:
    """Download the conversation: JSON with every event, a document with tables and charts, or everything as ZIP.

    Documents are Markdown, HTML (one file), Word and PDF; `turn` exports one report. The archive holds all records,
    memories and telemetry as JSON lines, the files, and the Markdown.
    """
    found = await here.get_readable_conversation(conversation, caller)
    if format == "zip":
        return await export_archive(here, found)
    if format == "json":
        history = await here.store.messages.get_history(found.id, limit=10**6)
        facts = await here.store.facts.list(found.id)
        return export_json(found, history, await read_all_events(here, found.id, None), facts)
    if turn is not None and (await here.store.turns.get(turn)).conversation != found.id:
        raise RecordNotFound(f"there is no turn {turn!r}")
    return await export_document(here, found, format, turn, language)


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
