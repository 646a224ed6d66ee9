"""Feedback on answers: give it, take it back, list it, and make a routing case of one."""

from typing import Annotated

from fastapi import Query
from pydantic import Field

from metier.errors import RecordNotFound
from metier.routing import build_eval_case
from metier.server.http import AppContext, Caller, Ctx, JsonAnswer, Operator, RequestBody, make_router, responds
from metier.server.schema import FeedbackInfo, FeedbackList, RemovedFeedback, RoutingCaseInfo
from metier.store import Feedback, FeedbackReason, Turn, Verdict

routes = make_router("feedback")


class FeedbackBody(RequestBody):
    """What a user thinks of an answer."""

    verdict: Verdict = Field(examples=["down"])
    reason: FeedbackReason | None = Field(None, examples=["wrong_skill"])
    note: str = Field("", max_length=2000)


@routes.put("/api/turns/{turn}/feedback", summary="Rate an answer", responses=responds(FeedbackInfo, 404))
async def put_feedback(turn: str, body: FeedbackBody, here: Ctx, caller: Caller) -> JsonAnswer:
    """Store thumbs up or down on a turn of yours, in place of an earlier one."""
    found = await _get_own_turn(here, turn, caller.user)
    skill = await _find_skill(here, found)
    kept = await here.store.feedback.put(
        found.conversation, found.id, caller.user, body.verdict, reason=body.reason, note=body.note, skill=skill
    )
    return JsonAnswer({**kept.to_json(), "message": None})


@routes.delete("/api/turns/{turn}/feedback", summary="Take a rating back", responses=responds(RemovedFeedback, 404))
async def remove_feedback(turn: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """Remove your rating of a turn; `removed` is false if there was none."""
    found = await _get_own_turn(here, turn, caller.user)
    return JsonAnswer(RemovedFeedback(removed=await here.store.feedback.remove(found.id, caller.user)))


@routes.get(
    "/api/conversations/{conversation}/feedback", summary="Your ratings in it", responses=responds(FeedbackList, 404)
)
async def list_own_feedback(conversation: str, here: Ctx, caller: Caller) -> JsonAnswer:
    """List your ratings in a conversation of yours."""
    found = await here.get_owned_conversation(conversation, caller.user)
    kept = await here.store.feedback.list(conversation=found.id, user=caller.user, limit=1000)
    return JsonAnswer({"feedback": [{**one.to_json(), "message": None} for one in kept]})


@routes.get("/api/feedback", summary="Ratings of all users", responses=responds(FeedbackList))
async def list_feedback(
    here: Ctx,
    operator: Operator,
    *,
    verdict: Verdict | None = None,
    skill: Annotated[str | None, Query(min_length=1, max_length=200)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> JsonAnswer:
    """List ratings, newest first, with the message that was answered."""
    kept = await here.store.feedback.list(verdict=verdict, skill=skill, limit=limit)
    return JsonAnswer({"feedback": [{**one.to_json(), "message": await _find_message(here, one)} for one in kept]})


@routes.get("/api/feedback/{feedback}/case", summary="A routing case of it", responses=responds(RoutingCaseInfo, 404))
async def read_case(feedback: str, here: Ctx, operator: Operator) -> JsonAnswer:
    """Queries of the skill's evals with this message added: it should trigger the skill unless that was the wrong one.

    The skill is the one that answered. Making a case is recorded in the audit log.
    """
    kept = await here.store.feedback.get(feedback)
    skill = here.catalog_for(operator).get(kept.skill) if kept.skill else None
    message = await _find_message(here, kept)
    if skill is None or not message:
        raise RecordNotFound(f"feedback {feedback!r} has no skill to test", hint="no skill answered, or it is gone")
    case = build_eval_case(skill, message, should_trigger=kept.reason != "wrong_skill")
    await here.store.audit.append(operator, "feedback.case", kept.id, {"skill": skill.id})
    return JsonAnswer({"skill": skill.id, "file": case.file, "queries": case.to_json()})


async def _get_own_turn(here: AppContext, turn: str, user: str) -> Turn:
    found = await here.store.turns.get(turn)
    try:
        await here.get_owned_conversation(found.conversation, user)
    except RecordNotFound:
        raise RecordNotFound(f"there is no turn {turn!r}") from None
    return found


async def _find_skill(here: AppContext, turn: Turn) -> str | None:
    """The skill that was in use at the end of the turn."""
    skill: str | None = None
    for event in await here.store.events.read(turn.conversation, turn=turn.id):
        if event.kind in ("turn.started", "skill.activated", "turn.done"):
            named = event.data.get("skill")
            skill = named if isinstance(named, str) else skill
    return skill


async def _find_message(here: AppContext, kept: Feedback) -> str | None:
    for event in await here.store.events.read(kept.conversation, turn=kept.turn, limit=5):
        if event.kind == "turn.started":
            return str(event.data.get("message") or "")
    return None
