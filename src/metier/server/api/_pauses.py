"""`/api/pauses`: list open questions, answer one and receive the rest of the turn as a stream."""

from pydantic import Field, JsonValue

from metier.errors import RecordNotFound
from metier.server.api._chat import Id, IdempotencyKey, open_turn_stream
from metier.server.api._models import pause_to_json
from metier.server.http import Ctx, JsonAnswer, RequestBody, User, make_router, responds, responds_stream
from metier.server.stream import EventStream

routes = make_router("pauses")


class AnswerBody(RequestBody):
    """An answer that matches the question's schema."""

    answer: JsonValue = Field(description="What the question's schema asks for.", examples=[{"decision": "approve"}])
    idempotency_key: Id | None = Field(None, description="The same key and answer again tells the same events.")


@routes.get(
    "/api/pauses",
    summary="Open questions",
    responses=responds({"pauses": [{"pause": "5d1e…", "kind": "approval", "text": "运行 shell？", "schema": {}}]}, 404),
)
async def list_open_pauses(here: Ctx, user: User, conversation: str | None = None) -> JsonAnswer:
    """List the questions that wait for this user, oldest first."""
    if conversation is not None:
        await here.get_owned_conversation(conversation, user)
    found = await here.store.pauses.list_open(conversation, user=user)
    return JsonAnswer({"pauses": [pause_to_json(one) for one in found]})


@routes.post(
    "/api/pauses/{pause}",
    summary="Answer a question; the turn goes on",
    responses=responds_stream(404, 409),
)
async def answer_pause(
    pause: str, body: AnswerBody, here: Ctx, user: User, idempotency_key: IdempotencyKey = ""
) -> EventStream:
    """Answer a question and stream the rest of the turn. An answer that does not match is refused with 400."""
    here.stream_slots.check(user)
    found = await here.store.pauses.get(pause)
    if (await here.store.conversations.get(found.conversation)).user != user:
        raise RecordNotFound(f"there is no pause {pause!r}")
    key = body.idempotency_key or idempotency_key or None
    return await open_turn_stream(here, user, here.runtime.answer(pause, body.answer, answer_key=key, user=user))
