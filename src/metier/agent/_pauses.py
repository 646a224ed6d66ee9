"""Pauses: questions to a person, stored with a schema for the answer and the state needed to resume."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from metier.agent._exchange import Held, call_json
from metier.agent._forms import form_for
from metier.agent._wording import say
from metier.agent._work import Work
from metier.jsons import JsonObject, JsonValue
from metier.plans import Ask, Model
from metier.skills import Skill
from metier.store import EventDraft, MessageDraft, Pause, PauseKind

_DECISION: JsonObject = {
    "type": "object",
    "properties": {
        "decision": {"enum": ["approve", "edit", "reject"]},
        "arguments": {"type": "object"},
        "note": {"type": "string", "maxLength": 2000},
    },
    "required": ["decision"],
    "additionalProperties": False,
}
_ANY_TEXT: JsonObject = {"type": "string", "minLength": 1}
_KINDS: Mapping[str, PauseKind] = {
    "approve": "approval",
    "exception": "exception",
    "fill": "parameters",
    "parameters": "parameters",
    "profile": "parameters",
}
_SAID: Final = ("ask", "fill", "choose", "parameters", "profile")
# Payload keys that clients receive; the other keys are for the runtime.
_SHOWN: Final = ("text", "step", "title", "choices", "show", "calls", "tool", "reason", "missing", "known", "form")


async def open_pause(
    work: Work, purpose: str, key: str, schema: JsonObject, payload: JsonObject, *, once: bool = False
) -> Pause | None:
    """Store a question together with the open work; the turn ends until it is answered.

    `pause.opened` is emitted when the lease is released, so that a client can answer at once. With `once`, the question
    is asked only once per conversation: None if it was asked before.
    """
    told: JsonObject = {**payload, "purpose": purpose, "granted": sorted(work.granted), "counts": work.counts.to_json()}
    store, lease = work.kit.store, work.journal.lease
    expires = work.kit.clock() + timedelta(seconds=work.kit.settings.pause_expires_s)
    await work.journal.record(saved=work.saved())
    pause = await store.pauses.open(
        lease.conversation,
        _KINDS.get(purpose, "question"),
        key=f"{purpose}:{key}" if once else f"{lease.id}:{purpose}:{key}",
        schema=schema,
        payload=told,
        turn=lease.id,
        fence=lease.fence,
        expires_at=expires,
    )
    if pause.turn != lease.id or pause.answered_at is not None:
        return None
    text = str(payload.get("text", ""))
    said = [MessageDraft("assistant", text)] if purpose in _SAID and text else []
    drafts = [EventDraft("text.done", {"text": text})] if said else []
    await work.journal.record(*drafts, messages=said)
    work.closing.append(EventDraft("pause.opened", shown_pause(pause)))
    return pause


def shown_pause(pause: Pause) -> JsonObject:
    """Public part of a pause."""
    payload = pause.payload
    return {
        "pause": pause.id,
        "kind": pause.kind,
        "purpose": payload.get("purpose", ""),
        "schema": pause.schema,
        "expires_at": pause.expires_at.isoformat() if pause.expires_at else None,
        **{key: payload[key] for key in _SHOWN if key in payload},
    }


async def ask(work: Work, move: Ask) -> str:
    """Ask the fixed question of a plan step, verbatim."""
    progress = work.plan.run.progress(move.step.id) if work.plan else None
    payload: JsonObject = {
        "text": move.sentence,
        "step": move.step.id,
        "title": move.step.title,
        "choices": [choice.to_json() for choice in move.choices],
        "show": move.show,
    }
    key = f"{move.step.id}:{progress.failures if progress else 0}"
    await open_pause(work, "ask", key, move.schema, payload)
    return move.sentence


async def ask_arguments(work: Work, move: Model, text: str = "") -> str:
    """Ask for the missing arguments of a plan step with a form."""
    step = move.step
    progress = work.plan.run.progress(step.id) if work.plan and step else None
    title = (step.title or step.id) if step else ""
    names = [gap.argument for gap in move.missing]
    text = text or say("fill", work.language, title=title, names=", ".join(_labels(names, move.schema)))
    payload: JsonObject = {
        "text": text,
        "step": step.id if step else "",
        "title": title,
        "tool": move.tools[0] if move.tools else "",
        "missing": list(names),
        "known": move.known,
    }
    spec = work.spec(move.tools[0]) if move.tools else None
    if spec is not None:
        payload = {**payload, "form": form_for(spec, move.known, language=work.language).to_json()}
    key = f"{step.id if step else ''}:{progress.failures if progress else 0}.{progress.fills if progress else 0}"
    await open_pause(work, "fill", key, form(move.schema or {}), payload)
    return text


async def ask_skill(work: Work, skills: Sequence[Skill]) -> str:
    """Ask the user which skill is meant."""
    text = say("which_skill", work.language)
    choices: list[JsonValue] = [
        {"text": skill.title, "value": skill.id, "description": skill.description[:200]} for skill in skills
    ]
    choices.append({"text": say("default_way", work.language), "value": ""})
    schema: JsonObject = {"enum": [*(skill.id for skill in skills), ""]}
    await open_pause(work, "choose", "skill", schema, {"text": text, "choices": choices})
    return text


async def ask_held(work: Work) -> str:
    """Ask about the first held call; calls that only need approval are asked about together."""
    exchange = work.exchange
    if exchange is None or not exchange.held:
        return ""
    first = exchange.held[0]
    group = [one for one in exchange.held if one.purpose == "approve"] if first.purpose == "approve" else [first]
    schema, payload = _question(work, group)
    asked = {**payload, "held": [one.call.id for one in group], "exchange": exchange.to_json()}
    await open_pause(work, first.purpose, ",".join(one.call.id for one in group), schema, asked)
    return str(payload["text"])


def form(schema: JsonObject) -> JsonObject:
    """Schema that also accepts null: the user cancelled the form."""
    return {**schema, "type": ["object", "null"]}


def _question(work: Work, group: Sequence[Held]) -> tuple[JsonObject, JsonObject]:
    first, language = group[0], work.language
    calls: list[JsonValue] = [call_json(one.call) for one in group]
    if first.purpose == "approve":
        tools = ", ".join(dict.fromkeys(one.call.name for one in group))
        text = say("approve", language, tools=tools)
        return _approval(group), {"text": text, "calls": calls, "reason": first.data.get("reason", "")}
    if first.purpose == "exception":
        tool, reason = first.data.get("tool"), first.data.get("reason")
        text = say("exception", language, tool=tool, reason=reason)
        schema: JsonObject = {**_DECISION, "properties": {**_properties(), "decision": {"enum": ["approve", "reject"]}}}
        return schema, {"text": text, "tool": tool, "reason": reason}
    if first.purpose == "outcome":
        choices: list[JsonValue] = [
            {"text": say(f"outcome_{value}", language), "value": value} for value in ("retry", "done", "skip")
        ]
        text = say("outcome", language, tool=first.call.name)
        return {"enum": ["retry", "done", "skip"]}, {"text": text, "choices": choices, "calls": calls}
    if first.purpose == "parameters":
        keys = ("text", "tool", "known", "missing", "form")
        payload: JsonObject = {key: first.data[key] for key in keys if key in first.data}
        found = first.data.get("schema")
        return form(found if isinstance(found, Mapping) else {}), payload
    given = first.data.get("choices")
    listed = [str(one) for one in given] if isinstance(given, Sequence) and not isinstance(given, str) else []
    choices = [{"text": one, "value": one} for one in listed]
    return _ANY_TEXT, {"text": str(first.data.get("question", "")), "choices": choices}


def _approval(group: Sequence[Held]) -> JsonObject:
    if len(group) == 1:
        return _DECISION
    each: JsonObject = {
        "type": "object",
        "properties": {one.call.id: _DECISION for one in group},
        "required": [one.call.id for one in group],
        "additionalProperties": False,
    }
    several: JsonObject = {
        "type": "object",
        "properties": {"decisions": each},
        "required": ["decisions"],
        "additionalProperties": False,
    }
    return {"anyOf": [_DECISION, several]}


def _properties() -> JsonObject:
    found = _DECISION["properties"]
    return found if isinstance(found, Mapping) else {}


def _labels(names: Sequence[str], schema: JsonObject | None) -> list[str]:
    """Labels of the arguments: title or description in the schema, else the name."""
    found = (schema or {}).get("properties")
    properties = found if isinstance(found, Mapping) else {}
    labels = []
    for name in names:
        one = properties.get(name)
        title = one.get("title") or one.get("description") if isinstance(one, Mapping) else None
        labels.append(str(title or name))
    return labels
