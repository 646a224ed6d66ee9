"""Pauses: questions to a person, stored with a schema for the answer and the state needed to resume."""

from collections.abc import Container, Mapping, Sequence
from datetime import timedelta
from typing import Final

from metier.agent.adapters import form_for, label_argument, localize_schema, name_to_title, render_sentence
from metier.agent.turn._call_batch import HeldCall, call_to_json, preview_from_data
from metier.agent.turn._previews import describe_held_call
from metier.agent.turn._state import TurnState
from metier.agent.turn.answers import CHOSEN, UNCLEAR, digest_question
from metier.events import MESSAGE_PURPOSES
from metier.faults import fault_point
from metier.json_values import JsonObject, JsonValue
from metier.language import Language, shorten_text
from metier.limits import run_limited
from metier.plans import AskUser, CallModel
from metier.skills import Skill
from metier.store import EventDraft, MessageDraft, Pause, PauseKind
from metier.tools import ToolCall

_DECISIONS: Final = ("approve", "edit", "reject")
_TEXT_SCHEMA: JsonObject = {"type": "string", "minLength": 1}
_KIND_BY_PURPOSE: Mapping[str, PauseKind] = {
    "approve": "approval",
    "exception": "exception",
    "fill": "parameters",
    "parameters": "parameters",
    "profile": "parameters",
    "facts": "parameters",
}
ASKED_MESSAGE: Final = "message"  # in the payload of a question for the skill: what is to be done by it
_MAX_INLINE_CHARS: Final = 12  # longer options are listed one a line
_MAX_LISTED_OPTIONS: Final = 12
# Payload keys that clients receive; the other keys are for the runtime.
_PUBLIC_KEYS: Final = (
    "text",
    "step",
    "title",
    "choices",
    "show",
    "calls",
    "tool",
    "reason",
    "missing",
    "known",
    "form",
    CHOSEN,
    UNCLEAR,
)


async def open_pause(
    state: TurnState, purpose: str, key: str, schema: JsonObject, payload: JsonObject, *, once: bool = False
) -> Pause | None:
    """Store a question together with the open work; the turn ends until it is answered.

    `pause.opened` is emitted when the lease is released, so that a client can answer at once. With `once`, the question
    is asked only once per conversation: None if it was asked before.
    """
    told: JsonObject = {
        **payload,
        "purpose": purpose,
        "granted": sorted(state.calls.granted_tools),
        "counts": state.calls.usage.to_json(),
        "answers": {call: answer.to_json() for call, answer in state.calls.answers.items()},
        "reviewed": {call: list(digests) for call, digests in state.calls.reviewed.items()},
    }
    if state.calls.provider_replies:
        told = {**told, "provider_replies": dict(state.calls.provider_replies)}
    store, lease = state.resources.store, state.journal.lease
    expires = state.resources.clock() + timedelta(seconds=state.resources.settings.pause_expires_s)
    await state.journal.record(plan=state.plan_snapshot())
    pause = await store.pauses.open(
        lease.conversation,
        _KIND_BY_PURPOSE.get(purpose, "question"),
        key=f"{purpose}:{key}" if once else f"{lease.id}:{_name_task(state)}{purpose}:{key}",
        schema=schema,
        payload=told,
        turn=lease.id,
        fence=lease.fence,
        expires_at=expires,
    )
    if pause.turn != lease.id or pause.answered_at is not None:
        return None
    text = str(payload.get("text", ""))
    said = [MessageDraft("assistant", text)] if purpose in MESSAGE_PURPOSES and text else []
    drafts = state.text_drafts(text) if said else []
    await state.journal.record(*drafts, messages=said)
    fault_point("pause_stored")
    state.calls.closing_events.append(EventDraft("pause.opened", pause_to_json(pause)))
    return pause


def _name_task(state: TurnState) -> str:
    """The running task of several: two of one skill ask the same question, and each needs an answer of its own."""
    return "" if state.tasks.running is None else f"{state.tasks.running.id}:"


def pause_to_json(pause: Pause) -> JsonObject:
    """Public part of a pause."""
    payload = pause.payload
    return {
        "pause": pause.id,
        "kind": pause.kind,
        "purpose": payload.get("purpose", ""),
        "schema": pause.schema,
        "expires_at": pause.expires_at.isoformat() if pause.expires_at else None,
        **{key: payload[key] for key in _PUBLIC_KEYS if key in payload},
        **({"shown": shown} if (shown := digest_question(payload)) else {}),
    }


async def ask_step_question(state: TurnState, move: AskUser) -> str:
    """Ask the fixed question of a plan step, verbatim."""
    progress = state.plan.runner.run.get_step_progress(move.step.id) if state.plan.runner else None
    payload: JsonObject = {
        "text": move.sentence,
        "step": move.step.id,
        "title": move.step.title,
        "choices": [choice.to_json() for choice in move.choices],
        "show": move.show,
    }
    key = f"{move.step.id}:{progress.failures if progress else 0}"
    schema = localize_schema(move.schema, state.request.language)
    await open_pause(state, "ask", key, schema, payload)
    return move.sentence


