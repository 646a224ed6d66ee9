"""Control tools, with which the model steers its turn: leave the skill, read a rule, ask the user, and others."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from langchain_core.messages import ToolMessage

from metier.agent.adapters import control_message, render_sentence, to_openai
from metier.agent.middleware import (
    WRITE_TODOS,
    ChosenSkill,
    choose_from_menu,
    make_shortlist,
    read_todos,
    todos_event,
)
from metier.agent.results import PAGE_SCHEMA, READ_RESULT, SHOW_CHART, draw_chart, read_page, read_stored_result
from metier.agent.turn._call_batch import CallAnswer, HeldCall
from metier.agent.turn._enter_skill import leave_skill
from metier.agent.turn._state import PERSONS, TurnState
from metier.agent.turn._write_plan import list_plan_tools, write_plan
from metier.attachments import DocumentSection, find_section, outline_sections, split_document
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.skills import DocumentUse, Skill
from metier.store import Event, EventDraft
from metier.tools import (
    REQUEST_EXCEPTION,
    ExceptionOutcome,
    ExceptionRuling,
    ToolCall,
    ToolExceptionRequest,
    ToolSpec,
    Verdict,
    argument_problems,
    handle_exception_request,
    settle_exception,
)

_EVENTS_PER_READ: Final = 500
_MAX_LEFT: Final = 1
_LONG_MESSAGE_CHARS: Final = 2_000
_ControlHandler: TypeAlias = Callable[[TurnState, ToolCall], Awaitable[ToolMessage]]


def _object_schema(*required: str, **properties: JsonValue) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


LEAVE_SKILL: Final = ToolSpec(
    "leave_skill", "Leave the skill in use when the user wants something else.", _object_schema()
)
LOAD_RULE: Final = ToolSpec(
    "load_rule", "Read a rule of the skill in use, by its name.", _object_schema("rule", rule={"type": "string"})
)
READ_DOCUMENT: Final = ToolSpec(
    "read_document",
    "The user has a document open: read a section of it, by its number or title; without one, its outline.",
    _object_schema(section={"type": ["string", "integer"]}, page={**PAGE_SCHEMA}),
)
_READ_MESSAGE: Final = replace(
    READ_DOCUMENT,
    description="The user's message is long: read a section of it, by its number or title; without one, its outline.",
)
SEARCH_SKILLS: Final = ToolSpec(
    "search_skills",
    "Search the skills that are not on the menu, in the words of what is to be done. Those found can then be chosen.",
    _object_schema("query", query={"type": "string", "minLength": 1, "maxLength": 300}),
)
# No schema check here: the readers of plans and charts return better error messages.
ANY_PLAN: Final = ToolSpec("write_plan", "", {"type": "object"})
ANY_CHART: Final = ToolSpec("show_chart", "", {"type": "object"})
ASK_USER: Final = ToolSpec(
    "ask_user",
    "Ask the user one question and wait for the answer. Only for what nothing else can tell you.",
    _object_schema(
        "question",
        question={"type": "string", "minLength": 1, "maxLength": 2000},
        choices={"type": "array", "items": {"type": "string"}, "maxItems": 12},
    ),
)


# As a model gets them: converted once, not in every turn.
_OFFERED: Final = MappingProxyType(
    {
        name: to_openai(spec)
        for name, spec in {
            "ask_user": ASK_USER,
            "show_chart": SHOW_CHART,
            "write_todos": WRITE_TODOS,
            "leave_skill": LEAVE_SKILL,
            "load_rule": LOAD_RULE,
            "read_document": READ_DOCUMENT,
            "read_message": _READ_MESSAGE,
            "request_exception": REQUEST_EXCEPTION,
        }.items()
    }
)


def list_control_tools(state: TurnState) -> list[dict[str, Any]]:
    """Control tools that apply now. `show_chart` needs data to draw: a skill in use or an earlier result."""
    offered = ["ask_user"]
    if state.skill.active is not None or state.calls.usage.tool_calls:
        offered.append("show_chart")
    if state.plan.runner is None:
        offered.append("write_todos")
    if may_leave_skill(state):
        offered.append("leave_skill")
    if state.skill.active is not None and state.skill.active.rules:
        offered.append("load_rule")
    if _list_readable_sections(state):
        offered.append("read_document" if list_document_sections(state) else "read_message")
    if state.calls.usage.refusals:
        offered.append("request_exception")
    return [*(_OFFERED[name] for name in offered), *list_plan_tools(state)]


async def run_control_tool(state: TurnState, call: ToolCall) -> ToolMessage | None:
    """Run a control tool; None if the call is for another tool."""
    known = _CONTROL_HANDLERS.get(call.name)
    if known is None:
        return None
    spec, act = known
    if problems := argument_problems(spec.parameters, call.arguments):
        told: JsonObject = {"status": "invalid_arguments", "message": "; ".join(map(str, problems))}
        return control_message(call, told, ok=False)
    return await act(state, call)


async def _leave_skill(state: TurnState, call: ToolCall) -> ToolMessage:
    text = await leave_skill(state, "model")
    return control_message(call, {"status": "left", "message": text})


async def _load_rule(state: TurnState, call: ToolCall) -> ToolMessage:
    rules = state.skill.active.rules if state.skill.active else {}
    wanted = str(call.arguments["rule"])
    rule = rules.get(wanted)
    if rule is None:
        message = render_sentence(
            "unknown_rule", state.request.language, rule=wanted[:80], rules=", ".join(rules) or "–"
        )
        return control_message(call, {"status": "unknown", "message": message}, ok=False)
    return control_message(call, {"status": "loaded", "rule": rule.id, "text": str(rule.text)})


def list_document_sections(state: TurnState) -> tuple[DocumentSection, ...]:
    """Sections of the open document; none if none is open, or if the skill in use does not see it."""
    text, skill = state.request.document, state.skill.active
    use = DocumentUse() if skill is None else skill.document
    if not text or use.active_text is False or use.active_max_chars == 0:
        return ()
    return split_document(text, use.active_max_chars)


def list_message_sections(state: TurnState) -> tuple[DocumentSection, ...]:
    """Sections of a long message of the user, numbered after those of the open document; none if it is short."""
    if len(state.request.message) <= _LONG_MESSAGE_CHARS:
        return ()
    before = len(list_document_sections(state))
    return tuple(replace(one, number=one.number + before) for one in split_document(state.request.message))


def _list_readable_sections(state: TurnState) -> tuple[DocumentSection, ...]:
    return (*list_document_sections(state), *list_message_sections(state))


async def _read_document(state: TurnState, call: ToolCall) -> ToolMessage:
    language, sections = state.request.language, _list_readable_sections(state)
    if not sections:
        return control_message(call, {"status": "none", "message": render_sentence("no_document", language)}, ok=False)
    wanted, page = str(call.arguments.get("section", "")).strip(), _get_page(call)
    if not wanted:
        return control_message(call, {"status": "outline", **read_page(outline_sections(sections), page)})
    found = find_section(sections, wanted)
    if found is None:
        outline = outline_sections(sections, is_short=True)
        text = render_sentence("unknown_section", language, section=wanted[:80], outline=outline)
        return control_message(call, {"status": "unknown", "message": text}, ok=False)
    read: JsonObject = {"status": "read", "section": found.number, "of": len(sections), "title": found.title}
    return control_message(call, {**read, **read_page(found.text, page)})


def _get_page(call: ToolCall) -> int:
    page = call.arguments.get("page")
    return page if isinstance(page, int) else 1


async def _search_skills(state: TurnState, call: ToolCall) -> ToolMessage:
    """Find skills by the router and put them on the menu, the best first."""
    catalog, language = state.request.catalog, state.request.language
    route = partial(
        state.resources.router.route, str(call.arguments["query"]), catalog=catalog, host=state.request.host
    )
    decision = await asyncio.to_thread(route)
    found = make_shortlist(catalog, [(one.skill, one.score) for one in decision.candidates], len(decision.candidates))
    known = {skill.id for skill, _ in found}
    state.skill.shortlist = (*found, *(one for one in state.skill.shortlist if one[0].id not in known))
    listed: list[JsonValue] = [
        {"skill": skill.id, "title": skill.title_in(language), "description": skill.description_in(language)}
        for skill, _ in found
    ]
    return control_message(call, {"status": "found" if listed else "nothing_found", "skills": listed})


async def _write_todos(state: TurnState, call: ToolCall) -> ToolMessage:
    if state.plan.runner is not None and not state.plan.runner.is_over:
        told: JsonObject = {"status": "plan_knows", "message": state.plan.runner.outline()}
        return control_message(call, told, ok=False)
    try:
        todos = read_todos(call.arguments)
    except InvalidInput as error:
        return control_message(call, {"status": "invalid_todos", **error.to_json()}, ok=False)
    state.plan.todos = tuple({"content": todo["content"], "status": todo["status"]} for todo in todos)
    await state.journal.record(todos_event(todos, "model"), plan=state.plan_snapshot())
    return control_message(call, {"status": "kept", "todos": len(todos)})


async def _show_chart(state: TurnState, call: ToolCall) -> ToolMessage:
    message, drafts = draw_chart(call.arguments, call.id, state.request.language)
    state.queue_display_events(*drafts)
    return message


async def _read_result(state: TurnState, call: ToolCall) -> ToolMessage:
    wanted, find = (call.arguments.get(name) for name in ("call", "find"))
    event = await _find_result_event(state, str(wanted))
    if event is None:
        text = render_sentence("unknown_call", state.request.language, call=str(wanted)[:80])
        return control_message(call, {"status": "unknown", "message": text}, ok=False)
    data = event.data.get("data", event.data.get("content"))
    # In a thread: cutting a result of megabytes into pages takes half a second.
    read = await asyncio.to_thread(read_stored_result, data, str(find or ""), _get_page(call))
    return control_message(call, read)


async def _find_result_event(state: TurnState, call_id: str) -> Event | None:
    """The latest `tool.result` of a call of this conversation; read backwards, as it is likely a recent one."""
    events = state.resources.store.events
    before = await events.get_last_seq(state.conversation)
    while before > 0:
        after = max(0, before - _EVENTS_PER_READ)
        for event in reversed(await events.read(state.conversation, after=after, limit=before - after)):
            if event.kind == "tool.result" and event.data.get("call") == call_id:
                return event
        before = after
    return None


async def _ask_user(state: TurnState, call: ToolCall) -> ToolMessage:
    if (answer := state.calls.answers.get(call.id)) is not None:
        return control_message(call, {"answer": answer.value})
    return state.hold_call(HeldCall(call, "ask_user", dict(call.arguments)))


async def _request_exception(state: TurnState, call: ToolCall) -> ToolMessage:
    if (answer := state.calls.answers.get(call.id)) is not None:
        return await _decide_exception(state, call, answer)
    resources = state.resources
    outcome = await handle_exception_request(
        call.arguments,
        gate=state.gate,
        policy=resources.exception_policy,
        ledger=resources.ledger,
        context=state.tool_context(),
    )
    asked: JsonObject = {"tool": call.arguments["tool"], "reason": call.arguments["reason"]}
    if outcome.ask is not None:
        await state.emit(EventDraft("exception.requested", {**asked, "request": outcome.request}))
    if outcome.state == "asked":
        return state.hold_call(HeldCall(call, "exception", {**asked, "request": outcome.request}))
    if outcome.ask is not None:
        told: JsonObject = {**asked, "request": outcome.request, "state": outcome.state, "by": "policy"}
        await state.emit(EventDraft("exception.decided", told))
    return _exception_message(state, call, outcome, str(asked["tool"]))


async def _decide_exception(state: TurnState, call: ToolCall, answer: CallAnswer) -> ToolMessage:
    """Apply a person's decision about an exception: recorded, emitted, and granted for this turn if approved."""
    tool, request, user = str(answer.data.get("tool")), str(answer.data.get("request")), answer.by or state.request.user
    ruling = ExceptionRuling("granted" if answer.decision == "approve" else "denied", user, answer.note)
    ask = ToolExceptionRequest(state.conversation, state.turn, tool, str(answer.data.get("reason")))
    outcome = await settle_exception(request, ruling, ask=ask, gate=state.gate, ledger=state.resources.ledger)
    told: JsonObject = {"tool": tool, "request": request, "state": outcome.state, "by": user, "note": answer.note}
    await state.emit(EventDraft("exception.decided", told))
    return _exception_message(state, call, outcome, tool)


