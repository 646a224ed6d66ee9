"""Form for what a deep run lacks; each answer becomes a fact of the conversation."""

from collections.abc import Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from metier.agent.adapters import form_for
from metier.agent.turn import TurnState, nullable, open_pause
from metier.facts import Fact, make_fact
from metier.json_values import JsonObject, JsonValue
from metier.limits import run_limited
from metier.store import EventDraft
from metier.tools import ToolSpec

if TYPE_CHECKING:
    from metier.flow import FlowForm

FACTS_PURPOSE: Final = "facts"


async def ask_for_facts(state: TurnState, wanted: "FlowForm", known: JsonObject) -> JsonObject | None:
    """Ask with a form: None while the turn waits, otherwise the answers; empty if the form was put away."""
    spec = ToolSpec("analysis", wanted.title, {**wanted.schema, "title": wanted.title})
    form = await run_limited(lambda: form_for(spec, known, language=state.request.language))
    properties = wanted.schema.get("properties")
    names = sorted(properties) if isinstance(properties, Mapping) else []
    payload: JsonObject = {
        "text": wanted.title,
        "title": wanted.title,
        "missing": list(names),
        "known": {},
        "form": form.to_json(),
        "titles": _read_titles(wanted.schema),
    }
    key = sha256(",".join([*names, wanted.title]).encode()).hexdigest()[:16]
    if await open_pause(state, FACTS_PURPOSE, key, nullable(wanted.schema), payload) is not None:
        return None
    answered = await state.resources.store.pauses.list_answered(state.conversation, "parameters")
    answer = next((one.answer for one in answered if one.key == f"{state.turn}:{FACTS_PURPOSE}:{key}"), None)
    given = answer if isinstance(answer, Mapping) else {}
    return {name: value for name, value in given.items() if value not in (None, "")}


async def save_form_facts(state: TurnState, payload: JsonObject, answer: JsonValue) -> None:
    """Settle what was answered; an empty field settles nothing."""
    titles = payload.get("titles")
    named = titles if isinstance(titles, Mapping) else {}
    given = answer if isinstance(answer, Mapping) else {}
    skill = state.skill.active.id if state.skill.active else ""
    facts = [
        make_fact(Fact(name, value, title=str(named.get(name, name)), source="form", skill=skill))
        for name, value in given.items()
        if value not in (None, "")
    ]
    if facts:
        await state.journal.record(*(EventDraft("fact.saved", one.to_json()) for one in facts))


def _read_titles(schema: JsonObject) -> JsonObject:
    properties = schema.get("properties")
    listed = properties.items() if isinstance(properties, Mapping) else ()
    return {name: str(one.get("title") or name) for name, one in listed if isinstance(one, Mapping)}
