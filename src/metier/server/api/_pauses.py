"""`/api/pauses`: list open questions, answer one and receive the rest of the turn as a stream."""

from typing import Final

from pydantic import Field, JsonValue

from metier.agent import digest_question, find_refusal
from metier.events import Question
from metier.json_values import JsonObject
from metier.server.api._chat import SHOWN, Id, IdempotencyKey, open_turn_stream
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, RequestBody, make_router, responds, responds_stream
from metier.server.schema import PauseList, format_time
from metier.server.stream import EventStream
from metier.store import Pause, Principal

routes = make_router("pauses")
# The payload of a pause also holds the turn's internal state.
_PUBLIC_FIELDS: Final = frozenset(field.alias or name for name, field in Question.model_fields.items())


class AnswerBody(RequestBody):
    """An answer that matches the question's schema."""

    answer: JsonValue = Field(description="What the question's schema asks for.", examples=[{"decision": "approve"}])
    shown: str | None = Field(None, max_length=200, description=SHOWN)
    idempotency_key: Id | None = Field(None, description="The same key and answer again tells the same events.")


@routes.get(
    "/api/pauses",
    summary="Open questions",
    responses=responds(PauseList, 404),
)
async def list_open_pauses(here: Ctx, caller: Caller, conversation: str | None = None) -> JsonAnswer:
    """List the questions that wait for this user, oldest first, and which of them somebody else has to approve."""
    if conversation is not None:
        await here.get_owned_conversation(conversation, caller.user)
    found = await here.store.pauses.list_open(conversation, user=caller.user)
    return JsonAnswer({"pauses": [await _describe_own(here, one, caller) for one in found]})


@routes.post(
    "/api/pauses/{pause}",
    summary="Answer a question; the turn goes on",
    responses=responds_stream(404, 409),
)
async def answer_pause(
    pause: str, body: AnswerBody, here: Ctx, caller: Caller, idempotency_key: IdempotencyKey = ""
) -> EventStream:
    """Answer a question of a conversation of yours and stream the rest of the turn.

    An answer that does not match is refused with 400. An approval needs the role approver and another key than the one
    that asked, unless METIER_SELF_APPROVAL allows it; the calls of others are approved at `/api/approvals`. An approval
    of something else than what `shown` stands for is refused with 409 `approval_changed`, and the question stays open.
    """
    slot = here.stream_slots.take(caller)
    with slot.opening():
        key = body.idempotency_key or idempotency_key or None
        events = here.runtime.answer(
            pause, body.answer, answer_key=key, user=caller.user, by=caller, shown=body.shown or ""
        )
        return await open_turn_stream(here, slot, events)


async def _describe_own(here: AppContext, one: Pause, caller: Principal) -> JsonObject:
    conversation = await here.store.conversations.get(one.conversation)
    return {**pause_to_json(one), "refusal": await find_refusal(here.store, here.settings, one, conversation, caller)}


def pause_to_json(one: Pause) -> JsonObject:
    """Convert a pause to the fields of `pause.opened`, with its conversation and turn."""
    shown = {name: value for name, value in one.payload.items() if name in _PUBLIC_FIELDS}
    return {
        **shown,
        "shown": digest_question(one.payload) or None,
        "pause": one.id,
        "conversation": one.conversation,
        "turn": one.turn,
        "kind": one.kind,
        "schema": one.schema,
        "opened_at": format_time(one.opened_at),
        "expires_at": format_time(one.expires_at),
    }