def _exception_message(state: TurnState, call: ToolCall, outcome: ExceptionOutcome, tool: str) -> ToolMessage:
    if outcome.state == "granted":
        state.calls.granted_tools |= {tool}
    failure = outcome.result.failure
    data = outcome.result.data or {"state": outcome.state, "message": failure.message if failure else ""}
    return control_message(call, data, ok=outcome.result.ok)


_CONTROL_HANDLERS: Final[Mapping[str, tuple[ToolSpec, _ControlHandler]]] = MappingProxyType(
    {
        "leave_skill": (LEAVE_SKILL, _leave_skill),
        "load_rule": (LOAD_RULE, _load_rule),
        "write_todos": (WRITE_TODOS, _write_todos),
        "ask_user": (ASK_USER, _ask_user),
        "show_chart": (ANY_CHART, _show_chart),
        "write_plan": (ANY_PLAN, write_plan),
        "read_document": (READ_DOCUMENT, _read_document),
        "read_result": (READ_RESULT, _read_result),
        "search_skills": (SEARCH_SKILLS, _search_skills),
        "request_exception": (REQUEST_EXCEPTION, _request_exception),
    }
)


def may_leave_skill(state: TurnState) -> bool:
    """Whether a skill is in use that the model may leave."""
    return state.skill.active is not None and _leaving_problem(state) is None


