"""`/api/approvals`: calls of anybody's conversations that wait for an approver, and the decision about one."""

from functools import partial
from typing import Final, Literal

from pydantic import Field, JsonValue

from metier.agent import APPROVAL_KINDS, is_own_request, is_self_approval_allowed, translate_question
from metier.errors import RecordNotFound, ToolNotFound
from metier.json_values import JsonObject
from metier.language import Language
from metier.server.api._chat import SHOWN, Id
from metier.server.api._pauses import pause_to_json
from metier.server.http import AppContext, Approver, Ctx, JsonAnswer, RequestBody, make_router, responds
from metier.server.schema import ApprovalList, ApprovalResult, format_time
from metier.store import Pause, Principal
from metier.tools import Registry, ToolSpec

routes = make_router("approvals")
_MAX_MESSAGES: Final = 6
_MAX_CHARS: Final = 2000


class DecisionBody(RequestBody):
    """A decision about the calls of one question."""

    decision: Literal["approve", "edit", "reject"] = Field(examples=["approve"])
    arguments: dict[str, JsonValue] | None = Field(None, description="The arguments to run with, for `edit`.")
    rows: list[dict[str, JsonValue]] | None = Field(
        None, description="The chosen rows of the preview, by `id`, with edited values.", max_length=2000
    )
    note: str | None = Field(None, max_length=2000, description="For whoever asked.")
    shown: str | None = Field(None, max_length=200, description=SHOWN)
    idempotency_key: Id | None = Field(None, description="The same key and decision again changes nothing.")


@routes.get("/api/approvals", summary="Calls that wait for an approver", responses=responds(ApprovalList))
async def list_approvals(here: Ctx, approver: Approver, language: Language | None = None) -> JsonAnswer:
    """List the calls and exceptions that wait for approval in all conversations, oldest first.

    Each comes with the owner and the last few messages, which is all that an approver sees of a conversation of
    somebody else. `may_answer` is false for what the same key asked for. With `language`, the question, its calls and
    the skill's title are in the language of the approver; else in that of whoever asked.
    """
    is_self_allowed = await is_self_approval_allowed(here.store, here.settings)
    waiting = await here.store.pauses.list_open(kinds=APPROVAL_KINDS)
    told = [await _describe(here, one, approver, language, is_self_allowed=is_self_allowed) for one in waiting]
    return JsonAnswer({"approvals": told})


@routes.post("/api/approvals/{pause}", summary="Approve or reject calls", responses=responds(ApprovalResult, 404, 409))
async def decide_approval(pause: str, body: DecisionBody, here: Ctx, approver: Approver) -> JsonAnswer:
    """Decide about calls of anybody's conversation; the turn goes on by itself, in the eyes of its owner only.

    `rows` approves a part of what the preview shows. Rows that do not fit are refused with 400, an approval of
    something else than what `shown` stands for with 409 `approval_changed`; the question stays open.
    """
    found = await here.store.pauses.get(pause)
    if found.kind not in APPROVAL_KINDS:
        raise RecordNotFound(f"there is no pause {pause!r}")
    answer: dict[str, JsonValue] = {"decision": body.decision}
    if body.arguments is not None:
        answer["arguments"] = body.arguments
    if body.rows is not None:
        answer["rows"] = [*body.rows]
    if body.note is not None:
        answer["note"] = body.note
    events = here.runtime.answer(found.id, answer, answer_key=body.idempotency_key, by=approver, shown=body.shown or "")
    await anext(events, None)  # the turn runs on without a reader
    return JsonAnswer(ApprovalResult(pause=found.id, decision=body.decision, by=approver.user))


async def _describe(
    here: AppContext, one: Pause, approver: Principal, language: Language | None, *, is_self_allowed: bool
) -> JsonObject:
    conversation = await here.store.conversations.get(one.conversation)
    history = await here.store.messages.get_history(one.conversation, limit=_MAX_MESSAGES)
    said = [{"role": m.role, "content": m.content[:_MAX_CHARS]} for m in history if m.role in ("user", "assistant")]
    is_own = await is_own_request(here.store, one, conversation, approver)
    catalog = here.runtime.catalog_of(conversation.user)
    skill = catalog.get(conversation.skill) if conversation.skill else None
    spec_of = partial(_find_spec, await here.load_tools(catalog), conversation.skill)
    return {
        "pause": {**pause_to_json(one), **(translate_question(one, spec_of, language) if language else {})},
        "owner": conversation.user,
        "title": conversation.title,
        "skill": (skill.title_in(language) if language else skill.title) if skill else conversation.skill,
        "messages": [told for told in said if told["content"]],
        "opened_at": format_time(one.opened_at),
        "may_answer": is_self_allowed or not is_own,
    }


def _find_spec(tools: Registry, skill: str | None, name: str) -> ToolSpec | None:
    try:
        return tools.get(name, skill=skill).spec
    except ToolNotFound:
        return None
