"""One tool call in a turn: announce it, execute it once, store its result."""

from collections.abc import Mapping
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.types import Command

from metier.agent._exchange import call_json
from metier.agent._paired import data_text
from metier.agent._progress import reporting
from metier.agent._results import leaves_files, shown
from metier.agent._wording import say
from metier.agent._work import MOST_RESULT_CHARS, Work
from metier.jsons import JsonValue
from metier.store import EventDraft
from metier.tools import CONTROL_TOOLS, Outcome, ToolCall, ToolResult


async def run_call(work: Work, call: ToolCall) -> ToolMessage:
    """Emit `tool.called`, then execute. The caller has checked the gate."""
    await work.journal.emit(called_event(work, call))
    return await executed(work, call)


async def executed(work: Work, call: ToolCall) -> ToolMessage:
    """Execute a call whose `tool.called` event was emitted; progress is reported meanwhile."""
    if leaves_files(work, call.name):
        await work.files.look(work.workspace)
    executor = work.kit.bench(work.catalog).executor
    async with reporting(work.journal, call) as progress:
        outcome = await executor.run(
            call, gate=work.gate, context=work.context(progress), approved=True, language=work.language
        )
    return message_of(outcome)


def called_event(work: Work, call: ToolCall) -> EventDraft:
    """Count the call as started and return its `tool.called` event.

    The event carries what another process needs to rebuild the batch after a crash.
    """
    work.begun.add(call.id)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "arguments": call.arguments}
    if steers(work, call.name):
        return EventDraft("tool.called", told)
    work.counts.tool_calls += 1
    if work.plan is not None:
        work.plan.called(call.name)
        if step := work.plan.step_of(call.id):
            told["step"] = step
    if work.exchange is not None and (len(work.exchange.calls) > 1 or work.exchange.text):
        told["text"] = work.exchange.text
        told["calls"] = [call_json(one) for one in work.exchange.calls]
    return EventDraft("tool.called", told)


def steers(work: Work, tool: str) -> bool:
    """Whether a tool only controls the turn; such calls are not counted and never off plan."""
    return tool in CONTROL_TOOLS or tool == work.kit.settings.skill_tool


def message_of(outcome: Outcome) -> ToolMessage:
    """Outcome of a call as ToolMessage; the full result is in its artifact."""
    result = outcome.result
    content, status = (data_text(result.data), "success") if result.ok else (failure_text(result), "error")
    ours: dict[str, Any] = {"state": outcome.state, "elapsed_ms": round(result.elapsed_ms, 1)}
    if result.ok:
        ours["data"] = result.data
    elif result.failure is not None:
        ours["error"] = {"code": result.failure.code, "message": result.failure.message, "hint": result.failure.hint}
    if result.notes:
        ours["notes"] = list(result.notes)
    call = outcome.call
    return ToolMessage(content, tool_call_id=call.id, name=call.name, status=status, artifact={"metier": ours})


def failure_text(result: ToolResult) -> str:
    failure = result.failure
    if failure is None:
        return "failed"
    return f"{failure.code}: {failure.message}" + (f" ({failure.hint})" if failure.hint else "")


def answer_of(result: ToolMessage | Command[Any]) -> ToolMessage | None:
    """ToolMessage in a handler's result, also if a middleware wrapped it in a Command."""
    if isinstance(result, ToolMessage):
        return result
    update = result.update if isinstance(result.update, Mapping) else {}
    return next((one for one in update.get("messages", ()) if isinstance(one, ToolMessage)), None)


def is_held(message: ToolMessage) -> bool:
    return bool(ours_of(message).get("held"))


def ours_of(message: ToolMessage) -> Mapping[str, Any]:
    """Metier's part of the message's artifact; empty if there is none."""
    ours = message.artifact.get("metier") if isinstance(message.artifact, Mapping) else None
    return ours if isinstance(ours, Mapping) else {}


async def answered(work: Work, call: ToolCall, message: ToolMessage) -> ToolMessage:
    """Store the result of a call: its event, the plan's progress and, after the last result, the batch.

    All results pass here, and are published to the user first. Returns the message for the model.
    """
    message = await shown(work, call, message)
    ours = ours_of(message)
    ok = message.status != "error"
    text = fitting(message.text, work)
    told: dict[str, JsonValue] = {"call": call.id, "tool": call.name, "ok": ok, "state": _state(ours, ok)}
    told |= {key: ours[key] for key in ("data", "error", "elapsed_ms", "notes") if key in ours}
    if "data" not in ours or text != data_text(ours["data"]):
        told["content"] = text  # the text for the model, if it differs from the data
    drafts = [EventDraft("tool.result", told)]
    if call.id not in work.begun and told["state"] != "refused":
        drafts.insert(0, called_event(work, call))
    if work.plan is not None:
        drafts += work.plan.heard(call.id, call.name, ok=ok, data=_data(ours, message), why=message.text)
    talk = None
    if work.exchange is not None:
        work.exchange.results[call.id] = text
        talk = work.exchange.talk() if work.exchange.complete else None
    saved = work.saved() if talk is not None or work.plan is not None else None
    await work.journal.record(*drafts, talk=talk, saved=saved)
    if talk is not None:
        work.exchange = None
    return message.model_copy(update={"content": text, "artifact": None})


def fitting(text: str, work: Work) -> str:
    """Cut a result to `MAX_RESULT_CHARS`; the text says that it was cut."""
    if len(text) <= MOST_RESULT_CHARS:
        return text
    return f"{text[:MOST_RESULT_CHARS]}\n{say('cut', work.language, chars=len(text))}"


def _state(ours: Mapping[str, Any], ok: bool) -> str:
    if "refused" in ours:
        return "refused"
    return str(ours.get("state") or ("done" if ok else "failed"))


def _data(ours: Mapping[str, Any], message: ToolMessage) -> JsonValue:
    if "data" in ours:
        data: JsonValue = ours["data"]
        return data
    return message.text
