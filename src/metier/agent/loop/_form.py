"""Form for a call that lacks arguments: the call is held until the user has filled it in."""

from collections.abc import Mapping
from functools import partial

from langchain_core.messages import ToolMessage

from metier.agent.adapters import Form, render_sentence
from metier.agent.loop._stack import Middleware
from metier.agent.middleware import ParametersMiddleware, PerRun
from metier.agent.turn import HeldCall, TurnState, get_turn_state
from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolCall


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
