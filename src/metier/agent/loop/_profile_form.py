"""Form for the user data that a skill needs and nobody has given yet; the answers are stored for later turns."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from langchain.agents.middleware.types import AgentMiddleware, AgentState, ModelRequest, ModelResponse
from langchain_core.messages import AIMessage

from metier.agent.adapters import AsyncModelHandler, form_for, render_sentence
from metier.agent.turn import (
    COLLECT_TOOL,
    TurnState,
    collect_data,
    find_missing_data,
    forms_for,
    get_turn_state,
    nullable,
    open_pause,
    start_plan,
    store_user_data,
)
from metier.facts import fact_from_json, make_fact
from metier.json_values import JsonObject, JsonValue
from metier.skills import Skill
from metier.store import EventDraft
from metier.tools import ToolResult, ToolSpec

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
    if skill is None or state.calls.pending_pause is not None:
        return ""
    retry, state.skill.form_retry = state.skill.form_retry, None
    if retry is None and state.skill.form_asked_for == skill.id:
        return ""
    state.skill.form_asked_for = skill.id
    asked = retry or await collect_data(state, skill)
    if asked is not None:
        return await _ask_by_tool(state, skill, asked)
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


async def _ask_by_tool(state: TurnState, skill: Skill, asked: ToolResult) -> str:
    """Open the form that the skill's own tool asks for; after a wrong answer with what was given and what is wrong."""
    data = asked.data or {}
    forms, known = data.get("forms"), data.get("known")
    if data.get("needed") is not True or not isinstance(forms, Mapping):
        return ""
    made = _build_form({path: one for path, one in forms.items() if isinstance(one, Mapping)})
    title, language, text = skill.title_in(state.request.language), state.request.language, str(data.get("text", ""))
    shown = form_for(ToolSpec(skill.id, skill.summary_in(language), made.schema), {}, language=language)
    properties = made.schema.get("properties")
    names = list(properties) if isinstance(properties, Mapping) else []
    fields = sorted(shown.fields, key=lambda one: names.index(str(one["name"])))  # as the tool lists them
    payload: JsonObject = {
        "text": text,
        "title": title,
        "missing": [one["name"] for one in fields],
        "known": known if isinstance(known, Mapping) else {},
        "form": {**shown.to_json(), "fields": fields, "title": title, "missing": list(made.required)},
        "plan_due": state.plan.is_due,
        "skill": skill.id,
        "words": str(data.get("words", "")),
    }
    key = f"{skill.id}:{state.resources.new_id()}"  # the same wrong answer is asked for again each time
    pause = await open_pause(state, PROFILE_PURPOSE, key, nullable(made.schema), payload)
    return "" if pause is None else text


async def save_data(state: TurnState, answer: JsonValue) -> str:
    """Store the submitted values in the user's profile or in the data of a skill, by their path.

    Returns the sentence that ends the turn if nothing can follow: a guard refuses to store them, or the form of the
    skill's own tool was declined. Empty otherwise.
    """
    if not isinstance(answer, Mapping):
        return _describe_declined(state)
    if (refused_by_tool := await _save_by_tool(state, answer)) is not None:
        return refused_by_tool
    given = {path: value for path, value in answer.items() if value is not None and value != ""}
    refused = await store_user_data(state, given) if given else None
    return "" if refused is None else refused.text


def _describe_declined(state: TurnState) -> str:
    """What a declined form means for a skill that cannot begin without it."""
    skill, language = state.skill.active, state.request.language
    if skill is None or not isinstance(skill.metadata.get(COLLECT_TOOL), str):
        return ""
    return render_sentence("form_declined", language, title=skill.title_in(language))


async def _save_by_tool(state: TurnState, answer: JsonObject) -> str | None:
    """Let the skill's own tool check and keep the answer; None if it has none. What is wrong is asked for again.

    Returns the sentence of a guard that refuses to keep it.
    """
    skill = state.skill.active
    taken = await collect_data(state, skill, answer) if skill is not None else None
    if skill is None or taken is None:
        return None
    if taken.failure is not None:
        return taken.failure.message
    fact = (taken.data or {}).get("fact")
    if isinstance(fact, Mapping):
        saved = make_fact(fact_from_json({**fact, "source": "form", "skill": skill.id}))
        await state.journal.record(EventDraft("fact.saved", saved.to_json()))
    elif (taken.data or {}).get("needed") is True:
        state.skill.form_retry = taken
    return ""


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
