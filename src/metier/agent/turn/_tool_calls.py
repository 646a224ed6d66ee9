"""One tool call in a turn: announce it, execute it once, store its result."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, cast

from langchain_core.messages import BaseMessage, ToolMessage

from metier.agent.adapters import (
    call_state,
    data_text,
    describe_arguments,
    find_own_sentences,
    get_metier_artifact,
    not_run_message,
    outcome_message,
    render_sentence,
    result_data,
    unknown_message,
)
from metier.agent.results import TABLE_KEYS
from metier.agent.turn._call_answers import has_lasting_approval, is_approved
from metier.agent.turn._call_batch import call_to_json
from metier.agent.turn._journal import StoredBatch
from metier.agent.turn._previews import publish_receipt
from metier.agent.turn._progress import report_progress
from metier.agent.turn._publish_results import may_write_files, publish_result
from metier.agent.turn._state import MAX_RESULT_CHARS, TurnState
from metier.agent.turn._user_data import describe_user_data, ensure_user_data, keep_result
from metier.faults import fault_point
from metier.json_values import JsonObject, JsonValue, clean_json, clean_text
from metier.language import choose
from metier.skills import Skill
from metier.store import EventDraft
from metier.tools import CONTROL_TOOLS, ToolCall, translate_problem

_NAMED_TOOL: Final = re.compile(r"(?:(?:工具|[Tt]ool) ?)?'([A-Za-z][\w.-]*)'")
_READ_KEYS: Final = ("message", "hint")


async def run_call(state: TurnState, call: ToolCall) -> ToolMessage:
    """Emit `tool.called`, then execute. A call that needs a person runs only if a person approved exactly this call."""
    await state.journal.emit(started_event(state, call))
    fault_point("tool_announced")
    approved = is_approved(state, call) or await has_lasting_approval(state, call, state.gate.check(call))
    return await execute(state, call, approved=approved)


async def execute(state: TurnState, call: ToolCall, *, approved: bool) -> ToolMessage:
    """Execute a call whose `tool.called` event was emitted; progress is reported meanwhile."""
    if may_write_files(state, call.name):
        await state.calls.files.take_snapshot(state.workspace)
    executor = state.resources.toolset(state.request.catalog).executor
    await ensure_user_data(state)
    async with report_progress(state.journal, call) as progress:
        user_data, language = describe_user_data(state), state.request.language
        delivery = describe_delivery(state.skill.active)
        context = replace(state.tool_context(progress), user_data=user_data, language=language, delivery=delivery)
        outcome = await executor.run(call, gate=state.gate, context=context, approved=approved, language=language)
    fault_point("tool_done")
    outcome = replace(outcome, result=await keep_result(state, call.name, outcome.result))
    if not outcome.result.ok and outcome.state == "done":
        outcome = replace(outcome, state="failed")
    if outcome.needs_approval and outcome.result.failure is not None:
        return not_run_message(call, outcome.result.failure.message, outcome.result.failure.code)
    return outcome_message(outcome)


def describe_delivery(skill: Skill | None) -> JsonObject:
    """What a skill says of how documents are written: `writeback`, `anchor`, `style` if it is an object, and `plan`."""
    if skill is None:
        return {}
    style = skill.output.style_hints if isinstance(skill.output.style_hints, Mapping) else None
    said = {
        "writeback": skill.document.writeback,
        "anchor": skill.document.anchor,
        "style": style,
        "plan": skill.output.plan,
    }
    return {name: one for name, one in said.items() if one}


def started_event(state: TurnState, call: ToolCall) -> EventDraft:
    """Count the call as started and return its `tool.called` event.

    The event carries what another process needs to rebuild the batch after a crash.
    """
    state.calls.started_ids.add(call.id)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "arguments": call.arguments}
    if repairs := state.calls.repairs.pop(call.id, ()):
        told["repairs"] = list(repairs)
    if state.calls.batch is not None and (len(state.calls.batch.calls) > 1 or state.calls.batch.text):
        told["text"] = state.calls.batch.text
        told["calls"] = [call_to_json(one) for one in state.calls.batch.calls]
    if is_control_tool(state, call.name):
        return EventDraft("tool.called", told)
    told |= _describe_call(state, call)
    state.calls.usage.tool_calls += 1
    if state.plan.runner is not None:
        state.plan.runner.count_call(call.name)
        if step := state.plan.runner.find_step(call.id):
            told["step"] = step
    return EventDraft("tool.called", told)


def _describe_call(state: TurnState, call: ToolCall) -> JsonObject:
    """The call for people, if the tool has a title for them: title and arguments in words."""
    spec, language = state.get_spec(call.name), state.request.language
    if spec is None or (title := spec.title(language)) == spec.name:
        return {}
    # The whole message stands above the step: as "birth data" or "query" it would only look like a wrong value.
    given = {name: value for name, value in call.arguments.items() if value != state.request.message}
    return {"title": title, "details": describe_arguments(spec, given, language, has_codes=False)}


def is_control_tool(state: TurnState, tool: str) -> bool:
    """Whether a tool only controls the turn; such calls are not counted and never off plan."""
    return tool in CONTROL_TOOLS or tool == state.resources.settings.skill_tool


def _is_guards_own(state: TurnState, tool: str) -> bool:
    """Whether a tool writes by the rules of a pack that brings a guard; what a tool looks up may be anybody's words."""
    spec = state.get_spec(tool)
    if spec is None or spec.origin != "pack" or spec.retrieves is not None:
        return False
    return any(one.guard and one.id == spec.source for one in state.resources.packs)


