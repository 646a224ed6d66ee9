"""Form for a call that lacks arguments: the call is held until the user has filled it in."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from langchain_core.messages import AnyMessage, ToolMessage

from metier.agent.adapters import Form, find_invented_name, render_sentence
from metier.agent.loop._stack import Middleware
from metier.agent.middleware import ParametersMiddleware, PerRun
from metier.agent.turn import HeldCall, TurnState, get_turn_state
from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolCall

_MAX_FILES: Final = 2_000


def form_middleware() -> Middleware:
    """Middleware that turns a call with missing arguments into a form, except for calls that the gate refuses."""
    return ParametersMiddleware(
        PerRun(lambda runtime: partial(_hold_call, get_turn_state(runtime))),
        specs=PerRun(lambda runtime: get_turn_state(runtime).open_gate.specs),
        may_ask=PerRun(lambda runtime: partial(_may_ask, get_turn_state(runtime))),
    )


def _may_ask(state: TurnState, call: ToolCall) -> bool:
    return not _is_returned_to_model(state, call) and state.gate.check(call).answer != "deny"


def _is_returned_to_model(state: TurnState, call: ToolCall) -> bool:
    """Whether the model gets the call back first: it used argument names that the tool does not have, once per tool."""
    spec = state.get_spec(call.name)
    known = spec.parameters.get("properties") if spec is not None else None
    planned = state.plan.runner is not None and state.plan.runner.find_step(call.id)
    if planned or not isinstance(known, Mapping) or set(call.arguments) <= set(known):
        return False
    first = call.name not in state.calls.returned_tools
    state.calls.returned_tools.add(call.name)
    return first


def describe_invented_name(state: TurnState, tool: str, arguments: JsonObject, messages: Sequence[AnyMessage]) -> str:
    """What to tell the model of a file or page in its call that nobody named, once per tool; empty if there is none.

    Runs in a thread of the caller's if the workspace is large: it lists the files there.
    """
    key, spec = f"{tool}:names", state.get_spec(tool)
    if spec is None or key in state.calls.returned_tools:
        return ""
    said = [one.content for one in state.request.earlier_messages if one.role == "user"]
    asked = "\n".join((*said, state.request.whole_message, state.request.message))
    spoken = [one.text for one in messages] + [one.content for one in state.request.earlier_messages]
    if state.plan.runner is not None:
        spoken.append(json.dumps(state.plan.runner.run.data, ensure_ascii=False, default=dict))
    files = [one.name for one in state.workspace.rglob("*")][:_MAX_FILES] if state.workspace.is_dir() else []
    found = find_invented_name(arguments, asked=asked, results=spoken, files=files, writes="writes" in spec.effects)
    if found is None:
        return ""
    state.calls.returned_tools.add(key)
    name, known = found
    return render_sentence("invented_name", state.request.language, tool=tool, name=name, known=", ".join(known))


def _hold_call(state: TurnState, call: ToolCall, form: Form) -> ToolMessage:
    titles = [str(field["title"]) for field in form.fields if field["name"] in form.missing]
    text = render_sentence("fill", state.request.language, title=form.title, names=titles)
    asked: JsonObject = {
        "text": text,
        "tool": call.name,
        "known": form.given,
        "missing": list(form.missing),
        "schema": _missing_schema(form),
        "form": form.to_json(),
    }
    return state.hold_call(HeldCall(call, "parameters", asked))


def _missing_schema(form: Form) -> JsonObject:
    found = form.schema.get("properties")
    properties: Mapping[str, JsonValue] = found if isinstance(found, Mapping) else {}
    shared = {"$defs": form.schema["$defs"]} if "$defs" in form.schema else {}
    return {
        **shared,
        "type": "object",
        "properties": {name: properties.get(name, {}) for name in form.missing},
        "required": list(form.missing),
        "additionalProperties": False,
    }