async def ask_arguments(state: TurnState, move: CallModel, text: str = "") -> str:
    """Ask for the missing arguments of a plan step with a form."""
    step = move.step
    progress = state.plan.runner.run.get_step_progress(step.id) if state.plan.runner and step else None
    title = (step.title or step.id) if step else ""
    names = [gap.argument for gap in move.missing]
    spec = state.get_spec(move.tools[0]) if move.tools else None
    form = None
    if spec is not None:
        form = await run_limited(lambda: form_for(spec, move.known, language=state.request.language))
    text = text or _form_text(state, title, names, move.schema, () if form is None else form.fields)
    payload: JsonObject = {
        "text": text,
        "step": step.id if step else "",
        "title": title,
        "tool": move.tools[0] if move.tools else "",
        "missing": list(names),
        "known": move.known,
    }
    if form is not None:
        payload = {**payload, "form": form.to_json()}
    key = f"{step.id if step else ''}:{progress.failures if progress else 0}.{progress.fills if progress else 0}"
    await open_pause(state, "fill", key, nullable(move.schema or {}), payload)
    return text


def _form_text(
    state: TurnState, title: str, names: Sequence[str], schema: JsonObject | None, fields: Sequence[JsonObject]
) -> str:
    """What is missing, by the titles of the form; the options of a single choice are listed for an answer in words."""
    shown = {str(one.get("name")): one for one in fields}
    listed = _argument_labels(names, schema, fields, state.request.language)
    text = render_sentence("fill", state.request.language, title=title, names=listed)
    options = shown[names[0]].get("options") if len(names) == 1 and names[0] in shown else None
    if not isinstance(options, list) or not 0 < len(options) <= _MAX_LISTED_OPTIONS:
        return text
    choices = [str(one.get("label")) for one in options if isinstance(one, Mapping)]
    if any(len(one) > _MAX_INLINE_CHARS for one in choices):
        choices = ["".join(f"\n- {one}" for one in choices)]
    return f"{text}\n\n{render_sentence('one_of', state.request.language, choices=choices)}"


async def ask_skill(state: TurnState, skills: Sequence[Skill], text: str) -> None:
    """Ask the user which skill is meant, in the words of the text; of a single one whether it is."""
    language = state.request.language
    choices: list[JsonValue] = [
        {
            "text": one.title_in(language),
            "value": one.id,
            "description": shorten_text(one.summary_in(language), 200),
        }
        for one in skills
    ]
    code = "default_way" if len(skills) > 1 else "not_this"
    choices.append({"text": render_sentence(code, state.request.language), "value": ""})
    schema: JsonObject = {"enum": [*(skill.id for skill in skills), ""]}
    asked: JsonObject = {"text": text, "choices": choices, ASKED_MESSAGE: state.request.message}
    await open_pause(state, "choose", "skill", schema, asked)


async def ask_for_held_calls(state: TurnState) -> str:
    """Ask about the first held call; calls that only need approval are asked about together."""
    batch = state.calls.batch
    if batch is None or not batch.held:
        return ""
    first = batch.held[0]
    group = [one for one in batch.held if one.purpose == "approve"] if first.purpose == "approve" else [first]
    schema, payload = _build_question(state, group)
    asked = {**payload, "held": [one.call.id for one in group], "exchange": batch.to_json()}
    await open_pause(state, first.purpose, ",".join(map(_question_key, group)), schema, asked)
    return str(payload["text"])


async def ask_review(state: TurnState, calls: Sequence[ToolCall], decisions: Sequence[str], payload: JsonObject) -> str:
    """Ask about calls that middleware of the caller wants reviewed, like Metier's own approvals."""
    text = render_sentence("approve", state.request.language, tools=", ".join(dict.fromkeys(one.name for one in calls)))
    asked: JsonObject = {**payload, "text": text, "calls": [call_to_json(one) for one in calls]}
    schema = _approval_schema([one.id for one in calls], decisions)
    await open_pause(state, "approve", state.resources.new_id(), schema, asked)
    return text


async def ask_question(state: TurnState, text: str, schema: JsonObject, payload: JsonObject) -> str:
    """Ask a question of the caller's middleware; without a schema any answer will do."""
    await open_pause(state, "ask_user", state.resources.new_id(), schema, {**payload, "text": text})
    return text


def _question_key(held: HeldCall) -> str:
    """Key of the question about a call; a renewed question has another key than the first one."""
    earlier = held.data.get("round")
    return f"{held.call.id}:{earlier}" if earlier else held.call.id


def nullable(schema: JsonObject) -> JsonObject:
    """Schema that also accepts null: the user cancelled the form."""
    return {**schema, "type": ["object", "null"]}