async def record_result(state: TurnState, call: ToolCall, message: ToolMessage) -> ToolMessage:
    """Store the result of a call: its event, the plan's progress and, after the last result, the batch.

    All results pass here, and are published to the user first. Returns the message for the model.
    """
    has_table = isinstance(data := result_data(message), Mapping) and any(key in data for key in TABLE_KEYS)
    own = find_own_sentences(call.arguments, data) if _is_guards_own(state, call.name) else ()
    state.calls.own_sentences.update(own if message.status != "error" else ())
    message = await publish_result(state, call, _clean_message(message))
    ours = get_metier_artifact(message)
    ok = message.status != "error"
    text = truncate_result(message.text, state)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "ok": ok, "state": call_state(message)}
    told |= {key: ours[key] for key in ("data", "elapsed_ms", "notes", "kept") if key in ours}
    told |= _error_of(state, ours)
    if (spec := state.get_spec(call.name)) is not None and spec.retrieves and told["state"] == "done":
        told["retrieved"] = spec.retrieves
    if "data" not in ours or text != data_text(ours["data"]):
        told["content"] = text  # the text for the model, if it differs from the data
    drafts = [EventDraft("tool.result", told)]
    if call.id not in state.calls.started_ids and told["state"] != "refused":
        drafts.insert(0, started_event(state, call))
    if ok and told["state"] == "done":
        publish_receipt(state, call, has_table=has_table)
    if (runner := state.plan.runner) is not None:
        data = _data_or_text(ours, message)
        if told["state"] == "done":
            runner.note_work(call.name, call.arguments, data, writes=spec is not None and "writes" in spec.effects)
        drafts += await runner.limit_steps(
            lambda: runner.finish_call(
                call.id, call.name, ok=ok, data=data, why=_explain_failure(state, ours, message.text)
            )
        )
    if told["state"] != "refused" and not is_control_tool(state, call.name):
        state.calls.repeats.record(call, text, has_effects=not _is_idempotent(state, call.name))
    talk = _add_to_batch(state, call, text)
    if state.calls.looked_up is not None and told["state"] == "done":
        state.calls.looked_up[call.id] = _data_or_text(ours, message)
    saved = state.plan_snapshot() if talk is not None or state.plan.runner is not None else None
    await state.journal.record(*drafts, batch=talk, plan=saved)
    fault_point("result_stored")
    if talk is not None:
        state.calls.batch = None
    return message.model_copy(update={"content": text, "artifact": None})


def _add_to_batch(state: TurnState, call: ToolCall, text: str) -> StoredBatch | None:
    """Keep a result for the model; returns the messages of the batch once all its calls have one."""
    batch = state.calls.batch
    if batch is None:
        return None
    batch.results[call.id] = text
    is_talk = state.calls.looked_up is None  # what is looked up is no part of the conversation that a model reads
    return batch.to_messages() if is_talk and batch.is_complete else None


def _error_of(state: TurnState, ours: Mapping[str, Any]) -> JsonObject:
    """The error of a result as people read it."""
    error = ours.get("error")
    if not isinstance(error, Mapping):
        return {"error": error} if "error" in ours else {}
    return {"error": {**error, **{key: use_titles(state, str(error[key])) for key in _READ_KEYS if key in error}}}