def check_skill_choice(state: TurnState, call: ToolCall) -> Verdict | None:
    """Verdict that refuses a call by which the model would leave a skill it must keep, or take one it was not offered.

    None for every other call.
    """
    active, chosen = state.skill.active, _read_choice(state, call)
    problem = _choice_problem(state, call, chosen) or (_leaving_problem(state) if active is not None else None)
    if problem is None or (problem != "skill_not_offered" and not _would_leave(active, call, chosen)):
        return None
    refused = chosen.skill if problem == "skill_not_offered" and chosen is not None else active
    source = f"skill {refused.id}" if refused is not None else call.name
    reason = {
        "skill_is_bound": f"a person chose {source}; only a person can leave it",
        "skill_was_left": f"a skill was left in this turn already; {source} stays in use",
        "skill_not_offered": f"the router chooses the skill; {source} was not offered",
    }
    return Verdict("deny", problem, reason[problem], "skill", source, state.gate.allowed_tools(), tool=call.name)


def _choice_problem(
    state: TurnState, call: ToolCall, chosen: ChosenSkill | None
) -> Literal["skill_not_offered"] | None:
    """Where the router alone chooses, a model may neither search for skills nor name one that is not on offer."""
    if state.skill_chooser != "router":
        return None
    offered = {skill.id for skill, _ in state.skill.shortlist}
    is_offered = chosen is None or chosen.skill is None or chosen.skill.id in offered
    return None if is_offered and call.name != SEARCH_SKILLS.name else "skill_not_offered"


def _leaving_problem(state: TurnState) -> Literal["skill_is_bound", "skill_was_left"] | None:
    if state.skill.chosen_by in PERSONS:
        return "skill_is_bound"
    return "skill_was_left" if state.calls.usage.skills_left >= _MAX_LEFT else None


def _read_choice(state: TurnState, call: ToolCall) -> ChosenSkill | None:
    """The choice that the call makes; None for a call of another tool."""
    if call.name != state.resources.settings.skill_tool:
        return None
    menu = state.skill.menu or state.resources.skill_menu_for(state.skill.shortlist, state.request.language)
    return choose_from_menu(call, state.request.catalog, menu)


def _would_leave(active: Skill | None, call: ToolCall, chosen: ChosenSkill | None) -> bool:
    if chosen is None:
        return call.name == LEAVE_SKILL.name
    return chosen.is_known and (chosen.skill is None or active is None or chosen.skill.id != active.id)