def _build_question(state: TurnState, group: Sequence[HeldCall]) -> tuple[JsonObject, JsonObject]:
    first, language = group[0], state.request.language
    calls: list[JsonValue] = [describe_held_call(state, one) for one in group]
    if first.purpose == "approve":
        tools = list(dict.fromkeys(_title(state, one.call.name) for one in group))
        is_renewed = any(one.data.get("is_changed") for one in group)
        text = render_sentence("approve_changed" if is_renewed else "approve", language, tools=tools)
        if any(_lasts(state, one.call.name) for one in group):
            text = f"{text} {render_sentence('approve_lasts', language)}"
        choosing = {one.call.id for one in group if _has_rows_to_choose(one)}
        return _approval_schema([one.call.id for one in group], choosing=choosing), {
            "text": text,
            "calls": calls,
            "reason": first.data.get("reason", ""),
        }
    if first.purpose == "exception":
        tool, reason = first.data.get("tool"), first.data.get("reason")
        text = render_sentence("exception", language, tool=_title(state, str(tool)), reason=reason)
        return _decision_schema(("approve", "reject")), {"text": text, "tool": tool, "reason": reason}
    if first.purpose == "outcome":
        choices: list[JsonValue] = [
            {"text": render_sentence(f"outcome_{value}", language), "value": value}
            for value in ("retry", "done", "skip")
        ]
        text = render_sentence("outcome", language, tool=_title(state, first.call.name))
        is_governed = state.gate.check(first.call).answer == "confirm"  # to run it again needs an approver too
        payload: JsonObject = {"text": text, "choices": choices, "calls": calls, "needs_approval": is_governed}
        return {"enum": ["retry", "done", "skip"]}, payload
    if first.purpose == "parameters":
        keys = ("text", "tool", "known", "missing", "form")
        payload = {key: first.data[key] for key in keys if key in first.data}
        found = first.data.get("schema")
        return nullable(found if isinstance(found, Mapping) else {}), payload
    given = first.data.get("choices")
    listed = [str(one) for one in given] if isinstance(given, Sequence) and not isinstance(given, str) else []
    choices = [{"text": one, "value": one} for one in listed]
    return _TEXT_SCHEMA, {"text": str(first.data.get("question", "")), "choices": choices}


def _title(state: TurnState, tool: str) -> str:
    spec = state.get_spec(tool)
    return tool if spec is None else spec.title(state.request.language)


def _lasts(state: TurnState, tool: str) -> bool:
    spec = state.get_spec(tool)
    return spec is not None and spec.approval.lasts == "conversation"


def _has_rows_to_choose(held: HeldCall) -> bool:
    shown = preview_from_data(held.data)
    return shown is not None and shown.preview is not None and shown.preview.chosen_as != ""


def _approval_schema(
    call_ids: Sequence[str], decisions: Sequence[str] = _DECISIONS, *, choosing: Container[str] = ()
) -> JsonObject:
    """Schema of the decision about calls; of calls in `choosing`, rows of the preview can be chosen and edited."""
    if len(call_ids) == 1:
        return _decision_schema(decisions, has_rows=call_ids[0] in choosing)
    one = _decision_schema(decisions)
    each: JsonObject = {
        "type": "object",
        "properties": {call: _decision_schema(decisions, has_rows=call in choosing) for call in call_ids},
        "required": list(call_ids),
        "additionalProperties": False,
    }
    several: JsonObject = {
        "type": "object",
        "properties": {"decisions": each},
        "required": ["decisions"],
        "additionalProperties": False,
    }
    return {"anyOf": [one, several]}


def _decision_schema(decisions: Sequence[str], *, has_rows: bool = False) -> JsonObject:
    is_edit: JsonObject = {"properties": {"decision": {"const": "edit"}}}
    return {
        "type": "object",
        "properties": {
            "decision": {"enum": list(decisions)},
            "arguments": {"type": "object"},
            "note": {"type": "string", "maxLength": 2000},
            **({"rows": _rows_schema()} if has_rows else {}),
        },
        "required": ["decision"],
        "additionalProperties": False,
        **({"if": is_edit, "then": {"required": ["arguments"]}} if "edit" in decisions else {}),
    }


def _rows_schema() -> JsonObject:
    """Schema of the chosen rows of a preview, with the values that are edited."""
    row: JsonObject = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    return {"type": "array", "minItems": 1, "items": row}


def _argument_labels(
    names: Sequence[str], schema: JsonObject | None, fields: Sequence[JsonObject], language: Language
) -> list[str]:
    """Words for the arguments: the title that the form shows, else those of the schema."""
    found = (schema or {}).get("properties")
    properties = found if isinstance(found, Mapping) else {}
    titles = {str(one.get("name")): str(one.get("title")) for one in fields}
    shown = {name: title for name, title in titles.items() if title != name_to_title(name)}
    described = {name: one if isinstance(one, Mapping) else {} for name, one in properties.items()}
    return [shown.get(name) or label_argument(name, described.get(name, {}), language) for name in names]