def _explain_failure(state: TurnState, ours: Mapping[str, Any], text: str) -> str:
    """Why a call failed, in the user's language also where its arguments do not fit."""
    error = ours.get("error")
    if not isinstance(error, Mapping) or error.get("code") != "invalid_arguments":
        return use_titles(state, text)
    why = re.sub(r"\$\.(?=\w)", "", str(error.get("message", "")))
    return choose(state.request.language, en=why, zh=translate_problem(why))


def use_titles(state: TurnState, text: str) -> str:
    """A sentence for people: tools that it names as the code does have their titles in the user's language."""

    def name(found: re.Match[str]) -> str:
        spec = state.get_spec(found[1])
        title = spec.title(state.request.language) if spec is not None else found[1]
        return found[0] if title == found[1] else render_sentence("quoted", state.request.language, text=title)

    return _NAMED_TOOL.sub(name, text)


def _clean_message(message: ToolMessage) -> ToolMessage:
    """The message with texts that can be stored; middleware of the caller may have written anything."""
    if isinstance(message.content, str):
        return message.model_copy(update={"content": clean_text(message.content)})
    blocks: Any = clean_json(cast("list[JsonValue]", message.content))
    return message.model_copy(update={"content": blocks})


async def record_given_results(state: TurnState, messages: Sequence[BaseMessage]) -> None:
    """Record results that other middleware gave to calls of the batch: those calls never reached their tool."""
    batch = state.calls.batch
    if batch is None:
        return
    given = {one.tool_call_id: one for one in messages if isinstance(one, ToolMessage)}
    for call in batch.ready_calls:
        message = given.get(call.id)
        if message is not None:
            await record_result(state, call, mark_not_run(state, call, message))


def mark_not_run(state: TurnState, call: ToolCall, message: ToolMessage) -> ToolMessage:
    """Return the message; if other middleware answered with an error before the call began, that of a refused call."""
    if message.status != "error" or call.id in state.calls.started_ids or get_metier_artifact(message):
        return message
    return not_run_message(call, message.text, "not_run")


async def close_open_calls(state: TurnState) -> None:
    """Give every open call of the batch a result: the run ended before it could run, or while it ran."""
    batch = state.calls.batch
    if batch is None:
        return
    lost = {one.call.id for one in batch.held if one.purpose == "outcome"}
    for call in batch.open_calls:
        is_lost = call.id in lost or (call.id in state.calls.started_ids and not _is_idempotent(state, call.name))
        await (_close_lost_call(state, call) if is_lost else _close_call(state, call))


async def _close_call(state: TurnState, call: ToolCall) -> None:
    code, begun = "call_stopped", call.id in state.calls.started_ids
    if begun:
        code = state.resources.choose_stop_sentence(state.request.catalog, state.skill.active, call.name)
    text = render_sentence(code, state.request.language, tool=call.name)
    await record_result(state, call, not_run_message(call, text, "stopped"))


async def _close_lost_call(state: TurnState, call: ToolCall) -> None:
    """Close a call that began and whose effect is unknown. A plan that made it is stopped: it must not be repeated."""
    state.calls.started_ids.add(call.id)  # its `tool.called` is stored, perhaps by another process
    runner = state.plan.runner
    step = runner.find_step(call.id) if runner is not None else None
    text = render_sentence("call_unknown", state.request.language, tool=call.name)
    await record_result(state, call, unknown_message(call, text))
    if runner is not None and step:
        drafts = runner.stop(render_sentence("step_unknown", state.request.language, step=step))
        await state.journal.record(*drafts, plan=state.plan_snapshot())


def _is_idempotent(state: TurnState, tool: str) -> bool:
    return state.resources.is_idempotent(state.request.catalog, state.skill.active, tool)


def truncate_result(text: str, state: TurnState) -> str:
    """Cut a result to `MAX_RESULT_CHARS`; the text says that it was cut."""
    if len(text) <= MAX_RESULT_CHARS:
        return text
    return f"{text[:MAX_RESULT_CHARS]}\n{render_sentence('cut', state.request.language, chars=len(text))}"


def _data_or_text(ours: Mapping[str, Any], message: ToolMessage) -> JsonValue:
    if "data" in ours:
        data: JsonValue = ours["data"]
        return data
    return message.text
