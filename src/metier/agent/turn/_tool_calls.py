"""One tool call in a turn: announce it, execute it once, store its result."""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolMessage

from metier.agent.adapters import call_state, data_text, get_metier_artifact, outcome_message, render_sentence
from metier.agent.turn._call_batch import call_to_json
from metier.agent.turn._progress import report_progress
from metier.agent.turn._publish_results import may_write_files, publish_result
from metier.agent.turn._state import MAX_RESULT_CHARS, TurnState
from metier.json_values import JsonValue
from metier.store import EventDraft
from metier.tools import CONTROL_TOOLS, ToolCall


async def run_call(work: TurnState, call: ToolCall) -> ToolMessage:
    """Emit `tool.called`, then execute. The caller has checked the gate."""
    await work.journal.emit(started_event(work, call))
    return await execute(work, call)


async def execute(work: TurnState, call: ToolCall) -> ToolMessage:
    """Execute a call whose `tool.called` event was emitted; progress is reported meanwhile."""
    if may_write_files(work, call.name):
        await work.files.take_snapshot(work.workspace)
    executor = work.resources.toolset(work.catalog).executor
    async with report_progress(work.journal, call) as progress:
        outcome = await executor.run(
            call, gate=work.gate, context=work.tool_context(progress), approved=True, language=work.language
        )
    return outcome_message(outcome)


def started_event(work: TurnState, call: ToolCall) -> EventDraft:
    """Count the call as started and return its `tool.called` event.

    The event carries what another process needs to rebuild the batch after a crash.
    """
    work.started_call_ids.add(call.id)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "arguments": call.arguments}
    if is_control_tool(work, call.name):
        return EventDraft("tool.called", told)
    work.usage.tool_calls += 1
    if work.plan_runner is not None:
        work.plan_runner.count_call(call.name)
        if step := work.plan_runner.find_step(call.id):
            told["step"] = step
    if work.call_batch is not None and (len(work.call_batch.calls) > 1 or work.call_batch.text):
        told["text"] = work.call_batch.text
        told["calls"] = [call_to_json(one) for one in work.call_batch.calls]
    return EventDraft("tool.called", told)


def is_control_tool(work: TurnState, tool: str) -> bool:
    """Whether a tool only controls the turn; such calls are not counted and never off plan."""
    return tool in CONTROL_TOOLS or tool == work.resources.settings.skill_tool


async def record_result(work: TurnState, call: ToolCall, message: ToolMessage) -> ToolMessage:
    """Store the result of a call: its event, the plan's progress and, after the last result, the batch.

    All results pass here, and are published to the user first. Returns the message for the model.
    """
    message = await publish_result(work, call, message)
    ours = get_metier_artifact(message)
    ok = message.status != "error"
    text = truncate_result(message.text, work)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "ok": ok, "state": call_state(message)}
    told |= {key: ours[key] for key in ("data", "error", "elapsed_ms", "notes") if key in ours}
    if "data" not in ours or text != data_text(ours["data"]):
        told["content"] = text  # the text for the model, if it differs from the data
    drafts = [EventDraft("tool.result", told)]
    if call.id not in work.started_call_ids and told["state"] != "refused":
        drafts.insert(0, started_event(work, call))
    if work.plan_runner is not None:
        drafts += work.plan_runner.finish_call(
            call.id, call.name, ok=ok, data=_data_or_text(ours, message), why=message.text
        )
    talk = None
    if work.call_batch is not None:
        work.call_batch.results[call.id] = text
        talk = work.call_batch.to_messages() if work.call_batch.is_complete else None
    saved = work.plan_snapshot() if talk is not None or work.plan_runner is not None else None
    await work.journal.record(*drafts, batch=talk, plan=saved)
    if talk is not None:
        work.call_batch = None
    return message.model_copy(update={"content": text, "artifact": None})


def truncate_result(text: str, work: TurnState) -> str:
    """Cut a result to `MAX_RESULT_CHARS`; the text says that it was cut."""
    if len(text) <= MAX_RESULT_CHARS:
        return text
    return f"{text[:MAX_RESULT_CHARS]}\n{render_sentence('cut', work.language, chars=len(text))}"


def _data_or_text(ours: Mapping[str, Any], message: ToolMessage) -> JsonValue:
    if "data" in ours:
        data: JsonValue = ours["data"]
        return data
    return message.text
