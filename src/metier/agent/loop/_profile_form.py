"""Form for the user data that a skill needs and nobody has given yet; the answers are stored for later turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage

from metier.agent.adapters import AsyncModelHandler, form_for, render_sentence
from metier.agent.turn import (
    TurnState,
    find_missing_data,
    forms_for,
    get_turn_state,
    nullable,
    open_pause,
    start_plan,
    store_user_data,
)
from metier.json_values import JsonObject, JsonValue
from metier.tools import ToolSpec

PROFILE_PURPOSE: Final = "profile"


class ProfileFormMiddleware(AgentMiddleware[AgentState[Any], Any, Any]):
    """Asks before the first model call under a skill, and starts the plan that waited for the answer."""

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: AsyncModelHandler
    ) -> ModelResponse[Any] | AIMessage:
        state = get_turn_state(request.runtime)
        if text := await ask_missing_data(state):
            return AIMessage(text)
        if state.plan.is_due and state.skill.active is not None:
            state.plan.is_due = False
            await start_plan(state, state.skill.active)
        return await handler(request)


async def ask_missing_data(state: TurnState) -> str:
    """Open the form, once per conversation; returns the question, or "" when nothing has to be asked."""
    skill = state.skill.active
    if skill is None or state.calls.pending_pause is not None or state.skill.form_asked_for == skill.id:
        return ""
    state.skill.form_asked_for = skill.id
    wanted = forms_for(skill, await find_missing_data(state, skill))
    if not wanted:
        return ""
    made = _build_form(wanted)
    spec = ToolSpec(skill.id, skill.description, made.schema)
    shown = form_for(spec, {}, language=state.request.language)
    titles = [str(field["title"]) for field in shown.fields if field["name"] in made.required]
    names = titles or [str(one["title"]) for one in shown.fields]
    title = skill.title_in(state.request.language)
    text = render_sentence("need_data", state.request.language, title=title, names=names)
    payload: JsonObject = {
        "text": text,
        "title": title,
        "missing": list(wanted),
        "form": {**shown.to_json(), "title": title, "missing": list(made.required)},
        "plan_due": state.plan.is_due,
        "skill": skill.id,
    }
    digest = sha256(",".join(wanted).encode()).hexdigest()[:16]
    pause = await open_pause(state, PROFILE_PURPOSE, f"{skill.id}:{digest}", nullable(made.schema), payload, once=True)
    return "" if pause is None else text


async def save_data(state: TurnState, answer: JsonValue) -> str:
    """Store the submitted values in the user's profile or in the data of a skill, by their path.

    Returns the sentence of a guard that refuses to store them; empty otherwise.
    """
    if not isinstance(answer, Mapping):
        return ""
    given = {path: value for path, value in answer.items() if value is not None and value != ""}
    refused = await store_user_data(state, given) if given else None
    return "" if refused is None else refused.text


@dataclass(frozen=True, slots=True)
class _FlatForm:
    schema: JsonObject
    required: tuple[str, ...]


def _build_form(wanted: Mapping[str, JsonObject]) -> _FlatForm:
    """One flat form: the fields of an object stand side by side, each under its full path."""
    fields: dict[str, JsonValue] = {}
    required: list[str] = []
    for path, schema in wanted.items():
        properties = schema.get("properties")
        if not isinstance(properties, Mapping):
            fields[path] = schema
            required.append(path)
            continue
        fields |= {f"{path}.{name}": one for name, one in properties.items()}
        must = schema.get("required")
        required += [f"{path}.{name}" for name in must] if isinstance(must, list | tuple) else []
    must_have: list[JsonValue] = [*required]
    return _FlatForm(
        {"type": "object", "properties": fields, "required": must_have, "additionalProperties": False}, tuple(required)
    )
