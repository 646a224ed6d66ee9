"""Control tools, with which the model steers its turn: leave the skill, read a rule, ask the user, and others."""

from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from langchain_core.messages import ToolMessage

from metier.agent.adapters import control_message, render_sentence, to_openai
from metier.agent.middleware import TODOS_DESCRIPTION, TODOS_SCHEMA, read_todos, todos_event
from metier.agent.results import CHART_DESCRIPTION, CHART_SCHEMA, draw_chart
from metier.agent.turn._call_batch import HeldCall
from metier.agent.turn._state import TurnState
from metier.agent.turn._write_plan import list_plan_tools, write_plan
from metier.errors import InvalidInput
from metier.json_values import JsonObject, JsonValue
from metier.store import EventDraft
from metier.tools import REQUEST_EXCEPTION, ToolCall, ToolSpec, argument_problems, handle_exception_request

_ControlHandler: TypeAlias = Callable[[TurnState, ToolCall], Awaitable[ToolMessage]]


def _object_schema(*required: str, **properties: JsonValue) -> JsonObject:
    return {"type": "object", "properties": properties, "required": list(required), "additionalProperties": False}


LEAVE_SKILL: Final = ToolSpec(
    "leave_skill", "Leave the skill in use when the user wants something else.", _object_schema()
)
LOAD_RULE: Final = ToolSpec(
    "load_rule", "Read a rule of the skill in use, by its name.", _object_schema("rule", rule={"type": "string"})
)
WRITE_TODOS: Final = ToolSpec("write_todos", TODOS_DESCRIPTION, TODOS_SCHEMA)
# No schema check here: the readers of plans and charts return better error messages.
ANY_PLAN: Final = ToolSpec("write_plan", "", {"type": "object"})
ANY_CHART: Final = ToolSpec("show_chart", "", {"type": "object"})
SHOW_CHART: Final = ToolSpec("show_chart", CHART_DESCRIPTION, CHART_SCHEMA)
ASK_USER: Final = ToolSpec(
    "ask_user",
    "Ask the user one question and wait for the answer. Only for what nothing else can tell you.",
    _object_schema(
        "question",
        question={"type": "string", "minLength": 1, "maxLength": 2000},
        choices={"type": "array", "items": {"type": "string"}, "maxItems": 12},
    ),
)


def list_control_tools(work: TurnState) -> list[dict[str, Any]]:
    """Control tools that apply now. `show_chart` needs data to draw: a skill in use or an earlier result."""
    offered = [ASK_USER]
    if work.active_skill is not None or work.usage.tool_calls:
        offered.append(SHOW_CHART)
    if work.plan_runner is None:
        offered.append(WRITE_TODOS)
    if work.active_skill is not None:
        offered.append(LEAVE_SKILL)
        if work.active_skill.rules:
            offered.append(LOAD_RULE)
    if work.usage.refusals:
        offered.append(REQUEST_EXCEPTION)
    return [*(to_openai(spec) for spec in offered), *list_plan_tools(work)]


async def run_control_tool(work: TurnState, call: ToolCall) -> ToolMessage | None:
    """Run a control tool; None if the call is for another tool."""
    known = _CONTROL_HANDLERS.get(call.name)
    if known is None:
        return None
    spec, act = known
    if problems := argument_problems(spec.parameters, call.arguments):
        told: JsonObject = {"status": "invalid_arguments", "message": "; ".join(map(str, problems))}
        return control_message(call, told, ok=False)
    return await act(work, call)


async def _leave_skill(work: TurnState, call: ToolCall) -> ToolMessage:
    if work.active_skill is None:
        return control_message(call, {"status": "left", "message": render_sentence("nothing_to_leave", work.language)})
    title = work.active_skill.title
    work.plan_runner = None
    await work.switch_skill(None, None, "the model left it")
    return control_message(call, {"status": "left", "message": render_sentence("left", work.language, title=title)})


async def _load_rule(work: TurnState, call: ToolCall) -> ToolMessage:
    rules = work.active_skill.rules if work.active_skill else {}
    wanted = str(call.arguments["rule"])
    rule = rules.get(wanted)
    if rule is None:
        message = render_sentence("unknown_rule", work.language, rule=wanted[:80], rules=", ".join(rules) or "–")
        return control_message(call, {"status": "unknown", "message": message}, ok=False)
    return control_message(call, {"status": "loaded", "rule": rule.id, "text": str(rule.text)})


async def _write_todos(work: TurnState, call: ToolCall) -> ToolMessage:
    if work.plan_runner is not None and not work.plan_runner.is_over:
        told: JsonObject = {"status": "plan_knows", "message": work.plan_runner.outline()}
        return control_message(call, told, ok=False)
    try:
        todos = read_todos(call.arguments)
    except InvalidInput as error:
        return control_message(call, {"status": "invalid_todos", **error.to_json()}, ok=False)
    work.todos = tuple({"content": todo["content"], "status": todo["status"]} for todo in todos)
    await work.journal.record(todos_event(todos, "model"), plan=work.plan_snapshot())
    return control_message(call, {"status": "kept", "todos": len(todos)})


async def _show_chart(work: TurnState, call: ToolCall) -> ToolMessage:
    message, drafts = draw_chart(call.arguments, call.id, work.language)
    work.queue_display_events(*drafts)
    return message


async def _ask_user(work: TurnState, call: ToolCall) -> ToolMessage:
    return work.hold_call(HeldCall(call, "ask_user", dict(call.arguments)))


async def _request_exception(work: TurnState, call: ToolCall) -> ToolMessage:
    kit = work.resources
    outcome = await handle_exception_request(
        call.arguments, gate=work.gate, policy=kit.exception_policy, ledger=kit.ledger, context=work.tool_context()
    )
    asked: JsonObject = {"tool": call.arguments["tool"], "reason": call.arguments["reason"]}
    if outcome.ask is not None:
        await work.emit(EventDraft("exception.requested", {**asked, "request": outcome.request}))
    if outcome.state == "asked":
        return work.hold_call(HeldCall(call, "exception", {**asked, "request": outcome.request}))
    if outcome.ask is not None:
        told: JsonObject = {**asked, "request": outcome.request, "state": outcome.state, "by": "policy"}
        await work.emit(EventDraft("exception.decided", told))
    if outcome.state == "granted":
        work.granted_tools |= {str(asked["tool"])}
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
        "request_exception": (REQUEST_EXCEPTION, _request_exception),
    }
)
