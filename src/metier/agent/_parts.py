"""Middleware of `metier.agent.middleware` configured for a turn: forms, tables, charts; and the suggestions event."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from langchain_core.messages import ToolMessage

from metier.agent._artifacts import PerRun
from metier.agent._charts import ChartMiddleware
from metier.agent._event_middleware import work_of
from metier.agent._exchange import Held
from metier.agent._forms import Form
from metier.agent._parameters import ParametersMiddleware
from metier.agent._stack import Part
from metier.agent._suggestions import Suggestion, suggestions_for
from metier.agent._tables import TableMiddleware
from metier.agent._wording import say
from metier.agent._work import Work
from metier.jsons import JsonObject, JsonValue
from metier.store import EventDraft
from metier.tools import ToolCall


def form_part() -> Part:
    """Middleware that turns a call with missing arguments into a form, except for calls that the gate refuses."""
    return ParametersMiddleware(
        PerRun(lambda runtime: partial(_held, work_of(runtime))),
        specs=PerRun(lambda runtime: work_of(runtime).opened.specs),
        may_ask=PerRun(lambda runtime: partial(_may_ask, work_of(runtime))),
    )


def second_parts() -> list[Part]:
    """Middleware for a sub-agent, whose results are not stored: tables and charts to the user, digests to the model."""
    told: PerRun[Any] = PerRun(lambda runtime: work_of(runtime).show)
    return [TableMiddleware(on_event=told), ChartMiddleware(on_event=told)]


def suggestions_event(work: Work) -> EventDraft | None:
    """`suggestions` event from the model's own block or else from the skill; None without either."""
    found, source = work.suggested, "model"
    if not found and work.skill is not None:
        following = [one for name in work.skill.next if (one := work.catalog.get(name)) is not None]
        shown = suggestions_for(
            work.skill, following=following, shown=work.shown, said=work.message, language=work.language
        )
        found, source = tuple(map(Suggestion.to_json, shown)), "skill"
    return EventDraft("suggestions", {"suggestions": list(found), "from": source}) if found else None


def _may_ask(work: Work, call: ToolCall) -> bool:
    return work.gate.check(call).answer != "deny"


def _held(work: Work, call: ToolCall, form: Form) -> ToolMessage:
    text = say("fill", work.language, title=form.title, names=", ".join(form.missing))
    asked: JsonObject = {
        "text": text,
        "tool": call.name,
        "known": form.given,
        "missing": list(form.missing),
        "schema": _missing_only(form),
        "form": form.to_json(),
    }
    return work.keep(Held(call, "parameters", asked))


def _missing_only(form: Form) -> JsonObject:
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
